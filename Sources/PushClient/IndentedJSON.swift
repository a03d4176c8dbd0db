internal import JSON

extension JSON {
    /// The value as JSON for people: indented, with an object or array on one line if it is short.
    func indented(by depth: Int = 0, width: Int = 100) -> String {
        let line = description
        guard line.count > width - 2 * depth else { return line }
        let (inner, outer) = (String(repeating: "  ", count: depth + 1), String(repeating: "  ", count: depth))
        if let object {
            let members = object.map { name, value in
                "\(inner)\(JSON.string(name)): \(value.indented(by: depth + 1, width: width))"
            }
            return members.isEmpty ? "{}" : "{\n\(members.joined(separator: ",\n"))\n\(outer)}"
        }
        if let array {
            let elements = array.map { inner + $0.indented(by: depth + 1, width: width) }
            return elements.isEmpty ? "[]" : "[\n\(elements.joined(separator: ",\n"))\n\(outer)]"
        }
        return line
    }
}
