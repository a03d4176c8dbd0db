internal import Contract
internal import Platform

extension ExtensionBundle {
    /// The key of the categories that a content extension shows.
    public static let categoryKey = "UNNotificationExtensionCategory"
    /// The key that enables user interaction.
    public static let interactionKey = "UNNotificationExtensionUserInteractionEnabled"
    /// The spelling of that key in Braze's guide, which iOS ignores.
    public static let misspeltInteractionKey = "UNNotificationExtensionInteractionEnabled"

    /// The entitlement that says how files are protected.
    private static let protectionKey = "com.apple.developer.default-data-protection"
    /// The protections under which an existing file cannot be opened while the device is locked.
    private static let lockedProtections: Set = ["NSFileProtectionComplete", "NSFileProtectionCompleteUnlessOpen"]

    /// Reads the bundle in a folder.
    ///
    /// - Parameters:
    ///   - folder: A folder with an `Info.plist`.
    ///   - unsaved: Texts in place of files, by their paths in the bundle.
    /// - Throws: Why the folder is not an extension at all.
    public init(folder: String, unsaved: [String: [UInt8]] = [:]) throws(BundleProblem) {
        path = Paths.resolved(folder) ?? URL(fileURLWithPath: folder).standardizedFileURL.path
        let info = try PropertyDictionary("Info.plist", in: path, unsaved: unsaved)
        var variables = BuildVariables(name: URL(fileURLWithPath: path).lastPathComponent)
        identifier = try Self.value(of: "CFBundleIdentifier", info, &variables)
        guard !Participant.all.contains(identifier) else {
            throw info.problem("CFBundleIdentifier", "an identifier of its own, such as com.example.\(identifier)")
        }
        executable = try Self.value(of: "CFBundleExecutable", info, &variables)
        guard !executable.contains("/"), executable != ".", executable != ".." else {
            throw info.problem("CFBundleExecutable", "the name of a file in the bundle")
        }
        let nsExtension = try info.requiredDictionary("NSExtension")
        let pointName = try nsExtension.requiredString("NSExtensionPointIdentifier")
        guard let point = Point(rawValue: pointName) else {
            let known = Point.allCases.map(\.rawValue).joined(separator: ", ")
            throw nsExtension.problem("NSExtensionPointIdentifier", "one of \(known)")
        }
        self.point = point

        // An invalid attribute is ignored, as on a phone, and reported.
        var problems = variables.problems(path: info.path)
        func read<Value>(_ value: @autoclosure () throws(BundleProblem) -> Value?) -> Value? {
            do throws(BundleProblem) {
                return try value()
            } catch {
                problems.append(error)
                return nil
            }
        }
        // Xcode writes no attributes for a service extension, and a personalization extension has none.
        let mayLackAttributes = point == .service || point == .personalization
        let lacksAttributes = mayLackAttributes && !nsExtension.has("NSExtensionAttributes")
        let attributes = lacksAttributes ? nil : read(try nsExtension.requiredDictionary("NSExtensionAttributes"))
        let named = read(try attributes?.strings(Self.categoryKey)) ?? []
        // A payload without a category has the empty category, which no extension may claim.
        categories = named.contains("") ? [] : named
        initialContentSizeRatio = ContentSizeRatio(attributes, &problems).value
        defaultContentHidden = read(try attributes?.bool("UNNotificationExtensionDefaultContentHidden")) ?? false
        overridesDefaultTitle = read(try attributes?.bool("UNNotificationExtensionOverridesDefaultTitle")) ?? false
        let enabled = read(try attributes?.bool(Self.interactionKey))
        let misspelt = read(try attributes?.bool(Self.misspeltInteractionKey))
        userInteractionEnabled = enabled ?? misspelt ?? false
        reliesOnMisspeltInteractionKey = enabled == nil && misspelt == true
        if misspelt != nil {
            let text =
                "\(Self.misspeltInteractionKey) is accepted here, but iOS knows only "
                + "\(Self.interactionKey); rename it"
            problems.append(
                BundleProblem(
                    path: info.path,
                    message: text,
                    severity: enabled == nil ? .error : .warning,
                    place: .init(reason: "misspeltKey", pointer: attributes?.pointer(to: Self.misspeltInteractionKey))
                )
            )
        }
        if point == .content, let attributes, categories.isEmpty,
            !problems.contains(where: { $0.key == Self.categoryKey })
        {
            problems.append(attributes.problem(Self.categoryKey, "a non-empty string or an array of them"))
        }
        userInfoKeys = point == .content ? UserInfoKeyAttributes(attributes, &problems).keys : []
        let delivery = DeliveryAttributes(attributes, point, &problems)
        destinationName = delivery.destinationName
        sourceName = delivery.sourceName
        environmentNames = delivery.environmentNames
        concurrentBatches = delivery.concurrentBatches
        isIdempotent = delivery.isIdempotent
        permissions = Permissions(info, variables: environmentNames, &problems)
        let entitlements = read(try Self.entitlements(in: path, executable: executable, unsaved))
        applicationGroups = read(try entitlements?.strings("com.apple.security.application-groups")) ?? []
        let protection = read(try entitlements?.strings(Self.protectionKey))?.first
        isLockedWithDevice = protection.map(Self.lockedProtections.contains) ?? false
        self.problems = problems
    }

