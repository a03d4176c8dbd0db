// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime
import UIKit

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

/// What a view has from the views around it.
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]
    private var objects: [ObjectIdentifier: AnyObject] = [:]

    public var colorScheme = UITraitCollection.current.userInterfaceStyle == .dark ? ColorScheme.dark : .light
    public var locale = Locale.current
    public var calendar = Calendar.current
    public var timeZone = TimeZone.current
    public var dynamicTypeSize = DynamicTypeSize.large
    public var sizeCategory = ContentSizeCategory.large
    public var layoutDirection = LayoutDirection.leftToRight
    public var horizontalSizeClass: UserInterfaceSizeClass? = .compact
    public var verticalSizeClass: UserInterfaceSizeClass? =
        UITraitCollection.current.verticalSizeClass == .compact ? .compact : .regular
    public var displayScale: CGFloat = 3
    public var font: Font?
    public var isEnabled = true
    public var lineLimit: Int?
    public var lineSpacing: CGFloat = 0
    public var multilineTextAlignment = TextAlignment.leading
    public var textCase: Text.Case?
    public var redactionReasons: RedactionReasons = []
    public var scenePhase = ScenePhase.active
    public var openURL = OpenURLAction { _ in .systemAction }
    public internal(set) var dismiss = DismissAction {}
    public internal(set) var isPresented = false
    public internal(set) var colorSchemeContrast = ColorSchemeContrast.standard
    public internal(set) var accessibilityReduceMotion = false
    public internal(set) var accessibilityReduceTransparency = false
    public internal(set) var accessibilityDifferentiateWithoutColor = false
    public var pixelLength: CGFloat { 1 / displayScale }
    public var presentationMode: Binding<PresentationMode> {
        .constant(PresentationMode(isPresented: isPresented, dismissAction: dismiss))
    }

    /// Whether each element of a ForEach gets its id as a tag.
    var marksElements = false
    var buttonStyle: (any ButtonStyle)?
    var primitiveButtonStyle: (any PrimitiveButtonStyle)?
    var toggleStyle: (any ToggleStyle)?
    var labelStyle: (any LabelStyle)?
    var submit: (@MainActor () -> Void)?
    /// Shows another view in place of the navigation's content.
    var navigate: (@MainActor (AnyView) -> Void)?
    var turnsByPages = false

    public init() {}

    @MainActor
    init(of controller: UIViewController?) {
        self.init()
        locale = Locale(identifier: UIStoryboard.locale)
        openURL = OpenURLAction(controller)
        dismiss = DismissAction { [weak controller] in controller?.dismiss(animated: true) }
        isPresented = controller?.presentingViewController != nil
    }

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
    public subscript<T: AnyObject & Observable>(objectType: T.Type) -> T? {
        get { object(objectType) }
        set { objects[ObjectIdentifier(objectType)] = newValue }
    }

    func object<T: AnyObject>(_ type: T.Type) -> T? { objects[ObjectIdentifier(type)] as? T }
    mutating func setObject<T: AnyObject>(_ object: T) { objects[ObjectIdentifier(T.self)] = object }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private let read: (EnvironmentValues) -> Value
    private var values = EnvironmentValues()

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }
    public init(_ objectType: Value.Type) where Value: AnyObject & Observable {
        read = { values in
            guard let object = values.object(objectType) else {
                fatalError("No Observable object of type \(objectType) found: a view around this one must have it")
            }
            return object
        }
    }
    public init<T: AnyObject & Observable>(_ objectType: T.Type) where Value == T? { read = { $0.object(objectType) } }

    public var wrappedValue: Value { read(values) }
}

extension Environment: LinkedProperty {
    mutating func link(_ context: Context, _ key: Int) { values = context.environment }
}

extension View {
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        changingEnvironment { $0[keyPath: keyPath] = value }
    }
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        changingEnvironment { if let object { $0.setObject(object) } }
    }
    public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
        changingEnvironment { $0.setObject(object) }
    }
    public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>,
        transform: @escaping (inout V) -> Void
    ) -> some View {
        changingEnvironment { transform(&$0[keyPath: keyPath]) }
    }
}

// MARK: Values

public enum ColorScheme: CaseIterable, Hashable, Sendable {
    case light, dark
}

public enum ColorSchemeContrast: CaseIterable, Hashable, Sendable {
    case standard, increased
}

public enum LayoutDirection: CaseIterable, Hashable, Sendable {
    case leftToRight, rightToLeft
}

public enum UserInterfaceSizeClass: Hashable, Sendable {
    case compact, regular
}

public enum ScenePhase: Comparable, Hashable, Sendable {
    case background, inactive, active
}

public enum DynamicTypeSize: CaseIterable, Comparable, Hashable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

public enum ContentSizeCategory: CaseIterable, Hashable, Sendable {
    case extraSmall, small, medium, large, extraLarge, extraExtraLarge, extraExtraExtraLarge
    case accessibilityMedium, accessibilityLarge, accessibilityExtraLarge, accessibilityExtraExtraLarge
    case accessibilityExtraExtraExtraLarge
    public var isAccessibilityCategory: Bool { false }
}

public struct RedactionReasons: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let placeholder = RedactionReasons(rawValue: 1)
    public static let privacy = RedactionReasons(rawValue: 2)
    public static let invalidated = RedactionReasons(rawValue: 4)
}

/// Ends what shows the view.
@preconcurrency @MainActor
public struct DismissAction {
    private let action: @MainActor () -> Void
    nonisolated init(_ action: @escaping @MainActor () -> Void) { self.action = action }
    public func callAsFunction() { action() }
}

@preconcurrency @MainActor
public struct PresentationMode {
    public let isPresented: Bool
    let dismissAction: DismissAction
    nonisolated init(isPresented: Bool, dismissAction: DismissAction) {
        (self.isPresented, self.dismissAction) = (isPresented, dismissAction)
    }
    public mutating func dismiss() { dismissAction() }
}

/// Opens a URL, as the extension's context does if nothing else is said.
@preconcurrency @MainActor
public struct OpenURLAction {
    public struct Result: Sendable {
        enum Kind {
            case handled, discarded
            case system(URL?)
        }
        let kind: Kind
        public static let handled = Result(kind: .handled)
        public static let discarded = Result(kind: .discarded)
        public static let systemAction = Result(kind: .system(nil))
        public static func systemAction(_ url: URL) -> Result { Result(kind: .system(url)) }
    }

    private let handler: @MainActor (URL) -> Result
    private weak var controller: UIViewController?

    public nonisolated init(handler: @escaping @MainActor (URL) -> Result) { self.handler = handler }
    init(_ controller: UIViewController?) {
        handler = { _ in .systemAction }
        self.controller = controller
    }

    public func callAsFunction(_ url: URL) { callAsFunction(url) { _ in } }
    public func callAsFunction(_ url: URL, completion: @escaping (Bool) -> Void) {
        switch handler(url).kind {
        case .handled: completion(true)
        case .discarded: completion(false)
        case .system(let other):
            guard let context = controller?.extensionContext else { return completion(false) }
            context.open(other ?? url, completionHandler: completion)
        }
    }
}
