/// What a property list says about a destination; an invalid attribute is ignored and reported.
struct DestinationAttributes {
    private static let nameKey = "PushhostDestinationName"
    private static let environmentKey = "PushhostEnvironment"
    private static let batchesKey = "PushhostDestinationConcurrentBatches"
    private static let idempotentKey = "PushhostDestinationIsIdempotent"
    /// The destinations that the host itself provides.
    private static let reservedNames = ["caller", "file"]

    private(set) var name: String?
    private(set) var environmentNames: [String] = []
    private(set) var concurrentBatches = 1
    private(set) var isIdempotent = false

    init(_ attributes: PropertyList?, _ point: ExtensionBundle.Point, _ problems: inout [BundleProblem]) {
        guard let attributes else { return }
        guard point == .destination else {
            // The environment may hold secrets, which only a destination needs.
            guard attributes.has(Self.environmentKey) else { return }
            let text = "\(Self.environmentKey) is ignored: only a destination gets variables of the host's environment"
            problems.append(BundleProblem(path: attributes.path, message: text))
            return
        }
        do throws(BundleProblem) {
            name = try Self.name(attributes)
        } catch {
            problems.append(error)
        }
        do throws(BundleProblem) {
            environmentNames = try Self.environmentNames(attributes)
        } catch {
            problems.append(error)
        }
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

    private static func name(_ attributes: PropertyList) throws(BundleProblem) -> String {
        let name = try attributes.string(nameKey)
        // The regular expression alone also matches characters that are canonically equal to ASCII.
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        guard isASCII, name.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._-]{0,63}/#) != nil else {
            throw attributes.problem(nameKey, "1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first")
        }
        guard !reservedNames.contains(name) else {
            let reserved = reservedNames.joined(separator: " and ")
            throw attributes.problem(nameKey, "another name than the host's own \(reserved)")
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
