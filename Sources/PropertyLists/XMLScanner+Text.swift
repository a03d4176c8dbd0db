extension XMLScanner {
    /// Reads the text of an element with its close tag, and resolves its references.
    mutating func text(of element: XMLElement, _ start: Int) throws(PropertyListError) -> String {
        let first = position
        skipPlain()
        // Most texts contain neither references nor CDATA sections.
        if isNext("</") {
            let text = try string(bytes[first..<position])
            try skipEnd(element, start)
            return text
        }
        var text = Array(bytes[first..<position])
        while !isAtEnd {
            let piece = position
            if consume("&") {
                text += try reference().utf8
            } else if consume("<![CDATA[") {
                let start = position
                while !isNext("]]>") {
                    guard !isAtEnd else { throw PropertyListError("<![CDATA[ has no end", at: .line(line(at: piece))) }
                    position += 1
                }
                text += bytes[start..<position]
                position += 3
            } else if isNext("<") {
                break
            } else {
                skipPlain()
                text += bytes[piece..<position]
            }
        }
        let string = try string(text[...])
        try skipEnd(element, start)
        return string
    }

    /// Reads the text of an element that must not contain references or CDATA sections, such as a number.
    mutating func plainText(of element: XMLElement, _ start: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
        let first = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        let text = bytes[first..<position]
        try skipEnd(element, start)
        return text
    }

    /// Skips characters that begin neither markup nor a reference.
    private mutating func skipPlain() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "<"), bytes[position] != UInt8(ascii: "&") {
            position += 1
        }
    }

    private func string(_ bytes: ArraySlice<UInt8>) throws(PropertyListError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PropertyListError("a text is not UTF-8; save the file as UTF-8")
        }
        return text
    }

    /// Skips the close tag of an element.
    private mutating func skipEnd(_ element: XMLElement, _ start: Int) throws(PropertyListError) {
        guard !isAtEnd else { throw PropertyListError("it ends inside \(place(of: element, start))") }
        guard consume("</") else {
            throw PropertyListError("\(place(of: element, start)) holds markup; a < of its text is written &lt;")
        }
        let name = try closeTag()
        guard name == element.rawValue else {
            let open = place(of: element, start)
            throw PropertyListError("the close tag </\(name)> does not match the open tag \(open)")
        }
    }

    private func place(of element: XMLElement, _ start: Int) -> String {
        "<\(element.rawValue)> of line \(line(at: start))"
    }

    /// Reads a reference whose `&` was already read, and returns its character.
    private mutating func reference() throws(PropertyListError) -> String {
        for (name, text) in [("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'")]
            as [(StaticString, String)] where consume(name)
        {
            return text
        }
        // The greatest character has seven digits, but any number of leading zeros may precede them.
        let rest = bytes[position...].prefix(40)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
            throw PropertyListError("an & begins no character; write &amp;")
        }
        let name = String(decoding: rest[..<end], as: UTF8.self)
        let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard name.hasPrefix("#"), digits.first.map({ $0 != "+" && $0 != "-" }) ?? false,
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number)
        else { throw PropertyListError("&\(name); is no character; XML has &amp; &lt; &gt; &quot; &apos; and &#…;") }
        position = end + 1
        return String(scalar)
    }
}
