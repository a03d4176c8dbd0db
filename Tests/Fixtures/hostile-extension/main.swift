// An extension whose one argument says what it does wrong: what the host's
// tests run to see that the host survives it and tells it.

import Foundation

guard let behaviour = CommandLine.arguments.dropFirst().first.flatMap(Behaviour.init) else {
    FileHandle.standardError.write(Data("usage: hostile-extension BEHAVIOUR\n".utf8))
    exit(64)
}
Hostile(behaviour: behaviour).run()
