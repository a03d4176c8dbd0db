internal import Foundation
internal import PhoneProject

/// The checks of one notification extension, apart from its app.
struct ExtensionChecks {
    private(set) var findings: [Finding] = []
    /// The extension.
    let target: BundleTarget
    /// Content or service, by the Info.plist or, if that has another extension point, by the sources.
    let kind: ExtensionKind
    /// The App Groups that the sources of the extension and of its modules name.
    let groups: [GroupUse]
    /// Where the sources open the storage of an App Group whose name is no literal; nil if they do not.
    let unnamedGroupUse: GroupUse?

    private let code: TargetCode
    private let modules: [SourceModule]

    /// Checks an extension; nil if it is not meant for notifications.
    ///
    /// - Parameters:
    ///   - target: An extension of any kind.
    ///   - all: The modules that it may import.
    ///   - appResources: The resources of the apps, of which a privacy manifest counts for the extension too.
    init?(_ target: BundleTarget, modules all: [SourceModule], appResources: [String]) {
        let point = target.extensionMembers["NSExtensionPointIdentifier"] as? String
        let declared = point.flatMap { InfoPlist.extensionPoints[$0] }
        let texts = target.code.sources.compactMap(TextSearch.init)
        func has(_ name: String) -> Bool { texts.contains { $0.line(of: name) != nil } }
        let meant: ExtensionKind? =
            has("UNNotificationContentExtension") ? .content : has("UNNotificationServiceExtension") ? .service : nil
        guard let kind = declared ?? meant else { return nil }
        (self.target, self.kind) = (target, kind)
        modules = target.code.needed(among: all)
        let others = modules.flatMap(\.sources)
        code = TargetCode(sources: target.code.sources, modules: others)
        let allTexts = texts + others.compactMap(TextSearch.init)
        groups = allTexts.flatMap { file in file.groups.map { GroupUse($0.name, file.path, $0.line) } }
        let opening = ["UserDefaults(suiteName:", "forSecurityApplicationGroupIdentifier:"]
        unnamedGroupUse =
            texts.lazy.flatMap { file in
                opening.compactMap { file.line(of: $0).map { GroupUse("", file.path, $0) } }
            }.first
        if declared == nil { reportPoint(point) }
        checkKeys()
        if declared != nil { checkPrincipal() }
        checkInteraction()
        checkHandlers()
        checkPrivacy(texts, appResources: appResources)
    }

    private mutating func add(
        _ level: Finding.Level,
        _ reason: Finding.Reason,
        _ place: (path: String, line: Int),
        _ message: String,
        _ advice: String
    ) {
        findings.append(
            Finding(
                level: level,
                reason: reason,
                target: target.code.target,
                path: place.path,
                line: place.line,
                message: message,
                advice: advice
            )
        )
    }

    // MARK: Info.plist

    private var info: String { target.infoPlistPath ?? target.projectPath }

    private func place(_ key: String) -> (path: String, line: Int) { (info, TextSearch.line(ofKey: key, in: info)) }

    private static let prefix = "UNNotificationExtension"

    private var attributes: [String: Any] { target.extensionMembers["NSExtensionAttributes"] as? [String: Any] ?? [:] }

    /// The categories of a content extension.
    var categories: [String] {
        let value = attributes["\(Self.prefix)Category"]
        return value as? [String] ?? (value as? String).map { [$0] } ?? []
    }

    private mutating func reportPoint(_ point: String?) {
        let right = InfoPlist.extensionPoints.first { $0.value == kind }?.key ?? ""
        let key = "NSExtensionPointIdentifier"
        add(
            .error,
            .extensionPoint,
            place(key).line == 0 ? place("NSExtension") : place(key),
            point.map { "\(key) is \($0), which is not the point of a \(kind.rawValue) extension" }
                ?? "the Info.plist has no \(key), so iOS never starts the \(kind.rawValue) extension",
            "Set NSExtension › \(key) to \(right)"
        )
    }

