package import Foundation

/// What the header of a media file tells: its length, and whether there is something to see.
///
/// Nothing is decoded. MP4 and its relatives M4A and MOV, WAV and MP3 are known. A header may be anything that somebody sent: every length
/// in it is compared with that of the file.
package struct MediaFile: Sendable {
    /// Why a file cannot be played.
    package struct Failure: Error, Equatable {
        package let text: String
        package init(_ text: String) { self.text = text }

        fileprivate static let unknown = Failure("it is no MP4, M4A, MOV, WAV or MP3 file")
        fileprivate static let cut = Failure("the file ends within its header")
    }

    /// The most boxes or chunks that are looked at.
    private static let partLimit = 10_000

    private static let trackLimit = 100

    /// The length; indefinite if the header does not have it, as that of a film which is still recorded.
    package let duration: CMTime
    package let hasVideo: Bool

    private init(_ duration: CMTime, hasVideo: Bool = false) { (self.duration, self.hasVideo) = (duration, hasVideo) }

    /// Reads the header of a local file.
    package init(url: URL) throws(Failure) {
        let type = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.type]
        guard let type = type as? FileAttributeType else { throw Failure("there is no such file") }
        // A pipe would keep the reader waiting.
        guard type == .typeRegular, let file = try? FileHandle(forReadingFrom: url) else {
            throw Failure("it cannot be read")
        }
        defer { try? file.close() }
        guard let count = try? file.seekToEnd() else { throw Failure("it cannot be read") }
        let bytes = Bytes(count: Int(count)) { offset, count in
            try? file.seek(toOffset: UInt64(offset))
            return (try? file.read(upToCount: count)).map { [UInt8]($0) } ?? []
        }
        try self.init(bytes)
    }

    /// Reads the header of a file that is in memory.
    package init(_ data: Data) throws(Failure) {
        let bytes = [UInt8](data)
        try self.init(Bytes(count: bytes.count) { Array(bytes[$0..<($0 + $1)]) })
    }

    private init(_ bytes: Bytes) throws(Failure) {
        let start = bytes.read(0, min(12, bytes.count)) ?? []
        let isBox = Set(["ftyp", "moov", "mdat", "free", "skip", "wide"]).contains(
            Bytes.name(start.dropFirst(4).prefix(4))
        )
        if isBox {
            try self.init(mp4: bytes)
        } else if Bytes.name(start.prefix(4)) == "RIFF", Bytes.name(start.dropFirst(8)) == "WAVE" {
            try self.init(wav: bytes)
        } else {
            try self.init(mp3: bytes)
        }
    }

    // MARK: MP4

    /// Reads `moov`: the length is in `mvhd`, or in `mvex/mehd` if the film is in fragments.
    private init(mp4 bytes: Bytes) throws(Failure) {
        guard let moov = try Self.boxes(bytes, 0..<bytes.count).first(where: { $0.name == "moov" })?.content else {
            throw Failure("it has no moov box")
        }
        let boxes = try Self.boxes(bytes, moov)
        guard let header = boxes.first(where: { $0.name == "mvhd" })?.content.lowerBound,
            let version = bytes.integer(header, 1)
        else { throw .cut }
        // A date of creation and one of change stand before the scale; both have 8 bytes in version 1.
        let (dates, size) = version == 1 ? (16, 8) : (8, 4)
        guard let scale = bytes.integer(header + 4 + dates, 4), var length = bytes.integer(header + 8 + dates, size)
        else {
            throw .cut
        }
        guard scale > 0 else { throw Failure("its time scale is 0") }
        if length == 0, let mvex = boxes.first(where: { $0.name == "mvex" })?.content,
            let mehd = try Self.boxes(bytes, mvex).first(where: { $0.name == "mehd" })?.content.lowerBound
        {
            length = bytes.integer(mehd + 4, bytes.integer(mehd, 1) == 1 ? 8 : 4) ?? 0
        }
        let isUnknown = length == 0 || length == (size == 8 ? .max : UInt64(UInt32.max))
        let duration: CMTime
        if !isUnknown, let value = Int64(exactly: length), let scale = Int32(exactly: scale) {
            duration = CMTime(value: value, timescale: scale)
        } else {
            duration = .indefinite
        }
        var hasVideo = false
        for track in boxes.filter({ $0.name == "trak" }).prefix(Self.trackLimit) {
            if try Self.isVideo(bytes, track.content) { hasVideo = true }
        }
        self.init(duration, hasVideo: hasVideo)
    }

    private static func isVideo(_ bytes: Bytes, _ track: Range<Int>) throws(Failure) -> Bool {
        guard let media = try boxes(bytes, track).first(where: { $0.name == "mdia" })?.content,
            let handler = try boxes(bytes, media).first(where: { $0.name == "hdlr" })?.content
        else { return false }
        return bytes.read(handler.lowerBound + 8, 4).map { Bytes.name($0) } == "vide"
    }

    /// The boxes in a part of the file; one that is longer than the part is an error unless it has the media themselves.
    private static func boxes(
        _ bytes: Bytes,
        _ range: Range<Int>
    ) throws(Failure) -> [(name: String, content: Range<Int>)] {
        var boxes: [(String, Range<Int>)] = []
        var offset = range.lowerBound
        while range.upperBound - offset >= 8, boxes.count < partLimit {
            guard var size = bytes.integer(offset, 4), let name = bytes.read(offset + 4, 4).map({ Bytes.name($0) })
            else {
                throw .cut
            }
            var head = 8
            if size == 1 {
                guard let long = bytes.integer(offset + 8, 8) else { throw .cut }
                (size, head) = (long, 16)
            } else if size == 0 {
                size = UInt64(range.upperBound - offset)
            }
            guard size >= UInt64(head) else { throw Failure("its box \(name) is shorter than its head") }
            guard size <= UInt64(range.upperBound - offset) else {
                guard name == "mdat" else { throw .cut }
                break
            }
            boxes.append((name, (offset + head)..<(offset + Int(size))))
            offset += Int(size)
        }
        return boxes
    }

    // MARK: WAV

    /// Reads the chunks `fmt` and `data`; a length that is too great, as of a stream, counts as the rest of the file.
    private init(wav bytes: Bytes) throws(Failure) {
        var (rate, frame, perSecond) = (0, 0, 0)
        var offset = 12
        for _ in 0..<Self.partLimit {
            guard let name = bytes.read(offset, 4).map({ Bytes.name($0) }), let size = bytes.little(offset + 4, 4)
            else {
                throw Failure("it has no data chunk")
            }
            let content = offset + 8
            if name == "fmt " {
                guard let samples = bytes.little(content + 4, 4), let second = bytes.little(content + 8, 4),
                    let block = bytes.little(content + 12, 2)
                else { throw .cut }
                (rate, perSecond, frame) = (samples, second, block)
            } else if name == "data" {
                guard rate > 0, frame > 0, perSecond > 0, let scale = Int32(exactly: rate) else {
                    throw Failure("it has no valid fmt chunk before its data")
                }
                let count = min(size, bytes.count - content)
                // Samples that are not compressed are counted, so that the length is exact.
                let isExact = perSecond == rate * frame
                self.init(
                    isExact
                        ? CMTime(value: Int64(count / frame), timescale: scale)
                        : CMTime(seconds: Double(count) / Double(perSecond), preferredTimescale: scale)
                )
                return
            }
            guard size <= bytes.count - content else { throw .cut }
            offset = content + size + size % 2
        }
        throw Failure("it has no data chunk")
    }

    // MARK: MP3

    /// Reads the first frame: the number of frames is in its `Xing`, `Info` or `VBRI` header, or else all have its size.
    private init(mp3 bytes: Bytes) throws(Failure) {
        var start = 0
        if let tag = bytes.read(0, 10), Bytes.name(tag.prefix(3)) == "ID3" {
            start = 10 + tag[6...9].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
            guard start < bytes.count else { throw .cut }
        }
        guard let (offset, frame) = MP3Frame.first(in: bytes, from: start) else { throw .unknown }
        let scale = Int32(frame.sampleRate)
        if let count = frame.count(in: bytes, at: offset), count > 0 {
            self.init(CMTime(value: Int64(count) * Int64(frame.samples), timescale: scale))
            return
        }
        let hasEndTag = bytes.read(bytes.count - 128, 3).map { Bytes.name($0) } == "TAG"
        let length = max(0, bytes.count - offset - (hasEndTag ? 128 : 0))
        self.init(CMTime(seconds: Double(length) * 8 / Double(frame.bitRate), preferredTimescale: scale))
    }
}

