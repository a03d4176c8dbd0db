import Foundation
import NotificationHTML
import TestSupport
import Testing

/// Files become part of the document only if they are pictures.
@Suite(.waits) struct LocalImagesTests {
    private let images = LocalImages(allowsRemote: false)

    @Test("A file is embedded with the type of its bytes, whatever its name")
    func types() throws {
        let beginnings: [(String, [UInt8])] = [
            ("png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("jpeg", [0xFF, 0xD8, 0xFF, 0xE0]),
            ("gif", Array("GIF89a".utf8)), ("webp", Array("RIFF0000WEBP".utf8)),
        ]
        try withTemporaryDirectory { folder in
            for (type, bytes) in beginnings {
                try Data(bytes).write(to: URL(filePath: "\(folder)/a picture"))
                let expected = "data:image/\(type);base64,\(Data(bytes).base64EncodedString())"
                // A document reads a file once.
                let images = LocalImages(allowsRemote: false)
                #expect(images.source("file://\(folder)/a%20picture") == .embedded(expected))
            }
        }
    }

    @Test("What is no picture is not embedded, and the reason names no path")
    func refusals() throws {
        try withTemporaryDirectory { folder in
            try Data("<svg onload='alert(1)'/>".utf8).write(to: URL(filePath: "\(folder)/text"))
            _ = FileManager.default.createFile(atPath: "\(folder)/large", contents: nil)
            try FileHandle(forWritingTo: URL(filePath: "\(folder)/large")).truncate(atOffset: 11 << 20)
            let reasons = [
                "text": "it is not a PNG, JPEG, GIF or WebP image", "": "it is a folder",
                "none": "there is no such file",
                "large": "it has more than 10485760 bytes",
            ]
            for (name, reason) in reasons { #expect(images.source("file://\(folder)/\(name)") == .placeholder(reason)) }
        }
        #expect(images.source("https://example.com/a.png") == .placeholder("remote image, not loaded"))
        #expect(images.source("javascript:alert(1)") == .placeholder("address not allowed"))
        #expect(LocalImages(allowsRemote: true).source("https://x/y.png") == .remote("https://x/y.png"))
    }

    @Test(
        "A file of the kernel, whose size is 0 and whose content does not end, is refused",
        .enabled(if: access("/proc/self/pagemap", R_OK) == 0)
    )
    func endless() {
        #expect(images.source("file:///proc/self/pagemap") == .placeholder("it has more than 10485760 bytes"))
    }

    @Test("All files of a document have one budget, whether or not they are pictures, and each is read once")
    func budget() throws {
        try withTemporaryDirectory { folder in
            let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            for name in ["a", "b"] {
                try Data(png + Array(repeating: 0, count: 6 << 20)).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            try Data(count: 6 << 20).write(to: URL(filePath: "\(folder)/none"))
            let images = LocalImages(allowsRemote: false)
            let first = images.source("file://\(folder)/a")
            guard case .embedded = first else { return #expect(Bool(false), "\(first)") }
            #expect(images.source("file://\(folder)/b") == .placeholder("the page has no room for it"))
            #expect(images.source("file://\(folder)/a") == .placeholder("the page has no room for more images"))
            let others = LocalImages(allowsRemote: false)
            #expect(others.source("file://\(folder)/none") == .placeholder("it is not a PNG, JPEG, GIF or WebP image"))
            #expect(others.source("file://\(folder)/a") == .placeholder("the page has no room for it"))
        }
    }
}
