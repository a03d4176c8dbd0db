internal import ArgumentParser
internal import Foundation
internal import HostClient
internal import JSON
internal import Platform

/// Lists the bundles that a host finds, and their problems.
struct ListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the extension bundles and their problems.",
        discussion: """
            The problems include a missing executable and a missing interpreter. To try a bundle, use pushhost \
            extensions check.

            Examples:
              pushhost extensions list --plugins plugins
              pushhost extensions list --json | jq -r '.extensions[].identifier'

            Exit codes: 0 without problems of the level error, 1 with such problems, 64 for a wrong command line.
            """
    )

    @OptionGroup var host: HostOptions

    @Flag(help: "Print the bundles and problems as one JSON object, the result of the method extensions.")
    var json = false

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let root = try TemporaryFolder.create(prefix: "pushhost-list")
        defer { root.remove() }
        let client = try host.start(dataFolder: root.path, [], signals)
        defer { _ = client.stop(isHasty: false) }
        let catalog = try client.result("extensions")
        let list = BundleList(catalog)
        if json { Terminal.print(catalog) } else { Terminal.write(list.text) }
        return list.hasErrors ? 1 : 0
    }
}
