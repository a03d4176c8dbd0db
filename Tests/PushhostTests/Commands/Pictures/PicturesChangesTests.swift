import Foundation
import JSON
import TestSupport
import Testing

/// Changes that `pushhost pictures` must find, and ones that it must not.
@Suite(.waits, .wire) struct PicturesChangesTests {
    /// A notification with a node of most types; the names of its images stand for their paths.
    private static let payload = ##"""
        {"aps": {"alert": {"title": "One", "subtitle": "Two", "body": "Three"}, "category": "CATEGORY"},
         "unseen": "nobody draws this",
         "reply": {"title": "Own", "media": {"button": "default", "playing": false, "tintColor": "#0A84FF"},
          "actions": [{"identifier": "A", "title": "First", "options": ["foreground"]},
           {"identifier": "B", "title": "Second", "options": ["destructive"]},
           {"identifier": "C", "title": "Third", "textInput": {"buttonTitle": "Post", "placeholder": "Say it"}}],
          "view": {"type": "stack", "background": "#FFF0F0", "children": [
           {"type": "text", "text": "Headline", "style": "title", "alignment": "center", "color": "#AA0000"},
           {"type": "text", "text": "Plain ●", "bold": true},
           {"type": "row", "children": [
            {"type": "text", "text": "Left"}, {"type": "button", "id": "b", "title": "Press", "background": "#123456"}]},
           {"type": "grid", "columns": 2, "children": [
            {"type": "card", "id": "c", "faceUp": true, "face": "rainbow", "matched": false},
            {"type": "card", "id": "d", "faceUp": false, "matched": false}]},
           {"type": "image", "url": "file://IMAGES/one.png", "alt": "A pixel"},
           {"type": "progress", "value": 3, "total": 8, "color": "#00AA00"},
           {"type": "field", "id": "f", "value": "", "placeholder": "E-mail"},
           {"type": "carousel", "id": "p", "page": 1, "children": [
            {"type": "text", "text": "Page one"}, {"type": "text", "text": "Page two"}]}]}}}
        """##

    /// A text of the payload, and what takes its place.
    private static let edits: [(String, String)] = [
        (#""title": "One""#, #""title": "one""#), (#""subtitle": "Two""#, #""subtitle": "Tow""#),
        (#""body": "Three""#, #""body": "Three ""#), (#""body": "Three""#, #""body": "Thrée""#),
        (#""subtitle": "Two", "#, ""), (#""body": "Three""#, #""body": "Three 👍""#),
        (#""body": "Three""#, #""body": "שלוש""#),
        (#""title": "Own""#, #""title": "Mine""#), (#""button": "default""#, #""button": "none""#),
        (#""playing": false"#, #""playing": true"#), (##""tintColor": "#0A84FF""##, ##""tintColor": "#0A84FE""##),
        (#""title": "First""#, #""title": "First!""#), (#"["foreground"]"#, "[]"),
        (#"["foreground"]"#, #"["foreground", "authenticationRequired"]"#), (#"["destructive"]"#, "[]"),
        (#""buttonTitle": "Post""#, #""buttonTitle": "Send""#),
        (#""placeholder": "Say it""#, #""placeholder": "Say""#),
        (#""title": "Second""#, #""title": "Sec\nond""#),
        (##""background": "#FFF0F0""##, ##""background": "#FFF0F1""##),
        (##""background": "#FFF0F0", "##, ""), (#""text": "Headline""#, #""text": "Head line""#),
        (#""style": "title", "#, ""), (#""style": "title""#, #""style": "caption""#),
        (#""alignment": "center""#, #""alignment": "end""#), (##""color": "#AA0000""##, ##""color": "#AB0000""##),
        (##""color": "#AA0000""##, ##""color": {"light": "#AA0000", "dark": "#AA0001"}"##),
        (#"Plain ●"#, "Plain ○"), (#", "bold": true"#, ""), (#""text": "Left""#, #""text": "Right""#),
        (#""title": "Press""#, #""title": "Push""#), (##", "background": "#123456""##, ""),
        (#""columns": 2"#, #""columns": 1"#), (#""face": "rainbow""#, #""face": "pensive""#),
        (#""face": "rainbow", "matched": false"#, #""face": "rainbow", "matched": true"#),
        (#""faceUp": false, "matched": false"#, #""faceUp": true, "face": "own", "matched": false"#),
        (#""alt": "A pixel""#, #""alt": "The pixel""#), ("/one.png", "/other.png"), ("/one.png", "/none.png"),
        (#""value": 3"#, #""value": 4"#), (#""total": 8"#, #""total": 80"#),
        (##""color": "#00AA00""##, ##""color": "#00AA01""##),
        (#""value": """#, #""value": "a@b.c""#), (#""placeholder": "E-mail""#, #""placeholder": "Email""#),
        (#""page": 1"#, #""page": 0"#),
    ]

