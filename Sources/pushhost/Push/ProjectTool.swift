internal import HostClient
internal import Platform
internal import PushClient

/// `pushhost-phone`, the program that reads Xcode projects, and PhoneKit's modules.
struct ProjectTool {
    /// The path of the program.
    let program: String
    /// The folder with the modules.
    let modules: String

    /// The tool of the checkout in whose `.build` this program is.
    ///
    /// - Returns: The tool.
    /// - Throws: How to build it, if it is missing.
    static func found(_ folders: StandardFolders) throws(ClientError) -> ProjectTool {
        let parts = folders.host.split(separator: "/")
        guard let end = parts.lastIndex(of: ".build") else { throw .failed(advice) }
        let checkout = "/" + parts[..<end].joined(separator: "/")
        let modules = "\(checkout)/.build/phonekit"
        let program = ["release", "debug"].map { "\(checkout)/Sources/PhoneBuild/.build/\($0)/pushhost-phone" }
            .first { FileStamp(of: $0)?.kind == .file && FileStamp(of: modules)?.kind == .folder }
        guard let program else { throw .failed(advice) }
        return ProjectTool(program: program, modules: modules)
    }

    private static let advice = """
        Xcode projects need pushhost-phone and PhoneKit, which are packages of their own; in the checkout of pushhost \
        run swift build -c release --package-path Sources/PhoneBuild && \
        Sources/PhoneBuild/.build/release/pushhost-phone modules Sources/PhoneKit --output .build/phonekit
        """

    /// Whether a path is an Xcode project, or a folder that has one.
    static func isProject(_ path: String) -> Bool {
        let endings = [".xcodeproj", ".xcworkspace"]
        func isProject(_ name: String) -> Bool { endings.contains { name.hasSuffix($0) } }
        let path = Paths.absolute(path)
        guard StandardFolders.isFolder(path) else { return false }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return isProject(path) || names.contains(where: isProject)
    }

    /// Runs a command of the tool, whose errors go to stderr, and prints what it prints.
    ///
    /// - Returns: Its exit code.
    /// - Throws: That it cannot be started.
    func show(_ arguments: [String]) throws(ClientError) -> Int32 {
        let (text, code) = try ProjectBuild(command: [program] + arguments).output()
        // Names of the project may have anything in them.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { PlainText.escaped(String($0)) }
        if !text.isEmpty { console.print(lines.dropLast().joined(separator: "\n")) }
        return code
    }
}
