internal import ArgumentParser
internal import HostClient
internal import JSON
internal import JSONRPC
internal import LanguageServer
internal import Platform

/// Serves an editor in the Language Server Protocol.
struct LSPCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Serve an editor: mistakes, completion and documentation in payloads as you type.",
        prose: """
            It speaks the Language Server Protocol 3.17 on stdin and stdout. An editor starts it for payloads (.apns \
            files), and for JSON documents with a member aps.

            Without --plugins, it uses the bundles in the folders that the editor has open, and reads them again when a \
            document is saved.
            """,
        examples: ["pushhost lsp", "pushhost lsp --plugins plugins"],
        exitCodes: """
            0 after the editor's shutdown and exit, 1 if the editor ends without them, 64 for a wrong command line, \
            74 if stdout cannot be written, 128+n after signal n.
            """
    )

    @OptionGroup var host: HostOptions

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let root = try TemporaryFolder.create(prefix: "pushhost-lsp")
        defer { root.remove() }
        return try EditorLoop(host, folder: root.path, signals).run()
    }
}
