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
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - bundle: The extension.
    ///   - arguments: The client's call that led to the extension.
    package init(_ failure: ExtensionFailure, bundle: ExtensionBundle, _ arguments: Arguments) {
        let kind = HostError(failure.reason)
        var details: [(String, JSON)] = [("extension", .string(bundle.identifier))]
        switch failure.reason {
        case .exited(let code, let signal, _):
            if let code { details.append(("exitCode", .integer(Int64(code)))) }
            if let signal { details.append(("signal", .integer(Int64(signal)))) }
        case .refused(let error):
            let path = error.data?["path"]?.string.flatMap(arguments.clientPath(ofExtensionPath:))
            if let path { details.append(("path", .string(path))) }
            details.append(("cause", error.json))
        case .unavailable(_, let milliseconds): details.append(("retryAfter", .integer(milliseconds)))
        case .cannotStart, .timedOut, .badReply, .misbehaved, .busy, .stopping, .incapable: break
        }
        if !failure.standardErrorTail.isEmpty { details.append(("stderr", .string(failure.standardErrorTail))) }
        self.init(
            code: Code(rawValue: kind.code),
            message: "\(bundle.identifier) \(failure.reason)\(failure.missingProgram.map { ": \($0)" } ?? "")",
            data: .object(JSON.Object([("reason", .string(kind.reason))] + details))
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
        let members: JSON.Object = [
            "path": .string(path), "message": .string(message), "severity": .string(severity.rawValue),
        ]
        return .object(preventsStart ? members.setting("preventsStart", to: true) : members)
    }
}
