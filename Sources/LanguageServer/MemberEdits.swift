import JSON

/// A part of a document and the text that takes its place.
struct TextEdit: Equatable {
    let range: Range<Int>
    let text: String
}

/// Edits of the members of a document that leave the rest of it as it is written, in JSON and in property lists.
struct MemberEdits {
    private typealias Node = SyntaxTree.Node
    private typealias Member = SyntaxTree.Member

    private let bytes: [UInt8]
    private let root: Node?
    private let isXML: Bool

    init(_ document: OpenDocument) {
        bytes = document.text.bytes
        root = document.tree.root
        isXML = document.kind == .infoPlist || document.kind == .entitlements
    }

    // MARK: Looking up

    private func node(_ steps: some Sequence<String>) -> Node? {
        steps.reduce(root) { node, step in
            guard case .array(let elements, _, _)? = node else { return node?[step] }
            return Int(step).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        }
    }

    /// A member with those before and behind it.
    private func find(_ pointer: String) -> (previous: Member?, member: Member, next: Member?)? {
        let steps = JSONPointer.steps(pointer)
        guard let name = steps.last, case .object(let members, _, _)? = node(steps.dropLast()),
            let index = members.lastIndex(where: { $0.name == name })
        else { return nil }
        return (
            index > 0 ? members[index - 1] : nil, members[index],
            index + 1 < members.count ? members[index + 1] : nil
        )
    }

    /// The value that a pointer leads to.
    func value(_ pointer: String) -> JSON? {
        guard case .scalar(let value?, _)? = node(JSONPointer.steps(pointer)) else { return nil }
        return value
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: XML

    /// The element whose content, or which itself, has a range.
    private func element(_ range: Range<Int>, isWhole: Bool) -> Range<Int> {
        if isWhole { return range }
        let start = bytes[..<range.lowerBound].lastIndex(of: UInt8(ascii: "<")) ?? range.lowerBound
        let end = bytes[range.upperBound...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
        return start..<end
    }

    private func element(_ node: Node) -> Range<Int> {
        guard case .scalar(_, let range) = node else { return node.range }
        return element(range, isWhole: !range.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "<"))
    }

    /// The bytes of a member, in XML with its tags.
    private func extent(_ member: Member) -> Range<Int> {
        guard isXML else { return member.range }
        let key = element(member.nameRange, isWhole: false)
        return key.lowerBound..<(member.value.map { element($0).upperBound } ?? key.upperBound)
    }

    /// The offset at which the white space before an offset begins.
    private func startOfSpace(before offset: Int) -> Int {
        bytes[..<offset].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
    }

    // MARK: Edits

    /// Removes a member, or an element of an array in a property list, with what separates it from the others.
    func removal(_ pointer: String) -> TextEdit? {
        guard let (previous, member, next) = find(pointer) else {
            guard isXML, let found = node(JSONPointer.steps(pointer)) else { return nil }
            let range = element(found)
            return TextEdit(range: startOfSpace(before: range.lowerBound)..<range.upperBound, text: "")
        }
        let own = extent(member)
        if isXML { return TextEdit(range: startOfSpace(before: own.lowerBound)..<own.upperBound, text: "") }
        if let next { return TextEdit(range: own.lowerBound..<next.range.lowerBound, text: "") }
        return TextEdit(range: (previous?.range.upperBound ?? own.lowerBound)..<own.upperBound, text: "")
    }

    /// Adds a member at the end of an object, in the layout of those that are there.
    ///
    /// - Parameters:
    ///   - name: The name; in a property list the text is that of the whole member.
    ///   - value: The value as JSON or XML.
    ///   - pointer: Leads to the object.
    /// - Returns: The edit; nil if there is no such object, or if it has no end.
    func insertion(_ name: String, _ value: String, in pointer: String) -> TextEdit? {
        let node = node(JSONPointer.steps(pointer))
        guard case .object(let members, let range, isClosed: true)? = node else { return nil }
        let open = isXML ? (bytes[range].firstIndex(of: UInt8(ascii: ">")) ?? range.lowerBound) : range.lowerBound
        guard !isXML || bytes[open - 1] != UInt8(ascii: "/") else {
            return TextEdit(range: range, text: "<dict>\n\(value)\n</dict>")
        }
        guard let last = members.last else {
            let text = isXML ? "\n\(value)" : Self.member(name, value, ": ")
            return TextEdit(range: (open + 1)..<(open + 1), text: text)
        }
        let own = extent(last)
        let space = string(startOfSpace(before: own.lowerBound)..<own.lowerBound)
        guard !isXML else { return TextEdit(range: own.upperBound..<own.upperBound, text: space + value) }
        let colon = last.value.map { string(last.nameRange.upperBound..<$0.range.lowerBound) } ?? ": "
        // A single member has no comma that shows what follows one.
        let separator = space.isEmpty && members.count == 1 && colon.contains(" ") ? " " : space
        // A comma that is there already has nothing behind it.
        let behind = bytes[own.upperBound..<range.upperBound].prefix { $0 <= 0x20 }
        let hasComma = bytes[behind.endIndex] == UInt8(ascii: ",")
        let place = hasComma ? behind.endIndex + 1 : own.upperBound
        let text = (hasComma ? "" : ",") + separator + Self.member(name, value, colon)
        return TextEdit(range: place..<place, text: text)
    }

    private static func member(_ name: String, _ value: String, _ colon: String) -> String {
        JSON.string(name).description + colon + value
    }

    /// Moves a member with its value to the end of another object, perhaps under another name; nil if that has such a member.
    func move(_ pointer: String, to target: String, as newName: String? = nil) -> [TextEdit]? {
        guard let (_, member, _) = find(pointer), let value = member.value, let removal = removal(pointer) else {
            return nil
        }
        let name = newName ?? member.name
        let text = isXML ? string(extent(member)) : string(value.range)
        guard node(JSONPointer.steps(target))?[name] == nil, let insertion = insertion(name, text, in: target) else {
            return nil
        }
        return [removal, insertion]
    }

    /// Puts another element in place of a value in a property list.
    func replacement(_ pointer: String, element text: String) -> TextEdit? {
        node(JSONPointer.steps(pointer)).map { TextEdit(range: element($0), text: text) }
    }
}
