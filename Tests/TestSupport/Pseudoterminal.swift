import CSystem
import Foundation

/// A terminal without a screen, with a command of this process at its other end.
public final class Pseudoterminal: Sendable {
    /// `TIOCGPTN` and `TIOCSPTLCK` of Linux: Swift sees neither these nor the functions of C that use them.
    private static let (getNumber, setLock): (UInt, UInt) = (0x8004_5430, 0x4004_5431)

    /// What is written to it is typed.
    public let keys: Int32
    /// The descriptor for the command, which closes it.
    public let peer: Int32

    /// Opens a terminal.
    public init(columns: Int, rows: Int) throws {
        keys = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, lock): (Int32, Int32) = (0, 0)
        guard keys >= 0, ioctl(keys, Self.getNumber, &number) == 0, ioctl(keys, Self.setLock, &lock) == 0 else {
            throw TestFailure("there is no terminal: \(String(cString: strerror(errno)))")
        }
        peer = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard peer >= 0 else { throw TestFailure("the terminal cannot be opened: \(String(cString: strerror(errno)))") }
        resize(columns: columns, rows: rows)
    }

    /// Changes its size.
    public func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(keys, UInt(TIOCSWINSZ), &size)
    }

    /// A pipe with what is drawn: with LF after each frame (ESC [ J), and before CR that starts a line again.
    public func drawn() throws -> Int32 {
        let pipe = try makePipe()
        let own = fcntl(keys, F_DUPFD_CLOEXEC, 3)
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            var (lines, isAtReturn): ([UInt8], Bool) = ([], false)
            // Another descriptor of the terminal does not wait, so this one does not either.
            var entry = pollfd(fd: own, events: Int16(POLLIN), revents: 0)
            while poll(&entry, 1, -1) >= 0 || errno == EINTR {
                let count = read(own, &buffer, buffer.count)
                // Linux reports the end of a terminal as an error.
                guard count > 0 || count < 0 && (errno == EINTR || errno == EAGAIN) else { break }
                for byte in buffer.prefix(max(0, count)) {
                    if isAtReturn { lines += byte == 0x0A ? [0x0D] : [0x0A, 0x0D] }
                    isAtReturn = byte == 0x0D
                    guard !isAtReturn else { continue }
                    lines.append(byte)
                    if lines.suffix(3) == Array("\u{1B}[J".utf8)[...] { lines.append(0x0A) }
                }
                // The start of a frame's end stays for the next bytes.
                let kept = lines.suffix(2).contains(0x1B) ? 2 : 0
                write(pipe.writeEnd, lines, max(0, lines.count - kept))
                lines.removeFirst(max(0, lines.count - kept))
            }
            write(pipe.writeEnd, lines, lines.count)
            close(pipe.writeEnd)
            close(own)
        }
        return pipe.readEnd
    }
}
