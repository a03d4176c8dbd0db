import AVFoundation
import AVKit
import Foundation
import JSON
import PhoneKit
import PhoneRuntime
import Testing
import UIKit

/// The bytes of small media files, made here.
enum MediaBytes {
    /// An integer whose first byte is the highest.
    static func big(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (UInt64($0) * 8)) }
    }

    static func little(_ value: UInt64, _ size: Int) -> [UInt8] { big(value, size).reversed() }

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(UInt64(content.count + 8), 4) + Array(name.utf8) + content
    }

    static func mvhd(_ duration: UInt64, scale: UInt64 = 1_000, isLong: Bool = false) -> [UInt8] {
        let size = isLong ? 8 : 4
        let dates = big(0, 2 * size)
        return box("mvhd", [isLong ? 1 : 0, 0, 0, 0] + dates + big(scale, 4) + big(duration, size) + big(0, 80))
    }

    static func track(_ handler: String) -> [UInt8] {
        box("trak", box("mdia", box("hdlr", big(0, 8) + Array(handler.utf8) + big(0, 13))))
    }

    static let ftyp = box("ftyp", Array("isom".utf8) + big(0, 4))

    static func mp4(_ parts: [UInt8]...) -> Data {
        Data(ftyp + box("mdat", big(0, 40)) + box("moov", parts.flatMap { $0 }))
    }

    /// A sound of 8,000 samples a second, one byte each.
    static func wav(samples: Int, claimed: Int? = nil) -> Data {
        let format = little(1, 2) + little(1, 2) + little(8_000, 4) + little(8_000, 4) + little(1, 2) + little(8, 2)
        let head =
            Array("RIFF".utf8) + little(0, 4) + Array("WAVE".utf8) + Array("LIST".utf8) + little(3, 4) + [1, 2, 3, 0]
        let chunk = Array("fmt ".utf8) + little(16, 4) + format
        return Data(head + chunk + Array("data".utf8) + little(UInt64(claimed ?? samples), 4)) + Data(count: samples)
    }

    /// Frames of 128 kbit/s at 44.1 kHz, the first of which has a tag at an offset.
    static func mp3(frames: Int, tag: [UInt8] = [], at offset: Int = 36) -> Data {
        var first: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + Array(repeating: 0, count: 413)
        let rest = Array(repeating: first, count: frames - 1).flatMap { $0 }
        first.replaceSubrange(offset..<(offset + tag.count), with: tag)
        return Data(first + rest)
    }
}

/// What the headers of media files tell.
struct MediaFileTests {
    private func seconds(_ data: Data) -> Double? {
        (try? MediaFile(data)).map { ($0.duration.seconds * 1_000).rounded() / 1_000 }
    }

    private func failure(_ data: Data) -> String? {
        do throws(MediaFile.Failure) {
            _ = try MediaFile(data)
            return nil
        } catch { return error.text }
    }

    @Test("MP4 has its length in mvhd or, in fragments, in mehd; a track of pictures makes it a film")
    func mp4() throws {
        let film = try MediaFile(
            MediaBytes.mp4(MediaBytes.mvhd(2_500), MediaBytes.track("soun"), MediaBytes.track("vide"))
        )
        #expect(film.duration == CMTime(value: 2_500, timescale: 1_000) && film.hasVideo)
        let sound = try MediaFile(
            MediaBytes.mp4(MediaBytes.mvhd(90_000, scale: 600, isLong: true), MediaBytes.track("soun"))
        )
        #expect(sound.duration.seconds == 150 && !sound.hasVideo)
        let mehd = MediaBytes.box("mvex", MediaBytes.box("mehd", [0, 0, 0, 0] + MediaBytes.big(700, 4)))
        #expect(seconds(MediaBytes.mp4(MediaBytes.mvhd(0), mehd)) == 0.7)
        // A box of 64 bits, and one that goes to the end.
        let long = MediaBytes.big(1, 4) + Array("free".utf8) + MediaBytes.big(20, 8) + [1, 2, 3, 4]
        let last = MediaBytes.big(0, 4) + Array("moov".utf8) + MediaBytes.mvhd(3_000)
        #expect(seconds(Data(MediaBytes.ftyp + long + last)) == 3)
    }

