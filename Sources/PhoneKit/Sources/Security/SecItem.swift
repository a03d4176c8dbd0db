// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes: generic passwords in the keychain, and random bytes.

@_exported public import Foundation
@_exported public import PhoneRuntime
import PhoneShadows

public typealias OSStatus = Int32
public typealias CFBoolean = NSNumber
public typealias CFTypeRef = AnyObject

public var kCFBooleanTrue: CFBoolean! { true }
public var kCFBooleanFalse: CFBoolean! { false }

// MARK: Keys and values

public var kSecClass: CFString { "class" }
public var kSecClassGenericPassword: CFString { "genp" }
public var kSecClassInternetPassword: CFString { "inet" }
public var kSecClassKey: CFString { "keys" }
public var kSecClassCertificate: CFString { "cert" }
public var kSecClassIdentity: CFString { "idnt" }

public var kSecAttrAccessGroup: CFString { "agrp" }
public var kSecAttrAccessible: CFString { "pdmn" }
public var kSecAttrAccount: CFString { "acct" }
public var kSecAttrComment: CFString { "icmt" }
public var kSecAttrCreationDate: CFString { "cdat" }
public var kSecAttrDescription: CFString { "desc" }
public var kSecAttrGeneric: CFString { "gena" }
public var kSecAttrLabel: CFString { "labl" }
public var kSecAttrModificationDate: CFString { "mdat" }
public var kSecAttrService: CFString { "svce" }
public var kSecAttrSynchronizable: CFString { "sync" }
public var kSecAttrSynchronizableAny: CFString { "syna" }

public var kSecAttrAccessibleAfterFirstUnlock: CFString { "ck" }
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "cku" }
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { "akpu" }
public var kSecAttrAccessibleWhenUnlocked: CFString { "ak" }
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { "aku" }

public var kSecMatchLimit: CFString { "m_Limit" }
public var kSecMatchLimitAll: CFString { "m_LimitAll" }
public var kSecMatchLimitOne: CFString { "m_LimitOne" }
public var kSecReturnAttributes: CFString { "r_Attributes" }
public var kSecReturnData: CFString { "r_Data" }
public var kSecUseDataProtectionKeychain: CFString { "u_DataProtection" }
public var kSecValueData: CFString { "v_Data" }

public var errSecSuccess: OSStatus { 0 }
public var errSecUnimplemented: OSStatus { -4 }
public var errSecParam: OSStatus { -50 }
public var errSecNotAvailable: OSStatus { -25291 }
public var errSecAuthFailed: OSStatus { -25293 }
public var errSecDuplicateItem: OSStatus { -25299 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecInteractionNotAllowed: OSStatus { -25308 }
public var errSecDecode: OSStatus { -26275 }

public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    switch status {
    case errSecSuccess: "No error."
    case errSecUnimplemented: "Function or operation not implemented."
    case errSecParam: "One or more parameters passed to a function were not valid."
    case errSecDuplicateItem: "The specified item already exists in the keychain."
    case errSecItemNotFound: "The specified item could not be found in the keychain."
    default: NSString(string: "OSStatus \(status)")
    }
}

// MARK: Items

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychain.perform(attributes) { query, items in
        let item = query.attributes.merging(["cdat": Date(), "mdat": Date()]) { given, _ in given }
        guard !items.contains(where: { Keychain.key(of: $0) == Keychain.key(of: item) }) else {
            return errSecDuplicateItem
        }
        items.append(item)
        result?.pointee = query.result(item).map { $0 as AnyObject }
        return errSecSuccess
    }
}

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychain.perform(query) { query, items in
        let found = items.filter(query.matches)
        guard let first = found.first else { return errSecItemNotFound }
        result?.pointee =
            query.wantsAll
            ? found.compactMap(query.result) as AnyObject
            : query.result(first).map { $0 as AnyObject }
        return errSecSuccess
    }
}