    /// Keys of the `Info.plist`, and what takes their place; each is of a bundle of its own.
    private static let keys: [(String, String)] = [
        ("<real>0.5</real>", "<real>0.9</real>"), ("<string>Mirror</string>", "<string>Mirrors</string>"),
        ("Hidden</key><false/>", "Hidden</key><true/>"), ("Title</key><true/>", "Title</key><false/>"),
    ]

    private static func plist(_ identifier: String, _ edit: (String, String)? = nil) throws -> String {
        let prefix = "UNNotificationExtension"
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>com.example.\(identifier)</string>
            <key>CFBundleDisplayName</key><string>Mirror</string><key>CFBundleExecutable</key><string>mirror</string>
            <key>CFBundleIconFile</key><string>icon.png</string><key>NSExtension</key><dict>
            <key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.content-extension</string>
            <key>NSExtensionAttributes</key><dict><key>\(prefix)Category</key><string>\(identifier)</string>
            <key>\(prefix)InitialContentSizeRatio</key><real>0.5</real>
            <key>\(prefix)DefaultContentHidden</key><false/><key>\(prefix)OverridesDefaultTitle</key><true/>
            </dict></dict><key>PushhostPermissions</key><dict><key>Read</key>
            <string>\(FileManager.default.temporaryDirectory.path)</string></dict></dict></plist>
            """
        return try edited(text, edit)
    }

    /// A text with an edit, whose place must be there once.
    private static func edited(_ text: String, _ edit: (String, String)?) throws -> String {
        guard let (old, new) = edit else { return text }
        guard text.ranges(of: old).count == 1 else { throw TestFailure("\(old) is not there once") }
        return text.replacing(old, with: new)
    }

    /// PNG files of two pixels, of which the second is red, or almost red.
    private static let (red, almostRed) = (
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR42mNgYPj/n4EBAAcAAf+6TCMqAAAAAElFTkSuQmCC"
        ),
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR42mNgYPj/j4EBAAb9Af60UKVxAAAAAElFTkSuQmCC"
        )
    )

    /// An extension that replies with the file that the payload names; a shell starts sooner than Python.
    private static let mirror = #"""
        #!/bin/sh
        while IFS= read -r line; do
          id=${line#*\"id\":} id=${id%%[,\}]*} result='{}'
          case $line in
            *'"method":"activate"'*) result='{"version":"1.0"}' ;;
            *'"method":"didReceive"'*)
              file=${line#*\"replyFile\":\"}
              IFS= read -r result < "${file%%\"*}" ;;
            *'"id":'*) ;;
            *) continue ;;
          esac
          printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
        done

        """#

    @Test("50 changes of every kind, down to one pixel, are found, and nothing else is reported")
    func changes() throws {
        try PicturesRun.use { run in
            /// Writes a payload, and the reply of its extension into a file.
            func add(_ name: String, _ category: String = "mirror", _ edit: (String, String)? = nil) throws {
                let text = try Self.edited(Self.payload, edit).replacing("CATEGORY", with: category)
                let whole = try JSON(authored: text.replacing("IMAGES", with: "\(run.folder)/images"))
                let reply = "replies/\(name).json"
                let members = MemberList(whole.members.filter { $0.0 != "reply" })
                let payload = JSON(present: members + ["replyFile": .string("\(run.folder)/\(reply)")])
                try run.write("\(whole["reply"] ?? .null)\n", to: reply)
                try run.write(payload.description, to: "payloads/\(name).apns")
            }
            func add(bundle identifier: String) throws {
                try run.write(Self.plist(identifier), to: "bundles/\(identifier)/Info.plist")
                try run.write(#require(Self.red), to: "bundles/\(identifier)/icon.png")
                try run.write(Self.mirror, to: "bundles/\(identifier)/mirror")
                chmod("\(run.folder)/bundles/\(identifier)/mirror", 0o755)
            }
            for name in ["one", "own"] { try run.write(#require(Self.red), to: "images/\(name).png") }
            try run.write(#require(Self.almostRed), to: "images/other.png")
            try add(bundle: "mirror")
            let edits = Self.edits.enumerated().map { ("edit\($0.offset)", $0.element) }
            let keys = Self.keys.enumerated().map { ("key\($0.offset)", $0.element) }
            for name in edits.map(\.0) + ["same", "unseen"] { try add(name) }
            for name in keys.map(\.0) + ["icon"] {
                try add(bundle: name)
                try add(name, name)
            }
            try add("pixel", "mirror", ("/one.png", "/own.png"))
            func draw() throws -> [String] {
                let options = ["--locale", "en", "--baseline", "accepted"]
                let result = try run.pictures(["payloads"] + options, bundles: "\(run.folder)/bundles")
                return result.output.split(separator: "\n").filter { !$0.contains(": ") }.map(String.init)
            }
            #expect(try draw().count == edits.count + keys.count + 4)
            _ = try run.accept([])

            for (name, edit) in edits { try add(name, "mirror", edit) }
            for (name, edit) in keys { try run.write(Self.plist(name, edit), to: "bundles/\(name)/Info.plist") }
            try run.write(#require(Self.almostRed), to: "bundles/icon/icon.png")
            try run.write(#require(Self.almostRed), to: "images/own.png")
            try add("unseen", "mirror", ("nobody draws", "nobody will draw"))
            let changed = (edits.map(\.0) + keys.map(\.0) + ["icon", "pixel"]).map { "changed   \($0).en" }
            #expect(changed.count == 50)
            #expect(try draw() == changed.sorted())
        }
    }

    @Test("Folder, time zone, locale, order of files and hash seeds change no byte")
    func surroundings() throws {
        let game = try String(contentsOfFile: "\(repositoryRoot)/plugins/match-game/payload.apns", encoding: .utf8)
        let names = ["b", "ä", "a/z", "Z"]
        var drawn: [[String: Data]] = []
        for (number, environment) in [
            ["TZ": "UTC", "LC_ALL": "C"], ["TZ": "Asia/Kathmandu", "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"],
            ["TZ": "America/St_Johns", "LC_ALL": "ar_EG.UTF-8", "SWIFT_DETERMINISTIC_HASHING": "1"],
        ].enumerated() {
            try PicturesRun.use { run in
                for name in number == 1 ? names.reversed() : names {
                    try run.writeAlert("1,000.5 – \(name)", to: "payloads/\(name).apns")
                }
                try run.write(game, to: "payloads/game.apns")
                let options = ["--locale", "en", "--locale", "ar", "--text-size", "accessibility-large"]
                let result = try run.pictures(["payloads"] + options, environment: environment)
                #expect(result.status == .code(0), "\(result)")
                drawn.append(try run.files(in: "pictures"))
            }
        }
        #expect(drawn[0].count > 10 && drawn[1] == drawn[0] && drawn[2] == drawn[0])
    }
}
