import Testing

@testable import ExtensionHost

@Suite struct ContractVersionTests {
    @Test("A version is two numbers", arguments: ["0.0", "1.0", "1.10", "12.345"])
    func versions(text: String) throws {
        #expect(try #require(ContractVersion(text)).description == text)
    }

    @Test(
        "Any other text is not a version",
        arguments: [
            "", "1", "1.", ".1", "1.0.0", "v1.0", "1.0 ", "+1.0", "-1.0", "01.0", "1.00", "1.x", "1,0", "१.०",
            "1.99999999999999999999",
        ]
    )
    func others(text: String) { #expect(ContractVersion(text) == nil) }

    @Test("Versions are ordered numerically")
    func order() throws {
        let versions = try ["0.9", "1.2", "1.10", "2.0"].map { try #require(ContractVersion($0)) }
        #expect(versions.shuffled().sorted() == versions)
    }

    @Test("A host serves its own major version up to its own minor version", arguments: ["1.0", "1.1", "1.2"])
    func served(needed: String) throws {
        #expect(try #require(ContractVersion("1.2")).problem(ofNeeded: needed) == nil)
    }

    @Test(
        "A version that a host cannot serve is refused with both versions and what to do",
        arguments: [
            ("1.3", "it needs version 1.3 of the contract, and this host speaks 1.2: update the host"),
            ("1.10", "it needs version 1.10 of the contract, and this host speaks 1.2: update the host"),
            ("2.0", "it needs version 2.0 of the contract, and this host speaks 1.2: update the host"),
            ("0.9", "it needs version 0.9 of the contract, and this host speaks 1.2: update the extension"),
            (
                "one",
                "activate must be answered with the least version of the contract that it needs, <major>.<minor>, "
                    + "such as 1.2, and not with \"one\""
            ),
        ]
    )
    func refused(needed: String, message: String) throws {
        #expect(try #require(ContractVersion("1.2")).problem(ofNeeded: needed) == message)
    }
}
