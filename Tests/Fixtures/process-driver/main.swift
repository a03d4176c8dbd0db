internal import ExtensionHost

// Runs the extension of one bundle without the rest of the host, for tests of `ExtensionProcess`: a process of its
// own, because it adopts and kills what extensions leave behind.
//
//     process-driver <bundle> [keeps] [<limit>=<number>…]

let bundle = try ExtensionBundle(folder: CommandLine.arguments[1])
var limits = ExtensionLimits()
for argument in CommandLine.arguments.dropFirst(2) where argument != "keeps" { limits.set(argument) }
Driver(bundle, limits, keepsMessages: CommandLine.arguments.contains("keeps")).run()
