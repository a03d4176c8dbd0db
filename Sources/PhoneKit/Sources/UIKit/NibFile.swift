import Foundation
import FoundationXML

/// An element of a storyboard or a xib.
final class NibElement {
    let name: String
    let attributes: [String: String]
    fileprivate(set) var children: [NibElement] = []
    fileprivate(set) var text = ""
    fileprivate(set) weak var parent: NibElement?

    fileprivate init(_ name: String, _ attributes: [String: String]) {
        (self.name, self.attributes) = (name, attributes)
    }

    subscript(attribute: String) -> String? { attributes[attribute] }

    /// The first child of that name.
    func child(_ name: String) -> NibElement? { children.first { $0.name == name } }
    /// The child for that property of the object.
    func value(_ key: String) -> NibElement? { children.first { $0["key"] == key } }
    /// A number of an attribute.
    func number(_ attribute: String) -> CGFloat? { self[attribute].flatMap(Double.init).map { CGFloat($0) } }
    /// `YES` or `NO` of an attribute.
    func bool(_ attribute: String) -> Bool? { self[attribute].map { $0 == "YES" || $0 == "true" } }
    /// The elements of that name below this one, itself included.
    func all(_ name: String) -> [NibElement] { (self.name == name ? [self] : []) + children.flatMap { $0.all(name) } }
    /// The element with that id, itself included.
    func element(id: String) -> NibElement? {
        self["id"] == id ? self : children.lazy.compactMap { $0.element(id: id) }.first
    }
}

/// A storyboard or a xib of the bundle, as an Xcode project contains it.
final class NibFile {
    let root: NibElement
    let bundle: Bundle
    /// The texts of a language by the id of an object and its property, such as `abc-1.text`.
    let strings: [String: String]

    private nonisolated(unsafe) static var loaded: [String: NibFile] = [:]

    private init(_ root: NibElement, _ bundle: Bundle, _ strings: [String: String]) {
        (self.root, self.bundle, self.strings) = (root, bundle, strings)
    }

    /// The file of that name; nil if the bundle has none.
    @MainActor
    static func find(_ name: String, _ suffix: String, in bundle: Bundle?) -> NibFile? {
        let bundle = bundle ?? .main
        let key = "\(bundle.bundlePath)/\(name).\(suffix)"
        if let known = loaded[key] { return known }
        guard let url = url("\(name).\(suffix)", in: bundle.bundleURL), let root = NibReader.read(url) else {
            return nil
        }
        let file = NibFile(root, bundle, readStrings(name, bundle.bundleURL))
        loaded[key] = file
        return file
    }

    private static func url(_ file: String, in folder: URL) -> URL? {
        let direct = ["", "Base.lproj/", "en.lproj/"].map { folder.appendingPathComponent($0 + file) }
        if let found = direct.first(where: { FileManager.default.fileExists(atPath: $0.path) }) { return found }
        guard let paths = FileManager.default.enumerator(atPath: folder.path) else { return nil }
        for case let path as String in paths where (path as NSString).lastPathComponent == file {
            return folder.appendingPathComponent(path)
        }
        return nil
    }

    private static func readStrings(_ name: String, _ folder: URL) -> [String: String] {
        let locale = NibFile.locale
        let language = String(locale.prefix { $0 != "-" && $0 != "_" })
        for candidate in [locale, language] {
            let url = folder.appendingPathComponent("\(candidate).lproj/\(name).strings")
            if let data = try? Data(contentsOf: url),
                let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
                let strings = list as? [String: String]
            {
                return strings
            }
        }
        return [:]
    }

    /// The locale whose texts replace those in the file.
    nonisolated(unsafe) static var locale = "en"
}

/// Reads XML into elements.
private final class NibReader: NSObject, XMLParserDelegate {
    private let top = NibElement("", [:])
    private var stack: [NibElement] = []

    static func read(_ url: URL) -> NibElement? {
        guard let data = try? Data(contentsOf: url) else { return nil }
        let parser = XMLParser(data: data)
        let reader = NibReader()
        reader.stack = [reader.top]
        parser.delegate = reader
        guard parser.parse() else {
            fatalError(
                "\(url.path), line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "it is no XML")"
            )
        }
        return reader.top.children.first
    }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?,
        attributes attributeDict: [String: String]
    ) {
        let element = NibElement(elementName, attributeDict)
        element.parent = stack.last
        stack.last?.children.append(element)
        stack.append(element)
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?
    ) {
        stack.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { stack.last?.text += string }
}

/// The coder that an object of a storyboard is made with.
final class NibCoder: NSCoder, @unchecked Sendable {}
