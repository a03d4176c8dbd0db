import TestSupport
import Testing

/// Another process that holds a suite's lock: against writers, or against readers too.
struct SuiteHolder {
    /// It releases the lock at the end of its input, and exits.
    let process: ChildProcess

    /// Acquires the lock of a suite's file, for at least that many seconds.
    init(_ file: String, seconds: Int = 0, keepsReadersOut: Bool = false) throws {
        let script = """
            import sqlite3, sys, time
            connection = sqlite3.connect(sys.argv[1], isolation_level=None)
            connection.execute(f'PRAGMA locking_mode = {sys.argv[3]}')
            connection.execute('BEGIN IMMEDIATE')
            begin = time.monotonic()
            print('held', flush=True)
            sys.stdin.read()
            time.sleep(max(0, float(sys.argv[2]) - (time.monotonic() - begin)))
            connection.execute('COMMIT')
            """
        process = try ChildProcess(
            try Tool(name: "python3", package: "python3").path(),
            ["-c", script, file, "\(seconds)", keepsReadersOut ? "exclusive" : "normal"]
        )
        #expect(try process.readLine() == "held", "\(process.standardError)")
    }
}
