import AVFoundation
import Foundation
import JSON
import MapKit
import PhoneRuntime
import Testing
import UIKit

/// What a tree of views becomes.
@MainActor
struct DrawingTests {
    private let controller = UIViewController()

    private var view: JSON { Drawing.draw(controller).view }

    private func touch(_ element: String, _ value: JSON? = nil) {
        Drawing.draw(controller).drawing.targets[element]?(value)
    }

    private func label(_ text: String) -> UILabel {
        let label = UILabel()
        label.text = text
        return label
    }

    @Test("Only what can be seen is drawn, and lists of one are left out")
    func visible() {
        let hidden = label("hidden")
        hidden.isHidden = true
        let transparent = label("transparent")
        transparent.alpha = 0
        let inner = UIView()
        inner.addSubview(label("inner"))
        for view in [hidden, transparent, label(""), UIView(), inner, label("last")] {
            controller.view.addSubview(view)
        }
        #expect(
            view == [
                "type": "stack", "children": [["type": "text", "text": "inner"], ["type": "text", "text": "last"]],
            ]
        )
    }

    @Test("Views without a stack are ordered by their constraints, and views beside each other are a row")
    func constraints() {
        let (footer, title, icon, body) = (label("footer"), label("title"), label("icon"), label("body"))
        for view in [footer, body, title, icon] { controller.view.addSubview(view) }
        NSLayoutConstraint.activate([
            icon.topAnchor.constraint(equalTo: controller.view.topAnchor),
            title.leadingAnchor.constraint(equalTo: icon.trailingAnchor, constant: 8),
            body.topAnchor.constraint(equalTo: title.bottomAnchor),
            footer.topAnchor.constraint(greaterThanOrEqualTo: body.bottomAnchor),
            footer.bottomAnchor.constraint(equalTo: controller.view.bottomAnchor),
        ])
        #expect(view["children"]?[0]?["type"] == "row")
        #expect(view.texts == ["icon", "title", "body", "footer"])
    }

    @Test("Views without a stack and constraints are ordered by their frames")
    func frames() {
        for (text, x, y) in [("c", 0, 50), ("b", 100, 2), ("a", 0, 0)] {
            let label = label(text)
            label.frame = CGRect(x: x, y: y, width: 80, height: 20)
            controller.view.addSubview(label)
        }
        #expect(view.texts == ["a", "b", "c"])
        #expect(view["children"]?[0]?["type"] == "row")
    }

    @Test("A label that is tapped is a button; a locked view takes no touches")
    func gestures() {
        var count = 0
        let target = Target { count += 1 }
        let label = label("Tap me")
        label.isUserInteractionEnabled = true
        label.accessibilityIdentifier = "tappable"
        label.addGestureRecognizer(UITapGestureRecognizer(target: target, action: "call"))
        controller.view.addSubview(label)
        #expect(view.node("tappable") == ["type": "button", "id": "tappable", "title": "Tap me"])
        touch("tappable")
        #expect(count == 1)
        controller.view.isUserInteractionEnabled = false
        touch("tappable")
        #expect(count == 1)
    }

    /// The members of the look of the only text or button that is shown.
    private func look(_ view: UIView) -> JSON? {
        for old in controller.view.subviews { old.removeFromSuperview() }
        controller.view.addSubview(view)
        let names = ["color", "bold", "background"]
        return self.view["children"]?[0].map { node in
            JSON.object(JSON.Object(names.compactMap { name in node[name].map { (name, $0) } }))
        }
    }

    @Test("Labels show their colour and weight, unless these are the system's or only those of a part")
    func labels() {
        let label = label("Hello")
        #expect(look(label) == [:])
        label.textColor = .systemRed
        label.font = .systemFont(ofSize: 15, weight: .semibold)
        #expect(look(label) == ["color": ["light": "#ff3b30", "dark": "#ff453a"], "bold": true])
        label.textColor = .secondaryLabel
        label.font = .systemFont(ofSize: 15, weight: .medium)
        #expect(look(label) == ["color": ["light": "#8a8a8e", "dark": "#8d8d93"]])
        label.font = UIFont(descriptor: label.font.fontDescriptor.withSymbolicTraits(.traitBold)!, size: 0)
        label.textColor = .label
        #expect(look(label) == ["bold": true])
        let font = UIFont.boldSystemFont(ofSize: 15)
        let text = NSMutableAttributedString(string: "Hello", attributes: [.font: font, .foregroundColor: UIColor.red])
        label.attributedText = text
        #expect(look(label) == ["color": "#ff0000", "bold": true])
        text.append(NSAttributedString(string: " Ada"))
        label.attributedText = text
        #expect(look(label) == [:])
        label.textColor = .blue
        #expect(look(label) == ["color": "#0000ff"])
    }

    @Test("Buttons show the colours of their state or configuration")
    func buttons() {
        let button = UIButton()
        button.setTitle("Go", for: .normal)
        #expect(look(button) == [:])
        button.tintColor = .systemGreen
        #expect(look(button) == ["color": ["light": "#34c759", "dark": "#30d158"]])
        button.setTitleColor(.white, for: .normal)
        button.backgroundColor = .black
        button.titleLabel?.font = .boldSystemFont(ofSize: 17)
        #expect(look(button) == ["color": "#ffffff", "bold": true, "background": "#000000"])
        button.backgroundColor = nil
        button.configuration = .filled()
        #expect(look(button) == ["color": "#ffffff", "background": ["light": "#34c759", "dark": "#30d158"]])
        button.configuration?.baseBackgroundColor = .yellow
        button.configuration?.baseForegroundColor = .brown
        #expect(look(button) == ["color": "#996633", "background": "#ffff00"])
        button.configuration = .plain()
        button.tintColor = .systemBlue
        #expect(look(button) == [:])
    }

    @Test("Containers show a background that is not the system's, also around a single view")
    func backgrounds() {
        controller.view.addSubview(label("inner"))
        for color: UIColor? in [nil, .clear, .systemBackground] {
            controller.view.backgroundColor = color
            #expect(view == ["type": "stack", "children": [["type": "text", "text": "inner"]]])
        }
        controller.view.backgroundColor = .secondarySystemBackground
        let shade: JSON = ["light": "#f2f2f7", "dark": "#1c1c1e"]
        #expect(view == ["type": "stack", "background": shade, "children": [["type": "text", "text": "inner"]]])
        let stack = UIStackView(arrangedSubviews: [label("a"), label("b")])
        stack.axis = .vertical
        stack.backgroundColor = UIColor { $0.userInterfaceStyle == .dark ? .black : .yellow }
        controller.view.addSubview(stack)
        #expect(view["background"] == shade)
        #expect(view["children"]?[1]?["background"] == ["light": "#ffff00", "dark": "#000000"])
        #expect(view["children"]?[1]?["children"]?.array?.count == 2)
        let cell = UIView()
        cell.accessibilityIdentifier = "cell"
        cell.backgroundColor = .yellow
        cell.addSubview(label("c"))
        let target = Target {}
        cell.addGestureRecognizer(UITapGestureRecognizer(target: target, action: "call"))
        controller.view.addSubview(cell)
        #expect(view.node("cell") == ["type": "button", "id": "cell", "title": "c", "background": "#ffff00"])
    }

    @Test("A colour of an asset catalog has its variant for the dark appearance")
    func assets() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).bundle")
        defer { try? FileManager.default.removeItem(at: folder) }
        let set = folder.appendingPathComponent("Assets.xcassets/Brand.colorset")
        try FileManager.default.createDirectory(at: set, withIntermediateDirectories: true)
        let contents = """
            {"colors": [
                {"color": {"components": {"red": "0x00", "green": "0.5", "blue": "255", "alpha": "1"}}},
                {"appearances": [{"appearance": "luminosity", "value": "dark"}], "color": {"components": {"white": "1"}}}
            ]}
            """
        try Data(contents.utf8).write(to: set.appendingPathComponent("Contents.json"))
        let label = label("Hello")
        label.textColor = UIColor(named: "Brand", in: Bundle(path: folder.path), compatibleWith: nil)
        #expect(look(label) == ["color": ["light": "#0080ff", "dark": "#ffffff"]])
        #expect(UIColor(named: "Other", in: Bundle(path: folder.path), compatibleWith: nil) == nil)
    }

    @Test("Layout comes before drawing, until nothing changes")
    func layout() {
        final class Counter: UIView {
            let label = UILabel()
            var count = 0
            override func layoutSubviews() {
                super.layoutSubviews()
                count += 1
                label.text = "\(count)"
                if label.superview == nil { addSubview(label) }
            }
        }
        controller.view.addSubview(Counter())
        #expect(view.texts == ["1"])
        controller.view.subviews.first?.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
        #expect(view.texts == ["2"] || view.texts == ["3"])
        let settled = view.texts
        #expect(view.texts == settled)
    }

    @Test("An alert stands below the view, and is gone when its action runs")
    func alert() {
        controller.view.addSubview(label("below"))
        let alert = UIAlertController(title: "Sure?", message: nil, preferredStyle: .alert)
        var wasPresenting: Bool?
        alert.addAction(
            UIAlertAction(title: "OK", style: .default) { [controller] _ in
                wasPresenting = controller.presentedViewController != nil
            }
        )
        controller.present(alert, animated: true)
        #expect(view.texts == ["below", "Sure?", "OK"])
        touch("alert-OK")
        #expect(wasPresenting == false)
        #expect(view.texts == ["below"])
    }

    @Test("Dots of pages beside a view with pages are left out, and buttons else")
    func pages() {
        let control = UIPageControl()
        control.numberOfPages = 3
        controller.view.addSubview(control)
        #expect(view.texts == ["‹", "● ○ ○", "›"])
        touch("pages-1-next")
        #expect(control.currentPage == 1)
        let scroll = UIScrollView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        scroll.isPagingEnabled = true
        for text in ["one", "two"] { scroll.addSubview(label(text)) }
        controller.view.addSubview(scroll)
        #expect(view["children"]?.array?.count == 1 || view["type"] == "carousel")
        for wrong: JSON in [1e300, -1, 7, "x", 0.5, .null] { touch("carousel-1", wrong) }
        #expect(scroll.contentOffset.x == 0)
        touch("carousel-1", 1)
        #expect(scroll.contentOffset.x == 100)
    }

    @Test("An image that was read from an attachment has its URL; other data is written to a file")
    func images() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        let data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        ImageURL.attachments = [file]
        defer { ImageURL.attachments = [] }
        let imageView = UIImageView(image: UIImage(data: try Data(contentsOf: file)))
        controller.view.addSubview(imageView)
        #expect(view["children"]?[0]?["url"]?.string == file.absoluteString)
        imageView.image = UIImage(data: data + [4])
        let written = try #require(view["children"]?[0]?["url"]?.string.flatMap(URL.init(string:)))
        #expect(try Data(contentsOf: written) == data + [4])
        #expect(UIImage(data: Data("no image".utf8)) == nil)
    }

    @Test("Values keep structures of numbers")
    func values() {
        let frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(NSValue(cgRect: frame).cgRectValue == frame)
        #expect(NSValue(cgPoint: frame.origin).cgPointValue == frame.origin)
        #expect(NSValue(cgRect: frame) == NSValue(cgRect: frame))
    }

    @Test("A text layer shows its text, also above what a player shows")
    func layers() {
        let (layer, text) = (AVPlayerLayer(player: AVPlayer(url: URL(fileURLWithPath: "/tmp/none.mp4"))), CATextLayer())
        text.string = "LIVE"
        controller.view.layer.addSublayer(layer)
        layer.addSublayer(text)
        #expect(view["children"]?.array?.map { $0["type"] } == ["media", "text"])
        #expect(view.texts == ["LIVE"])
        text.isHidden = true
        #expect(view.texts == [])
    }

    @Test("A map has its region and its annotations, without those that are nowhere")
    func map() throws {
        let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        controller.view.addSubview(map)
        let center = CLLocationCoordinate2D(latitude: 50.9413, longitude: 6.9583)
        map.setRegion(
            MKCoordinateRegion(center: center, latitudinalMeters: 500, longitudinalMeters: 500),
            animated: false
        )
        map.accessibilityLabel = "The way"
        let node = { try #require(view["children"]?[0]) }
        let span: JSON = ["latitude": 0.004492, "longitude": 0.007128]
        #expect(
            try node() == ["type": "map", "latitude": 50.9413, "longitude": 6.9583, "span": span, "alt": "The way"]
        )
        let nowhere = MKPointAnnotation(coordinate: kCLLocationCoordinate2DInvalid)
        map.addAnnotations([MKPointAnnotation(coordinate: center, title: "Cathedral", subtitle: "Cologne"), nowhere])
        let place: JSON = ["title": "Cathedral, Cologne", "latitude": 50.9413, "longitude": 6.9583]
        #expect(try node()["annotations"] == [place])
        map.removeAnnotation(nowhere)
        let north = MKPointAnnotation(coordinate: CLLocationCoordinate2D(latitude: 51.0413, longitude: 6.9583))
        map.showAnnotations(map.annotations + [north], animated: false)
        #expect(try node()["latitude"] == 50.9913 && node()["annotations"]?.array?.count == 2)
    }

    @Test("What a phone shows above the keyboard is drawn while its owner is the first responder")
    func inputAccessory() {
        final class Commenting: UIViewController {
            let bar = UITextField()
            override var canBecomeFirstResponder: Bool { true }
            override var inputAccessoryView: UIView? { bar }
        }
        let controller = Commenting()
        controller.view.addSubview(label("body"))
        #expect(Drawing.draw(controller).view.node("bar") == nil)
        controller.becomeFirstResponder()
        #expect(Drawing.draw(controller).view.node("bar")?["type"] == "field")
        controller.resignFirstResponder()
    }
}