    /// The value of a key that Xcode may omit from the sources and add when it builds.
    private static func value(
        of key: String,
        _ info: PropertyDictionary,
        _ variables: inout BuildVariables
    ) throws(BundleProblem) -> String {
        info.has(key) ? variables.fill(try info.requiredString(key)) : variables.fill(absent: key)
    }

    private static func entitlements(
        in path: String,
        executable: String,
        _ unsaved: [String: [UInt8]]
    ) throws(BundleProblem) -> PropertyDictionary? {
        let files = try entitlements(in: path)
        let preferred = "\(executable).entitlements"
        guard let file = files.contains(preferred) ? preferred : files.first else { return nil }
        return try PropertyDictionary(file, in: path, unsaved: unsaved)
    }

    /// The names of a bundle's entitlements, sorted.
    static func entitlements(in path: String) throws(BundleProblem) -> [String] {
        do throws(SystemError) {
            return try Folders.names(in: path).filter { $0.hasSuffix(".entitlements") }
        } catch {
            throw BundleProblem(path: path, message: "the folder cannot be read: \(error)")
        }
    }

    /// The file to start.
    ///
    /// It lies in the bundle, or is a link there to a file elsewhere, such as one in the `.build` of another package.
    /// `swift build` puts a Swift extension beside the host instead, if host and bundle belong to the same SwiftPM package.
    /// An installed host searches the `.build` of the package that the bundle lies in.
    ///
    /// - Parameter hostFolder: The folder of the host's own executable, links resolved.
    /// - Returns: An absolute path, links resolved.
    /// - Throws: Where it was not found, or why it cannot be run.
    public func executablePath(hostFolder: String) throws(BundleProblem) -> String {
        var candidates = ["\(path)/\(executable)"]
        if let package = Self.package(ofBuildFolder: hostFolder), path.hasPrefix(package + "/") {
            // Host and bundle are built by the same package.
            candidates.append("\(hostFolder)/\(executable)")
        } else if access(candidates[0], F_OK) != 0 {
            // The host is installed.
            candidates += builtExecutables()
        }
        for candidate in candidates where access(candidate, F_OK) == 0 {
            let real = Paths.resolved(candidate) ?? candidate
            guard let kind = FileStamp(of: real)?.kind, kind == .file else {
                let found = FileStamp(of: real)?.kind == .folder ? "a folder" : "not a file"
                throw BundleProblem(path: real, message: "it is \(found), not an executable")
            }
            guard access(real, X_OK) == 0 else {
                throw BundleProblem(path: real, message: "it is not executable; chmod +x it")
            }
            return real
        }
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: candidates[0])
        let detail =
            target.map {
                ": it is a link to \($0), which does not exist\(UnbuiltPackage(link: $0, in: path)?.advice ?? "")"
            }
            ?? "; looked for \(candidates.joined(separator: " and "))\(UnbuiltPackage(around: self)?.advice ?? "")"
        throw BundleProblem(path: path, message: "its executable \(executable) is missing\(detail)")
    }

    /// Why its executable will not start, as far as its file shows that.
    ///
    /// - Parameters:
    ///   - hostFolder: The folder of the host's own executable, links resolved.
    ///   - environment: The environment of extensions.
    /// - Returns: The problem; `nil` if none can be seen.
    public func startProblem(hostFolder: String, environment: [String: String]) -> BundleProblem? {
        var problem: BundleProblem?
        do throws(BundleProblem) {
            problem = BundleProblem(ofFile: try executablePath(hostFolder: hostFolder), environment: environment)
        } catch {
            problem = error
        }
        problem?.preventsStart = true
        return problem
    }

    /// The root of the package that a build folder `<root>/.build/<triple>/<configuration>` belongs to; `nil` for another
    /// folder.
    package static func package(ofBuildFolder folder: String) -> String? {
        let parts = folder.split(separator: "/")
        guard let build = parts.lastIndex(of: ".build") else { return nil }
        return "/" + parts[..<build].joined(separator: "/")
    }
}

