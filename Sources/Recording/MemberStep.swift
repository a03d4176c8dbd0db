internal import Contract
internal import JSON

/// A step from a value to one inside it.
enum MemberStep {
    case member(String)
    case element(Int)

    /// The names of the parameters of each method of the host, in their order.
    private static let parameters: [String: [String]] = {
        var names: [String: [String]] = [:]
        for method in ContractDocuments.host["methods"]?.array.map({ Array($0) }) ?? [] {
            guard let name = method["name"]?.string else { continue }
            names[name] = (method["params"]?.array.map { Array($0) } ?? []).compactMap { $0["name"]?.string }
        }
        return names
    }()

    /// The step from params to a parameter of a method of the host, which may be given by name or by position; nil if the
    /// method has no such parameter.
    init?(to name: String, of method: String, in params: JSON) {
        if params.object != nil {
            self = .member(name)
        } else if let index = Self.parameters[method]?.firstIndex(of: name) {
            self = .element(index)
        } else {
            return nil
        }
    }

    func value(in json: JSON) -> JSON? {
        switch self {
        case .member(let name): json[name]
        case .element(let index): json[index]
        }
    }
}
