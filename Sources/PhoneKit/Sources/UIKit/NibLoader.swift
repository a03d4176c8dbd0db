import Foundation
import PhoneRuntime

/// Makes the objects of a scene or of a xib, and connects them.
@MainActor
final class NibLoader {
    private let file: NibFile
    private let owner: AnyObject?
    private var objects: [String: AnyObject] = [:]
    private var connections: [(source: AnyObject, element: NibElement)] = []
    private var collections: [(source: AnyObject, name: String, views: [AnyObject])] = []
    private var views: [UIView] = []
    /// The views of a scene beside that of its controller.
    private var topViews: [UIView] = []

    init(_ file: NibFile, owner: AnyObject?) { (self.file, self.owner) = (file, owner) }

    // MARK: Scenes and xibs

    /// The controller of a scene; its view is made when it is needed.
    func controller(_ element: NibElement, storyboard: UIStoryboard) -> UIViewController {
        let controller =
            Self.make(element["customClass"], UIViewController.self)
            ?? Self.controllers[element.name, default: UIViewController.self].init(coder: NibCoder())
        guard let controller else {
            fatalError("init(coder:) of \(element["customClass"] ?? element.name) returned nil")
        }
        controller.storyboard = storyboard
        if let title = element["title"] { controller.title = title }
        if let size = element.value("freeformSize"), let width = size.number("width"),
            let height = size.number("height")
        {
            controller.preferredContentSize = CGSize(width: width, height: height)
        }
        if element.value("view") != nil {
            controller.storyboardView = { [file] controller in
                NibLoader(file, owner: controller).view(of: controller, element)
            }
        }
        controller.awakeFromNib()
        return controller
    }

    /// Makes the view of a controller's scene, with the gestures beside it, and connects everything.
    private func view(of controller: UIViewController, _ element: NibElement) -> UIView {
        objects[element["id"] ?? ""] = controller
        // Its outlets may name the view, which must not be loaded a second time.
        let root = element.value("view").flatMap { makeView($0) } ?? UIView(frame: .zero)
        root.frame.size = UIViewController.initialSize
        controller.view = root
        // Gestures, and views that stand beside the controller, such as one for above the keyboard.
        for sibling in element.parent?.children ?? [] where sibling !== element && sibling.name != "placeholder" {
            if sibling.name.hasSuffix("GestureRecognizer") {
                makeGesture(sibling)
            } else if Self.classes[sibling.name] != nil {
                _ = makeView(sibling).map { topViews.append($0) }
            }
        }
        addConnections(of: element, controller)
        connect()
        controller.topViews = topViews
        return root
    }

    /// The top objects of a xib.
    func topObjects() -> [AnyObject] {
        guard let container = file.root.child("objects") else { return [] }
        var top: [AnyObject] = []
        for element in container.children {
            if element.name == "placeholder" {
                guard element["placeholderIdentifier"] == "IBFilesOwner", let owner else { continue }
                objects[element["id"] ?? ""] = owner
                addConnections(of: element, owner)
            } else if element.name.hasSuffix("GestureRecognizer") {
                makeGesture(element)
            } else if let view = makeView(element) {
                top.append(view)
            }
        }
        connect()
        return top
    }

    /// A cell of a prototype.
    func prototype(_ element: NibElement) -> UIView? {
        let cell = makeView(element)
        connect()
        return cell
    }

    // MARK: Views

    /// An object of the extension's own class, which the rewriter registered.
    private static func make<Object>(_ name: String?, _ base: Object.Type) -> Object? {
        guard let name else { return nil }
        guard let type = PhoneObject.type(named: name) else {
            let text = "Unknown class \(name) in Interface Builder file: is its source a part of the target?"
            CurrentPresentation.addDiagnostic(reason: "unknownClass", text)
            return nil
        }
        if let type = type as? UIView.Type { return type.init(coder: NibCoder()) as? Object }
        return (type as? UIViewController.Type)?.init(coder: NibCoder()) as? Object
    }

    private static let controllers: [String: UIViewController.Type] = [
        "tableViewController": UITableViewController.self, "collectionViewController": UICollectionViewController.self,
        "pageViewController": UIPageViewController.self, "navigationController": UINavigationController.self,
    ]

    /// The class of an element; MapKit's is found by its symbol if the extension links it.
    private static func viewType(of element: String) -> UIView.Type? {
        classes[element] ?? (element == "mapView" ? _typeByName("6MapKit9MKMapViewC") as? UIView.Type : nil)
    }

