// What all modules need of the system, so that only this file tells the systems apart. On Linux it is a part of Foundation
// that starts in half the time, and without the data of all languages, which would make up most of a bundle's program.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
@_exported public import Glibc
#else
@_exported public import Foundation
#endif
