import Foundation
import TestSupport
import Testing

/// The proofs in `Tests/Proof`, each with a small count.
@Suite(.waits, .wire, .enabled(if: isLinux)) struct ProofTests {
    @Test("What was answered is there after a power loss: 500 states of recorded sessions")
    func powerLoss() throws { try prove("power-loss", ["--quick"]) }

    @Test("Commands and hosts that are killed on one folder lose and double nothing: 50 rounds of pairs")
    func kills() throws { try prove("kills", ["--quick"]) }

    @Test("The proof of kills names what is wrong with a damaged suite")
    func damages() throws { try prove("kills", ["--self-test"]) }

    @Test("No figure of the proof is older than the engine")
    func figures() throws {
        let check = try ChildProcess("/bin/sh", ["-c", #"exec "$0" --check 2>&1"#, "\(repositoryRoot)/Tests/prove"])
        let report = try check.readToEnd()
        #expect(try check.wait() == .code(0), "\(report)")
    }

    /// Runs a proof with the built host; its promise must hold.
    private func prove(_ name: String, _ options: [String]) throws {
        let program = try hostCommand(unchecked: "the proof records and kills its own hosts")[0]
        var environment = ProcessInfo.processInfo.environment
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        // The progress on stderr shows the reader of the output that the proof goes on.
        let proof = try ChildProcess(
            "/bin/sh",
            ["-c", #"exec "$0" "$@" 2>&1"#, "\(repositoryRoot)/Tests/Proof/\(name)", "--host", program] + options,
            environment: environment
        )
        var lines: [String] = []
        while let line = try proof.readLine() { lines.append(line) }
        let report = lines.joined(separator: "\n")
        #expect(try proof.wait() == .code(0), "\(report)")
        #expect(lines.last?.hasPrefix(#"{"promise": "#) == true, "\(report)")
    }
}
