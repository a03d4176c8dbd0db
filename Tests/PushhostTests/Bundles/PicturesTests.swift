import Foundation
import TestSupport
import Testing

/// The pictures of the bundles in their folders, which their pages show, are those that the built program makes.
///
/// `PUSHHOST_UPDATE_PAGES=1` writes them.
@Suite(.waits, .wire) struct PicturesTests {
    /// A state in which each bundle shows what it is for; a bundle that is not here shows it at once.
    private static let steps = [
        "complete-profile": ["--set", "email=ada@example.com"],
        "match-game": ["--seed", "6", "--press", "card-0", "--press", "card-1", "--press", "card-6"],
        "push-story": ["--set", "story=1"],
        "register": ["--set", "email=ada@example.com"],
        "spin-to-win": ["--seed", "1", "--press", "spin"],
    ]

    private static var bundles: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "\(repositoryRoot)/plugins").sorted()
                .filter { FileManager.default.fileExists(atPath: "\(repositoryRoot)/plugins/\($0)/payload.apns") }
        }
    }

    @Test("The picture of each bundle is the one in its folder (PUSHHOST_UPDATE_PAGES=1 writes it)")
    func pictures() throws {
        let bundles = try Self.bundles
        #expect(bundles.count >= 14)
        try withTemporaryDirectory { folder in
            try Data(PushDrawingsTests.profile.utf8).write(to: URL(filePath: "\(folder)/profile.json"))
            for bundle in bundles {
                let profile = bundle == "liquid" ? ["--profile", "\(folder)/profile.json"] : []
                let picture = try Self.picture(of: bundle, profile + (Self.steps[bundle] ?? []))
                let file = "\(repositoryRoot)/plugins/\(bundle)/picture.svg"
                if ProcessInfo.processInfo.environment["PUSHHOST_UPDATE_PAGES"] != nil {
                    try Data(picture.utf8).write(to: URL(filePath: file))
                }
                let kept = try? String(contentsOfFile: file, encoding: .utf8)
                #expect(picture == kept, "\(file) is stale; PUSHHOST_UPDATE_PAGES=1 and this test write it")
                #expect(picture.utf8.count < 60_000, "\(bundle)")
            }
        }
    }

    @Test("The README's film is the session of the match game (PUSHHOST_UPDATE_PAGES=1 writes it)")
    func film() throws {
        let folder = "\(repositoryRoot)/plugins/match-game"
        let run = try CommandRun(["replay", "\(folder)/session.jsonl", "--svg", "-"])
        #expect(run.status == .code(0), "\(run.standardError)")
        let film = run.output
        let file = "\(folder)/film.svg"
        if ProcessInfo.processInfo.environment["PUSHHOST_UPDATE_PAGES"] != nil {
            try Data(film.utf8).write(to: URL(filePath: file))
        }
        let kept = try? String(contentsOfFile: file, encoding: .utf8)
        #expect(film == kept, "\(file) is stale; PUSHHOST_UPDATE_PAGES=1 and this test write it")
        #expect(film.utf8.count < 200_000)
        #expect(film.contains("Perfect score: 6") && film.contains("Completed Match Game"))
    }

    @Test("The page of each bundle shows its picture with a text in place of it")
    func pages() throws {
        for bundle in try Self.bundles {
            let page = try String(contentsOfFile: "\(repositoryRoot)/plugins/\(bundle)/README.md", encoding: .utf8)
            #expect(page.contains(/!\[[^\]]{10,}\]\(picture\.svg\)/), "\(bundle)")
        }
    }

    private static func picture(of bundle: String, _ options: [String]) throws -> String {
        let payload = "\(repositoryRoot)/plugins/\(bundle)/payload.apns"
        let own = ["--plugins", "\(repositoryRoot)/plugins", "--locale", "en", "--svg", "-"]
        let run = try CommandRun.push([payload] + own + options)
        guard run.status == .code(0) else { throw TestFailure("\(bundle): \(run.standardError)") }
        return run.output
    }
}
