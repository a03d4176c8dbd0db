// An extension whose first argument says what it does wrong: what the host's
// tests run to see that the host survives it and tells it.

import Foundation

/// The further arguments: `saving` saves an event before anything else in each call, another one names the only
/// method that is done wrong.
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
