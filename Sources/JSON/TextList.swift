internal import CJansson

/// A list of objects in a message that are kept as texts: ``JSON/Array/visit(_:_:)`` reads each of them alone, and only as
/// far as it is asked to.
///
/// A thousand records are thus passed on without a tree of each. Whatever reads the list in another way finds texts.
public struct TextList: Sendable {
    /// The beginning of the member that has the list, and that of the list in it.
    private let container: [UInt8]
    private let list: [UInt8]
    private let names: (container: String, list: String)

    /// The list that is a member of a member of each message.
    ///
    /// - Parameters:
    ///   - list: The name of the list.
    ///   - container: The name of the member that has the list.
    public init(_ list: String, in container: String) {
        names = (container, list)
        self.container = Array("\"\(container)\":{".utf8)
        self.list = Array("\"\(list)\":[".utf8)
    }

    /// Stands before the texts of a list.
    ///
    /// No message can have it, so a text in a message is never taken for an object.
    ///
    /// Jansson takes it for a further `null`, as those of ``NonFinite``.
    nonisolated(unsafe) fileprivate static let mark = {
        let mark = UnsafeMutablePointer<json_t>.allocate(capacity: 1)
        mark.initialize(to: json_t(type: JSON_NULL, refcount: .max))
        return mark
    }()

    /// Parses a message.
    ///
    /// - Parameter text: The message.
    /// - Returns: Its tree, which the caller owns, with the texts in the list; nil if the message does not have the list
    ///   in compact form, or is not valid: then it is parsed as a whole.
    func parse(_ text: UnsafeRawBufferPointer) -> UnsafeMutablePointer<json_t>? {
        guard let start = start(in: text), let (elements, end) = Self.objects(text, from: start) else { return nil }
        var rest: [UInt8] = []
        rest.reserveCapacity(start + text.count - end)
        rest += text[..<start]
        rest += text[end...]
        let tree = rest.withUnsafeBytes { rest in try? JSON.parseTree(rest) }
        guard let tree else { return nil }
        // Found by name, because Jansson, and not this scan, decides where a member is.
        guard let array = json_object_get(json_object_get(tree, names.container), names.list),
            cjansson_typeof(array) == JSON_ARRAY, json_array_size(array) == 0
        else {
            json_decref(tree)
            return nil
        }
        json_array_append(array, Self.mark)
        for element in elements {
            let bytes = text.baseAddress.map { ($0 + element.lowerBound).assumingMemoryBound(to: CChar.self) }
            // The reader checks the text, so Jansson need not.
            json_array_append_new(array, json_stringn_nocheck(bytes, element.count))
        }
        return tree
    }

    /// The position behind the bracket with which the list begins.
    private func start(in text: UnsafeRawBufferPointer) -> Int? {
        var (depth, position, isInside) = (0, 0, false)
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                let rest = UnsafeRawBufferPointer(rebasing: text[position...])
                if depth == 1 { isInside = rest.starts(with: container) }
                if depth == 2, isInside, rest.starts(with: list) { return position + list.count }
                guard let end = Self.endOfString(text, from: position) else { return nil }
                position = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
        }
        return nil
    }

    /// The places of the objects of a list that has nothing else, and that of its end.
    private static func objects(_ text: UnsafeRawBufferPointer, from start: Int) -> ([Range<Int>], Int)? {
        var objects: [Range<Int>] = []
        var position = start
        while position < text.count, text[position] == UInt8(ascii: "{"), let end = endOfObject(text, from: position) {
            objects.append(position..<end)
            guard end < text.count else { return nil }
            if text[end] == UInt8(ascii: "]") { return (objects, end) }
            guard text[end] == UInt8(ascii: ",") else { return nil }
            position = end + 1
        }
        return nil
    }

    private static func endOfObject(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var (depth, position) = (0, start)
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                guard let end = endOfString(text, from: position) else { return nil }
                position = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return position + 1 }
            default: break
            }
            position += 1
        }
        return nil
    }

    private static func endOfString(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var position = start + 1
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return nil
    }
}

extension JSON.Array {
    /// The texts of a list that was kept as texts; nil for any other.
    var texts: JSON.Texts? {
        let first = json_array_get(node.pointer, 0)
        return first == TextList.mark ? JSON.Texts(node: node, count: json_array_size(node.pointer) - 1) : nil
    }
}

extension JSON {
    /// The texts of a ``TextList``.
    struct Texts {
        fileprivate let node: Node
        let count: Int

        subscript(index: Int) -> UnsafeRawBufferPointer {
            bytesOfText(json_array_get(node.pointer, index + 1)) ?? UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }
}