/// The header of a frame of MPEG audio, layer III.
private struct MP3Frame {
    /// How far to look for the first frame.
    private static let searchLimit = 1 << 16

    let sampleRate, bitRate, samples, length: Int
    /// The bytes between the header and what an encoder writes about the whole file.
    private let sideInformation: Int

    /// The frame with this header; nil if it is none.
    init?(_ header: UInt64) {
        let (version, layer) = (header >> 19 & 3, header >> 17 & 3)
        let (rate, sample) = (Int(header >> 12 & 15), Int(header >> 10 & 3))
        // Version 1 is reserved, and the bits 01 mean layer III.
        guard header >> 21 == 0x7FF, version != 1, layer == 1, (1...14).contains(rate), sample < 3 else { return nil }
        let isFirst = version == 3
        let rates =
            isFirst
            ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
            : [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        bitRate = rates[rate - 1] * 1_000
        sampleRate = [44_100, 48_000, 32_000][sample] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        samples = isFirst ? 1_152 : 576
        length = samples / 8 * bitRate / sampleRate + Int(header >> 9 & 1)
        let isMono = header >> 6 & 3 == 3
        sideInformation = isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    }

    /// The first frame after that offset that is followed by another one or by the end of the file.
    static func first(in bytes: Bytes, from start: Int) -> (offset: Int, frame: MP3Frame)? {
        let last = min(bytes.count - 4, start + searchLimit)
        guard start <= last, let window = bytes.read(start, last + 4 - start) else { return nil }
        for index in 0...(last - start) where window[index] == 0xFF && window[index + 1] >= 0xE0 {
            let header = window[index..<(index + 4)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard let frame = MP3Frame(header) else { continue }
            let next = start + index + frame.length
            let follows = bytes.integer(next, 4).map { MP3Frame($0)?.sampleRate == frame.sampleRate }
            if follows ?? (next >= bytes.count) { return (start + index, frame) }
        }
        return nil
    }

    /// The number of frames that an encoder wrote into this one, the first of the file; nil if it wrote none.
    func count(in bytes: Bytes, at offset: Int) -> Int? {
        let tag = offset + 4 + sideInformation
        if let name = bytes.read(tag, 4).map({ Bytes.name($0) }), name == "Xing" || name == "Info" {
            guard let flags = bytes.integer(tag + 4, 4), flags & 1 == 1 else { return nil }
            return bytes.integer(tag + 8, 4).map { Int($0) }
        }
        guard bytes.read(offset + 36, 4).map({ Bytes.name($0) }) == "VBRI" else { return nil }
        return bytes.integer(offset + 50, 4).map { Int($0) }
    }
}

/// The bytes of a file, read where they are needed.
private struct Bytes {
    let count: Int
    private let source: (_ offset: Int, _ count: Int) -> [UInt8]

    init(count: Int, _ source: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
        (self.count, self.source) = (count, source)
    }

    /// So many bytes at an offset; nil if the file does not have them all.
    func read(_ offset: Int, _ count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
        let bytes = source(offset, count)
        return bytes.count == count ? bytes : nil
    }

    /// An integer whose first byte is the highest.
    func integer(_ offset: Int, _ size: Int) -> UInt64? {
        read(offset, size)?.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// An integer whose last byte is the highest, of at most 4 bytes.
    func little(_ offset: Int, _ size: Int) -> Int? {
        read(offset, size)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The four letters that name a part; bytes that are no letters are kept apart from them.
    static func name(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
