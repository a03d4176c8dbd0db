// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes: digests of bytes in one call, and their codes with a key.

import Crypto
import Foundation

public typealias CC_LONG = UInt32
public typealias CCHmacAlgorithm = UInt32

public let CC_MD5_DIGEST_LENGTH: Int32 = 16
public let CC_SHA1_DIGEST_LENGTH: Int32 = 20
public let CC_SHA256_DIGEST_LENGTH: Int32 = 32
public let CC_SHA384_DIGEST_LENGTH: Int32 = 48
public let CC_SHA512_DIGEST_LENGTH: Int32 = 64

public let kCCHmacAlgSHA1 = 0
public let kCCHmacAlgMD5 = 1
public let kCCHmacAlgSHA256 = 2
public let kCCHmacAlgSHA384 = 3
public let kCCHmacAlgSHA512 = 4

@discardableResult
public func CC_MD5(
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { digest(Insecure.MD5.self, data, len, md) }

@discardableResult
public func CC_SHA1(
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { digest(Insecure.SHA1.self, data, len, md) }

@discardableResult
public func CC_SHA256(
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { digest(SHA256.self, data, len, md) }

@discardableResult
public func CC_SHA384(
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { digest(SHA384.self, data, len, md) }

@discardableResult
public func CC_SHA512(
    _ data: UnsafeRawPointer?,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? { digest(SHA512.self, data, len, md) }

public func CCHmac(
    _ algorithm: CCHmacAlgorithm,
    _ key: UnsafeRawPointer?,
    _ keyLength: Int,
    _ data: UnsafeRawPointer?,
    _ dataLength: Int,
    _ macOut: UnsafeMutableRawPointer?
) {
    let key = SymmetricKey(data: UnsafeRawBufferPointer(start: key, count: keyLength))
    let data = UnsafeRawBufferPointer(start: data, count: dataLength)
    func write<Hash: HashFunction>(_ hash: Hash.Type) {
        HMAC<Hash>.authenticationCode(for: data, using: key).withUnsafeBytes { macOut?.copyMemory($0) }
    }
    switch Int(algorithm) {
    case kCCHmacAlgSHA1: write(Insecure.SHA1.self)
    case kCCHmacAlgMD5: write(Insecure.MD5.self)
    case kCCHmacAlgSHA256: write(SHA256.self)
    case kCCHmacAlgSHA384: write(SHA384.self)
    case kCCHmacAlgSHA512: write(SHA512.self)
    default: preconditionFailure("CCHmac: there is no algorithm \(algorithm)")
    }
}

private func digest<Hash: HashFunction>(
    _ hash: Hash.Type,
    _ data: UnsafeRawPointer?,
    _ count: CC_LONG,
    _ output: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
    Hash.hash(data: UnsafeRawBufferPointer(start: data, count: Int(count))).withUnsafeBytes { bytes in
        output.map { UnsafeMutableRawPointer($0).copyMemory(bytes) }
    }
    return output
}

extension UnsafeMutableRawPointer {
    fileprivate func copyMemory(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress { copyMemory(from: start, byteCount: bytes.count) }
    }
}
