import CommonCrypto
import CryptoKit
import Foundation
import PhoneRuntime
import Security
import Testing

/// The keychain, here without a host: the items stay in the process.
struct KeychainTests {
    private let service = UUID().uuidString

    private func query(_ more: [CFString: Any]) -> CFDictionary {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
        query.merge(more) { $1 }
        return query as CFDictionary
    }

    private func add(_ account: String, _ password: String) -> OSStatus {
        SecItemAdd(query([kSecAttrAccount: account, kSecValueData: Data(password.utf8)]), nil)
    }

    private func password(_ account: String) -> String? {
        var item: CFTypeRef?
        let query = query([
            kSecAttrAccount: account, kSecReturnData: kCFBooleanTrue as Any, kSecMatchLimit: kSecMatchLimitOne,
        ])
        guard SecItemCopyMatching(query, &item) == errSecSuccess else { return nil }
        return (item as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("A password is added once, found, changed and removed")
    func items() {
        #expect(add("ada", "one") == errSecSuccess)
        #expect(add("ada", "two") == errSecDuplicateItem)
        #expect(add("bob", "three") == errSecSuccess)
        #expect([password("ada"), password("bob"), password("eve")] == ["one", "three", nil])
        let changes: [CFString: Any] = [kSecValueData: Data("four".utf8)]
        #expect(SecItemUpdate(query([kSecAttrAccount: "ada"]), changes as CFDictionary) == errSecSuccess)
        #expect([password("ada"), password("bob")] == ["four", "three"])
        let renamed: [CFString: Any] = [kSecAttrAccount: "bob"]
        #expect(SecItemUpdate(query([kSecAttrAccount: "ada"]), renamed as CFDictionary) == errSecDuplicateItem)
        #expect(SecItemDelete(query([kSecAttrAccount: "ada"])) == errSecSuccess)
        #expect(SecItemDelete(query([kSecAttrAccount: "ada"])) == errSecItemNotFound)
        #expect([password("ada"), password("bob")] == [nil, "three"])
    }

    @Test("A query for all items returns a list, with the attributes and data that it wants")
    func lists() throws {
        #expect(add("ada", "one") == errSecSuccess)
        #expect(add("bob", "two") == errSecSuccess)
        var items: CFTypeRef?
        let wanted: [CFString: Any] = [kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]
        #expect(SecItemCopyMatching(query(wanted), &items) == errSecSuccess)
        let found = try #require(items as? [[String: Any]])
        #expect(found.map { $0[kSecAttrAccount as String] as? String } == ["ada", "bob"])
        #expect(found.allSatisfy { $0[kSecValueData as String] == nil && $0[kSecAttrCreationDate as String] is Date })
    }

    @Test("Only generic passwords are kept, and another class is reported")
    func otherClasses() {
        let key = [kSecClass: kSecClassKey] as CFDictionary
        #expect(SecItemAdd(key, nil) == errSecUnimplemented)
        #expect(SecItemAdd([:] as CFDictionary, nil) == errSecParam)
        let reported = CurrentPresentation.takeDiagnostics(of: "keychain")
        #expect(reported.contains { $0["reason"] == "keychainClass" })
    }

    @Test("Random bytes fill the buffer")
    func randomBytes() {
        var bytes = [UInt8](repeating: 0, count: 32)
        #expect(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess)
        #expect(bytes.suffix(8) != ArraySlice(repeating: 0, count: 8))
    }
}

/// The digests and codes that services check their payloads with.
struct CryptographyTests {
    private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    @Test("CommonCrypto's digests are those of their standards")
    func digests() {
        let data = Data("abc".utf8)
        var short = [UInt8](repeating: 0, count: Int(CC_MD5_DIGEST_LENGTH))
        _ = data.withUnsafeBytes { CC_MD5($0.baseAddress, CC_LONG(data.count), &short) }
        #expect(hexadecimal(short) == "900150983cd24fb0d6963f7d28e17f72")
        var long = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        _ = data.withUnsafeBytes { CC_SHA256($0.baseAddress, CC_LONG(data.count), &long) }
        #expect(hexadecimal(long) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hexadecimal(SHA256.hash(data: data)) == hexadecimal(long))
    }

    @Test("A code with a key is that of CryptoKit")
    func codes() {
        let (key, data) = (Array("key".utf8), Array("data".utf8))
        var code = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), key, key.count, data, data.count, &code)
        #expect(hexadecimal(code) == "5031fe3d989c6d1537a013fa6e739da23463fdaec3b70137d828e36ace221bd0")
        let own = HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: key))
        #expect(hexadecimal(own) == hexadecimal(code))
    }
}
