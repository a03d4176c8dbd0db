package import HostClient
internal import JSON
internal import Localization
internal import NotificationHTML
package import Notifications
internal import Platform
internal import PropertyLists

/// How an app is named and which icon it has, as far as the bundle of its extension says so.
package struct AppIdentity {
    /// `CFBundleDisplayName`.
    package let name: String?
    /// The icon as a `data:` URL.
    package let icon: String?

    /// The app whose extension shows a notification in a host; nil if the system shows it.
    package static func of(_ shown: ShownNotification, in host: HostClient) throws(ClientError) -> AppIdentity? {
        guard let identifier = shown.bundle else { return nil }
        let extensions = try host.call("extensions").message["result"]?["extensions"]?.array
        let bundle = extensions?.first { $0["identifier"]?.string == identifier }
        return bundle?["path"]?.string.map(AppIdentity.init)
    }

    /// The app of a bundle.
    package init(bundle: String) {
        let info = try? BundleFile.dictionary("Info.plist", in: bundle)
        name = info?["CFBundleDisplayName"]?.text
        let icons = info?["CFBundleIcons"]?["CFBundlePrimaryIcon"]
        let names = (icons?["CFBundleIconFiles"]?.texts ?? []) + [info?["CFBundleIconFile"]?.text].compactMap { $0 }
        // The last name is that of the largest icon. Names often lack the suffix.
        let files = names.reversed().flatMap { name in
            ["", "@3x.png", "@2x.png", ".png"].map { "\(bundle)/\(name)\($0)" }
        }
        let set = Self.iconSet(icons?["CFBundleIconName"]?.text ?? "AppIcon", in: bundle)?.light
        icon = (files + [set].compactMap(\.self)).lazy.compactMap(LocalImages.embedded(path:)).first
    }

    /// An icon of the bundle's asset catalogs.
    private static func iconSet(_ name: String, in bundle: String) -> AssetSet? {
        var set: AssetSet?
        Folders.walk(bundle) { path in
            if path.contains(".xcassets/"), path.hasSuffix("/\(name).appiconset/Contents.json") {
                set = AssetSet(folder: Paths.parent(of: path))
            }
            return set == nil
        }
        return set
    }
}
