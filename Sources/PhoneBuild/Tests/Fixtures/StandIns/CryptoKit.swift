// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Has of a module of PhoneKit just what the tests need.

import Foundation

public struct SymmetricKey: Sendable {
    public init(data: [UInt8]) {}
}

public enum SHA256 {
    public static func hash(data: Data) -> [UInt8] { Array(data) }
}

public enum AES {
    public enum GCM {
        public struct SealedBox {
            public let combined: Data
            public init(combined: Data) throws { self.combined = combined }
        }
        public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data { sealedBox.combined }
    }
}
