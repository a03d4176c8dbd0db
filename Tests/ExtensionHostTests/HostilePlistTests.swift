import ExtensionHost
import Foundation
import TestSupport
import Testing

/// Malicious property lists of bundles.
@Suite(.waits) struct HostilePlistTests {
    @Test(
        "A few bytes that expand to a huge tree are refused at once",
        arguments: ["Info.plist", "run.entitlements"],
        [7, 20]
    )
    func bomb(name: String, width: Int) throws {
        try withTemporaryDirectory { root in
            let folder = try BundleFolder("\(root)/bundle")
            let bytes = BinaryPropertyLists.bomb(key: "com.apple.security.application-groups", width: width)
            try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(name)"))
            let problem: BundleProblem?
            do throws(BundleProblem) {
                problem = try ExtensionBundle(folder: folder.path).problems.first
            } catch {
                problem = error
            }
            #expect(problem?.path.hasSuffix(name) == true)
            #expect(problem?.message.contains("more values") == true, "\(String(describing: problem))")
        }
    }
}
