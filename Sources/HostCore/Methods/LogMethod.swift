internal import Calls
internal import JSON
internal import JSONRPC
internal import Logging

extension MethodTable<HostMethod> {
    /// Adds the method `log`, which every extension may call.
    mutating func addLog(_ parameters: [String], _ publisher: Publisher, _ logger: Logger) {
        addFree("log", parameters) { arguments, peer, _ in
            let name = try arguments.string("level")
            guard let level = Logger.Level(rawValue: name) else {
                let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
                throw arguments.mistyped("level", "one of \(known)")
            }
            let message = try arguments.string("message")
            guard case .extension(let caller) = peer.role else { return [:] }
            let identifier = caller.identifier
            logger.log(level: level, "\(message)", metadata: ["extension": "\(identifier)"])
            publisher.publish(.log) {
                ["extension": .string(identifier), "level": .string(name), "message": .string(message)]
            }
            return [:]
        }
    }
}
