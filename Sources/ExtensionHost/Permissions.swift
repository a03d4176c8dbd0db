internal import Platform

/// `PushhostPermissions` of a bundle's `Info.plist`: what its processes may do besides reading the bundle and the system's
/// files and writing a temporary folder.
public struct Permissions: Equatable, Sendable, CustomStringConvertible {
    static let key = "PushhostPermissions"
    private static let members = ["Network", "Read", "Write"]

    /// The hosts with which it connects: `*`, a name, or either with `:` and a port.
    public private(set) var network: [String] = []
    /// The files and folders that it reads, as they are written.
    public private(set) var readable: [String] = []
    /// The folders that it writes, as they are written.
    public private(set) var writable: [String] = []

    /// Whether it needs none.
    public var isEmpty: Bool { self == Permissions() }

    init() {}

    /// A sentence, such as "it connects to *; it reads ~/models".
    public var description: String {
        [("connects to", network), ("reads", readable), ("writes", writable)].filter { !$1.isEmpty }
            .map { "it \($0) \($1.joined(separator: ", "))" }.joined(separator: "; ")
    }

    /// Reads the declaration; an invalid member is ignored and reported.
    init(_ info: PropertyDictionary, variables: [String], _ problems: inout [BundleProblem]) {
        guard info.has(Self.key) else { return }
        do throws(BundleProblem) {
            let list = try info.requiredDictionary(Self.key)
            if let unknown = list.keys.first(where: { !Self.members.contains($0) }) {
                let text = "\(Self.key) has no member \(unknown), only \(Self.members.joined(separator: ", "))"
                let place = BundleProblem.Place(reason: "unknownKey", pointer: list.pointer(to: unknown))
                problems.append(BundleProblem(path: list.path, message: text, key: Self.key, place: place))
            }
            network = read("Network", list, &problems) { Self.isHost($0) }
            readable = read("Read", list, &problems) { Self.isPath($0, variables) }
            writable = read("Write", list, &problems) { Self.isPath($0, variables) }
        } catch {
            problems.append(error)
        }
    }

    private static let forms = [
        "Network": "hosts, each such as *, rest.iad-01.braze.com or *:443",
        "Read":
            "paths, each absolute, relative to the bundle, below ~/, or $NAME for a variable of PushhostEnvironment",
    ]

    private func read(
        _ member: String,
        _ list: PropertyDictionary,
        _ problems: inout [BundleProblem],
        isValid: (String) -> Bool
    ) -> [String] {
        do throws(BundleProblem) {
            let texts = try list.strings(member) ?? []
            guard let wrong = texts.first(where: { !isValid($0) }) else { return texts }
            let form = Self.forms[member] ?? Self.forms["Read"] ?? ""
            let text = "\(Self.key), \(member): it must hold \(form); \"\(wrong)\" is not one"
            let place = BundleProblem.Place(reason: "wrongValue", pointer: list.pointer(to: member))
            throw BundleProblem(path: list.path, message: text, key: Self.key, place: place)
        } catch {
            problems.append(error)
            return []
        }
    }

    private static func isHost(_ text: String) -> Bool {
        text.wholeMatch(of: #/(\*|[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/#) != nil
            && (!text.contains(":") || port(text) != nil || text.hasSuffix("]"))
    }

    private static func isPath(_ text: String, _ variables: [String]) -> Bool {
        guard text.hasPrefix("$") else { return !text.isEmpty && !text.utf8.contains(0) }
        return variables.contains(String(text.dropFirst()))
    }

    private static func port(_ host: String) -> UInt16? {
        let end = host.split(separator: "]", omittingEmptySubsequences: false).last ?? ""
        return end.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last.flatMap { UInt16($0) }
    }

    /// What it may connect to; only its ports are restricted, and only if each host has one.
    var access: Sandbox.Network {
        guard !network.isEmpty else { return .none }
        let ports = network.map(Self.port)
        let named = ports.compactMap(\.self)
        // Names are resolved by TCP too, if an answer is long.
        return named.count == ports.count ? .ports(Array(Set(named + [53])).sorted()) : .any
    }

    /// Whether a file may be read by one of the paths that need no variable.
    func allowsReading(_ path: String, of bundle: String) -> Bool {
        let paths = Self.paths(readable + writable, of: bundle, [:], home: nil).compactMap(Paths.resolved)
        return paths.contains { path == $0 || Paths.lies(path, in: $0) }
    }

    /// The absolute paths of entries; those of variables that are not set are left out.
    static func paths(_ entries: [String], of bundle: String, _ variables: [String: String], home: String?) -> [String]
    {
        entries.compactMap { entry in
            if entry.hasPrefix("$") { return variables[String(entry.dropFirst())].map { absolute($0, in: bundle) } }
            if entry == "~" || entry.hasPrefix("~/") { return home.map { $0 + entry.dropFirst() } }
            return absolute(entry, in: bundle)
        }
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }
}
