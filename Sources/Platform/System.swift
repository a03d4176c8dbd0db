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

extension SystemError {
    /// What went wrong, in the system's words: Foundation's own text is for dialogs, or names only a number.
    package static func text(of error: any Error) -> String {
        if let error = error as? SystemError { return error.description }
        let system = (error as? CocoaError)?.underlying as? POSIXError
        return system.map { SystemError($0.code.rawValue).description } ?? "\(error)"
    }
}

extension StringProtocol {
    /// The text without the white space at its beginning and its end.
    package var trimmed: SubSequence {
        let rest = drop(while: \.isWhitespace)
        return rest.lastIndex { !$0.isWhitespace }.map { rest[...$0] } ?? rest
    }
}
