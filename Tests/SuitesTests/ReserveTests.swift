import Foundation
import JSON
import TestSupport
import Testing

@testable import Suites

/// The space on the disk that is reserved for deletions.
///
/// Where file systems may be mounted, small ones become full.
@Testing.Suite(.waits) struct ReserveTests {
    /// The size of the reserve in bytes.
    private static let whole = Int(Reserve.size)
    /// A little space, as a number of pages on every system.
    private static let step = 64 << 10

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test("An idle host reserves space beside the suites that it has open, and a busy one does not")
    func idle() throws {
        try withStore { store in
            let path = "\(store.folder)/.reserve"
            try store.standard.save("a")
            store.checkpoint(isIdle: false)
            #expect(!exists(path))
            store.checkpoint(isIdle: true)
            #expect(try size(path) == Self.whole && mode(path) == 0o600)
            #expect(descriptors(of: path).isEmpty)
            try FileManager.default.removeItem(atPath: path)
            SuiteStore(folder: store.folder).checkpoint(isIdle: true)
            #expect(!exists(path), "without an open suite")
        }
    }

    @Test("On a disk with room, and where nobody can tell, nothing is released")
    func room() throws {
        try withTemporaryDirectory { folder in
            let reserve = Reserve(folder: folder)
            reserve.restore()
            #expect(!reserve.releaseIfFull() && !reserve.isReleased)
            #expect(exists("\(folder)/.reserve"))
            let nowhere = Reserve(folder: "\(folder)/none")
            #expect(!nowhere.releaseIfFull() && !nowhere.isReleased)
        }
    }

    @Test("An empty reserve, as a process leaves that is killed before it has the space, is made again")
    func unfinished() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/.reserve"
            try Data().write(to: URL(filePath: path))
            let justNow: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: 3_600)]
            try FileManager.default.setAttributes(justNow, ofItemAtPath: path)
            Reserve(folder: folder).restore()
            #expect(size(path) == 0, "another process may be just making it")
            let longAgo: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSince1970: 1_000_000)]
            try FileManager.default.setAttributes(longAgo, ofItemAtPath: path)
            Reserve(folder: folder).restore()
            #expect(size(path) == Self.whole)
        }
    }

    @Test("Space that another process has released is left to it, whoever reserved it")
    func others() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/.reserve"
            let (maker, finder) = (Reserve(folder: folder), Reserve(folder: folder))
            for reserve in [maker, finder] { reserve.restore() }
            try FileManager.default.removeItem(atPath: path)
            for reserve in [maker, finder] { reserve.restore() }
            #expect(!exists(path))
        }
    }

    @Test("The reserve is released when less than its size is free besides, and made again", .enabled(if: canMount))
    func released() throws {
        try withDisk { disk in
            let path = "\(disk.folder)/.reserve"
            let reserve = Reserve(folder: disk.folder)
            reserve.restore()
            try disk.leave(Self.whole)
            #expect(!reserve.releaseIfFull() && !reserve.isReleased)
            #expect(size(path) == Self.whole)
            try disk.leave(Self.whole - Self.step)
            #expect(reserve.releaseIfFull() && reserve.isReleased)
            #expect(!exists(path))
            // The deletion may still need the space that is free now.
            #expect(reserve.releaseIfFull())
            reserve.restore()
            #expect(!reserve.isReleased && size(path) == Self.whole)
        }
    }

    @Test(
        "What the disk has is reserved again: a whole or a part that is large enough, or nothing until there is more",
        .enabled(if: canMount),
        arguments: [
            (whole, whole), (whole - step, whole / 2), (1 << 20, 1 << 20), (256 << 10, 256 << 10), (192 << 10, 0),
        ] as [(Int, Int)]
    )
    func parts(free: Int, reserved: Int) throws {
        try withDisk { disk in
            let path = "\(disk.folder)/.reserve"
            let reserve = Reserve(folder: disk.folder)
            reserve.restore()
            try disk.leave(Self.step)
            #expect(reserve.releaseIfFull())
            try disk.leave(free)
            reserve.restore()
            #expect(size(path) == reserved && exists(path) == (reserved > 0))
            #expect(reserve.isReleased == (reserved == 0))
            guard reserved == 0 else { return }
            try disk.leave(Self.whole)
            reserve.restore()
            #expect(!reserve.isReleased && size(path) == Self.whole)
        }
    }

    @Test(
        "The first reserve takes at most a quarter of what is free",
        .enabled(if: canMount),
        arguments: [(4 * whole, true), (4 * whole - step, false)] as [(Int, Bool)]
    )
    func first(free: Int, isReserved: Bool) throws {
        try withDisk { disk in
            try disk.leave(free)
            Reserve(folder: disk.folder).restore()
            #expect(exists("\(disk.folder)/.reserve") == isReserved)
        }
    }

    enum Deletion: CaseIterable {
        case take, acknowledge, claim, settle, remove, discard, removeObject

        func run(_ suite: Suites.Suite) throws {
            switch self {
            case .take: _ = try suite.leases.take(limit: 9, byteLimit: .max, lease: nil, now: 0)
            case .acknowledge: _ = try suite.leases.acknowledge("t", now: 0)
            case .claim: _ = try suite.claims.claim(ids: [2], for: "x")
            case .settle:
                var settlement = Settlement()
                settlement.delivered = [2]
                try suite.claims.settle(0, settlement, destination: "x", now: 0)
            case .remove: _ = try suite.removeAll([.customEvent])
            case .discard:
                var change = try suite.deadLetters.remove(nil)
                _ = try change.finish()
            case .removeObject: _ = try suite.defaults.removeObject(forKey: "k")
            }
        }
    }

    @Test(
        "On a full disk every deletion has the reserved space, unlike a save, and the space is reserved again after it",
        .enabled(if: canMount),
        arguments: Deletion.allCases
    )
    func deletions(deletion: Deletion) throws {
        try withDisk { disk in
            let store = SuiteStore(folder: "\(disk.folder)/data")
            defer { store.close() }
            let (suite, path) = (store.standard, "\(store.folder)/.reserve")
            try suite.save("a", "b")
            try suite.defaults.store(1, forKey: "k")
            try suite.add(StagedRow(.event("dead"), reason: "no", at: 0))
            _ = try suite.leases.take(limit: 1, byteLimit: .max, lease: Lease(token: "t", expires: 9), now: 0)
            try suite.commit()
            store.checkpoint(isIdle: true)
            #expect(size(path) == Self.whole)
            try disk.leave(1 << 20)
            try suite.save("c")
            #expect(!store.isReserveReleased && exists(path))
            try deletion.run(suite)
            #expect(store.isReserveReleased && !exists(path))
            try suite.commit()
            try disk.wait(until: { $0 >= Self.whole })
            store.checkpoint(isIdle: false)
            #expect(!store.isReserveReleased && size(path) == Self.whole)
        }
    }

    @Test("On a full disk a caller gets only what the reserved space suffices for", .enabled(if: canMount))
    func smallParts() throws {
        try withDisk { disk in
            let store = SuiteStore(folder: disk.folder)
            defer { store.close() }
            for _ in 0..<20 { _ = try store.standard.pending.save(.event(bytes: 100_000)) }
            try store.standard.commit()
            store.checkpoint(isIdle: true)
            func taken(_ byteLimit: Int64) throws -> Int {
                defer { store.standard.rollback() }
                let taken = try store.standard.leases.take(limit: .max, byteLimit: byteLimit, lease: nil, now: 0)
                return taken.records.count
            }
            #expect(try taken(.max) == 20)
            try disk.leave(1 << 20)
            #expect(try taken(.max) == 6)
            #expect(try taken(150_000) == 2)
        }
    }

    @Test("A suite can be opened on a disk that has no space at all besides the reserved one", .enabled(if: canMount))
    func opened() throws {
        try withDisk { disk in
            let store = SuiteStore(folder: disk.folder)
            try store.standard.save("a")
            store.close()
            try disk.leave(0)
            defer { store.close() }
            #expect(try store.standard.names() == ["a"])
            #expect(store.isReserveReleased)
        }
    }

    // MARK: Small disks

    /// Passes an empty disk of 24 MiB to the closure.
    private func withDisk(_ body: (Disk) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            try #require(Disk.mount(folder))
            defer { Disk.unmount(folder) }
            try body(Disk(folder: folder))
        }
    }
}

