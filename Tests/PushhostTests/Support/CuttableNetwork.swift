import Foundation
import TestSupport

/// A network between a client and a port of this machine, which can be cut.
final class CuttableNetwork {
    let port: Int
    private let target: Int
    private var proxy: ChildProcess

    init(to target: Int) throws {
        self.target = target
        (proxy, port) = try Self.start(target)
    }

    private static func start(_ target: Int, port: Int? = nil) throws -> (ChildProcess, Int) {
        let script = "\(repositoryRoot)/Tests/Fixtures/network/proxy.py"
        let process = try ChildProcess(try Tool.python.path(), [script, "\(target)"] + (port.map { ["\($0)"] } ?? []))
        guard let line = try process.readLine(), let port = Int(line) else {
            throw TestFailure("the proxy did not start: \(process.standardError)")
        }
        return (process, port)
    }

    /// Cuts the network: connections stay open, and nothing passes.
    func cut() { proxy.kill(SIGSTOP) }

    /// Ends the cut: what was under way is lost, and the connections are reset.
    func restore() throws {
        proxy.kill(SIGKILL)
        _ = try proxy.wait()
        (proxy, _) = try Self.start(target, port: port)
    }
}
