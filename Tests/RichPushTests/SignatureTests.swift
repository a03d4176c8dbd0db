import AttachmentRules
import Testing

/// The type of a file according to its first bytes.
@Suite struct SignatureTests {
    /// The first bytes of a file: each character is one byte.
    struct Start: ExpressibleByStringLiteral, CustomTestStringConvertible {
        let bytes: [UInt8]
        let testDescription: String

        init(stringLiteral text: String) {
            bytes = text.unicodeScalars.map { UInt8($0.value) }
            testDescription = text.debugDescription
        }
    }

    private static func type(_ start: [UInt8], named name: AttachmentType = .png) -> AttachmentType? {
        AttachmentType(of: Array(start.prefix(AttachmentType.signatureLength)), named: name)
    }

    @Test(
        "The file types that iOS can attach are recognized by their first bytes",
        arguments: [
            ("\u{89}PNG\r\n\u{1A}\n\0\0\0\r", .png), ("GIF87a\u{1}\0\u{1}\0\0\0", .gif),
            ("GIF89a\u{1}\0\u{1}\0\0\0", .gif),
            ("RIFF\0\0\0\0WAVE", .wav), ("RIFF\0\0\0\0AVI ", .avi), ("FORM\0\0\0\0AIFF", .aif),
            ("FORM\0\0\0\0AIFC", .aif), ("\0\0\0\u{20}ftypM4A ", .m4a), ("\0\0\0\u{20}ftypisom", .mp4),
            ("\0\0\0\u{20}ftypmp42", .mp4), ("\0\0\0\u{20}ftypM4V ", .mp4), ("\0\0\u{1}\u{BA}", .mpg),
            ("\0\0\u{1}\u{B3}", .mpg), ("ID3\u{4}\0\0\0\0\0\0\0\0", .mp3), ("\u{FF}\u{FB}\u{90}\u{64}", .mp3),
            ("\u{FF}\u{F3}\u{40}\u{C0}", .mp3), ("\u{FF}\u{D8}\u{FF}\u{E0}\0\u{10}JFIF", .jpg),
        ] as [(Start, AttachmentType)]
    )
    func known(start: Start, type: AttachmentType) {
        #expect(Self.type(start.bytes) == type)
    }

    @Test(
        "Web pages, texts, other image and video types, and truncated signatures are refused",
        arguments: [
            "", "<!DOCTYPE html>", "{}", "GIF", "GIF90a\0\0\0\0\0\0", "RIFF\0\0\0\0WEBP", "RIFF\0\0\0\0WAV",
            "FORM\0\0\0\0ILBM", "\0\0\0\u{20}ftypheic", "\0\0\0\u{20}ftypavif", "\0\0\0\u{20}ftypqt  ",
            "%PDF-1.7\n%\u{E2}",
            "BM6\0\0\0\0\0\0\0\0\0", "\u{89}PNG\n\u{1A}\n\0\0\0\r", "\u{FF}\u{FE}<\0h\0t\0m\0l\0",
            "\u{FF}\u{F1}\u{50}\u{80}",
            "\u{FF}\u{FB}\u{F0}\u{64}", "OggS\0\u{2}\0\0\0\0\0\0",
        ] as [Start]
    )
    func unknown(start: Start) {
        #expect(Self.type(start.bytes) == nil)
    }

    @Test(
        "An MPEG-4 file that may be sound or video has the type that the payload names, and a sound file is always sound"
    )
    func soundOrFilm() {
        #expect(Self.type(Array("\0\0\0 ftypmp42".utf8), named: .m4a) == .m4a)
        #expect(Self.type(Array("\0\0\0 ftypmp42".utf8), named: .mp4) == .mp4)
        #expect(Self.type(Array("\0\0\0 ftypM4A ".utf8), named: .mp4) == .m4a)
    }
}
