package import Platform

/// What keeps a bundle's processes from everything that the bundle neither is nor declares.
public struct Confinement: Sendable {
    /// What the processes may do.
    package let sandbox: Sandbox
    /// Variables of their environment: where their temporary folder is.
    package let variables: [String: String]
    /// The folder of the bundle.
    private let folder: String
    /// The folders of App Groups that it may not use, because its entitlements protect them on a locked device.
    private let locked: [String]

    /// Makes the sandbox: it reads the bundle, its executable and what runs that, and writes its temporary folder.
    ///
    /// - Parameters:
    ///   - bundle: Whose processes they are.
    ///   - executable: The file that is started, links resolved.
    ///   - environment: The environment of the process.
    ///   - hostEnvironment: The host's environment, which paths of ``Permissions`` may name.
    ///   - temporary: Its temporary folder.
    ///   - attachments: The folder of attachments, which a service extension writes; `nil` if there is none.
    ///   - isPhone: Whether a service extension gets only what a locked phone grants it, and what it declares.
    package init(
        _ bundle: ExtensionBundle,
        executable: String,
        environment: [String: String],
        hostEnvironment: () -> [String: String],
        temporary: String,
        attachments: String?,
        isPhone: Bool
    ) {
        let permissions = bundle.permissions
        let names = bundle.environmentNames
        let named = names.isEmpty ? [:] : hostEnvironment().filter { names.contains($0.key) }
        func paths(_ entries: [String]) -> [String] {
            Permissions.paths(entries, of: bundle.path, named, home: environment["HOME"])
        }
        var needs = ProgramFiles(of: bundle.path, environment: environment)
        needs.add(program: executable)
        let readable = paths(permissions.readable)
        for path in readable where FileStamp(of: path)?.kind == .file && access(path, X_OK) == 0 {
            needs.add(program: path)
        }
        // Where PhoneKit keeps the files of App Groups.
        let groups = bundle.applicationGroups.filter { $0.hasPrefix("group.") && !$0.contains("/") }
        let containers = groups.compactMap { group in
            environment["HOME"].map { "\($0)/.local/share/pushhost/groups/\(group)" }
        }
        let attached = attachments.map { [$0] } ?? []
        let savesAttachments = bundle.point == .service
        // A push arrives while the device is locked; a person who expands it has unlocked the device.
        let isLocked = isPhone && bundle.point == .service && bundle.isLockedWithDevice
        locked = isLocked ? containers : []
        sandbox = Sandbox(
            readable: [bundle.path] + needs.ofUser + readable + (savesAttachments ? [] : attached),
            resolved: needs.resolved,
            writable: [temporary] + (isLocked ? [] : containers) + paths(permissions.writable)
                + (savesAttachments ? attached : []),
            // Fetching is what a service extension with that folder is for, but a phone's budget is what it declares.
            network: savesAttachments && attachments != nil && !isPhone ? .any : permissions.access
        )
        variables = ["TMPDIR": temporary]
        folder = bundle.path
    }

    /// Why a text of the extension, such as its stderr, may be about its sandbox, and what to add to which file.
    ///
    /// - Returns: A sentence; `nil` if the text does not look like it.
    func advice(about text: String) -> String? {
        let lines = text.split(separator: "\n").suffix(40)
        for line in lines where line.contains(#/(?i)permission denied|EACCES|not permitted|EPERM/#) {
            for match in line.matches(of: #/(?:^|[\s'"`(=:‘“])(\/[^\s'"`():’”]*[^\s'"`():’”.,;])/#) {
                let path = String(match.1)
                guard Paths.resolved(Paths.parent(of: path)) != nil, !sandbox.allowsReading(path) else { continue }
                if locked.contains(where: { path == $0 || Paths.lies(path, in: $0) }) {
                    return "the device is locked, and its entitlements protect \(path) until it is unlocked; a service "
                        + "extension needs the class NSFileProtectionCompleteUntilFirstUserAuthentication"
                }
                // A link in the bundle leads to a file that lies elsewhere.
                let name = Paths.lies(path, in: folder) ? String(path.dropFirst(folder.utf8.count + 1)) : path
                return "its sandbox keeps \(path) from it; if it needs that, add "
                    + "<key>Read</key><array><string>\(name)</string></array>, or Write for a folder that it writes, to "
                    + "the dictionary \(Permissions.key) in \(folder)/Info.plist"
            }
        }
        let isAboutNetwork = lines.contains {
            $0.contains(#/(?i)name resolution|EAI_AGAIN|getaddrinfo|connect EACCES|urlopen error|socket/#)
        }
        guard sandbox.network == .none, isAboutNetwork else { return nil }
        return
            "its sandbox has no network; if it needs one, add <key>Network</key><array><string>*</string></array> to "
            + "the dictionary \(Permissions.key) in \(folder)/Info.plist"
    }
}

/// The files outside the system's folders that a program needs to start: itself, its interpreter, and their libraries.
///
/// The program is the bundle's, whose links may lead anywhere, and while this looks another bundle may change the files
/// of an App Group. So a link adds only a program that can be executed, and what a program has beside it counts only
/// where it is, not where links of the bundle lead.
struct ProgramFiles {
    /// The folders in a prefix, such as that of a version of Python, with what programs in its `bin` need.
    private static let ofPrefix = ["bin", "lib", "lib64", "libexec", "include", "pyvenv.cfg"]
    /// The greatest number of links and interpreters that lead from one to the next.
    private static let depth = 16

