// What all modules need of the system, so that only this file tells the systems apart. On Linux it is a part of Foundation
// that starts in half the time, and without the data of all languages, which would make up most of a bundle's program.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
@_exported public import Glibc
#else
@_exported public import Foundation
#endif

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
