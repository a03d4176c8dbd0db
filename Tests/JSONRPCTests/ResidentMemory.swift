import Foundation

/// The number of resident pages (4 KiB) of this process; nil if the system does not report it.
func residentPages() -> Int? {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
}