/// A method that is called by name.
@MainActor
private final class Target: NSObject {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
        super.init()
        PhoneObject.register(Target.self, actions: ["call": { object, _ in (object as? Target)?.body() }])
    }
}

/// The order of what happens in controls.
@MainActor
struct ControlTests {
    private final class Observer: NSObject, UITextFieldDelegate {
        var events: [String] = []
        var refuses = false

        func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool {
            events.append("shouldBegin")
            return true
        }
        func textFieldDidBeginEditing(_ textField: UITextField) { events.append("didBegin") }
        func textField(
            _ textField: UITextField,
            shouldChangeCharactersIn range: NSRange,
            replacementString string: String
        ) -> Bool {
            events.append("change \(range.length) \(string)")
            return !refuses
        }
        func textFieldShouldReturn(_ textField: UITextField) -> Bool {
            events.append("shouldReturn")
            return textField.resignFirstResponder()
        }
        func textFieldDidEndEditing(_ textField: UITextField) { events.append("didEnd \(textField.text ?? "")") }
    }

    @Test("A text field asks and tells in UIKit's order")
    func textField() {
        let (controller, field, observer) = (UIViewController(), UITextField(), Observer())
        field.accessibilityIdentifier = "field"
        field.delegate = observer
        for (event, name) in [
            (UIControl.Event.editingDidBegin, "begin"), (.editingChanged, "changed"), (.editingDidEnd, "end"),
        ] {
            field.addAction(UIAction { _ in observer.events.append(name) }, for: event)
        }
        controller.view.addSubview(field)
        Drawing.draw(controller).drawing.targets["field"]?("Ada")
        let expected = [
            "shouldBegin", "didBegin", "begin", "change 0 Ada", "changed", "shouldReturn", "didEnd Ada", "end",
        ]
        #expect(observer.events == expected)
        observer.refuses = true
        Drawing.draw(controller).drawing.targets["field"]?("Bob")
        #expect(field.text == "Ada")
    }