    private mutating func checkKeys() {
        let members = target.extensionMembers
        for key in (Array(members.keys) + attributes.keys).sorted() {
            let plain = key.trimmingCharacters(in: .whitespacesAndNewlines)
            guard plain != key else { continue }
            add(
                .error,
                .blankInKey,
                place(key),
                "the key \"\(key)\" has a blank at its \(key.hasPrefix(plain) ? "end" : "beginning"), so iOS ignores it",
                "Rename the key to \(plain)"
            )
        }
        let outside = Set(target.info.values.keys).union(members.keys).filter { $0.hasPrefix(Self.prefix) }
        for key in outside.sorted() where attributes[key] == nil {
            add(
                .error,
                .misplacedKey,
                place(key),
                "\(key) stands outside NSExtensionAttributes, so iOS ignores it",
                "Move the key to NSExtension › NSExtensionAttributes"
            )
        }
        let flags = ["DefaultContentHidden", "OverridesDefaultTitle", "UserInteractionEnabled"].map { Self.prefix + $0 }
        for key in flags {
            guard let text = attributes[key] as? String else { continue }
            add(
                .warning,
                .textForBoolean,
                place(key),
                "\(key) is the text \"\(text)\" and not a Boolean",
                "Change the type of the key to Boolean, with the value \(Self.isTrue(text) ? "YES" : "NO")"
            )
        }
        let ratio = "\(Self.prefix)InitialContentSizeRatio"
        if let text = attributes[ratio] as? String {
            let advice = "Change the type of the key to Number"
            add(.warning, .textForBoolean, place(ratio), "\(ratio) is the text \"\(text)\" and not a number", advice)
        }
        let isContent = kind == .content && target.extensionMembers["NSExtensionPointIdentifier"] != nil
        let hasOther = findings.contains { $0.message.contains("\(Self.prefix)Category") }
        guard isContent, categories.allSatisfy(\.isEmpty), !hasOther else { return }
        add(
            .error,
            .category,
            place("NSExtension"),
            "the Info.plist has no \(Self.prefix)Category, so no notification is shown by this extension",
            "Set NSExtension › NSExtensionAttributes › \(Self.prefix)Category to the categories of the payloads"
        )
    }

    private static func isTrue(_ text: String) -> Bool { ["y", "t", "1"].contains(text.prefix(1).lowercased()) }

    // MARK: Where the extension begins

    private mutating func checkPrincipal() {
        let storyboard = target.extensionMembers["NSExtensionMainStoryboard"] as? String
        let principal = target.extensionMembers["NSExtensionPrincipalClass"] as? String
        if kind == .content, let storyboard {
            checkStoryboard(storyboard)
        } else if let principal {
            checkClass(principal)
        } else {
            let keys = kind == .content ? "NSExtensionPrincipalClass nor NSExtensionMainStoryboard" : ""
            add(
                .error,
                .principalClass,
                place("NSExtension"),
                kind == .content
                    ? "the Info.plist has neither \(keys)" : "the Info.plist has no NSExtensionPrincipalClass",
                "Set NSExtension › NSExtensionPrincipalClass to $(PRODUCT_MODULE_NAME).\(candidate ?? "TheClass")"
            )
        }
    }

    private var base: String { kind == .content ? "UNNotificationContentExtension" : "UNNotificationServiceExtension" }

    /// A class of the sources that may be the principal one.
    private var candidate: String? { code.classes.keys.sorted().first { code.inherits($0, base) == true } }

    private mutating func checkClass(_ principal: String) {
        let key = "NSExtensionPrincipalClass"
        let parts = principal.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let name = parts.last ?? ""
        let advice = "Set \(key) to $(PRODUCT_MODULE_NAME).\(candidate ?? name)"
        guard parts.count > 1, parts.first?.isEmpty == false else {
            guard code.objectiveCClass(principal) == nil, !isObjectiveC(principal), code.classes[name] != nil else {
                if code.objectiveCClass(name) == nil, !isObjectiveC(name), target.code.objectiveC.isEmpty, canTell {
                    add(
                        .error,
                        .principalClass,
                        place(key),
                        "no source of the target has the class \(principal)",
                        advice
                    )
                }
                return
            }
            let text = "\(key) is \(principal) without the name of the module, so iOS does not find the Swift class"
            return add(.error, .principalClass, place(key), text, advice)
        }
        let module = parts[0]
        let isOwn = module == target.code.module
        let found = modules.first { $0.module == module }
        guard isOwn || found != nil else {
            // A framework that is not in the project may have the class.
            guard code.classes[name] != nil, declaresItself(name) else { return }
            let text = "\(key) names the module \(module), but that of the target is \(target.code.module)"
            return add(.error, .principalClass, place(key), text, advice)
        }
        if isOwn { checkConformance(name, place(key), advice) }
    }

