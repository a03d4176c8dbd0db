internal import Foundation

/// Recognizes hosts that are this machine itself.
public enum Loopback {
    /// Whether the host of a URL is this machine: `localhost`, an address of 127.0.0.0/8 as four decimal numbers, or
    /// `[::1]`.
    public static func contains(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        if host.hasPrefix("["), host.hasSuffix("]") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return false }
            return withUnsafeBytes(of: &address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        }
        // inet_pton accepts only four decimal numbers; programs interpret other forms differently.
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 && withUnsafeBytes(of: &address) { $0.first == 127 }
    }
}
