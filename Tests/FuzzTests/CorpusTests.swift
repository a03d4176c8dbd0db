import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The inputs of `Tests/Fixtures/fuzz`, without libFuzzer: seeds, and one for each mistake that was found.
@Suite struct CorpusTests {
    private static let corpus = URL(filePath: "\(repositoryRoot)/Tests/Fixtures/fuzz")

    @Test("Each target reads its inputs", arguments: FuzzTarget.all.map(\.name))
    func inputs(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = Self.corpus.appending(path: name)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count > 2, "\(name) has too few inputs")
        for file in files.sorted(by: { $0.path < $1.path }) {
            do {
                try target.check(Array(try Data(contentsOf: file)))
            } catch {
                Issue.record("\(name)/\(file.lastPathComponent): \(error)")
            }
        }
    }
}
