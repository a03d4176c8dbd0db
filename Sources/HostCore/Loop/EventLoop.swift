internal import CSystem
internal import Calls
package import Configuration
internal import Delivering
internal import ExtensionHost
internal import JSON
package import Logging
internal import Notifications
internal import Platform
internal import Presenting
package import Recording
internal import Records
internal import Relay
internal import Suites

/// The event loop: poll, read what is ready, handle it, commit, write.
///
/// One thread and one poll(2). Every event is a ready descriptor or the poll's
/// timeout: the client's stdin and stdout, an extension's pipes, a signal or a
/// child's exit through a pipe. Only commits, checkpoints and ``DiskWork`` run
/// on other threads; their end is an event too.
public final class EventLoop {
    /// The maximum number of bytes of one read.
    private static let chunk = 256 << 10
    /// The maximum number of extensions' pipes that are read in one iteration, which bounds how long a client waits.
    private static let pipesPerIteration = 8
    /// After this time without events, in milliseconds, write-ahead logs are moved into their databases.
    private static let idleTime: Int64 = 200
    /// The limit of unread replies in bytes if the input is a file: nobody waits for the host to read on, so there is
    /// no reason to keep more replies in memory.
    private static let fileOutputLimit = 1 << 20

    private let engine: Engine
    private let logger: Logger
    private let logSink: LogSink
    /// The client; nil if the host is a relay.
    private let client: ClientPipe?
    private var control: ControlSocket?
    private var monitor: RelayMonitor?
    /// Whether the first iteration has ended; it never waits for events.
    private var hasStarted = false
    private var sources = PollSources()
    /// The generation of the roster whose extensions at rest ``sources`` keeps.
    private var keptGeneration = 0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)

    private let signals: Int32
    private let strayPrints: StrayPrints

    private var isIdle = false
    /// The earliest deadline, as it was known before the poll.
    private var due: Int64?

    /// A host on the process's stdin, stdout and stderr; a process has one.
    package init(configuration: HostConfiguration, logger: Logger, logSink: LogSink, recorder: Recorder? = nil) {
        self.logger = logger
        self.logSink = logSink
        // A message is a tree of many small blocks that is freed as soon as it is answered; SQLite does the same for a row.
        JSON.useMemory(allocate: csystem_recycling_malloc, free: csystem_recycling_free)
        SuiteStore.useMemory(
            allocate: csystem_recycling_malloc,
            free: csystem_recycling_free,
            size: csystem_recycling_size
        )
        var configuration = configuration
        if StandardStreams.isFile(0) {
            configuration.outputLimit = min(configuration.outputLimit, EventLoop.fileOutputLimit)
        }
        recorder?.report = { logger.error("\($0)") }
        engine = Engine(configuration: configuration, logger: logger, logSink: logSink, recorder: recorder)
        client = configuration.relay == nil ? ClientPipe(engine, logger) : nil
        signals = csystem_signal_descriptor()
        strayPrints = StrayPrints()
        guard let relay = engine.relay, let settings = configuration.relay else { return }
        monitor = RelayMonitor(relay, settings.listener, environment: configuration.hostEnvironment(), logger)
    }

    deinit { buffer.deallocate() }

    /// Opens `/dev/null` for each of the descriptors 0 to 2 that is closed; must be called before anything else.
    public static func fillStandardDescriptors() { csystem_fill_standard_descriptors() }

    /// Serves the client until there is nothing more to do.
    ///
    /// - Returns: The process's exit code: 0 after the end of input, after `shutdown` and after a relay has stopped, 128
    ///   and the number after a signal, 71 without a pipe for signals, 74 if reading the input or writing the output
    ///   failed, unless the reader was gone.
    public func run() -> Int32 {
        guard signals >= 0 else {
            logger.critical("the system gives the host no pipe for signals: \(String(cString: strerror(-signals)))")
            logSink.flush()
            return EX_OSERR
        }
        csystem_end_on_second_signal()
        engine.flushes.start()
        while true {
            let ready = wait()
            engine.recorder?.tick()
            read(ready)
            client?.handlePausedInput()
            control?.handleInput()
            if ending.isFinishing { engine.flushes.expedite() }
            engine.iterate(isEnding: isEnding)
            write()
            // Long work advances by a slice between two iterations.
            if !engine.isCommitting, engine.jobs.advance() {
                engine.iterate(isEnding: isEnding)
                write()
            }
            advanceEnding()
            if ending.state == .over { break }
            openControlSocket()
        }
        control?.close()
        monitor?.close()
        engine.store.close()
        engine.extensions.end()
        engine.attachments.removeFolder()
        let code = ending.exitCode ?? (client?.hasFailed == true ? EX_IOERR : 0)
        engine.recorder?.finish(exitCode: code)
        logSink.flush()
        return code
    }

    /// Opens the control socket after the first iteration, so that the first reply does not wait for it.
    private func openControlSocket() {
        guard !hasStarted else { return }
        hasStarted = true
        if client != nil { control = ControlSocket.open(engine, logger) }
    }

    // MARK: Poll

    private func wait() -> [PollSources.Ready] {
        sources.removeAll()
        if client?.mayRead == true { sources.add(.input, 0, for: .reading) }
        if let descriptor = client?.outputDescriptor { sources.add(.output, descriptor, for: .writing) }
        control?.forEachDescriptor { sources.add(.control, $0, for: $1) }
        if let descriptor = logSink.pollDescriptor { sources.add(.log, descriptor, for: .writing) }
        // While a commit runs only clients are served; everything else, such as the end of a process, comes after it.
        if let descriptor = engine.commitDescriptor {
            sources.add(.commit, descriptor, for: .reading)
            return sources.wait(milliseconds: nil, includingKept: false)
        }
        addOthers()
        let ready = sources.wait(milliseconds: timeout(), includingKept: true)
        if !ready.isEmpty {
            isIdle = false
        } else if hasStarted && !isIdle && due.map({ $0 > Clock.monotonic() }) ?? true {
            isIdle = true
            engine.store.checkpoint(isIdle: true)
        }
        return ready
    }

    /// Adds the descriptors of signals, extensions and whatever else is not a client's.
    private func addOthers() {
        sources.add(.signals, signals, for: .reading)
        if let descriptor = engine.disk.descriptor { sources.add(.disk, descriptor, for: .reading) }
        if let descriptor = strayPrints.descriptor { sources.add(.strayOutput, descriptor, for: .reading) }
        monitor?.forEachDescriptor { sources.add(.monitor, $0, for: $1) }
        let roster = engine.extensions.roster
        roster.letRest(now: Clock.monotonic())
        for member in roster.awake {
            member.process.forEachDescriptor {
                sources.add(.extension(member.process), $0, for: $1 ? .writing : .reading)
            }
        }
        if keptGeneration != roster.generation {
            keptGeneration = roster.generation
            var kept: [PollSources.Ready] = []
            for member in roster.resting {
                // Nothing waits to be written to an extension at rest.
                member.process.forEachDescriptor { descriptor, _ in
                    kept.append((.extension(member.process), descriptor))
                }
            }
            sources.keep(kept)
        }
        engine.checks.forEachDescriptor { sources.add(.check, $0, for: .reading) }
    }

    /// How long to wait for events, in milliseconds; nil if only an event can give the host work.
    private func timeout() -> Int32? {
        let earliest =
            [engine.deadline, ending.deadline, control?.deadline, monitor?.deadline].compactMap(\.self).min() ?? .max
        due = earliest == .max ? nil : earliest
        if !hasStarted { return 0 }
        // The client read replies, so messages that waited for room may be handled.
        if client?.mayHandlePausedInput == true { return 0 }
        if engine.extensions.mayProceed || control?.mayHandleInput == true { return 0 }
        let now = Clock.monotonic()
        let next = isIdle ? due : min(due ?? .max, now + EventLoop.idleTime)
        guard let next else { return nil }
        return Int32(clamping: max(0, next - now))
    }

    // MARK: Read

    private func read(_ ready: [PollSources.Ready]) {
        var pipes = 0
        // Replies that need no commit are written before messages of extensions are handled.
        for (source, descriptor) in ready {
            switch source {
            case .signals: readSignals()
            case .commit:
                client?.write()
                engine.commitDidEnd()
            case .disk: engine.disk.didWake()
            case .input: client?.read(into: buffer)
            case .output: break
            case .strayOutput: strayPrints.read(into: buffer, logger)
            case .monitor: monitor?.ready(descriptor, buffer: buffer)
            case .log: logSink.flush()
            case .check: engine.checks.ready(descriptor, buffer: buffer)
            case .control: control?.ready(descriptor, buffer: buffer)
            case .extension(let process):
                client?.write()
                pipes += 1
                guard pipes <= EventLoop.pipesPerIteration else { continue }
                process.ready(descriptor, buffer: buffer)
            }
        }
        if pipes > EventLoop.pipesPerIteration { engine.extensions.roster.rotate(by: EventLoop.pipesPerIteration / 2) }
        // A deadline that was set while reading has not passed yet.
        guard !engine.isCommitting, let due, due <= Clock.monotonic() else { return }
        engine.extensions.roster.expire(now: Clock.monotonic())
        engine.flushes.expire()
        engine.relay?.expire()
        engine.checks.expire()
    }

    private func readSignals() {
        let count = Descriptors.readOwnPipe(signals, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<4_096]))
        // A copy, because reaping reads the output of children into the same buffer.
        let numbers = buffer[..<count].map(Int32.init)
        if numbers.contains(SIGCHLD) {
            engine.checks.reap(buffer: buffer)
            engine.extensions.reap(buffer: buffer)
        }
        for number in numbers where number != SIGCHLD {
            if ending.signal == nil { logger.info("stopping on signal \(number)") }
            end(.signal(number))
        }
    }

    // MARK: Write

    private func write() {
        // A line is in the recording before it leaves.
        engine.recorder?.flush()
        for member in engine.extensions.roster.awake { member.process.write() }
        logSink.flush()
        client?.write()
        control?.write()
        monitor?.advance()
    }

    // MARK: The end

    private var ending: Ending { engine.gate.ending }

    /// Whether the host is about to end, so that nobody is served while it waits for the disk.
    private var isEnding: Bool { ending.state != .serving }

    /// The event that the end waits for, if it has happened.
    private var endingEvent: Ending.Event? {
        switch ending.state {
        case .serving, .over: return nil
        case .finishing, .draining: return engine.relay?.isDone ?? engine.isQuiet ? .drained : nil
        case .aborting: return .drained
        case .stopping:
            let isOver = engine.extensions.isEmpty && engine.checks.isEmpty && engine.disk.isIdle
            return isOver && engine.flushes.isStored ? .processesEnded : nil
        case .flushing(let deadline):
            guard client?.hasOutput == true else { return .outputRead }
            return deadline.map { $0 <= Clock.monotonic() } == true ? .deadlinePassed : nil
        }
    }

    /// Takes the steps to the end that are possible now; none while a commit runs.
    private func advanceEnding() {
        while !engine.isCommitting, let event = endingEvent { end(event) }
    }

    private func end(_ event: Ending.Event) {
        for action in engine.gate.end(event) {
            switch action {
            case .stopRelay: engine.relay?.stop()
            case .stopExtensions:
                engine.stop()
                engine.iterate(isEnding: true)
                write()
            case .kill:
                for process in engine.extensions.processes { process.kill() }
                engine.checks.kill()
            }
        }
    }
}