    @Test("A button sends its actions by target, by closure and without a target to the responder above")
    func button() {
        var calls: [String] = []
        let target = Target { calls.append("target") }
        let controller = UIViewController()
        let button = UIButton(type: .system, primaryAction: UIAction(title: "Go") { _ in calls.append("action") })
        button.addTarget(target, action: "call", for: .touchUpInside)
        controller.view.addSubview(button)
        let (view, drawing) = Drawing.draw(controller)
        #expect(view.texts == ["Go"])
        drawing.targets["button-1"]?(nil)
        #expect(calls == ["action", "target"])
        button.isEnabled = false
        Drawing.draw(controller).drawing.targets["button-1"]?(nil)
        #expect(calls.count == 2)
    }

    @Test("Animations change at once and complete in order")
    func animations() async {
        var order: [String] = []
        await withCheckedContinuation { continuation in
            UIView.animate(withDuration: 1) {
                order.append("first")
            } completion: { _ in
                order.append("first done")
                UIView.animate(
                    withDuration: 1,
                    animations: { order.append("second") },
                    completion: { _ in
                        order.append("second done")
                        continuation.resume()
                    }
                )
            }
            order.append("after")
        }
        #expect(order == ["first", "after", "first done", "second", "second done"])
    }
}

/// Tables whose headers are made anew for each drawing.
@MainActor
struct TableTests {
    private final class Source: NSObject, UITableViewDataSource, UITableViewDelegate {
        var selected: [IndexPath] = []
        func numberOfSections(in tableView: UITableView) -> Int { 2 }
        func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { section + 1 }
        func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
            var content = cell.defaultContentConfiguration()
            content.text = "\(indexPath.section).\(indexPath.row)"
            content.secondaryText = "detail"
            cell.contentConfiguration = content
            return cell
        }
        func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
            let label = UILabel()
            label.text = "Section \(section)"
            return label
        }
        func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) { selected.append(indexPath) }
    }

    @Test("Sections have headers, cells show configurations, and a touch selects a row")
    func sections() {
        let (table, source, controller) = (UITableView(), Source(), UIViewController())
        table.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
        table.dataSource = source
        table.delegate = source
        controller.view.addSubview(table)
        let (view, drawing) = Drawing.draw(controller)
        #expect(view.texts == ["Section 0", "0.0", "detail", "Section 1", "1.0", "detail", "1.1", "detail"])
        drawing.targets["table-1-2-2"]?(nil)
        #expect(source.selected == [IndexPath(row: 1, section: 1)])
        #expect(table.indexPathForSelectedRow == IndexPath(row: 1, section: 1))
    }

    @Test("A header that is made for a drawing lives as long as the drawing, so that no other view gets its id")
    func headers() {
        final class Made: NSObject, UITableViewDataSource, UITableViewDelegate {
            weak var header: UIView?
            func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
            func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
                UITableViewCell(style: .default, reuseIdentifier: nil)
            }
            func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
                let label = UILabel()
                label.text = "header"
                header = label
                return label
            }
        }
        let (table, source, controller) = (UITableView(), Made(), UIViewController())
        (table.dataSource, table.delegate) = (source, source)
        controller.view.addSubview(table)
        let drawing = Drawing.draw(controller).drawing
        #expect(source.header != nil)
        withExtendedLifetime(drawing) {}
    }
}
