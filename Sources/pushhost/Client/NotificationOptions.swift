internal import ArgumentParser

/// The options of a command that shows a notification.
struct NotificationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("What Braze knows about the user, for the Liquid in the payload.", valueName: "file"),
        completion: .file()
    )
    var profile: String?

    @Flag(help: "Let service extensions fetch the files that the payload names.")
    var fetchAttachments = false

    @Option(help: "Fix the extensions' randomness, so that each run is the same.")
    var seed: UInt64?

    /// The arguments of `serve` that say the same.
    var serveArguments: [String] {
        (fetchAttachments ? ["--fetch-attachments"] : []) + (seed.map { ["--seed", String($0)] } ?? [])
    }
}
