/// The secret part of the page's address: who knows it may use the preview.
///
/// Every user of this machine can connect to the port, so the port alone protects nothing.
struct AccessToken: Sendable {
    /// 128 random bits as 32 hexadecimal digits.
    let text: String

    init() {
        var random = SystemRandomNumberGenerator()
        text = (0..<2).map { _ in
            let digits = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }

    /// Compares in a time that does not depend on where the texts differ, so that it cannot be guessed digit by digit.
    func matches(_ other: some StringProtocol) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
