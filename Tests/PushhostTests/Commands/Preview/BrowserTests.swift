import Foundation
import TestSupport
import Testing

/// What a real browser shows; the cases are in `Tests/Fixtures/browser`.
@Suite(.waits, .wire) struct BrowserTests {
    @Test("The harness of these tests finds errors in the console and requests to other origins")
    func rig() throws { try Browser.run("rig", cases: 5) }

    @Test("Pictures open without errors and requests, and hostile texts and views stay harmless in them")
    func pictures() throws { try Browser.run("pictures", cases: 9) }

    @Test("The page of pictures finds, compares and accepts them, and works on a phone and by keyboard")
    func gallery() throws { try Browser.run("gallery", cases: 4) }

    @Test("In the preview a user plays, registers and edits, and no other page gets at it")
    func preview() throws { try Browser.run("preview", cases: 10) }

    @Test("The preview's timeline is a sequence diagram, works by keyboard and on a phone, and is saved as a picture")
    func timeline() throws { try Browser.run("timeline", cases: 7) }

    @Test("On the phone notifications are opened, expanded and cleared by mouse, touch and keyboard, at all sizes")
    func stage() throws { try Browser.run("stage", cases: 23) }

    @Test("In the preview a payload is written, corrected, measured, folded, compared and opened")
    func payload() throws { try Browser.run("payload", cases: 14) }

    @Test("Every file of browser cases has a test in this suite")
    func files() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Browser.folder)
        let cases = Set(files.filter { $0.hasSuffix(".py") }).subtracting(["harness.py"])
        let known = ["gallery", "payload", "pictures", "preview", "rig", "stage", "timeline"]
        #expect(cases == Set(known.map { $0 + ".py" }))
    }
}