/// The output of a stray `print` in this process: descriptor 1 leads here, so that it does not reach the client.
private struct StrayPrints {
    /// Becomes readable when something was printed; nil if output could not be diverted.
    let descriptor: Int32?

    /// Diverts descriptor 1.
    init() {
        let descriptor = StandardStreams.divertOutput()
        self.descriptor = descriptor >= 0 ? descriptor : nil
    }

    /// Logs what was printed.
    func read(into buffer: UnsafeMutableRawBufferPointer, _ logger: Logger) {
        guard let descriptor else { return }
        let count = Platform.read(descriptor, buffer.baseAddress, 4096)
        guard count > 0 else { return }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        logger.warning("something in the host printed: \(text)")
    }
}

/// The limit of open descriptors.
public enum DescriptorSupply {
    /// The number of descriptors that the host must be able to open: 10 for itself, 7 for a suite and 9 to start an
    /// extension.
    private static let needed: Int32 = 26

    /// Raises the limit as far as the system allows, and checks that it is high enough.
    ///
    /// Must be called after the standard descriptors exist and before anything else is opened.
    ///
    /// - Returns: Why the host cannot start; nil if it can.
    public static func prepare() -> String? {
        csystem_raise_descriptor_limit()
        guard csystem_can_open(needed) == 1 else {
            return "the host opens up to \(needed) files besides those that are open now, and the limit of open files "
                + "is \(csystem_descriptor_limit()); raise it (ulimit -n)"
        }
        SuiteStore.reserveDescriptors()
        return nil
    }
}
