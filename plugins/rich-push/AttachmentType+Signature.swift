extension AttachmentType {
    /// How many bytes at the start of a file are needed to detect its type.
    static let signatureLength = 12

    /// The major brands of MPEG-4 files that contain, or may contain, video.
    ///
    /// A phone does not attach pictures in this format or QuickTime files.
    private static let filmBrands = ["iso", "mp4", "avc", "M4V", "MSNV", "dash", "mmp4", "F4V", "f4v", "3gp", "3g2"]
    private static let soundBrands = ["M4A", "M4B", "F4A"]

    /// Detects the type from the first bytes of a file; `nil` if a phone attaches no such file.
    ///
    /// - Parameters:
    ///   - start: The first ``signatureLength`` bytes, or all of a shorter file.
    ///   - name: The type in the payload: it decides between audio and video if the bytes do not.
    init?(of start: [UInt8], named name: AttachmentType) {
        func has(_ text: String, at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WAVE", at: 8) {
            self = .wav
        } else if has("RIFF"), has("AVI ", at: 8) {
            self = .avi
        } else if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
            self = .aif
        } else if has("ftyp", at: 4), Self.soundBrands.contains(where: { has($0, at: 8) }) {
            self = .m4a
        } else if has("ftyp", at: 4), Self.filmBrands.contains(where: { has($0, at: 8) }) {
            self = name == .m4a ? .m4a : .mp4
        } else if start.starts(with: [0x00, 0x00, 0x01, 0xBA]) || start.starts(with: [0x00, 0x00, 0x01, 0xB3]) {
            // A pack header or a sequence header, of MPEG-1 or MPEG-2.
            self = .mpg
        } else if has("ID3") || Self.isLayerIII(start) {
            self = .mp3
        } else {
            return nil
        }
    }

    /// Whether bytes begin with the header of a frame of MPEG audio layer III (ISO/IEC 11172-3, 2.4.1.3).
    private static func isLayerIII(_ start: [UInt8]) -> Bool {
        guard start.count >= 4, start[0] == 0xFF, start[1] & 0xE0 == 0xE0 else { return false }
        let (version, layer) = (start[1] >> 3 & 3, start[1] >> 1 & 3)
        let (bitRate, sampleRate) = (start[2] >> 4, start[2] >> 2 & 3)
        return version != 1 && layer == 1 && bitRate != 15 && sampleRate != 3
    }
}