    private mutating func checkConformance(_ name: String, _ place: (path: String, line: Int), _ advice: String) {
        guard !isObjectiveC(name) else { return }
        let swiftName = code.classes[name] != nil ? name : code.objectiveCClass(name)
        guard let swiftName else {
            let text = "no source of the target \(target.code.target) has the class \(name)"
            if target.code.objectiveC.isEmpty, canTell { add(.error, .principalClass, place, text, advice) }
            return
        }
        guard code.inherits(swiftName, base) == false else { return }
        let text = kind == .content ? "does not conform to \(base)" : "is no subclass of \(base)"
        let both = "\(text): iOS wants that of the class that a \(kind.rawValue) extension begins with"
        add(.error, .principalClass, place, "the class \(name) \(both)", advice)
    }

    /// Whether the sources are all there, so that a class which is not in them is nowhere.
    private var canTell: Bool { !target.code.sources.isEmpty }

    private func declaresItself(_ name: String) -> Bool {
        target.code.sources.contains { path in
            TextSearch(path).map { $0.line(of: "class \(name)") != nil } ?? false
        }
    }

    private func isObjectiveC(_ name: String) -> Bool {
        target.code.objectiveC.contains { TextSearch($0)?.line(of: "@implementation \(name)") != nil }
    }

    private mutating func checkStoryboard(_ name: String) {
        let key = "NSExtensionMainStoryboard"
        let files = target.code.resources.filter { $0.path.hasSuffix("/\(name).storyboard") }
        guard !files.isEmpty else {
            add(
                .error,
                .storyboard,
                place(key),
                "the target \(target.code.target) has no \(name).storyboard among its resources",
                "Add \(name).storyboard to Copy Bundle Resources, or correct \(key)"
            )
            return
        }
        guard let file = InterfaceFile(storyboard: name, of: target.code) else { return }
        guard let initial = file.initialController else {
            add(
                .error,
                .storyboard,
                (file.path, 0),
                "the storyboard has no initial view controller, so the extension shows nothing",
                "Select the view controller in \(name).storyboard and set Is Initial View Controller"
            )
            return
        }
        let place = (file.path, initial.line)
        guard let custom = initial.attributes["customClass"] else {
            let text = "the initial view controller is a plain \(initial.name), so the extension's class never runs"
            return add(
                .error,
                .storyboard,
                place,
                text,
                "Set its Custom Class to \(candidate ?? "the class of the target")"
            )
        }
        let follows = initial.attributes["customModuleProvider"] == "target"
        let module = initial.attributes["customModule"]
        let advice = "In \(name).storyboard, set Custom Class to \(custom) with Inherit Module From Target"
        if !follows, !isObjectiveC(custom), code.classes[custom] != nil, declaresItself(custom) {
            guard let module else {
                guard code.objectiveCClass(custom) == nil else { return }
                let text = "the custom class \(custom) has no module, so iOS does not find the Swift class"
                return add(.error, .storyboard, place, text, advice)
            }
            guard module == target.code.module else {
                let text = "the custom class \(custom) is sought in the module \(module), not in \(target.code.module)"
                return add(.error, .storyboard, place, text, advice)
            }
        }
        guard follows || module == target.code.module else { return }
        checkConformance(
            custom,
            place,
            "Set Custom Class to \(candidate ?? "a class of the target") in \(name).storyboard"
        )
    }

    // MARK: Presses

    private mutating func checkInteraction() {
        let key = "\(Self.prefix)UserInteractionEnabled"
        guard kind == .content, !isOn(attributes[key]), !findings.contains(where: { $0.message.contains(key) }) else {
            return
        }
        let names = ["NSExtensionMainStoryboard"].compactMap { target.extensionMembers[$0] as? String }
        for file in names.compactMap({ InterfaceFile(storyboard: $0, of: target.code) }) {
            let action = file.elements.first { $0.name == "action" && file.isInside($0, "button") }
            if let action { return report(key, (file.path, action.line), "a button of the storyboard has an action") }
        }
        guard !code.hasKeyboardView, let control = code.controls.first else { return }
        report(key, (control.path, control.line), "the code connects a view that is pressed")
    }

