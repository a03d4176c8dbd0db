import TestSupport
import Testing

@testable import ExtensionKit

/// The random generators of the kits for Python and Node must produce the same numbers as that of ExtensionKit.
@Suite(.waits) struct KitRandomTests {
    private static let folder = "\(repositoryRoot)/plugins/kits"
    private static let notification = "910a2dec-8902-4cc1-beeb-8da1658eec67"

    private static let python = """
        import sys
        sys.dont_write_bytecode = True
        sys.path.insert(0, sys.argv[1])
        from pushhost_extension import PresentationRandom
        chance = PresentationRandom(int(sys.argv[2]), sys.argv[3])
        print(*[chance.next() for _ in range(5)])
        """

    private static let node = """
        const [folder, seed, notification] = process.argv.slice(1);
        import(`${folder}/pushhost-extension.mjs`).then(({ PresentationRandom }) => {
          const chance = new PresentationRandom(BigInt(seed), notification);
          console.log(Array.from({ length: 5 }, () => chance.next()).join(" "));
        });
        """

    @Test(
        "The same seed and notification give the same numbers in every kit",
        arguments: [0, 1, UInt64.max >> 1],
        [["python3", "-c", python], ["node", "-e", node]]
    )
    func numbers(seed: UInt64, command: [String]) throws {
        var random = PresentationRandom(seed: seed, notification: Self.notification)
        let numbers = (0..<5).map { _ in String(random.next()) }
        let child = try ChildProcess("/usr/bin/env", command + [Self.folder, String(seed), Self.notification])
        #expect(try child.readToEnd() == numbers.joined(separator: " ") + "\n", "\(child.standardError)")
    }
}
