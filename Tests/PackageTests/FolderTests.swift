import Foundation
import TestSupport
import Testing

@Suite struct FolderTests {
    @Test("A folder of HostCore uses only the folders that the table allows")
    func hostCore() throws {
        let paths = try Repository.files(under: ["Sources/HostCore"]).filter { $0.hasSuffix(".swift") }
        #expect(paths.count > 50)
        let texts = try paths.map { ($0, try String(contentsOfFile: "\(repositoryRoot)/\($0)", encoding: .utf8)) }
        #expect(FolderRules(Dictionary(uniqueKeysWithValues: texts)).violations == [])
    }

    @Test("No folder depends on another in both directions")
    func twoWayPairs() {
        #expect(FolderRules.twoWayPairs.isEmpty)
        #expect(FolderRules.folders.values.allSatisfy { $0.allSatisfy { FolderRules.folders[$0] != nil } })
    }

    @Test("A use that the table does not allow is found, and one in a comment or a string is ignored")
    func violation() {
        let rules = FolderRules([
            "Sources/HostCore/Loop/EventLoop.swift": "public final class EventLoop {}",
            "Sources/HostCore/Calls/Peer.swift": "// EventLoop\nlet text = \"EventLoop\"\nlet loop: EventLoop",
            "Sources/HostCore/Cellar/Wine.swift": "struct Wine {}",
        ])
        #expect(
            rules.violations == [
                "Sources/HostCore/Calls/Peer.swift must not use EventLoop of Loop",
                "Sources/HostCore/Cellar/Wine.swift is in no folder of the table",
            ]
        )
    }
}
