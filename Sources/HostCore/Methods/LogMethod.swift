internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging

extension MethodTable<HostMethod> {
    /// Every method that an extension without presentations may call: a destination, or one that renders templates.
    static var logAlone: MethodTable<HostMethod> {
        var table = MethodTable()
        table.addLog(["level", "message"])
        return table
    }

    /// Adds the method that every extension has.
    mutating func addLog(_ parameters: [String]) {
        addFree("log", parameters) { host, call in
            let name = try call.arguments.string("level")
            guard let level = Logger.Level(rawValue: name) else {
                let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
                throw call.arguments.mistyped("level", "one of \(known)")
            }
            let message = try call.arguments.string("message")
            guard case .extension(let process) = call.peer.role else { return .done([:]) }
            let identifier = process.bundle.identifier
            host.logger.log(level: level, "\(message)", metadata: ["extension": "\(identifier)"])
            host.publish(.log) {
                ["extension": .string(identifier), "level": .string(name), "message": .string(message)]
            }
            return .done([:])
        }
    }
}