    private let environment: [String: String]
    /// The user's home folder, as the environment names it and with links resolved.
    private let homes: [String]
    /// What programs in the folders of `PATH` need; links are followed, since they are the user's like the folders.
    private(set) var ofUser: [String] = []
    /// What the added programs need, links resolved, each path once.
    private(set) var resolved: [String] = []
    private var pathsSeen: Set<String> = []
    private var programsSeen: Set<String> = []
    private var foldersSeen: Set<String> = []
    private var libraryFoldersSeen: Set<String> = []
    /// How many more names in folders of libraries are looked at: each library makes the start take longer.
    private var namesLeft = 20_000

    /// Begins with the programs in the folders of `PATH`, which shells and scripts run.
    init(of bundle: String, environment: [String: String]) {
        self.environment = environment
        homes = environment["HOME"].map { [$0, Paths.resolved($0) ?? $0] } ?? []
        for folder in environment["PATH"]?.split(separator: ":") ?? [] where folder.hasPrefix("/") {
            ofUser += shared(in: String(folder))
        }
        // Its name, which may be `bin` or `shims`, gives it nothing beside it, where other bundles are.
        foldersSeen.insert(Paths.resolved(bundle) ?? bundle)
    }

    /// Adds a program, those to which its links lead, and what they need.
    mutating func add(program: String, depth: Int = depth) {
        guard depth > 0, let name = program.split(separator: "/").last,
            let folder = Paths.resolved(Paths.parent(of: program))
        else { return }
        let place = "\(folder == "/" ? "" : folder)/\(name)"
        guard programsSeen.insert(place).inserted, FileStamp(of: place)?.kind == .file, access(place, X_OK) == 0 else {
            return
        }
        add(folder: folder)
        if let target = Paths.target(ofLink: place) {
            return add(program: target.hasPrefix("/") ? target : "\(folder)/\(target)", depth: depth - 1)
        }
        add(path: place)
        if let line = InterpreterLine(of: place) {
            add(program: line.interpreter, depth: depth - 1)
            if let name = line.programOfEnv, let found = search(name) { add(program: found, depth: depth - 1) }
        } else {
            for folder in LibraryFolders.of(place) { add(librariesIn: folder) }
        }
    }

    private mutating func add(path: String) {
        // What is the system's can be read already.
        if !Sandbox.isOfSystem(path), pathsSeen.insert(path).inserted { resolved.append(path) }
    }

    /// Adds what programs in a folder, links resolved, share.
    private mutating func add(folder: String) {
        guard foldersSeen.insert(folder).inserted else { return }
        let prefix = Paths.parent(of: folder)
        for path in shared(in: folder) {
            // A virtual environment's `lib64` is a link to `lib`; one that leads out of the prefix may lead anywhere.
            guard let real = Paths.resolved(path), real == path || Paths.lies(real, in: prefix) else { continue }
            add(path: real)
        }
    }

