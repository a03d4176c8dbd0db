/// What a property list says about a destination or a source; an invalid attribute is ignored and reported.
struct DeliveryAttributes {
    private static let destinationNameKey = "PushhostDestinationName"
    private static let sourceNameKey = "PushhostSourceName"
    private static let environmentKey = "PushhostEnvironment"
    private static let batchesKey = "PushhostDestinationConcurrentBatches"
    private static let idempotentKey = "PushhostDestinationIsIdempotent"
    /// The destinations that the host itself provides.
    private static let reservedNames = ["caller", "file"]

    private(set) var destinationName: String?
    private(set) var sourceName: String?
    private(set) var environmentNames: [String] = []
    private(set) var concurrentBatches = 1
    private(set) var isIdempotent = false

    init(_ attributes: PropertyList?, _ point: ExtensionBundle.Point, _ problems: inout [BundleProblem]) {
        guard let attributes else { return }
        guard point.getsVariables else {
            // The environment may hold secrets, which only a destination or a source needs.
            guard attributes.has(Self.environmentKey) else { return }
            let text =
                "\(Self.environmentKey) is ignored: only a destination or a source gets variables of the host's "
                + "environment"
            problems.append(BundleProblem(path: attributes.path, message: text))
            return
        }
        do throws(BundleProblem) {
            if point == .source {
                sourceName = try Self.name(Self.sourceNameKey, attributes)
            } else {
                destinationName = try Self.name(Self.destinationNameKey, attributes, reserved: Self.reservedNames)
            }
        } catch {
            problems.append(error)
        }
        do throws(BundleProblem) {
            environmentNames = try Self.environmentNames(attributes)
        } catch {
            problems.append(error)
        }
        guard point == .destination else { return }
        do throws(BundleProblem) {
            concurrentBatches = try Self.concurrentBatches(attributes)
        } catch {
            problems.append(error)
        }
        do throws(BundleProblem) {
            isIdempotent = try attributes.bool(Self.idempotentKey) ?? false
        } catch {
            problems.append(error)
        }
    }

    private static func name(
        _ key: String,
        _ attributes: PropertyList,
        reserved: [String] = []
    ) throws(BundleProblem) -> String {
        let name = try attributes.string(key)
        // The regular expression alone also matches characters that are canonically equal to ASCII.
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        guard isASCII, name.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._-]{0,63}/#) != nil else {
            throw attributes.problem(key, "1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first")
        }
        guard !reserved.contains(name) else {
            let names = reserved.joined(separator: " and ")
            throw attributes.problem(key, "another name than the host's own \(names)")
        }
        return name
    }

    private static func environmentNames(_ attributes: PropertyList) throws(BundleProblem) -> [String] {
        let names = try attributes.strings(environmentKey) ?? []
        guard let wrong = names.firstIndex(where: { $0.isEmpty || $0.contains("=") }) else { return names }
        // Named by its number, because the entry may hold a secret value.
        let text = "\(environmentKey) must hold names of variables alone; its entry \(wrong + 1) is not one"
        throw BundleProblem(path: attributes.path, message: text)
    }

    private static func concurrentBatches(_ attributes: PropertyList) throws(BundleProblem) -> Int {
        guard let number = try attributes.number(batchesKey) else { return 1 }
        guard number == 1 || number == 2 else { throw attributes.problem(batchesKey, "1 or 2") }
        return Int(number)
    }
}
