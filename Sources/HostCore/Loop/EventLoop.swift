internal import CSystem
internal import ExtensionHost
internal import Foundation
internal import JSONRPC
package import Logging
internal import Notifications
internal import Platform
package import Recording
internal import Suites

/// The event loop: poll, read what is ready, handle it, commit, write.
///
/// One thread and one poll(2). Every event is a readable descriptor: the
/// client's stdin, an extension's stdout or stderr, a signal or a child's exit
/// through a pipe, a timer through the poll's timeout.
public final class EventLoop {
    /// Bytes read from a descriptor at once.
    private static let chunk = 256 << 10
    /// How many pipes of extensions are served in one iteration, which bounds how long a client waits.
    private static let heardLimit = 8
    /// After so many milliseconds without events write-ahead logs are moved into their databases.
    private static let idleTime: Int64 = 200
    /// The unread replies in bytes past which lines of a file wait: no client is blocked behind a
    /// file, so there is no reason to keep more of them.
    private static let fileOutputLimit = 1 << 20

    private let engine: Engine
    private let logger: Logger
    private let logSink: LogSink
    private let client: Peer
    private let session: Session
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)

    private let signals: Int32
    private let output: OutputDescriptor?
    /// What a stray `print` wrote to descriptor 1 comes out here.
    private let strayOutput: Int32

    /// Bytes that are not handled yet: in lock-step, lines are handled one by one, so that a recording has each line
    /// before its reply.
    private var heldInput = ByteQueue()
    private var inputEnded = false
    private var clientGone = false
    private var signal: Int32?
    /// The deadline for the client to read the rest of the output after a signal ended everything else.
    private var outputDeadline: Int64?
    private var failure: Int32?
    private var extensionsStopped = false
    private var isIdle = false
    /// When something was due, as it was known before the poll.
    private var due: Int64?

    /// A host on the process's stdin, stdout and stderr; a process has one.
    ///
    /// - Parameters:
    ///   - configuration: Everything that can be set from outside.
    ///   - logger: Where the log goes; of ``LogSink``.
    ///   - logSink: What the logger writes to.
    ///   - recorder: Records every connection, where that was asked for.
    package init(configuration: HostConfiguration, logger: Logger, logSink: LogSink, recorder: Recorder? = nil) {
        self.logger = logger
        self.logSink = logSink
        var configuration = configuration
        if StandardStreams.isFile(0) {
            configuration.outputLimit = min(configuration.outputLimit, EventLoop.fileOutputLimit)
        }
        recorder?.report = { logger.error("\($0)") }
        engine = Engine(configuration: configuration, logger: logger, logSink: logSink, recorder: recorder)
        (client, session) = engine.connectClient()
        signals = csystem_signal_descriptor()
        output = OutputDescriptor(1)
        strayOutput = StandardStreams.divertOutput()
    }

    deinit { buffer.deallocate() }

    /// Makes descriptors 0 to 2 exist, with nothing behind a missing one; to be called first of all.
    public static func fillStandardDescriptors() { csystem_fill_standard_descriptors() }

    /// Serves the client until there is nothing more to do.
    ///
    /// - Returns: The process's exit code: 0 after the end of input or `shutdown`, 128 and the number after a signal,
    ///   74 when the output could not be written for another reason than that nobody reads it.
    public func run() -> Int32 {
        engine.flushes.start()
        while true {
            let ready = wait()
            engine.recorder?.tick()
            read(ready)
            if !heldInput.isEmpty { releaseInput() }
            if inputEnded || engine.gate.isStopping { engine.flushes.expedite() }
            engine.iterate()
            write()
            // Long work advances by a slice between two iterations.
            if engine.jobs.advance() {
                engine.iterate()
                write()
            }
            if isFinished { break }
        }
        engine.store.close()
        engine.extensions.family.end()
        engine.attachments.removeFolder()
        let code = signal.map { 128 + $0 } ?? (failure == nil ? 0 : 74)
        engine.recorder?.finish(exitCode: code)
        logSink.flush()
        return code
    }

    // MARK: Poll

    /// What a descriptor belongs to.
    private enum Source {
        case signals
        case input
        case output
        case strayOutput
        case log
        case `extension`(ExtensionProcess)
    }

    private func wait() -> [(source: Source, descriptor: Int32)] {
        var sources: [Source] = [.signals]
        var polled = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
        func add(_ source: Source, _ descriptor: Int32, writing: Bool) {
            sources.append(source)
            polled.append(pollfd(fd: descriptor, events: Int16(writing ? POLLOUT : POLLIN), revents: 0))
        }
        if wantsInput { add(.input, 0, writing: false) }
        if let output, !session.output.isEmpty { add(.output, output.descriptor, writing: true) }
        if strayOutput >= 0 { add(.strayOutput, strayOutput, writing: false) }
        if let descriptor = logSink.pollDescriptor { add(.log, descriptor, writing: true) }
        for process in engine.extensions.processes {
            process.forEachDescriptor { add(.extension(process), $0, writing: $1) }
        }
        let count = poll(&polled, nfds_t(polled.count), timeout())
        if count == 0 && !isIdle && due.map({ $0 > Clock.monotonic() }) ?? true {
            isIdle = true
            engine.store.checkpoint(isIdle: true)
        }
        guard count > 0 else { return [] }
        isIdle = false
        return zip(sources, polled).filter { $1.revents != 0 }.map { ($0, $1.fd) }
    }

    private func timeout() -> Int32 {
        due = [engine.deadline, outputDeadline].compactMap(\.self).min()
        // Replies went out, so lines that waited for room may go on.
        if client.hasBacklog || !heldInput.isEmpty, engine.gate.admitsMessage(of: client) { return 0 }
        if engine.extensions.mayProceed { return 0 }
        let now = Clock.monotonic()
        let next = isIdle ? due : min(due ?? .max, now + EventLoop.idleTime)
        guard let next else { return -1 }
        return Int32(clamping: max(0, next - now))
    }

    private var wantsInput: Bool {
        !inputEnded && !engine.gate.isStopping && !client.hasBacklog && heldInput.isEmpty && !isOverfull
    }

    /// Whether the client left so much unread that its lines wait.
    private var isOverfull: Bool { session.output.count > engine.configuration.outputLimit }

    // MARK: Read

    private func read(_ ready: [(source: Source, descriptor: Int32)]) {
        var heard = 0
        for (source, descriptor) in ready {
            switch source {
            case .signals: readSignals()
            case .input: readInput()
            case .output: break
            case .strayOutput: readStrayOutput()
            case .log: logSink.flush()
            case .extension(let process):
                // What needs no commit does not wait for what extensions sent.
                if !session.output.isEmpty { writeOutput() }
                heard += 1
                guard heard <= EventLoop.heardLimit else { continue }
                process.ready(descriptor, buffer: buffer)
            }
        }
        if heard > EventLoop.heardLimit { engine.extensions.rotate(by: EventLoop.heardLimit / 2) }
        // Deadlines that were set while reading lie in the future.
        guard let due, due <= Clock.monotonic() else { return }
        for process in engine.extensions.processes { process.expire() }
        engine.flushes.expire()
    }

    private func readInput() {
        let count = Foundation.read(0, buffer.baseAddress, buffer.count)
        if count > 0 {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            guard engine.recorder != nil && engine.gate.isLockStep else { return session.consume(bytes) }
            heldInput.append { $0.append(contentsOf: bytes) }
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            if count < 0 { logger.error("reading stdin failed: \(String(cString: strerror(errno)))") }
            inputEnded = true
            session.finish()
        }
    }

    /// Handles as many of the lines that were read as are allowed now.
    private func releaseInput() {
        heldInput.drain { bytes in
            var taken = 0
            while taken < bytes.count, !client.hasBacklog, engine.gate.admitsMessage(of: client) {
                let rest = bytes[taken...]
                let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
                session.consume(UnsafeRawBufferPointer(rebasing: bytes[taken..<end]))
                taken = end
            }
            return taken
        }
    }

    private func readSignals() {
        let count = Foundation.read(signals, buffer.baseAddress, 4096)
        // Copied, because reaping reads the output of children into the same buffer.
        let numbers = buffer[..<max(0, count)].map(Int32.init)
        if numbers.contains(SIGCHLD) { engine.extensions.reap(buffer: buffer) }
        for number in numbers where number != SIGCHLD { stop(onSignal: number) }
    }

    private func stop(onSignal number: Int32) {
        if signal == nil {
            signal = number
            logger.info("stopping on signal \(number)")
        } else {
            // Asked again, it waits for nobody.
            outputDeadline = Clock.monotonic()
            for process in engine.extensions.processes { process.kill() }
        }
    }

    private func readStrayOutput() {
        let count = Foundation.read(strayOutput, buffer.baseAddress, 4096)
        guard count > 0 else { return }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        logger.warning("something in the host printed: \(text)")
    }

    // MARK: Write

    private func write() {
        // What leaves is in the recording.
        engine.recorder?.flush()
        for process in engine.extensions.processes { process.write() }
        logSink.flush()
        writeOutput()
    }

    private func writeOutput() {
        guard let output else { return session.output.removeAll() }
        engine.recorder?.flush()
        session.output.drain { bytes in
            guard !clientGone else { return bytes.count }
            var total = 0
            while total < bytes.count {
                switch output.write(UnsafeRawBufferPointer(rebasing: bytes[total...])) {
                case .wrote(0): return total
                case .wrote(let count): total += count
                case .gone: return leave(bytes.count, "the client is gone")
                case .failed(let number):
                    failure = number
                    return leave(bytes.count, "writing stdout failed: \(String(cString: strerror(number)))")
                }
            }
            return total
        }
    }

    /// Stops the host: the iteration is committed, and no further line is handled.
    private func leave(_ count: Int, _ why: String) -> Int {
        logger.info("\(why); stopping")
        clientGone = true
        engine.gate.isStopping = true
        return count
    }

    // MARK: The end

    private var isFinished: Bool {
        let isDone = clientGone || signal != nil || ((inputEnded || engine.gate.isStopping) && engine.isQuiet)
        guard isDone else { return false }
        engine.gate.isStopping = true
        if !extensionsStopped {
            extensionsStopped = true
            engine.stop()
            engine.iterate()
            write()
        }
        guard engine.extensions.isEmpty && engine.flushes.isStored else { return false }
        guard !session.output.isEmpty && !clientGone else { return true }
        guard signal != nil else { return false }
        let now = Clock.monotonic()
        let deadline = outputDeadline ?? now + engine.configuration.extensionLimits.stop
        outputDeadline = deadline
        return now >= deadline
    }
}