/// A small file system.
private struct Disk {
    let folder: String

    static func mount(_ folder: String) -> Bool {
        let mount = try? ChildProcess("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", folder])
        return (try? mount?.wait()) == .code(0)
    }

    static func unmount(_ folder: String) { _ = try? ChildProcess("umount", ["-l", folder]).wait() }

    private var free: Int {
        var disk = statvfs()
        return statvfs(folder, &disk) == 0 ? Int(disk.f_bavail) * Int(disk.f_frsize) : -1
    }

    /// Fills the disk so that a number of bytes is free.
    ///
    /// It is tried again if a signal interrupts it, such as that of a child of another test.
    func leave(_ bytes: Int) throws {
        let ballast = open("\(folder)/ballast", O_RDWR | O_CREAT, 0o600)
        defer { close(ballast) }
        try wait {
            let old = Int(lseek(ballast, 0, SEEK_END))
            let new = old + $0 - bytes
            _ = new > old ? posix_fallocate(ballast, 0, off_t(new)) : ftruncate(ballast, off_t(new))
            return free == bytes
        }
    }

    /// Waits until the number of free bytes is right.
    ///
    /// The space of a removed file may come back late: a child of another test has all descriptors while it starts.
    func wait(until isRight: (Int) -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while !isRight(free) {
            guard ContinuousClock.now < deadline else { throw TestFailure("the disk still has \(free) bytes free") }
        }
    }
}

/// Whether this process may mount file systems: in a container, usually not even root may.
private let canMount: Bool = {
    let isMounted = try? withTemporaryDirectory { folder in
        defer { Disk.unmount(folder) }
        return Disk.mount(folder)
    }
    return isMounted ?? false
}()