    @Test("A length that an MP4 does not know is indefinite")
    func unknownLength() throws {
        for duration in [0, UInt64(UInt32.max)] {
            #expect(try MediaFile(MediaBytes.mp4(MediaBytes.mvhd(duration))).duration.isIndefinite)
        }
        #expect(try MediaFile(MediaBytes.mp4(MediaBytes.mvhd(.max, isLong: true))).duration.isIndefinite)
        #expect(try MediaFile(MediaBytes.mp4(MediaBytes.mvhd(1, scale: UInt64(UInt32.max)))).duration.isIndefinite)
    }

    @Test("WAV has the length of its data, at most that of the file")
    func wav() {
        #expect(seconds(MediaBytes.wav(samples: 12_000)) == 1.5)
        #expect(seconds(MediaBytes.wav(samples: 4_000, claimed: Int(UInt32.max))) == 0.5)
        #expect(seconds(MediaBytes.wav(samples: 0)) == 0)
    }

    @Test("MP3 has the number of its frames from Xing, Info or VBRI, or else the length of the file")
    func mp3() {
        let (hundred, zero) = (MediaBytes.big(100, 4), MediaBytes.big(0, 4))
        for name in ["Xing", "Info"] {
            let tag = Array(name.utf8) + [0, 0, 0, 1] + hundred
            #expect(seconds(MediaBytes.mp3(frames: 3, tag: tag)) == 2.612)
        }
        let vbri = Array("VBRI".utf8) + MediaBytes.big(0, 10) + hundred
        #expect(seconds(MediaBytes.mp3(frames: 3, tag: vbri)) == 2.612)
        #expect(seconds(MediaBytes.mp3(frames: 3, tag: Array("Xing".utf8) + [0, 0, 0, 1] + zero)) == 0.078)
        #expect(seconds(MediaBytes.mp3(frames: 38)) == 0.99)
        let id3 = Data(Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + Array(repeating: 0xFF, count: 128))
        let end = Data(Array("TAG".utf8) + Array(repeating: 0, count: 125))
        #expect(seconds(id3 + MediaBytes.mp3(frames: 38) + end) == 0.99)
    }

    @Test(
        "A file that is cut off, or that lies about its lengths, is refused or shorter, and never read beyond its end"
    )
    func hostile() {
        let files = [
            MediaBytes.mp4(MediaBytes.mvhd(2_500), MediaBytes.track("vide")), MediaBytes.wav(samples: 40),
            MediaBytes.mp3(frames: 2, tag: Array("Xing".utf8) + [0, 0, 0, 1, 0, 0, 0, 9]),
        ]
        for file in files {
            for length in 0..<file.count { _ = try? MediaFile(Data(file.prefix(length))) }
            // Each byte as large as it can be, as those of lengths and scales.
            for index in 0..<min(file.count, 400) {
                var changed = file
                changed[index] = 0xFF
                _ = try? MediaFile(changed)
            }
        }
    }

    private static let wrong: [(Data, String)] = {
        let beyond: [UInt8] = MediaBytes.big(.max, 4) + Array("moov".utf8)
        let short: [UInt8] = MediaBytes.big(7, 4) + Array("free".utf8)
        return [
            (Data("hello, world".utf8), "it is no MP4, M4A, MOV, WAV or MP3 file"),
            (Data(), "it is no MP4, M4A, MOV, WAV or MP3 file"), (Data(MediaBytes.ftyp), "it has no moov box"),
            (Data(MediaBytes.ftyp + beyond), "the file ends within its header"),
            (Data(MediaBytes.ftyp + short), "its box free is shorter than its head"),
            (MediaBytes.mp4(MediaBytes.mvhd(1, scale: 0)), "its time scale is 0"),
            (MediaBytes.wav(samples: 8).prefix(24), "it has no data chunk"),
            (MediaBytes.wav(samples: 8).prefix(40), "the file ends within its header"),
        ]
    }()

    @Test("What cannot be played says why", arguments: wrong)
    func failures(data: Data, text: String) { #expect(failure(data) == text) }

    @Test("A file that is absent, a folder and a pipe are no media")
    func noFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(throws: MediaFile.Failure("there is no such file")) {
            try MediaFile(url: folder.appendingPathComponent("a"))
        }
        for url in [folder, pipe] {
            #expect(throws: MediaFile.Failure("it cannot be read")) { try MediaFile(url: url) }
        }
    }
}

/// Players, whose time runs with a clock that the tests move.
@MainActor
@Suite(.serialized)
final class PlayerTests {
    private let clock = MainClock()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("media-\(UUID().uuidString)")
    private var log: [String] = []

