internal import Contract
package import ExtensionHost
package import JSON
package import JSONRPC
internal import Platform

extension HostError {
    /// The error of a call that an extension did not answer.
    package init(_ reason: ExtensionFailure.Reason) {
        self =
            switch reason {
            case .cannotStart: .cannotStart
            case .exited: .extensionExited
            case .timedOut: .extensionTimedOut
            case .refused: .extensionRefused
            case .badReply: .badExtensionReply
            case .misbehaved: .extensionMisbehaved
            case .busy: .busy
            case .stopping: .stopping
            case .incapable: .unsupportedByDestination
            case .unavailable: .extensionUnavailable
            }
    }
}

extension RPCError {
    /// The error for a failed call of an extension, with the end of the extension's stderr.
    package init(_ failure: ExtensionFailure, bundle: ExtensionBundle, _ arguments: Arguments) {
        let kind = HostError(failure.reason)
        let details: MemberList =
            switch failure.reason {
            case .exited(let code, let signal, _):
                ["exitCode": code.map { .integer(Int64($0)) }, "signal": signal.map { .integer(Int64($0)) }]
            case .refused(let error):
                [
                    "path": error.data?["path"]?.string.flatMap(arguments.clientPath(ofExtensionPath:))
                        .map(JSON.string),
                    "cause": error.json,
                ]
            case .unavailable(_, let milliseconds): ["retryAfter": .integer(milliseconds)]
            case .cannotStart, .timedOut, .badReply, .misbehaved, .busy, .stopping, .incapable: [:]
            }
        self.init(
            code: Code(rawValue: kind.code),
            message: "\(bundle.identifier) \(failure.reason)\(failure.missingProgram.map { ": \($0)" } ?? "")",
            data: JSON(
                present: ["reason": .string(kind.reason), "extension": .string(bundle.identifier)] + details
                    + ["stderr": JSON(nonEmpty: failure.standardErrorTail)]
            )
        )
    }
}

extension ExtensionFailure {
    /// The last message of a shell or `env` that could not start a program, such as the interpreter of a script.
    fileprivate var missingProgram: String? {
        guard case .exited(let code?, _, explanation: nil) = reason, (126...127).contains(code) else { return nil }
        return standardErrorTail.split(whereSeparator: \.isNewline).last.map { PlainText.spaced(String($0)).excerpt() }
    }
}

extension BundleProblem {
    /// The problem as `extensions` returns it.
    package var json: JSON {
        JSON(present: [
            "path": .string(path), "message": .string(message), "severity": .string(severity.rawValue),
            "preventsStart": preventsStart ? true : nil, "reason": .string(place.reason),
            "pointer": place.pointer.map(JSON.string),
        ])
    }
}