/// `UNNotificationExtensionInitialContentSizeRatio`: the height of an extension's view divided by its width.
struct ContentSizeRatio {
    private static let key = "UNNotificationExtensionInitialContentSizeRatio"
    /// What iOS uses if the ratio is absent or wrong.
    private static let fallback = 1.0
    /// Ratios outside this range are accepted, but do not fit a screen.
    private static let usual = 0.05...10

    let value: Double

    /// Reads the ratio; a wrong one is an error and is replaced by 1, an unusual one is a warning.
    init(_ attributes: PropertyDictionary?, _ problems: inout [BundleProblem]) {
        do throws(BundleProblem) {
            value = try Self.read(attributes, &problems) ?? Self.fallback
        } catch {
            value = Self.fallback
            problems.append(error)
        }
    }

    private static func read(
        _ attributes: PropertyDictionary?,
        _ problems: inout [BundleProblem]
    ) throws(BundleProblem) -> Double? {
        guard let attributes, let ratio = try attributes.number(key) else { return nil }
        let meaning = "height divided by width, such as 0.65"
        func problem(_ text: String, _ severity: BundleProblem.Severity) -> BundleProblem {
            BundleProblem(
                path: attributes.path,
                message: "\(key) is \(ratio), \(text)",
                severity: severity,
                key: key,
                place: .init(reason: "wrongValue", pointer: attributes.pointer(to: key))
            )
        }
        guard ratio > 0 else {
            throw problem("but it must be above 0: \(meaning); until it is corrected, 1.0 is used, as on iOS", .error)
        }
        if !usual.contains(ratio) {
            problems.append(problem("which does not fit a screen; it is \(meaning)", .warning))
        }
        return ratio
    }
}

extension ExtensionBundle {
    /// The problem of the first file or folder of the bundle that any user may write, which would let that user run programs as this one.
    public func problemOfWritability() -> BundleProblem? {
        // Entitlements that cannot be listed are not read either, which is a problem of the bundle already.
        let files = ["Info.plist", executable] + ((try? Self.entitlements(in: path)) ?? [])
        let paths = [path] + files.map { "\(path)/\($0)" } + folderOfLinkedExecutable
        return paths.lazy.compactMap { BundleProblem(ifWritableByAnybody: $0) }.first
    }

    /// The folder of the executable if that is a link out of the bundle: who may write there may replace the executable.
    private var folderOfLinkedExecutable: [String] {
        guard let real = Paths.resolved("\(path)/\(executable)"), !Paths.lies(real, in: path) else { return [] }
        return [Paths.parent(of: real)]
    }
}

extension BundleProblem {
    /// The problem of a file or a folder that any user may write.
    ///
    /// Write access of the group is no problem: many systems give each user an own group and files its write permission.
    init?(ifWritableByAnybody path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IWOTH != 0 else { return nil }
        self.init(
            path: path,
            message: "any user may write into it, and run programs as you with it; chmod o-w it, or allow it with "
                + "--allow-writable-plugins"
        )
    }
}
