internal import CSystem
internal import ExtensionHost
internal import Foundation
internal import JSON
internal import JSONRPC
internal import Logging

/// An extension's process between a client and the extension.
///
/// Every method is handed on but `stop` and `history`. The notification `sent` tells that a call left.
final class Driver {
    private let client = Session(lineLimit: 16 << 20)
    private let family = ProcessFamily()
    private let history = ExtensionHistory()
    private let process: ExtensionProcess
    private let signals = csystem_signal_descriptor()
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var inputEnded = false

    init(_ bundle: ExtensionBundle, _ limits: ExtensionLimits) {
        process = ExtensionProcess(
            bundle: bundle,
            history: history,
            hostFolder: "/",
            environment: ProcessInfo.processInfo.environment,
            limits: limits,
            family: family,
            random: SystemRandomNumberGenerator(),
            activation: { ["version": "1.0"] },
            now: Self.now,
            logger: Logger(label: "process-driver")
        )
        client.onCall = { [unowned self] in take($0) }
    }

    deinit { buffer.deallocate() }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    // MARK: Calls

    private func take(_ call: Call) {
        switch call.method {
        case "stop":
            process.stop(because: .hostStopping)
            call.answer(.success(.null))
        case "history":
            let ends = history.ends.map { end -> JSON in
                ["reason": .string("\(end.cause)"), "code": end.exitCode.map { JSON(Int($0)) } ?? .null]
            }
            call.answer(.success(["starts": JSON(history.starts), "ends": JSON(ends)]))
        default: handOn(call)
        }
    }

    private func handOn(_ call: Call) {
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

    // MARK: The loop

    /// Serves the client until it is gone and the extension too.
    func run() {
        while !inputEnded || process.pid != nil {
            turn()
            process.write()
            client.output.drain { Swift.max(0, Foundation.write(1, $0.baseAddress, $0.count)) }
        }
        family.end()
    }

    private func turn() {
        var polled = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
        if !inputEnded { polled.append(pollfd(fd: 0, events: Int16(POLLIN), revents: 0)) }
        process.forEachDescriptor {
            polled.append(pollfd(fd: $0, events: Int16($1 ? POLLOUT : POLLIN), revents: 0))
        }
        let due = process.deadline
        poll(&polled, nfds_t(polled.count), due.map { Int32(clamping: Swift.max(0, $0 - Self.now())) } ?? -1)
        for ready in polled where ready.revents != 0 {
            switch ready.fd {
            case 0: readInput()
            case signals:
                _ = read(signals, buffer.baseAddress, buffer.count)
                process.reap(buffer: buffer)
                family.sweep()
            default: process.ready(ready.fd, buffer: buffer)
            }
        }
        if let due, due <= Self.now() { process.expire() }
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