public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Keychain.perform(query) { query, items in
        guard items.contains(where: query.matches) else { return errSecItemNotFound }
        let changes = KeychainQuery(attributesToUpdate).attributes.merging(["mdat": Date()]) { given, _ in given }
        let changed = items.map { query.matches($0) ? $0.merging(changes) { $1 } : $0 }
        guard Set(changed.map(Keychain.key)).count == changed.count else { return errSecDuplicateItem }
        items = changed
        return errSecSuccess
    }
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    Keychain.perform(query) { query, items in
        guard items.contains(where: query.matches) else { return errSecItemNotFound }
        items.removeAll(where: query.matches)
        return errSecSuccess
    }
}

/// The generic passwords, which are kept where `UserDefaults.standard` keeps its values, and not encrypted.
private enum Keychain {
    typealias Item = [String: Any]

    private static let lock = NSLock()
    private static let name = "com.apple.security.keychain"

    /// Reads the items, changes them, and keeps them if they changed.
    static func perform(
        _ dictionary: CFDictionary,
        _ body: (KeychainQuery, inout [Item]) -> OSStatus
    ) -> OSStatus {
        let query = KeychainQuery(dictionary)
        guard let kind = query.kind else { return errSecParam }
        guard kind == "genp" else {
            let text = "only items of kSecClassGenericPassword are kept, and none of the class \(kind)"
            CurrentPresentation.addDiagnostic(reason: "keychainClass", text)
            return errSecUnimplemented
        }
        return lock.withLock {
            let before = PhoneShadows.UserDefaults.standard.array(forKey: name) as? [Item] ?? []
            var items = before
            let status = body(query, &items)
            if NSArray(array: items) != NSArray(array: before) {
                PhoneShadows.UserDefaults.standard.set(items, forKey: name)
            }
            return status
        }
    }

    /// What no two generic passwords have in common.
    static func key(of item: Item) -> [String] {
        ["acct", "svce", "agrp", "sync"].map { item[$0].map { "\($0)" } ?? "" }
    }
}

/// A dictionary that a function of the keychain takes: attributes, and what is wanted of the items that have them.
private struct KeychainQuery {
    /// The class of the items.
    let kind: String?
    /// What is kept of an item, and compared.
    let attributes: [String: Any]
    /// Whether more than one item is wanted.
    let wantsAll: Bool
    private let wantsData: Bool
    private let wantsAttributes: Bool

    init(_ dictionary: CFDictionary) {
        let members = dictionary as? [String: Any] ?? [:]
        func isOn(_ key: String) -> Bool { (members[key] as? NSNumber)?.boolValue ?? false }
        kind = members["class"] as? String
        let limit = members["m_Limit"]
        wantsAll = limit as? String == "m_LimitAll" || (limit as? NSNumber).map { $0.intValue > 1 } ?? false
        (wantsData, wantsAttributes) = (isOn("r_Data"), isOn("r_Attributes"))
        attributes = members.filter { name, value in
            let isAny = name == "sync" && value as? String == "syna"
            return name != "class" && !isAny && !["m_", "r_", "u_"].contains { name.hasPrefix($0) }
        }
    }

    /// Whether an item has all attributes; how it is protected tells no items apart.
    func matches(_ item: [String: Any]) -> Bool {
        attributes.allSatisfy { name, value in
            name == "pdmn" || item[name].map { NSArray(object: $0) == NSArray(object: value) } ?? false
        }
    }

    /// What is wanted of an item; nil if nothing is.
    func result(_ item: [String: Any]) -> Any? {
        guard wantsAttributes else { return wantsData ? item["v_Data"] : nil }
        return wantsData ? item : item.filter { $0.key != "v_Data" }
    }
}

// MARK: Random bytes

public struct SecRandomRef: Sendable {}

public var kSecRandomDefault: SecRandomRef? { nil }

public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    var generator = SystemRandomNumberGenerator()
    for index in 0..<count {
        bytes.storeBytes(of: UInt8.random(in: .min ... .max, using: &generator), toByteOffset: index, as: UInt8.self)
    }
    return errSecSuccess
}
