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

    /// Writes an image set whose files have a text each, and returns its URL.
    private func imageSet(_ root: String, _ contents: String, _ files: [String]) throws -> String {
        let folder = "\(root)/Assets.xcassets/Cups/Cup.imageset"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(contents.utf8).write(to: URL(filePath: "\(folder)/Contents.json"))
        for name in files {
            let start = name.hasSuffix(".svg") ? "<?xml version='1.0'?>\n<svg>" : "GIF89a"
            try Data((start + name).utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        return "file://\(folder)"
    }

    /// A picture of one of these files.
    private func picture(_ name: String) -> String {
        let (type, start) =
            name.hasSuffix(".svg") ? ("svg+xml", "<?xml version='1.0'?>\n<svg>") : ("gif", "GIF89a")
        return "data:image/\(type);base64,\(Data((start + name).utf8).base64EncodedString())"
    }

    @Test("An image set is its largest file for an iPhone, and has one for dark appearance; so is any file in it")
    func imageSet() throws {
        let contents = """
            {"images": [
                {"idiom": "universal", "filename": "1.gif", "scale": "1x"},
                {"idiom": "universal", "filename": "3.gif", "scale": "3x"},
                {"idiom": "universal", "filename": "2.gif", "scale": "2x"},
                {"idiom": "ipad", "filename": "pad.gif", "scale": "4x"},
                {"idiom": "universal", "scale": "5x"},
                {"idiom": "universal", "filename": "dark.gif", "scale": "3x",
                 "appearances": [{"appearance": "luminosity", "value": "dark"}]},
                {"idiom": "universal", "filename": "contrast.gif", "scale": "4x",
                 "appearances": [{"appearance": "contrast", "value": "high"}]}
            ]}
            """
        try withTemporaryDirectory { root in
            let url = try imageSet(root, contents, ["1.gif", "2.gif", "3.gif", "pad.gif", "dark.gif", "contrast.gif"])
            let expected = ImageSource.embedded(picture("3.gif"), dark: picture("dark.gif"))
            for url in [url, "\(url)/", "\(url)/1.gif"] { #expect(images.source(url) == expected) }
        }
    }

    @Test("A drawing is shown from an image set only, and nothing outside of the set is")
    func drawings() throws {
        let contents = #"{"images": [{"idiom": "universal", "filename": "cup.svg"}]}"#
        try withTemporaryDirectory { root in
            let url = try imageSet(root, contents, ["cup.svg"])
            #expect(images.source(url) == .embedded(picture("cup.svg")))
        }
        let wrong = [
            #"{"images": [{"idiom": "universal", "filename": "../Cup.imageset/cup.gif"}]}"#:
                "the image set has no file for an iPhone",
            #"{"images": []}"#: "the image set has no file for an iPhone",
            #"{"images": [{"filename": "Contents.json"}]}"#: "it is not a PNG, JPEG, GIF, WebP or SVG image",
            #"{"images": "#: "it is a folder",
        ]
        for (contents, reason) in wrong {
            try withTemporaryDirectory { root in
                let url = try imageSet(root, contents, ["cup.gif"])
                #expect(images.source(url) == .placeholder(reason))
            }
        }
    }
}
