// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
public import UIKit

/// A controller that shows a view of SwiftUI.
@preconcurrency @MainActor
open class UIHostingController<Content: View>: UIViewController {
    // Tasks of its views may ask the graph for an update after the controller has gone.
    private lazy var graph = ViewGraph(
        { [weak self] in self?.rootView.views(in: $0.child(0, Content.self)) ?? [] },
        show: { [weak self] in self?.show($0) }
    )

    public var rootView: Content { didSet { graph.invalidate() } }
    open var sizingOptions: UIHostingControllerSizingOptions = []
    public var safeAreaRegions = SafeAreaRegions.all

    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }
    public init?(coder aDecoder: NSCoder, rootView: Content) {
        self.rootView = rootView
        super.init(coder: aDecoder)
    }
    public required init?(coder aDecoder: NSCoder) {
        fatalError("init(coder:) must be implemented in a subclass and call super.init(coder:, rootView:)")
    }

    open override func loadView() {
        view = UIView(frame: CGRect(origin: .zero, size: Self.initialSize))
        graph.controller = self
        graph.invalidate()
    }

    open func sizeThatFits(in size: CGSize) -> CGSize {
        loadViewIfNeeded()
        graph.updateIfNeeded()
        let fitting = FittingSize.size(of: view, width: size.width)
        return CGSize(width: min(fitting.width, size.width), height: min(fitting.height, size.height))
    }

    open override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        graph.remove()
    }

    private func show(_ views: [UIView]) {
        for old in view.subviews { old.removeFromSuperview() }
        view.addSubview(UIView.stack(views, axis: .vertical))
        if sizingOptions.contains(.preferredContentSize) {
            preferredContentSize = FittingSize.size(of: view, width: view.bounds.width)
        }
    }
}

public struct UIHostingControllerSizingOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let preferredContentSize = UIHostingControllerSizingOptions(rawValue: 1)
    public static let intrinsicContentSize = UIHostingControllerSizingOptions(rawValue: 2)
}

public struct SafeAreaRegions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let container = SafeAreaRegions(rawValue: 1)
    public static let keyboard = SafeAreaRegions(rawValue: 2)
    public static let all = SafeAreaRegions(rawValue: .max)
}

/// An estimate of the space that views take, since nothing is laid out.
@MainActor
enum FittingSize {
    private static let spacing: CGFloat = 8
    private static let control = CGSize(width: 60, height: 34)

    static func size(of view: UIView, width: CGFloat) -> CGSize {
        guard !view.isHidden else { return .zero }
        if view is UILabel || view is UIImageView { return view.sizeThatFits(CGSize(width: width, height: 0)) }
        let inner = view.subviews.map { size(of: $0, width: width) }.filter { $0 != .zero }
        let isRow = (view as? UIStackView)?.axis == .horizontal
        let (widths, heights) = (inner.map(\.width), inner.map(\.height))
        let gaps = spacing * CGFloat(max(0, inner.count - 1))
        let content = CGSize(
            width: isRow ? widths.reduce(gaps, +) : widths.max() ?? 0,
            height: isRow ? heights.max() ?? 0 : heights.reduce(gaps, +)
        )
        guard view is UIControl else { return content }
        return CGSize(width: max(content.width, control.width), height: max(content.height, control.height))
    }
}