    private static let classes: [String: UIView.Type] = [
        "view": UIView.self, "label": UILabel.self, "imageView": UIImageView.self, "button": UIButton.self,
        "stackView": UIStackView.self, "textField": UITextField.self, "textView": UITextView.self,
        "tableView": UITableView.self, "collectionView": UICollectionView.self, "scrollView": UIScrollView.self,
        "switch": UISwitch.self, "slider": UISlider.self, "progressView": UIProgressView.self,
        "activityIndicatorView": UIActivityIndicatorView.self, "segmentedControl": UISegmentedControl.self,
        "pageControl": UIPageControl.self, "stepper": UIStepper.self, "datePicker": UIDatePicker.self,
        "visualEffectView": UIVisualEffectView.self, "tableViewCell": UITableViewCell.self,
        "collectionViewCell": UICollectionViewCell.self, "collectionReusableView": UICollectionReusableView.self,
        "containerView": UIView.self, "control": UIControl.self, "toolbar": UIToolbar.self,
        "pickerView": UIPickerView.self, "webView": UIWebView.self, "searchBar": UISearchBar.self,
    ]

    private func makeView(_ element: NibElement) -> UIView? {
        guard
            let made = Self.make(element["customClass"], UIView.self)
                ?? Self.viewType(of: element.name)?.init(coder: NibCoder())
        else {
            guard Self.viewType(of: element.name) == nil else { return nil }
            let text = "an element \(element.name) of the storyboard is not known here and is left out"
            CurrentPresentation.addDiagnostic(reason: "unknownElement", text)
            return nil
        }
        if let id = element["id"] { objects[id] = made }
        views.append(made)
        NibProperties(element, file).apply(to: made)
        addSubviews(of: element, to: made)
        for guide in element.all("viewLayoutGuide") where guide.parent === element {
            objects[guide["id"] ?? ""] =
                guide["key"] == "safeArea" ? made.safeAreaLayoutGuide : made.layoutMarginsGuide
        }
        addConstraints(of: element, to: made)
        addConnections(of: element, made)
        return made
    }

    private func addSubviews(of element: NibElement, to view: UIView) {
        switch view {
        case let cell as UITableViewCell: fill(cell.contentView, of: element)
        case let cell as UICollectionViewCell: fill(cell.contentView, of: element)
        case let effect as UIVisualEffectView: fill(effect.contentView, of: element)
        case let table as UITableView: addPrototypes(of: element, to: table)
        case let collection as UICollectionView: addPrototypes(of: element, to: collection)
        default: break
        }
        for child in element.child("subviews")?.children ?? [] {
            guard let subview = makeView(child) else { continue }
            if let stack = view as? UIStackView { stack.addArrangedSubview(subview) } else { view.addSubview(subview) }
        }
    }

    /// Fills the content view, which a cell has made already.
    private func fill(_ content: UIView, of element: NibElement) {
        guard let inner = element.value("contentView") else { return }
        if let id = inner["id"] { objects[id] = content }
        NibProperties(inner, file).apply(to: content)
        for child in inner.child("subviews")?.children ?? [] {
            if let subview = makeView(child) { content.addSubview(subview) }
        }
        addConstraints(of: inner, to: content)
    }

    private func addPrototypes(of element: NibElement, to table: UITableView) {
        if let header = element.value("tableHeaderView") { table.tableHeaderView = makeView(header) }
        if let footer = element.value("tableFooterView") { table.tableFooterView = makeView(footer) }
        if let sections = element.child("sections") {
            table.staticSections = sections.children.map { section in
                UITableView.StaticSection(
                    header: section["headerTitle"],
                    footer: section["footerTitle"],
                    cells: (section.child("cells")?.children ?? []).compactMap { makeView($0) as? UITableViewCell }
                )
            }
        }
        for cell in element.child("prototypes")?.children ?? [] {
            guard let identifier = cell["reuseIdentifier"] else { continue }
            table.register(
                prototype: { [file] in NibLoader(file, owner: nil).prototype(cell) as? UITableViewCell },
                identifier
            )
        }
    }

    private func addPrototypes(of element: NibElement, to collection: UICollectionView) {
        if let layout = element.value("collectionViewLayout") {
            collection.collectionViewLayout = NibProperties.layout(layout)
        }
        for cell in element.child("cells")?.children ?? [] {
            guard let identifier = cell["reuseIdentifier"] else { continue }
            collection.register(
                prototype: { [file] in NibLoader(file, owner: nil).prototype(cell) as? UICollectionViewCell },
                identifier
            )
        }
    }

    // MARK: Constraints and gestures

    private var constraintElements: [(NibElement, UIView)] = []

    private func addConstraints(of element: NibElement, to view: UIView) {
        constraintElements += (element.child("constraints")?.children ?? []).map { ($0, view) }
    }

    private func makeConstraint(_ element: NibElement, in view: UIView) {
        guard let first = element["firstItem"].map({ objects[$0] }) ?? view,
            let attribute = NibProperties.attribute(element["firstAttribute"])
        else { return }
        let constraint = NSLayoutConstraint(
            item: first,
            attribute: attribute,
            relatedBy: NibProperties.relation(element["relation"]),
            toItem: element["secondItem"].flatMap { objects[$0] },
            attribute: NibProperties.attribute(element["secondAttribute"]) ?? .notAnAttribute,
            multiplier: element.number("multiplier") ?? 1,
            constant: element.number("constant") ?? 0
        )
        constraint.identifier = element["identifier"]
        if let priority = element.number("priority") { constraint.priority = UILayoutPriority(Float(priority)) }
        constraint.isActive = true
        if let id = element["id"] { objects[id] = constraint }
    }

