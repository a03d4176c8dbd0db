import Foundation
import PropertyLists
import Testing

@testable import HostCore

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
        let some = try GuideUserAttribute(reading: [UInt8](encoder.encode(UserAttribute.email("ada@example.com"))))
        #expect(some.field == "email" && some.value == .string("ada@example.com") && !some.isNull)
        let none = try GuideUserAttribute(reading: [UInt8](encoder.encode(UserAttribute.email(nil))))
        #expect(none.field == "email" && none.isNull)
    }

    @Test("nil is exported as the guide's encoder writes it")
    func null() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let theirs = try PropertyListValue(reading: [UInt8](encoder.encode(UserAttribute.email(nil))))
        guard case .data(let bytes) = GuideUserAttribute.data(field: "email", value: nil) else {
            Issue.record("it is no data")
            return
        }
        #expect(try PropertyListValue(reading: bytes) == theirs)
    }
}
