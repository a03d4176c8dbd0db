internal import CSystem
internal import ExtensionHost
internal import Foundation
internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform

/// An extension's process between a client and the extension.
///
/// Every method is forwarded, except `stop`, `history`, `isUpToDate`, `kept` and `release`. The notification `sent` says
/// that a call was sent.
final class Driver {
    /// Keeps what the extension sends until the client calls `release`; `kept` counts it.
    private final class Keeper: MessageReceiver {
        var messages: [Incoming] = []
        let isStuck = false

        var hasBacklog: Bool { !messages.isEmpty }

        func receive(_ message: Incoming) { messages.append(message) }

        func release(to session: Session?) {
            let all = messages
            messages = []
            for message in all { session?.handle(message) }
        }
    }

    private let client = Session(lineLimit: 16 << 20)
    private let family = ProcessFamily()
    private let history = ExtensionHistory()
    private let process: ExtensionProcess
    private let keeper = Keeper()
    private let signals = csystem_signal_descriptor()
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var inputEnded = false

    init(_ bundle: ExtensionBundle, _ limits: ExtensionLimits, keepsMessages: Bool) {
        process = ExtensionProcess(
            bundle: bundle,
            history: history,
            hostFolder: "/",
            environment: ProcessInfo.processInfo.environment,
            limits: limits,
            family: family,
            random: SystemRandomNumberGenerator(),
            activation: { ["version": "1.0"] },
            now: Clock.monotonic,
            logger: Logger(label: "process-driver")
        )
        if keepsMessages { process.receiver = keeper }
        client.onCall = { [unowned self] in handle($0) }
    }

    deinit { buffer.deallocate() }

    // MARK: Calls

    private func handle(_ call: Call) {
        switch call.method {
        case "stop":
            process.stop(because: .hostStopping)
            call.answer(.success(.null))
        case "history":
            let ends = history.ends.map { end -> JSON in
                ["reason": .string("\(end.cause)"), "code": end.exitCode.map { JSON(Int($0)) } ?? .null]
            }
            call.answer(.success(["starts": JSON(history.starts), "ends": JSON(ends)]))
        case "isUpToDate": call.answer(.success(.bool(process.isUpToDate)))
        case "kept": call.answer(.success(JSON(keeper.messages.count)))
        case "release":
            keeper.release(to: process.session)
            call.answer(.success(.null))
        default: forward(call)
        }
    }

    private func forward(_ call: Call) {
        client.track(call)
        process.call(
            call.method,
            params: call.params ?? [:],
            willSend: { [unowned self] in client.notify("sent", params: ["id": call.id ?? .null]) },
            completion: { result in
                call.answer(
                    result.mapError { failure in
                        RPCError(
                            code: .init(rawValue: 1),
                            message: "\(failure.reason)",
                            data: ["wasSent": .bool(failure.wasSent)]
                        )
                    }
                )
            }
        )
    }

    // MARK: The event loop

    /// Serves the client until it is gone and the extension too.
    func run() {
        while !inputEnded || process.pid != nil {
            iterate()
            process.write()
            client.output.drain { Swift.max(0, Foundation.write(1, $0.baseAddress, $0.count)) }
        }
        family.end()
    }

    private func iterate() {
        var descriptors = PollSet()
        descriptors.add(signals, for: .reading)
        if !inputEnded { descriptors.add(0, for: .reading) }
        process.forEachDescriptor { descriptors.add($0, for: $1 ? .writing : .reading) }
        let due = process.deadline
        descriptors.wait(until: due)
        for descriptor in descriptors.ready {
            switch descriptor {
            case 0: readInput()
            case signals:
                _ = read(signals, buffer.baseAddress, buffer.count)
                process.reap(buffer: buffer)
                family.sweep()
            default: process.ready(descriptor, buffer: buffer)
            }
        }
        if let due, due <= Clock.monotonic() { process.expire() }
    }

    private func readInput() {
        let count = read(0, buffer.baseAddress, buffer.count)
        guard count > 0 else {
            inputEnded = true
            return process.stop(because: .hostStopping)
        }
        client.consume(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
}

extension ExtensionLimits {
    /// Sets the limit that an argument names, in the form `call=100`.
    mutating func set(_ argument: String) {
        let parts = argument.split(separator: "=")
        guard parts.count == 2, let number = Int64(parts[1]) else { preconditionFailure("\(argument) is no limit") }
        switch parts[0] {
        case "call": call = number
        case "stop": stop = number
        case "idle": idle = number
        case "concurrentCalls": concurrentCalls = Int(number)
        case "processorTime": processorTime = UInt64(number)
        default: preconditionFailure("\(parts[0]) is no limit")
        }
    }
}
