import Foundation
import JSON
import TestSupport
import Testing

/// Malicious property lists: whatever they contain, the host answers and keeps running.
@Suite(.waits, .wire) struct PlistHostileTests {
    private static let uid = "<dict><key>CF$UID</key><integer>1</integer></dict>"

    private static func xml(_ members: String) -> String {
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(members)</dict></plist>"
    }

    private static func events(_ elements: String) -> String {
        xml("<key>pending_custom_events</key><array>\(elements)</array>")
    }

    private static func userAttribute(_ data: String) -> String {
        let base64 = Data(data.utf8).base64EncodedString()
        return xml("<key>pending_user_attributes</key><array><data>\(base64)</data></array>")
    }

    /// A file that contains a reference of a keyed archive, and the expected outcome.
    struct Reference: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let deadLetters: JSON
        let says: String
    }

    private static let keyed = [
        Reference(
            testDescription: "an archive",
            text: xml("<key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key>\(uid)"),
            deadLetters: 1,
            says: "an archive made by NSKeyedArchiver"
        ),
        Reference(
            testDescription: "the root",
            text: "<plist version=\"1.0\">\(uid)</plist>",
            deadLetters: 1,
            says: "a UID and not a dictionary"
        ),
        Reference(
            testDescription: "a default",
            text: xml("<key>x</key>\(uid)"),
            deadLetters: 0,
            says: "x is left out: it is a UID"
        ),
        Reference(
            testDescription: "a default's member",
            text: xml("<key>x</key><dict><key>y</key><array>\(uid)</array></dict>"),
            deadLetters: 0,
            says: "x/y/0 is left out: it is a UID"
        ),
        Reference(
            testDescription: "an event",
            text: events(uid),
            deadLetters: 1,
            says: "a UID and not a dictionary"
        ),
        Reference(
            testDescription: "an event's property",
            text: events("<dict><key>event_name</key><string>A</string><key>p</key>\(uid)</dict>"),
            deadLetters: 1,
            says: "p is a UID, which Braze does not take"
        ),
        Reference(
            testDescription: "a list of records",
            text: xml("<key>pending_custom_events</key>\(uid)"),
            deadLetters: 1,
            says: "a UID and not an array"
        ),
        Reference(
            testDescription: "an attribute",
            text: xml("<key>pending_custom_attributes</key><array><dict><key>a</key>\(uid)</dict></array>"),
            deadLetters: 1,
            says: "its value is a UID"
        ),
        Reference(
            testDescription: "a user attribute's data",
            text: userAttribute(xml("<key>email</key>\(uid)")),
            deadLetters: 1,
            says: "its value is a UID"
        ),
        Reference(
            testDescription: "a user attribute that is an archive",
            text: userAttribute(xml("<key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key>\(uid)")),
            deadLetters: 1,
            says: "an archive made by NSKeyedArchiver"
        ),
    ]

    @Test("References of a keyed archive in XML do not crash the host", arguments: keyed)
    func references(reference: Reference) throws {
        try PlistFiles.with { files in
            try files.write(reference.text.utf8, "a.plist")
            let reply = try files.importSuite("a.plist")
            #expect(reply["deadLetters"] == reference.deadLetters)
            let messages = reply["diagnostics"]?.array?.compactMap { $0["message"]?.string } ?? []
            #expect(messages.count == 1 && messages[0].contains(reference.says), "\(messages)")
            _ = try files.host.result("ping")
        }
    }

    @Test("A binary file with a keyed-archive reference in a user attribute's data does not crash the host")
    func binary() throws {
        try PlistFiles.with { files in
            let inner = Data(Self.xml("<key>email</key>\(Self.uid)").utf8)
            try files.write(["pending_user_attributes": [inner]], "a.plist")
            #expect(try files.importSuite("a.plist")["deadLetters"] == 1)
            _ = try files.host.result("ping")
        }
    }
}
