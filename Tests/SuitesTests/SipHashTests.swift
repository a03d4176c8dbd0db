import Foundation
import Testing

@testable import Suites

/// The hash function of fingerprints.
struct SipHashTests {
    @Test(
        "The hash is SipHash-2-4-128, with the published test vectors",
        arguments: [
            (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
            (2, "8177228da4a45dc7fca38bdef60affe4"), (7, "a1f1ebbed8dbc153c0b84aa61ff08239"),
            (8, "3b62a9ba6258f5610f83e264f31497b4"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
        ]
    )
    func vectors(length: Int, expected: String) throws {
        let secret = try #require(SipHash.Secret(UInt8(0)..<16))
        let hash = (0..<UInt8(length)).map { $0 }.withUnsafeBytes { SipHash.hash($0, secret: secret) }
        let bytes = [hash.0, hash.1].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
        #expect(bytes.map { String(format: "%02x", $0) }.joined() == expected)
    }

    @Test("A secret has 16 bytes", arguments: [0, 8, 15, 17, 32] as [UInt8])
    func secret(length: UInt8) { #expect(SipHash.Secret(0..<length) == nil) }
}