    private func isOn(_ value: Any?) -> Bool { (value as? Bool) ?? (value as? String).map(Self.isTrue) ?? false }

    private mutating func report(_ key: String, _ place: (path: String, line: Int), _ reason: String) {
        let text = "\(reason), but without \(key) iOS passes no touch to the extension"
        add(.error, .interaction, place, text, "Set NSExtension › NSExtensionAttributes › \(key) to YES")
    }

    // MARK: Completion handlers

    private mutating func checkHandlers() {
        let effect =
            kind == .content
            ? "and iOS waits for it" : "so the notification comes only when the extension's time is over"
        let hint = kind == .content ? "; .doNotDismiss keeps the notification open" : ""
        for miss in code.misses where miss.kind == kind {
            add(
                .warning,
                .completionHandler,
                (miss.place.path, miss.place.line),
                "a path through this line ends without a call of \(miss.handler), \(effect)",
                "Call \(miss.handler) exactly once on this path\(hint)"
            )
        }
    }

    // MARK: Privacy

    private mutating func checkPrivacy(_ texts: [TextSearch], appResources: [String]) {
        let own = target.code.resources.map(\.path)
        checkPrivacy(texts, of: target.code, in: own + appResources)
        // A library without a bundle of its own is a part of the extension.
        for module in modules {
            let texts = module.sources.compactMap(TextSearch.init)
            checkPrivacy(texts, of: module, in: module.resources.map(\.path) + own + appResources)
        }
    }

    private mutating func checkPrivacy(_ texts: [TextSearch], of module: SourceModule, in resources: [String]) {
        let uses = texts.compactMap { file in file.line(of: "UserDefaults").map { (path: file.path, line: $0) } }
        guard let use = uses.first else { return }
        let manifests = resources.filter { $0.hasSuffix("/PrivacyInfo.xcprivacy") }
        let sharing = texts.lazy.compactMap { file in
            file.line(of: "UserDefaults(suiteName:").map { (path: file.path, line: $0) }
        }.first
        let reason = sharing == nil ? "CA92.1" : "1C8F.1"
        let category = "NSPrivacyAccessedAPICategoryUserDefaults"
        let lists = manifests.compactMap(PrivacyManifest.init)
        let advice = "give \(category) the reason \(reason)"
        guard !manifests.isEmpty else {
            add(
                .warning,
                .privacyManifest,
                use,
                "\(module.target) uses UserDefaults without a privacy manifest, which App Store Connect refuses",
                "Add a PrivacyInfo.xcprivacy to the target \(module.target), and \(advice)"
            )
            return
        }
        let reasons = Set(lists.flatMap { $0.reasons(category) })
        guard !lists.isEmpty, reasons.isEmpty || (sharing != nil && !reasons.contains("1C8F.1")) else { return }
        let place = (path: manifests[0], line: TextSearch(manifests[0])?.line(of: category) ?? 0)
        let text = reasons.isEmpty ? "no reason" : "no reason for an App Group"
        let message = "the privacy manifest has \(text), but \(module.target) uses UserDefaults"
        add(.warning, .privacyManifest, place, message, "In PrivacyInfo.xcprivacy, \(advice)")
    }
}

/// A file PrivacyInfo.xcprivacy.
private struct PrivacyManifest {
    private let types: [[String: Any]]

    init?(_ path: String) {
        guard let data = FileManager.default.contents(atPath: path),
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let members = list as? [String: Any]
        else { return nil }
        types = members["NSPrivacyAccessedAPITypes"] as? [[String: Any]] ?? []
    }

    /// The reasons that the manifest gives for a category of functions.
    func reasons(_ category: String) -> [String] {
        types.filter { $0["NSPrivacyAccessedAPIType"] as? String == category }
            .flatMap { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] ?? [] }
    }
}

extension BundleTarget {
    /// The dictionary NSExtension of the Info.plist.
    var extensionMembers: [String: Any] { info.values["NSExtension"] as? [String: Any] ?? [:] }
}
