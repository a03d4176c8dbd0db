internal import JSON
internal import PushClient

/// What `pushhost preview` passes on as the only argument of this program, as JSON.
struct PreviewSettings: Sendable {
    /// The path of `pushhost`, which is started as the host.
    let program: String
    /// The version of `pushhost`, as `--version` prints it.
    let version: String
    /// Arguments of `serve`: folders of bundles, and what else does not change while the preview runs.
    let arguments: [String]
    /// The folder of the suites; nil for a temporary one.
    let dataFolder: String?
    /// The absolute path of the payload; nil if none was named.
    let payload: String?
    /// The absolute path of the profile; nil if none was named.
    let profile: String?
    let locale: String
    let clock: String
    let port: UInt16
    /// Whether the browser is opened.
    let opensBrowser: Bool
    /// Whether the page may load images from other machines.
    let allowsRemoteImages: Bool
    /// The Xcode project whose extensions are shown, and the files and folders from which they are built; nil for bundles.
    let project: (build: ProjectBuild, inputs: [String])?

    /// The settings in the argument; nil if this program was not started by `pushhost preview`.
    init?(_ arguments: [String]) {
        guard arguments.count == 2, let json = try? JSON(parsing: arguments[1]),
            let program = json["program"]?.string
        else { return nil }
        self.program = program
        version = json["version"]?.string ?? ""
        self.arguments = json["arguments"]?.array?.compactMap(\.string) ?? []
        dataFolder = json["data"]?.string
        payload = json["payload"]?.string
        profile = json["profile"]?.string
        locale = json["locale"]?.string ?? ""
        clock = json["clock"]?.string ?? ""
        port = UInt16(clamping: json["port"]?.integer ?? 0)
        opensBrowser = json["open"] == true
        allowsRemoteImages = json["remoteImages"] == true
        let command = json["build"]?.array?.compactMap(\.string) ?? []
        let inputs = json["inputs"]?.array?.compactMap(\.string) ?? []
        project = command.isEmpty ? nil : (ProjectBuild(command: command), inputs)
    }
}
