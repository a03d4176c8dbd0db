import Foundation
package import JSON
import PhoneRuntime

/// Draws a tree of views as nodes: only what can be seen, and with an id whatever reacts to a touch.
///
/// An id is the `accessibilityIdentifier`, or else the name of the property or outlet that holds the view, or else the
/// kind of the view with its number, such as `button-2`. So an id does not depend on what else is shown as long as the
/// view has a name.
@MainActor
package final class Drawing {
    /// What a touch of each element does, with the value that came along.
    package var targets: [String: @MainActor (JSON?) -> Void] = [:]
    /// Whether a view with pages is drawn, so that the dots beside it are left out.
    private(set) var showsPages = false

    private var names: [ObjectIdentifier: String] = [:]
    /// What the names of a view's own properties begin with, if it is one of several: a cell, or an element of a list.
    private var prefixes: [ObjectIdentifier: String] = [:]
    private var given: [ObjectIdentifier: String] = [:]
    private var used: Set<String> = []
    /// The views that were drawn, such as headers that are made for it: another one at the same place in memory must
    /// not get the id of one that is gone.
    private var drawn: [UIView] = []
    private var counts: [String: Int] = [:]

    private init() {}

    /// Draws what a controller shows.
    package static func draw(_ controller: UIViewController) -> (view: JSON, drawing: Drawing) {
        let drawing = Drawing()
        let nodes = ViewChanges.drawing {
            // As on a phone, where layout comes before drawing; what it changes is drawn now.
            controller.viewIfLoaded?.layoutIfNeeded()
            return drawing.nodes(of: controller)
        }
        let root = nodes.count == 1 && (nodes[0].children != nil) ? nodes[0] : Node("stack", children: nodes)
        return (root.json, drawing)
    }

    private func nodes(of controller: UIViewController) -> [Node] {
        readNames(of: controller)
        if let presented = controller.presentedViewController {
            guard let alert = presented as? UIAlertController else { return nodes(of: presented) }
            let below = controller.viewIfLoaded.flatMap { node(of: $0) }
            return [below, alert.node(self)].compactMap { $0 }
        }
        var views = [controller.viewIfLoaded].compactMap { $0 }
        // What a phone shows in place of its keyboard and above it.
        if let first = UIResponder.first, first.isPart(of: controller) {
            views += [first.inputAccessoryView, first.inputView].compactMap { $0 }
        }
        showsPages = views.contains { hasPages($0) }
        return views.compactMap { node(of: $0) }
    }

    private func hasPages(_ view: UIView) -> Bool {
        guard isVisible(view) else { return false }
        if let scroll = view as? UIScrollView, scroll.isPagingEnabled { return true }
        if let collection = view as? UICollectionView, collection.collectionViewLayout.turnsByPages { return true }
        return view.drawnSubviews.contains { hasPages($0) }
    }

    // MARK: Names

    /// Reads the names of the properties that hold views.
    private func readNames(of object: AnyObject, prefix: String = "") {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror, !String(reflecting: current.subjectType).hasPrefix("UIKit.") {
            for (label, value) in current.children {
                guard let label else { continue }
                read(prefix + Self.propertyName(label), value)
            }
            mirror = current.superclassMirror
        }
    }

    /// The name of a property without what the compiler adds for a lazy or a wrapped one.
    private static func propertyName(_ label: String) -> String {
        let lazy = "$__lazy_storage_$_"
        let name = label.hasPrefix(lazy) ? label.dropFirst(lazy.count) : label[...]
        return String(name.drop { $0 == "_" })
    }

    private func read(_ name: String, _ value: Any) {
        if let view = value as? UIView { return setName(name, view) }
        if let views = value as? [UIView] {
            for (index, view) in views.enumerated() {
                prefixes[ObjectIdentifier(view)] = prefixes[ObjectIdentifier(view)] ?? "\(name)-\(index + 1)-"
                setName("\(name)-\(index + 1)", view)
            }
        } else if let child = value as? UIViewController, child.parent != nil, names[ObjectIdentifier(child)] == nil {
            names[ObjectIdentifier(child)] = name
            readNames(of: child)
        }
    }

    private func setName(_ name: String, _ view: UIView) {
        guard names[ObjectIdentifier(view)] == nil else { return }
        names[ObjectIdentifier(view)] = name
        if Self.isCustom(view) { readNames(of: view, prefix: prefixes[ObjectIdentifier(view)] ?? "") }
    }

    /// Whether the class of a view is the extension's own.
    static func isCustom(_ view: UIView) -> Bool { !String(reflecting: type(of: view)).hasPrefix("UIKit.") }

    /// The id of a view that has a name.
    func name(of view: UIView) -> String? {
        if let known = given[ObjectIdentifier(view)] { return known }
        guard let name = view.accessibilityIdentifier ?? names[ObjectIdentifier(view)], !name.isEmpty else {
            return nil
        }
        let id = unused(name)
        given[ObjectIdentifier(view)] = id
        return id
    }

    /// The id of a view that reacts to touches.
    func id(of view: UIView, _ kind: String) -> String {
        if let name = name(of: view) { return name }
        counts[kind, default: 0] += 1
        let id = unused("\(kind)-\(counts[kind, default: 0])")
        given[ObjectIdentifier(view)] = id
        return id
    }

    /// The id, or one like it if another node has it.
    func unused(_ id: String) -> String {
        var (candidate, number) = (id, 1)
        while !used.insert(candidate).inserted {
            number += 1
            candidate = "\(id)-\(number)"
        }
        return candidate
    }

    // MARK: Nodes

    func isVisible(_ view: UIView) -> Bool { !view.isHidden && view.alpha > 0.01 }

    /// The node of a view; nil if it cannot be seen.
    func node(of view: UIView) -> Node? {
        guard isVisible(view) else { return nil }
        drawn.append(view)
        // The names of a view's own properties, such as those of a cell.
        if Self.isCustom(view), view.controller == nil {
            readNames(of: view, prefix: prefixes[ObjectIdentifier(view)] ?? "")
        }
        if let controller = view.controller { readNames(of: controller) }
        return view.node(self).map { backed($0, view) }
    }

    /// A node with the background of its view.
    private func backed(_ node: Node, _ view: UIView) -> Node {
        let look = Node.look(color: nil, background: view.backgroundColor)
        // A button has its own, which its configuration may replace.
        guard !look.isEmpty, !(view is UIButton) else { return node }
        var node = node
        let isOwnButton = node.type == "button" && node.id == given[ObjectIdentifier(view)]
        if isOwnButton || ["stack", "row", "grid", "carousel"].contains(node.type) {
            if !node.members.contains(where: { $0.0 == "background" }) { node.members += look }
            return node
        }
        let isOneNode = view is UIControl || view is UIImageView || view is UIProgressView || view is UITextView
        return isOneNode ? node : Node("stack", look, children: [node])
    }

    /// The nodes of views that no stack arranges.
    func nodes(of views: [UIView], in container: UIView) -> [Node] {
        LayoutOrder.rows(of: views.filter(isVisible), in: container).compactMap { row in
            list(row.compactMap { node(of: $0) }, isRow: true)
        }
    }

    /// A view that only holds others.
    func container(_ view: UIView) -> Node? {
        var own = view.layer.shownNodes + [(view as? any SelfDrawing)?.shownNode].compactMap { $0 }
        if let alt = view.accessibilityLabel {
            for index in own.indices where own[index].type != "text" {
                own[index].members.append(("alt", .string(alt)))
            }
        }
        return touchable(list(own + nodes(of: view.drawnSubviews, in: view), isRow: false), of: view)
    }

    /// Nodes below or beside each other; one node needs no list.
    func list(_ nodes: [Node], isRow: Bool) -> Node? {
        guard nodes.count != 1 else { return nodes[0] }
        guard !nodes.isEmpty else { return nil }
        // A stack in a stack says nothing without an id and a background.
        let type = isRow ? "row" : "stack"
        let flat = nodes.flatMap { $0.type == type && $0.id == nil && $0.members.isEmpty ? $0.children ?? [] : [$0] }
        return Node(type, children: flat)
    }

    /// A node and what lies upon it.
    func joined(_ node: Node?, _ others: [Node]) -> Node? { list([node].compactMap { $0 } + others, isRow: false) }

    func text(
        _ text: String,
        of view: UIView,
        _ font: UIFont?,
        _ alignment: NSTextAlignment,
        _ look: [(String, JSON)] = []
    ) -> Node? {
        var members: [(String, JSON)] = [("text", .string(text))]
        if let role = font?.role { members.append(("style", .string(role))) }
        if alignment == .center { members.append(("alignment", "center")) }
        if alignment == .right { members.append(("alignment", "end")) }
        return touchable(Node("text", id: name(of: view), members + look), of: view)
    }

    func image(_ image: UIImage, of view: UIView?) -> Node? {
        if let symbol = image.symbolText {
            let text = view?.accessibilityLabel ?? image.accessibilityLabel ?? symbol
            let look = Node.look(color: view?.ownTint)
            let node = Node("text", id: view.flatMap { name(of: $0) }, [("text", .string(text))] + look)
            return view.map { touchable(node, of: $0) } ?? node
        }
        guard let url = ImageURL.text(for: image) else { return nil }
        var members: [(String, JSON)] = [("url", .string(url))]
        if let alt = view?.accessibilityLabel ?? image.accessibilityLabel ?? image.name {
            members.append(("alt", .string(alt)))
        }
        let node = Node("image", id: view.flatMap { name(of: $0) }, members)
        return view.map { touchable(node, of: $0) } ?? node
    }

    func button(
        _ title: String,
        id: String,
        isEnabled: Bool = true,
        isSelected: Bool = false,
        _ look: [(String, JSON)] = []
    ) -> Node {
        var members: [(String, JSON)] = [("title", .string(title))]
        if !isEnabled { members.append(("enabled", false)) }
        if isSelected { members.append(("selected", true)) }
        return Node("button", id: id, members + look)
    }

    func field(id: String, value: String, placeholder: String, isEnabled: Bool) -> Node {
        var members: [(String, JSON)] = [("value", .string(value)), ("placeholder", .string(placeholder))]
        if !isEnabled { members.append(("enabled", false)) }
        return Node("field", id: id, members)
    }

    /// A row of a table or an item of a collection, which a touch selects.
    func cell(_ cell: UIView, id: String?, select: @escaping @MainActor () -> Void) -> Node? {
        guard let wanted = id else { return node(of: cell) }
        // The cell's own name is the one that the list gives it.
        let id = unused(wanted)
        given[ObjectIdentifier(cell)] = id
        prefixes[ObjectIdentifier(cell)] = id + "-"
        guard let node = node(of: cell) else { return nil }
        return reacting(node, id: id, cell) { _ in select() }
    }

    /// The texts of views, for a button whose title is in labels upon it.
    func texts(of views: [UIView], in container: UIView) -> String? {
        let texts = nodes(of: views, in: container).flatMap(\.texts)
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    // MARK: Touches

    /// Lets a touch of the view do something, unless the view or one that it lies in takes no touches then.
    func react(_ id: String, _ view: UIView, _ action: @escaping @MainActor (JSON?) -> Void) {
        targets[id] = { [weak view] value in
            guard let view, view.isReachable else { return }
            action(value)
        }
    }

    /// The node of a view with an id, if a touch of the view does anything.
    func touchable(_ node: Node?, of view: UIView) -> Node? {
        guard let node, view.isUserInteractionEnabled else { return node }
        let recognizers = (view.gestureRecognizers ?? []).filter(\.isEnabled)
        let isControl = view is UIControl
        // A view of the extension's own class may handle touches itself, so it has an id if it has a name.
        let isNamed = Self.isCustom(view) && view.controller == nil && names[ObjectIdentifier(view)] != nil
        guard !recognizers.isEmpty || isControl || isNamed else { return node }
        let id = id(of: view, "view")
        guard !recognizers.isEmpty || isControl || node.isList else { return node }
        return reacting(node, id: id, view) { [unowned view] value in view.touch(value) }
    }

    private func reacting(
        _ node: Node,
        id: String,
        _ view: UIView,
        _ action: @escaping @MainActor (JSON?) -> Void
    ) -> Node {
        react(id, view, action)
        var node = node
        let parts = [node] + (node.children ?? [])
        if parts.count == 1 || parts.count == 2 && node.id == nil, parts.last?.type == "text" {
            // Labels take no touches, so that one that does is shown as a button, with the background around it.
            let look = parts.flatMap(\.members).filter { ["color", "bold", "background"].contains($0.0) }
            return button(node.texts.joined(separator: ", "), id: id, look)
        }
        switch node.type {
        case "stack", "row", "image", "grid", "media", "map":
            guard let old = node.id, old != id, targets[old] != nil else {
                node.id = id
                return node
            }
            // What is in it keeps its own id.
            return Node("stack", id: id, children: [node])
        default:
            return node.id == id ? node : Node("stack", id: id, children: [node])
        }
    }
}

extension UIView {
    /// Whether a finger reaches the view: it and all views that it lies in are shown and take touches.
    var isReachable: Bool {
        guard isUserInteractionEnabled, !isHidden, alpha > 0.01 else { return false }
        return superview?.isReachable ?? true
    }

    /// What a finger on the view does: gestures first, then the view's own handling of touches.
    func touch(_ value: JSON?) {
        let recognizers = gestureRecognizers ?? []
        if let direction = value?.string.flatMap(UISwipeGestureRecognizer.Direction.init(word:)) {
            for case let swipe as UISwipeGestureRecognizer in recognizers where swipe.direction.contains(direction) {
                _ = swipe.recognize()
            }
            for case let pan as UIPanGestureRecognizer in recognizers { pan.drag(direction) }
            return
        }
        // A finger that stays on the view is no tap.
        let isHeld = value?.string == "hold" || !recognizers.contains { $0 is UITapGestureRecognizer }
        let kind = isHeld ? UILongPressGestureRecognizer.self : UITapGestureRecognizer.self as UIGestureRecognizer.Type
        let tapped = recognizers.filter { $0.isTap && $0.isKind(of: kind) }.map { $0.recognize() }.contains(true)
        guard !tapped || recognizers.allSatisfy({ !$0.cancelsTouchesInView }) else { return }
        let touch = UITouch(self)
        let event = UIEvent([touch])
        touchesBegan([touch], with: event)
        touch.phase = .ended
        touchesEnded([touch], with: event)
        guard let control = self as? UIControl, control.takesTouches else { return }
        control.sendActions(for: .touchDown)
        control.sendActions(for: [.touchUpInside, .primaryActionTriggered])
    }
}

extension UIResponder {
    /// Whether the responder is the controller, or a view that it shows.
    fileprivate func isPart(of controller: UIViewController) -> Bool {
        if self === controller { return true }
        guard let view = self as? UIView, let root = controller.viewIfLoaded else { return false }
        return view.isDescendant(of: root)
    }
}