    init() throws {
        clock.fix(at: Date(timeIntervalSince1970: 1_700_000_000))
        Playhead.clock = clock
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A sound of that many seconds.
    private func sound(_ seconds: Double, _ name: String = "a.wav") throws -> URL {
        let url = folder.appendingPathComponent(name)
        try MediaBytes.wav(samples: Int(seconds * 8_000)).write(to: url)
        return url
    }

    /// Moves the clock as a call of the host does: what waits on the main queue comes first.
    private func advance(_ seconds: Double) async {
        await settle()
        await withCheckedContinuation { continuation in clock.advance(by: seconds) { continuation.resume() } }
    }

    private func settle() async { await withCheckedContinuation { done in MainQueue.settle { done.resume() } } }

    /// Logs the end of each item, with the time of the clock.
    private func logEnds() {
        _ = NotificationCenter.default.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: nil, queue: nil) {
            [weak self] notification in
            let item = UncheckedBox(notification.object as? AVPlayerItem)
            MainActor.assumeIsolated {
                self?.log.append("end of \((item.value?.asset as? AVURLAsset)?.url.lastPathComponent ?? "")")
            }
        }
    }

    private func node(_ player: AVPlayer) -> JSON {
        let controller = UIViewController()
        controller.view.layer.addSublayer(AVPlayerLayer(player: player))
        return Drawing.draw(controller).view["children"]?[0] ?? .null
    }

