internal import Foundation

#if canImport(FoundationXML)
internal import FoundationXML
#endif

/// A storyboard or a xib: its elements with their lines.
package struct InterfaceFile {
    /// An element of the file.
    package struct Element {
        /// The name of the tag, such as `button`.
        package let name: String
        /// The attributes of the tag.
        package let attributes: [String: String]
        /// The line of the tag, from 1 on.
        package let line: Int
        /// The index of the element around it; nil at the top.
        package let parent: Int?
    }

    /// The file.
    package let path: String
    /// All elements, in the order of the file.
    package let elements: [Element]

    /// Reads a file; nil if it is absent or no XML.
    package init?(path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let reader = Reader()
        let parser = XMLParser(data: data)
        parser.delegate = reader
        guard parser.parse() else { return nil }
        (self.path, elements) = (path, reader.elements)
    }

    /// Reads the storyboard that a target shows first; nil if the target has no such file.
    ///
    /// - Parameters:
    ///   - name: The name without `.storyboard`.
    ///   - code: The target.
    package init?(storyboard name: String, of code: SourceModule) {
        let matching = code.resources.filter { $0.path.hasSuffix("/\(name).storyboard") }
        guard let found = matching.first(where: { $0.destination.hasPrefix("Base.lproj/") }) ?? matching.first else {
            return nil
        }
        self.init(path: found.path)
    }

    /// The controller with which a storyboard begins; nil if the file names none.
    package var initialController: Element? {
        guard let id = elements.first?.attributes["initialViewController"] else { return nil }
        return elements.first { $0.attributes["id"] == id }
    }

    /// Whether an element stands in one of that name.
    package func isInside(_ element: Element, _ name: String) -> Bool {
        var parent = element.parent
        while let index = parent {
            if elements[index].name == name { return true }
            parent = elements[index].parent
        }
        return false
    }

    private final class Reader: NSObject, XMLParserDelegate {
        private(set) var elements: [Element] = []
        private var stack: [Int] = []

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            stack.append(elements.count)
            let parent = stack.dropLast().last
            elements.append(Element(name: name, attributes: attributes, line: parser.lineNumber, parent: parent))
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            stack.removeLast()
        }
    }
}
