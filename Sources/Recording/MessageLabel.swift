internal import Contract
internal import JSON

/// What a message is about, in a few words: its method and the name, key or element that it names.
enum MessageLabel {
    /// The parameters that say what a call is about.
    private static let subjects = ["name", "key", "field", "element", "actionIdentifier"]

    /// The names of the parameters of each method of the host, in their order.
    private static let parameters: [String: [String]] = {
        var names: [String: [String]] = [:]
        for method in ContractDocuments.host["methods"]?.array.map({ Array($0) }) ?? [] {
            guard let name = method["name"]?.string else { continue }
            names[name] = (method["params"]?.array.map { Array($0) } ?? []).compactMap { $0["name"]?.string }
        }
        return names
    }()

    /// The label of a call or a notification.
    static func call(_ method: String, _ params: JSON?) -> String {
        let subject = subjects.lazy.compactMap { parameter($0, of: method, in: params)?.string }.first
        return subject.map { "\(method) \($0)" } ?? method
    }

    /// A step to a value inside another one.
    enum Step {
        case member(String)
        case element(Int)

        func value(in json: JSON) -> JSON? {
            switch self {
            case .member(let name): json[name]
            case .element(let index): json[index]
            }
        }
    }

    /// The step from params to a parameter, given by name or by position.
    static func step(to name: String, of method: String, in params: JSON?) -> Step? {
        if params?.object != nil { return .member(name) }
        return parameters[method]?.firstIndex(of: name).map { .element($0) }
    }

    private static func parameter(_ name: String, of method: String, in params: JSON?) -> JSON? {
        params.flatMap { step(to: name, of: method, in: params)?.value(in: $0) }
    }
}