    @Test("A program with players needs the version of the contract that has their node")
    func version() { #expect(Activation.version == "1.2") }

    @Test("Time runs while a player plays, and what it shows says so; it stops at the end")
    func time() async throws {
        let player = AVPlayer(url: try sound(12))
        #expect(player.status == .unknown && player.currentItem?.status == .unknown)
        await settle()
        #expect(player.status == .readyToPlay && player.currentItem?.status == .readyToPlay)
        #expect(player.currentItem?.duration.seconds == 12)
        #expect(try await player.currentItem?.asset.load(.duration).seconds == 12)
        var shown: JSON = [
            "type": "media", "source": "a.wav", "kind": "audio", "state": "paused", "time": 0, "duration": 12,
        ]
        #expect(node(player) == shown)
        player.play()
        await advance(3.25)
        #expect(player.currentTime().seconds == 3.25 && player.timeControlStatus == .playing)
        shown = ["type": "media", "source": "a.wav", "kind": "audio", "state": "playing", "time": 3.25, "duration": 12]
        #expect(node(player) == shown)
        player.pause()
        await advance(5)
        #expect(player.currentTime().seconds == 3.25)
        player.rate = 2
        await advance(4)
        #expect(player.currentTime().seconds == 11.25)
        await advance(1)
        #expect(player.rate == 0 && player.currentTime().seconds == 12)
        #expect(node(player)["state"] == "ended" && node(player)["time"] == 12)
        player.seek(to: .zero) { [unowned self] in log.append("sought \($0)") }
        await settle()
        #expect(log == ["sought true"] && node(player)["state"] == "paused")
        player.rate = -1
        player.seek(to: CMTime(seconds: 2, preferredTimescale: 600))
        await advance(3)
        #expect(player.rate == 0 && player.currentTime() == .zero)
    }

    @Test("Observers and the end come in the order of time, among other timers")
    func order() async throws {
        let player = AVPlayer(url: try sound(2.5))
        logEnds()
        _ = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 1), queue: nil) { [unowned self] in
            log.append("at \($0.seconds)")
        }
        let times = [0.5, 1.5].map { NSValue(time: CMTime(seconds: $0, preferredTimescale: 600)) }
        let boundaries = player.addBoundaryTimeObserver(forTimes: times, queue: .main) { [unowned self] in
            log.append("boundary")
        }
        clock.schedule(after: 1.2) { [unowned self] in log.append("timer") }
        clock.schedule(after: 3) { [unowned self] in log.append("last") }
        player.play()
        await advance(10)
        #expect(
            log == [
                "at 0.0", "boundary", "at 1.0", "timer", "boundary", "at 2.0", "end of a.wav", "at 2.5", "last",
            ]
        )
        log = []
        player.removeTimeObserver(boundaries)
        player.seek(to: .zero)
        player.play()
        await advance(1.75)
        #expect(log == ["at 0.0", "at 1.0"])
    }

    @Test("An extension may begin again at each end")
    func again() async throws {
        let player = AVPlayer(url: try sound(1))
        var count = 0
        _ = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.didPlayToEndTimeNotification,
            object: player.currentItem,
            queue: nil
        ) { _ in
            MainActor.assumeIsolated {
                count += 1
                player.seek(to: .zero)
                player.play()
            }
        }
        player.play()
        await advance(3.5)
        #expect(count == 3 && player.rate == 1 && player.currentTime().seconds == 0.5)
    }

    @Test("A queue goes on to its next item, and a looper begins its item again")
    func queues() async throws {
        let items = [AVPlayerItem(url: try sound(1)), AVPlayerItem(url: try sound(2, "b.wav"))]
        let player = AVQueuePlayer(items: items)
        logEnds()
        player.play()
        await advance(1.5)
        #expect(player.items() == [items[1]] && player.currentTime().seconds == 0.5)
        await advance(5)
        #expect(player.items().isEmpty && log == ["end of a.wav", "end of b.wav"])
        let looping = AVQueuePlayer()
        let looper = AVPlayerLooper(player: looping, templateItem: AVPlayerItem(url: try sound(1, "c.wav")))
        looping.play()
        await advance(3.5)
        #expect(looper.loopCount == 3 && looping.currentTime().seconds == 0.5)
        looper.disableLooping()
        await advance(5)
        #expect(looping.currentItem == nil && log.count == 6)
    }

    @Test("What cannot be read fails, with a diagnostic; what would have to be fetched plays without a length")
    func failures() async throws {
        let player = AVPlayer(url: folder.appendingPathComponent("none.mp4"))
        player.play()
        await settle()
        let item = try #require(player.currentItem)
        #expect(item.status == .failed && item.duration.isIndefinite)
        #expect(item.error?.localizedDescription == "none.mp4 cannot be played: there is no such file")
        await #expect(throws: (any Error).self) { try await item.asset.load(.isPlayable) }
        #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        await advance(2)
        #expect(node(player) == ["type": "media", "source": "none.mp4", "kind": "video", "state": "failed", "time": 0])
        let remote = AVPlayer(url: try #require(URL(string: "https://example.com/a/film.mp4")))
        remote.play()
        await advance(2)
        #expect(
            node(remote) == [
                "type": "media", "source": "https://example.com/a/film.mp4", "kind": "video", "state": "playing",
                "time": 2,
            ]
        )
        remote.seek(to: CMTime(value: .max, timescale: 1))
        #expect(node(remote)["time"]?.number == 9_223_372_036_854_775_808)
        #expect(throws: (any Error).self) { try AVAudioPlayer(data: Data("no sound".utf8)) }
    }

    @Test("A player's controller plays and pauses when it is touched, unless it hides its controls")
    func controller() async throws {
        let controller = AVPlayerViewController()
        controller.player = AVPlayer(url: try sound(4))
        controller.loadViewIfNeeded()
        let draw = { Drawing.draw(controller) }
        await settle()
        #expect(draw().view["children"]?[0]?["id"] == "player" && draw().view["children"]?[0]?["type"] == "media")
        draw().drawing.targets["player"]?(nil)
        await advance(1)
        #expect(controller.player?.rate == 1 && draw().view["children"]?[0]?["time"] == 1)
        draw().drawing.targets["player"]?(nil)
        #expect(controller.player?.rate == 0)
        draw().drawing.targets["player"]?(nil)
        await advance(9)
        #expect(draw().view["children"]?[0]?["state"] == "ended")
        draw().drawing.targets["player"]?(nil)
        #expect(draw().view["children"]?[0]?["state"] == "playing" && controller.player?.currentTime() == .zero)
        controller.showsPlaybackControls = false
        #expect(draw().view["children"]?[0]?["id"] == nil && draw().drawing.targets["player"] == nil)
    }

    @Test("A sound tells its delegate when it has ended, after its loops")
    func sounds() async throws {
        final class Listener: NSObject, AVAudioPlayerDelegate {
            var ends: [Bool] = []
            func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { ends.append(flag) }
        }
        let (player, listener) = (try AVAudioPlayer(contentsOf: sound(1.5)), Listener())
        player.delegate = listener
        player.numberOfLoops = 1
        #expect(player.duration == 1.5)
        player.play()
        await advance(2)
        #expect(player.isPlaying && player.currentTime == 0.5 && listener.ends.isEmpty)
        player.currentTime = 1
        await advance(1)
        #expect(!player.isPlaying && player.currentTime == 0 && listener.ends == [true])
        player.enableRate = true
        player.rate = 0.5
        player.play()
        player.numberOfLoops = 0
        await advance(1)
        #expect(player.currentTime == 0.5)
        player.pause()
        await advance(5)
        #expect(player.currentTime == 0.5 && listener.ends == [true])
    }
}
