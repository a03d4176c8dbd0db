import Foundation
import PropertyLists
import Testing

@testable import HostCore
@testable import Records

/// The encoded form of the guide's enum: a keyed container with the field, and a text or nil.
private enum UserAttribute: Codable, Equatable {
    case email(String?)

    private enum CodingKeys: String, CodingKey { case email }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .email(let email): try values.encode(email, forKey: .email)
        }
    }

    init(from decoder: any Decoder) throws {
        self = .email(try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .email))
    }
}

/// The guide's Objective-C class; not private, as NSKeyedArchiver on Linux writes no such class.
final class ArchivedAttribute: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    private let userField: String?
    private let attributeType: Int

    init(_ userField: String?, type: Int) { (self.userField, attributeType) = (userField, type) }

    required init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(userField.map { NSString(string: $0) }, forKey: "userField")
        coder.encode(attributeType, forKey: "attributeType")
    }
}

@Suite struct GuideUserAttributeTests {
    @Test("The guide's decoder reads an export", arguments: ["ada@example.com", "ä@ö.de", ""])
    func exported(email: String) throws {
        guard case .data(let bytes) = GuideUserAttribute.data(field: "email", value: .string(email)) else {
            Issue.record("it is no data")
            return
        }
        #expect(try PropertyListDecoder().decode(UserAttribute.self, from: Data(bytes)) == .email(email))
    }

    @Test(
        "The output of the guide's encoder can be imported in both formats",
        arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml]
    )
    func imported(format: PropertyListSerialization.PropertyListFormat) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        let some = try GuideUserAttribute.read([UInt8](encoder.encode(UserAttribute.email("ada@example.com"))))
        #expect(some?.field == "email" && some?.value == .string("ada@example.com"))
        // The guide's decoder does not read it either.
        let none = try encoder.encode(UserAttribute.email(nil))
        #expect(throws: (any Error).self) { try PropertyListDecoder().decode(UserAttribute.self, from: none) }
        #expect(try GuideUserAttribute.read([UInt8](none)) == nil)
    }

    @Test(
        "An archive of the guide's Objective-C class is read, in which nil unsets the field; no other archive is",
        arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml]
    )
    func archived(format: PropertyListSerialization.PropertyListFormat) throws {
        func archive(_ object: NSObject) -> [UInt8] {
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            archiver.outputFormat = format
            archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
            archiver.finishEncoding()
            return [UInt8](archiver.encodedData)
        }
        let some = try GuideUserAttribute.read(archive(ArchivedAttribute("ä@ö.de", type: 0)))
        #expect(some == GuideUserAttribute(field: "email", value: .string("ä@ö.de")))
        let none = try GuideUserAttribute.read(archive(ArchivedAttribute(nil, type: 0)))
        #expect(none == GuideUserAttribute(field: "email", value: nil))
        for (object, text) in [
            (ArchivedAttribute("x", type: 1), "its attributeType is not 0"),
            (NSArray(object: NSString("email")), "userField and attributeType"),
        ] as [(NSObject, String)] {
            let bytes = archive(object)
            let error = #expect(throws: PropertyListContentError.self) { try GuideUserAttribute.read(bytes) }
            #expect(error?.text.contains(text) == true, "\(error?.text ?? "")")
        }
    }
}