    /// What programs in a folder share; links are not resolved.
    private func shared(in folder: String) -> [String] {
        let prefix = Paths.parent(of: folder)
        guard prefix != "/" else { return [] }
        let names = folder.split(separator: "/")
        switch names.last {
        case "bin": return Self.ofPrefix.map { "\(prefix)/\($0)" }
        // Those of pyenv, rbenv and asdf choose a version when they run.
        case "shims" where !homes.contains { $0 == prefix || Paths.lies($0, in: prefix) }: return [prefix]
        // Products of a package need its libraries and resources beside them.
        case _ where names.contains(".build"): return [folder]
        default: return []
        }
    }

    /// Adds the libraries in a folder that a program names.
    ///
    /// The program may name any folder, such as the user's, as often as it likes. So it gets nothing else there, also
    /// not by a link of its own that has the name of a library.
    private mutating func add(librariesIn folder: String) {
        // Those of the system are thousands.
        guard namesLeft > 0, let folder = Paths.resolved(folder), !Sandbox.isOfSystem(folder),
            libraryFoldersSeen.insert(folder).inserted
        else { return }
        func isLibrary(_ name: Substring) -> Bool { name.hasSuffix(".so") || name.contains(".so.") }
        let names = ((try? Folders.names(in: folder)) ?? []).prefix(namesLeft)
        namesLeft -= names.count
        for name in names where isLibrary(name[...]) {
            if let file = Paths.resolved("\(folder)/\(name)"), FileStamp(of: file)?.kind == .file,
                let realName = file.split(separator: "/").last, isLibrary(realName)
            {
                add(path: file)
            }
        }
    }

    private func search(_ name: String) -> String? {
        let folders = environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// The folders in which an ELF file looks for libraries besides those of the system.
enum LibraryFolders {
    /// The greatest number of bytes of a table that is read.
    private static let limit: UInt64 = 1 << 20

    /// The `RUNPATH` or `RPATH` of a 64-bit ELF file; empty for another file.
    ///
    /// The file may be anybody's, so its numbers wrap instead of trapping, and lead to other bytes at worst.
    static func of(_ path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        func read(_ offset: UInt64, _ count: UInt64) -> [UInt8] {
            let count = Int(min(count, limit))
            return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(truncatingIfNeeded: offset)))
            }
        }
        let header = read(0, 64)
        let size = Int(header.number(54, 2))
        guard header.starts(with: [0x7F] + Array("ELF".utf8) + [2, 1]), size >= 56 else { return [] }
        let table = read(header.number(32, 8), UInt64(size) * header.number(56, 2))
        let segments = stride(from: 0, to: table.count, by: size).map { Segment(table, at: $0) }
        guard let dynamic = segments.first(where: { $0.type == 2 /* PT_DYNAMIC */ }) else { return [] }
        let entries = read(dynamic.offset, dynamic.size)
        func value(_ tag: UInt64) -> UInt64? {
            let place = stride(from: 0, to: entries.count, by: 16).first { entries.number($0, 8) == tag }
            return place.map { entries.number($0 + 8, 8) }
        }
        // DT_RUNPATH or DT_RPATH is a place in DT_STRTAB, whose address a PT_LOAD maps to the file.
        guard let name = value(29) ?? value(15), let strings = value(5),
            let load = segments.first(where: { $0.type == 1 && strings &- $0.address < $0.size })
        else { return [] }
        let text = read(strings &- load.address &+ load.offset &+ name, 4_096).prefix { $0 != 0 }
        let folder = Paths.parent(of: path)
        return String(decoding: text, as: UTF8.self).split(separator: ":").map {
            String($0).replacing("${ORIGIN}", with: folder).replacing("$ORIGIN", with: folder)
        }.filter { $0.hasPrefix("/") && $0 != "/" }
    }

    /// An entry of the table of segments.
    private struct Segment {
        let type, offset, address, size: UInt64

        init(_ table: [UInt8], at place: Int) {
            type = table.number(place, 4)
            offset = table.number(place + 8, 8)
            address = table.number(place + 16, 8)
            size = table.number(place + 32, 8)
        }
    }
}

extension ExtensionBundle {
    /// Whether its permissions let its processes read a file, links resolved, outside the bundle.
    public func declaresReading(_ path: String) -> Bool { permissions.allowsReading(path, of: self.path) }
}

extension [UInt8] {
    /// A little-endian number; 0 beyond the end.
    fileprivate func number(_ start: Int, _ count: Int) -> UInt64 {
        guard start >= 0, start + count <= self.count else { return 0 }
        return self[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
