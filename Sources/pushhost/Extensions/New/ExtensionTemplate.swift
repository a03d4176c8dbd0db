internal import CTemplates
internal import Foundation

/// The files of a new extension: those of `plugins/kits/templates` with the names of the extension, and its kit.
struct ExtensionTemplate {
    /// A file, with its path in the bundle.
    struct File {
        let path: String
        let content: Data
        let isExecutable: Bool
    }

    let language: TemplateLanguage
    /// The name of the extension and of its folder.
    let name: String
    /// `CFBundleIdentifier`.
    let identifier: String
    /// The folder of the package that has ExtensionKit; only for Swift.
    let package: String?

    /// `CFBundleExecutable`.
    var executable: String { name + language.suffix }

    /// The files, sorted by path.
    var files: [File] {
        UnsafeBufferPointer(start: ctemplates_files(), count: ctemplates_count())
            .compactMap(file)
            .sorted { $0.path < $1.path }
    }

    /// A file of the template; nil if it belongs to another language.
    private func file(_ source: ctemplates_file) -> File? {
        let parts = String(cString: source.path).split(separator: "/", maxSplits: 1)
        guard parts[0] == "common" || parts[0] == language.rawValue else { return nil }
        let path = filled(String(parts[1]))
        let text = String(decoding: UnsafeRawBufferPointer(start: source.bytes, count: source.size), as: UTF8.self)
        return File(path: path, content: Data(filled(text).utf8), isExecutable: path == executable)
    }

    /// A text with the names of the extension in place of those of the template.
    ///
    /// All are replaced in one pass, because the new names may contain the old ones.
    private func filled(_ text: String) -> String {
        let placeholder =
            #/com\.example\.my-coupon|my-coupon\.executable|my-coupon|my_coupon|MyCouponExtension|/path/to/pushhost/#
        return text.replacing(placeholder) { match in
            switch match.output {
            case "com.example.my-coupon": identifier
            case "my-coupon.executable": executable
            case "my_coupon": category
            case "MyCouponExtension": className
            case "/path/to/pushhost": package.map(Self.escapedForSwift) ?? ""
            default: name
            }
        }
    }

    private var category: String { name.replacing("-", with: "_") }

    private var className: String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Extension"
    }

    private static func escapedForSwift(_ path: String) -> String {
        path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
