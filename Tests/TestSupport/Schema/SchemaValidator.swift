import Foundation
import JSON
import Synchronization

/// The process that checks values: `Tests/Fixtures/json-schema/validator.py`, one for all tests.
final class SchemaValidator: Sendable {
    static let shared = Result { try SchemaValidator() }

    private struct Talk: ~Copyable {
        let process: ChildProcess
    }

    private let talk: Mutex<Talk>

    private init() throws {
        let program = "\(repositoryRoot)/Tests/Fixtures/json-schema/validator.py"
        let process = try ChildProcess(try pythonProgram(with: "jsonschema"), [program])
        talk = Mutex(Talk(process: process))
    }

    /// Asks, and waits for the answer.
    func answer(_ question: String) throws -> JSON {
        let line = Array("\(question)\n".utf8)
        return try talk.withLock { talk in
            try talk.process.write(line)
            guard let answer = try talk.process.readLine() else {
                throw TestFailure("the JSON Schema validator ended: \(talk.process.standardError)")
            }
            return try JSON(parsing: answer)
        }
    }
}

/// Values that are checked together, because waiting for each answer takes longer than the check.
final class SchemaBatch: Sendable {
    /// If there is one, ``JSONSchema`` adds each check to it, and supposes that the value is valid.
    @TaskLocal static var current: SchemaBatch?

    private let checks = Mutex("")

    func add(_ check: String) {
        checks.withLock { checks in
            if !checks.isEmpty { checks += "," }
            checks += check
        }
    }

    /// Whether all values are indeed valid.
    func areAllValid() throws -> Bool {
        let checks = checks.withLock { $0 }
        return try SchemaValidator.shared.get().answer("{\"all\":[\(checks)]}") == true
    }
}
