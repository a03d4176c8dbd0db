// An extension whose first argument says how it misbehaves: the host's
// tests run it to check that the host survives and reports it.

import Foundation

/// The further arguments: `saving` saves an event before anything else in each call, another one names the only
/// method in which it misbehaves.
let arguments = CommandLine.arguments.dropFirst(2)
guard let behaviour = CommandLine.arguments.dropFirst().first.flatMap(Behaviour.init) else {
    FileHandle.standardError.write(Data("usage: hostile-extension BEHAVIOUR [METHOD] [saving]\n".utf8))
    exit(64)
}
Hostile(
    behaviour: behaviour,
    method: arguments.first { $0 != "saving" },
    savesFirst: arguments.contains("saving")
)
.run()
