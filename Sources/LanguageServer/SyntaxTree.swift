package import JSON

/// A document as a tree with the place of each part: JSON, and what has the same structure.
///
/// Offsets are those of the document's bytes. A document with mistakes has a tree of what could be read.
package struct SyntaxTree {
    /// How a document is written.
    package enum Language {
        case json
        /// A JSON text in each line; they are the elements of an array.
        case jsonLines
        /// A property list in XML; a dictionary is an object, and a number a number.
        case propertyList
        /// `"key" = "text";`; the entries are the members of an object.
        case strings
    }

    /// A value.
    package indirect enum Node {
        /// It is closed if its last bracket is there.
        case object([Member], Range<Int>, isClosed: Bool)
        case array([Node], Range<Int>, isClosed: Bool)
        /// A text, number or literal; nil if it is malformed.
        case scalar(JSON?, Range<Int>)

        /// Its bytes.
        package var range: Range<Int> {
            switch self {
            case .object(_, let range, _), .array(_, let range, _), .scalar(_, let range): range
            }
        }
    }

    /// A member of an object.
    package struct Member {
        package let name: String
        package let nameRange: Range<Int>
        /// Nil if it is missing.
        package let value: Node?

        /// Its bytes.
        package var range: Range<Int> {
            nameRange.lowerBound..<max(nameRange.upperBound, value?.range.upperBound ?? 0)
        }
    }

    /// A part that is not JSON.
    package struct Mistake {
        package let message: String
        package let range: Range<Int>
    }

    /// The value; nil for a text without one.
    package let root: Node?
    package private(set) var mistakes: [Mistake] = []

    /// Reads a document; without a language it has no value.
    package init(_ bytes: [UInt8], _ language: Language? = .json) {
        switch language {
        case nil: root = nil
        case .json:
            var reader = JSONSyntax(bytes)
            root = reader.read()
            mistakes = reader.mistakes
        case .jsonLines: (root, mistakes) = JSONSyntax.readLines(bytes)
        case .propertyList: root = PropertyListSyntax.read(bytes)
        case .strings: root = StringsSyntax.read(bytes)
        }
    }

    // MARK: Looking up

    /// A value without its mistakes: what is malformed is null, what is missing is left out.
    package var value: JSON { root.map(Self.json) ?? .null }

    private static func json(_ node: Node) -> JSON {
        switch node {
        case .object(let members, _, _):
            JSON.object(JSON.Object(members.compactMap { member in member.value.map { (member.name, json($0)) } }))
        case .array(let elements, _, _): JSON(elements.map(json))
        case .scalar(let value, _): value ?? .null
        }
    }

    /// What a JSON Pointer names: a member or an element.
    ///
    /// - Returns: The range of its name, if it has one, and that of its value; of the part that exists if the whole does
    ///   not; nil for a text without a value.
    package func find(_ pointer: String) -> (name: Range<Int>?, value: Range<Int>)? {
        guard var node = root else { return nil }
        var found: (name: Range<Int>?, value: Range<Int>) = (nil, node.range)
        for name in JSONPointer.steps(pointer) {
            switch node {
            case .object(let members, _, _):
                guard let member = members.last(where: { $0.name == name }) else { return found }
                found = (member.nameRange, member.value?.range ?? member.nameRange)
                guard let value = member.value else { return found }
                node = value
            case .array(let elements, _, _):
                guard let index = Int(name), elements.indices.contains(index) else { return found }
                node = elements[index]
                found = (nil, node.range)
            case .scalar: return found
            }
        }
        return found
    }

    /// The members that contain an offset, from the outermost to the innermost, and whether it is in the last one's name.
    package func path(to offset: Int) -> (steps: [String], isInName: Bool) {
        var steps: [String] = []
        var next = root
        while let node = next {
            next = nil
            switch node {
            case .object(let members, _, _):
                guard
                    let member = members.last(where: {
                        $0.nameRange.lowerBound <= offset && offset <= $0.range.upperBound
                    })
                else { break }
                steps.append(member.name)
                if offset <= member.nameRange.upperBound { return (steps, true) }
                next = member.value
            case .array(let elements, _, _):
                guard
                    let index = elements.firstIndex(where: {
                        $0.range.lowerBound <= offset && offset <= $0.range.upperBound
                    })
                else { break }
                steps.append(String(index))
                next = elements[index]
            case .scalar: break
            }
        }
        return (steps, false)
    }

    /// The innermost object or array that contains an offset between its brackets.
    package func container(at offset: Int) -> (steps: [String], node: Node)? {
        func search(_ node: Node, _ steps: [String]) -> (steps: [String], node: Node)? {
            guard node.range.lowerBound < offset, offset <= node.range.upperBound else { return nil }
            switch node {
            case .object(let members, let range, let isClosed):
                for member in members {
                    if let value = member.value, let found = search(value, steps + [member.name]) { return found }
                }
                return offset == range.upperBound && isClosed ? nil : (steps, node)
            case .array(let elements, let range, let isClosed):
                for (index, element) in elements.enumerated() {
                    if let found = search(element, steps + [String(index)]) { return found }
                }
                return offset == range.upperBound && isClosed ? nil : (steps, node)
            case .scalar: return nil
            }
        }
        return root.flatMap { search($0, []) }
    }
}
