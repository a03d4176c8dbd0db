/// Reads the XML form as Apple's reader does: it skips a document type, never loads anything from outside the file, and
/// resolves only the five predefined entities and character references.
struct XMLPropertyListReader {
    /// An element whose close tag was not read yet, and the position of its open tag.
    private struct Open {
        let element: XMLElement
        let start: Int
    }

    private var text: XMLText
    private var scanner = XMLScanner()
    private var assembly: PropertyListAssembly
    private var open: [Open] = []

    init(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
        text = try XMLText(bytes)
        assembly = PropertyListAssembly(limits: limits, size: bytes.count, readsUIDs: true)
    }

    /// The value, if it is complete.
    var value: PropertyListValue? { open.isEmpty ? assembly.root : nil }

    /// Reads one more value or the end of a container, or converts a part of the file to UTF-8.
    mutating func step() throws(PropertyListError) {
        do throws(PropertyListError) {
            guard text.isComplete else {
                try text.convert()
                if text.isComplete { scanner = XMLScanner(text.removeBytes()) }
                return
            }
            try read()
        } catch {
            throw error.placed(at: .line(scanner.line))
        }
    }

    private mutating func read() throws(PropertyListError) {
        try scanner.skipBetweenElements()
        guard !scanner.isAtEnd else { throw ended() }
        let start = scanner.position
        if scanner.consume("</") { return try close(start) }
        let tag = try scanner.openTag()
        switch tag.element {
        case .plist:
            guard open.isEmpty else { throw wrong("<plist> stands inside \(place(of: open.count - 1))", start) }
            guard !tag.isEmpty else { throw wrong("<plist/> is empty", start) }
            open.append(Open(element: .plist, start: start))
        case .key:
            guard assembly.needsKey else { throw wrong(misplacedKey(), start) }
            let key = tag.isEmpty ? "" : try scanner.text(of: .key, start)
            try assembly.count(bytes: key.utf8.count)
            assembly.add(key: key)
        case .array, .dict:
            try checkValue(tag.element, start)
            try assembly.open(isDictionary: tag.element == .dict)
            if tag.isEmpty { assembly.close() } else { open.append(Open(element: tag.element, start: start)) }
        default:
            try checkValue(tag.element, start)
            let value = try scanner.scalar(tag, start)
            switch value {
            case .string(let text): try assembly.count(bytes: text.utf8.count)
            case .data(let bytes): try assembly.count(bytes: bytes.count)
            default: break
            }
            try assembly.add(value)
        }
    }

    private mutating func close(_ start: Int) throws(PropertyListError) {
        let name = try scanner.closeTag()
        guard let last = open.last else { throw wrong("</\(name)> ends nothing", start) }
        guard last.element.rawValue == name else {
            throw wrong("the close tag </\(name)> does not match the open tag \(place(of: open.count - 1))", start)
        }
        guard last.element != .plist || assembly.root != nil else { throw wrong("<plist> is empty", start) }
        if let key = assembly.key, last.element == .dict { throw wrong("the key \(quoted(key)) has no value", start) }
        open.removeLast()
        if last.element != .plist { assembly.close() }
    }

    /// Throws if a value is not allowed at the current position.
    private func checkValue(_ element: XMLElement, _ start: Int) throws(PropertyListError) {
        guard assembly.root == nil else {
            throw wrong("there is a second value, <\(element.rawValue)>, and a property list has one", start)
        }
        guard !assembly.needsKey else {
            throw wrong("<\(element.rawValue)> has no <key> before it in \(place(of: open.count - 1))", start)
        }
    }

    // MARK: Messages

    private func wrong(_ reason: String, _ start: Int) -> PropertyListError {
        PropertyListError(reason, at: .line(scanner.line(at: start)))
    }

    private func place(of index: Int) -> String {
        "<\(open[index].element.rawValue)> of line \(scanner.line(at: open[index].start))"
    }

    private func quoted(_ key: String) -> String { String(key.prefix(100)).debugDescription }

    private func ended() -> PropertyListError {
        PropertyListError(
            open.isEmpty ? "it ends before its first element" : "it ends inside \(place(of: open.count - 1))"
        )
    }

    private func misplacedKey() -> String {
        guard let key = assembly.key else { return "<key> stands outside a <dict>" }
        return "the key \(quoted(key)) has no value: another <key> follows"
    }
}

/// The elements of a property list.
enum XMLElement: String {
    case plist
    case dict
    case array
    case key
    case string
    case integer
    case real
    case `true`
    case `false`
    case date
    case data
}
