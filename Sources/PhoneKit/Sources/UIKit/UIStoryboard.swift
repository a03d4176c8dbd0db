public import Foundation
import PhoneRuntime

/// A storyboard of the bundle, read as Xcode stores it.
@preconcurrency @MainActor
open class UIStoryboard: NSObject {
    private let file: NibFile

    /// The storyboard of that name, which must be in the bundle.
    public init(name: String, bundle storyboardBundleOrNil: Bundle?) {
        guard let file = NibFile.find(name, "storyboard", in: storyboardBundleOrNil) else {
            fatalError(
                "Could not find a storyboard named '\(name)' in bundle \((storyboardBundleOrNil ?? .main).bundlePath)"
            )
        }
        self.file = file
        super.init()
    }

    /// Sets the locale whose texts replace those in storyboards.
    package static var locale: String {
        get { NibFile.locale }
        set { NibFile.locale = newValue }
    }

    /// The first controller.
    open func instantiateInitialViewController() -> UIViewController? {
        file.root["initialViewController"].flatMap { controller(objectID: $0) }
    }

    /// The controller with that identifier.
    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        guard let element = scenes.first(where: { $0["storyboardIdentifier"] == identifier }) else {
            fatalError("Storyboard doesn't contain a view controller with identifier '\(identifier)'")
        }
        return NibLoader(file, owner: nil).controller(element, storyboard: self)
    }

    /// The controller with that object id.
    func controller(objectID: String) -> UIViewController? {
        scenes.first { $0["id"] == objectID }.map { NibLoader(file, owner: nil).controller($0, storyboard: self) }
    }

    private var scenes: [NibElement] {
        file.root.all("scene").compactMap { scene in
            scene.child("objects")?.children.first { $0["sceneMemberID"] == "viewController" }
        }
    }
}

/// A xib of the bundle, read as Xcode stores it.
open class UINib: NSObject, @unchecked Sendable {
    private let name: String
    private let bundle: Bundle?

    /// The xib of that name.
    public init(nibName name: String, bundle bundleOrNil: Bundle?) { (self.name, bundle) = (name, bundleOrNil) }

    /// Makes the objects of the xib, and connects the outlets of its owner.
    @preconcurrency @MainActor @discardableResult
    open func instantiate(withOwner ownerOrNil: Any?, options optionsOrNil: [OptionsKey: Any]? = nil) -> [Any] {
        guard let file = NibFile.find(name, "xib", in: bundle) else {
            fatalError("Could not load NIB in bundle \((bundle ?? .main).bundlePath) with name '\(name)'")
        }
        return NibLoader(file, owner: ownerOrNil as AnyObject?).topObjects()
    }

    @MainActor
    static func exists(_ name: String, _ bundle: Bundle?) -> Bool { NibFile.find(name, "xib", in: bundle) != nil }

    /// A key of options.
    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// A key.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension Bundle {
    /// Makes the objects of a xib, and connects the outlets of its owner.
    @preconcurrency @MainActor @discardableResult
    public func loadNibNamed(
        _ name: String,
        owner: Any?,
        options: [UINib.OptionsKey: Any]? = nil
    ) -> [Any]? {
        UINib(nibName: name, bundle: self).instantiate(withOwner: owner, options: options)
    }
}
