/// The identity of a stream, as long as its sequences count on.
public enum StreamIdentity {
    /// The identity as 32 hexadecimal digits.
    ///
    /// - Parameters:
    ///   - stream: The stream's name.
    ///   - created: When it was created: a stream that is created again has another identity.
    /// - Returns: The identity.
    public static func digits(stream: String, created: String) -> String {
        ["", "."].map { salt in
            // FNV-1a, since Swift's own hashes differ from run to run.
            let hash = (salt + stream + "\n" + created).utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01b3
            }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