    private func makeGesture(_ element: NibElement) {
        let gesture: UIGestureRecognizer
        switch element.name {
        case "tapGestureRecognizer": gesture = UITapGestureRecognizer()
        case "longPressGestureRecognizer": gesture = UILongPressGestureRecognizer()
        case "swipeGestureRecognizer":
            let swipe = UISwipeGestureRecognizer()
            swipe.direction = element["direction"].flatMap(UISwipeGestureRecognizer.Direction.init(word:)) ?? .right
            gesture = swipe
        default: gesture = UIPanGestureRecognizer()
        }
        if let id = element["id"] { objects[id] = gesture }
        addConnections(of: element, gesture)
    }

    // MARK: Connections

    private func addConnections(of element: NibElement, _ source: AnyObject) {
        connections += (element.child("connections")?.children ?? []).map { (source, $0) }
    }

    private func connect() {
        for (element, view) in constraintElements { makeConstraint(element, in: view) }
        for (source, element) in connections {
            guard let id = element["destination"], let destination = objects[id] ?? owner(id) else {
                if element.name == "segue" { embed(element, source) }
                continue
            }
            switch element.name {
            case "outlet": setOutlet(element["property"] ?? "", of: source, destination)
            case "outletCollection": collect(element["property"] ?? "", of: source, destination)
            case "action": addAction(element, source, destination)
            default: break
            }
        }
        for (source, name, views) in collections where !PhoneObject.setOutlet(name, of: source, to: views) {
            report(name, source)
        }
        for view in views { view.awakeFromNib() }
    }

    /// An action without a destination goes to the first responder that has it.
    private func owner(_ id: String) -> AnyObject? { id == "-1" ? owner : nil }

    private func setOutlet(_ name: String, of source: AnyObject, _ value: AnyObject) {
        guard !PhoneObject.setOutlet(name, of: source, to: value) else { return }
        switch (name, source) {
        case ("view", let controller as UIViewController):
            if let view = value as? UIView, controller.viewIfLoaded !== view { controller.view = view }
        case ("delegate", let bar as UISearchBar): bar.delegate = value as? any UISearchBarDelegate
        case ("delegate", let field as UITextField): field.delegate = value as? any UITextFieldDelegate
        case ("delegate", let scroll as UIScrollView): scroll.delegate = value as? any UIScrollViewDelegate
        case ("delegate", let gesture as UIGestureRecognizer):
            gesture.delegate = value as? any UIGestureRecognizerDelegate
        case ("dataSource", let table as UITableView): table.dataSource = value as? any UITableViewDataSource
        case ("dataSource", let collection as UICollectionView):
            collection.dataSource = value as? any UICollectionViewDataSource
        case ("textLabel", _), ("detailTextLabel", _), ("imageView", _): break
        default: report(name, source)
        }
    }

    private func report(_ name: String, _ source: AnyObject) {
        let text =
            "\(type(of: source)) has no outlet \(name) of the type that the storyboard connects; on a phone this class is "
            + "not key value coding-compliant for the key and the process ends"
        CurrentPresentation.addDiagnostic(reason: "unknownOutlet", text)
    }

    private func collect(_ name: String, of source: AnyObject, _ value: AnyObject) {
        if name == "gestureRecognizers", let view = source as? UIView, let gesture = value as? UIGestureRecognizer {
            return view.addGestureRecognizer(gesture)
        }
        if let index = collections.firstIndex(where: { $0.source === source && $0.name == name }) {
            collections[index].views.append(value)
        } else {
            collections.append((source, name, [value]))
        }
    }

    private func addAction(_ element: NibElement, _ source: AnyObject, _ destination: AnyObject) {
        let selector = Selector(element["selector"] ?? "")
        if let gesture = source as? UIGestureRecognizer { return gesture.addTarget(destination, action: selector) }
        guard let control = source as? UIControl else { return }
        control.addTarget(destination, action: selector, for: NibProperties.event(element["eventType"]))
    }

    /// A container shows the controller of another scene.
    private func embed(_ segue: NibElement, _ source: AnyObject) {
        guard segue["kind"] == "embed", let container = source as? UIView, let id = segue["destination"],
            let owner = owner as? UIViewController, let storyboard = owner.storyboard,
            let child = storyboard.controller(objectID: id)
        else { return }
        let step = UIStoryboardSegue(identifier: segue["identifier"], source: owner, destination: child)
        owner.prepare(for: step, sender: nil)
        owner.addChild(child)
        container.addSubview(child.view)
        child.didMove(toParent: owner)
    }
}
