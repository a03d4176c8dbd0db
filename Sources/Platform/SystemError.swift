/// An error of the operating system, by its number.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    package let number: Int32

    /// The error with a number, such as `ENOENT`.
    package init(_ number: Int32) { self.number = number }

    /// The error of the system call that failed last.
    package static var last: SystemError { SystemError(errno) }

    /// The system's own text, such as "No such file or directory".
    package var description: String { String(cString: strerror(number)) }
}
