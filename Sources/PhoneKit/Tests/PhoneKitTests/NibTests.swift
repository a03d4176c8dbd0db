import Foundation
import JSON
import PhoneRuntime
import Testing
import UIKit

/// Storyboards and xibs, as Xcode stores them.
@MainActor
struct NibTests {
    private final class Scene: UIViewController, UITableViewDataSource {
        var titleLabel: UILabel?
        var spacing: NSLayoutConstraint?
        weak var accessory: UIView?
        var taps = 0
        var embedded: UIViewController?

        func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 2 }
        func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
            (cell.viewWithTag(7) as? UILabel)?.text = "row \(indexPath.row)"
            return cell
        }
        override func prepare(for segue: UIStoryboardSegue, sender: Any?) { embedded = segue.destination }
    }

    private final class Badge: UIView {
        var isAwake = false
        override func awakeFromNib() {
            super.awakeFromNib()
            isAwake = true
        }
    }

    init() {
        PhoneObject.register(
            Scene.self,
            outlets: [
                "titleLabel": { PhoneObject.set(\Scene.titleLabel, of: $0, to: $1) },
                "accessory": { PhoneObject.set(\Scene.accessory, of: $0, to: $1) },
                "spacing": { PhoneObject.set(\Scene.spacing, of: $0, to: $1) },
            ],
            actions: ["tapped:": { object, _ in (object as? Scene)?.taps += 1 }]
        )
        PhoneObject.register(Badge.self)
    }

    /// Makes the initial controller of a storyboard whose first scene has these parts.
    private func scene(
        subviews: String,
        constraints: String = "",
        connections: String = "",
        objects: String = "",
        strings: String? = nil
    ) throws -> Scene {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("phonekit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("de.lproj"),
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" initialViewController="vc">
            <scenes><scene sceneID="s1"><objects>
            <viewController id="vc" customClass="Scene" sceneMemberID="viewController">
            <view key="view" id="root"><rect key="frame" x="0" y="0" width="320" height="300"/>
            <subviews>\(subviews)</subviews><constraints>\(constraints)</constraints></view>
            <connections>\(connections)</connections></viewController>
            \(objects)</objects></scene>
            <scene sceneID="s2"><objects><viewController id="child" sceneMemberID="viewController">
            <view key="view" id="inner"><subviews><label text="inside" id="il"/></subviews></view></viewController>
            </objects></scene></scenes></document>
            """
        try text.write(to: folder.appendingPathComponent("Main.storyboard"), atomically: true, encoding: .utf8)
        if let strings {
            let url = folder.appendingPathComponent("de.lproj/Main.strings")
            try strings.write(to: url, atomically: true, encoding: .utf8)
        }
        let bundle = try #require(Bundle(url: folder))
        let controller = UIStoryboard(name: "Main", bundle: bundle).instantiateInitialViewController()
        let scene = try #require(controller as? Scene)
        scene.loadViewIfNeeded()
        return scene
    }

    private func view(_ scene: Scene) -> JSON { Drawing.draw(scene).view }

    @Test("Labels, buttons with states and configurations, fields and runtime attributes")
    func properties() throws {
        let scene = try scene(
            subviews: """
                <label text="Title" textAlignment="center" id="l1"><rect key="frame" x="0" y="0" width="320" height="30"/>
                <fontDescription key="fontDescription" style="UICTFontTextStyleTitle1"/>
                <userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="number" keyPath="layer.cornerRadius">
                <integer key="value" value="9"/></userDefinedRuntimeAttribute></userDefinedRuntimeAttributes></label>
                <button id="b1"><rect key="frame" x="0" y="40" width="100" height="30"/><state key="normal" title="Go"/>
                <state key="selected" title="Going"/></button>
                <button id="b2"><rect key="frame" x="110" y="40" width="100" height="30"/><state key="normal" title="old"/>
                <buttonConfiguration key="configuration" style="filled" title="New">
                <color key="baseBackgroundColor" systemColor="systemPinkColor"/></buttonConfiguration></button>
                <textField placeholder="Name" text="Ada" id="t1"><rect key="frame" x="0" y="80" width="320" height="30"/>
                <textInputTraits key="textInputTraits" keyboardType="emailAddress"/></textField>
                <label hidden="YES" text="hidden" id="l2"/>
                <view id="v1" customClass="Badge"><accessibility key="accessibilityConfiguration" identifier="badge"/></view>
                """,
            connections: #"<outlet property="titleLabel" destination="l1" id="o1"/>"#
        )
        #expect(scene.titleLabel?.layer.cornerRadius == 9)
        let drawn = view(scene)
        #expect(drawn.node("titleLabel")?["style"] == "title")
        #expect(drawn.node("titleLabel")?["alignment"] == "center")
        #expect(drawn.texts == ["Title", "Go", "New"])
        #expect(drawn["children"]?[1]?["type"] == "row")
        let filled = drawn["children"]?[1]?["children"]?[1]
        #expect(filled?["color"] == "#ffffff" && filled?["background"] == ["light": "#ff2d55", "dark": "#ff375f"])
        #expect(drawn["children"]?[2]?["value"] == "Ada")
        let badge = try #require(scene.view.subviews.last as? Badge)
        #expect(badge.isAwake)
        #expect(badge.accessibilityIdentifier == "badge")
    }

    @Test("Gestures, actions and outlets of constraints")
    func connections() throws {
        let scene = try scene(
            subviews: """
                <label text="Tap" userInteractionEnabled="YES" id="l1"><connections>
                <outletCollection property="gestureRecognizers" destination="g1" appends="YES" id="o1"/></connections></label>
                <switch on="YES" id="sw"><connections>
                <action selector="tapped:" destination="vc" eventType="valueChanged" id="a1"/></connections></switch>
                """,
            constraints: """
                <constraint firstItem="sw" firstAttribute="top" secondItem="l1" secondAttribute="bottom" constant="8" id="c1"/>
                """,
            connections: """
                <outlet property="titleLabel" destination="l1" id="o2"/><outlet property="spacing" destination="c1" id="o3"/>
                <outlet property="accessory" destination="bar" id="o4"/>
                """,
            objects: """
                <tapGestureRecognizer id="g1"><connections><action selector="tapped:" destination="vc" id="a2"/></connections>
                </tapGestureRecognizer>
                <view id="bar"><subviews><textField id="comment"/></subviews></view>
                """
        )
        #expect(scene.spacing?.constant == 8)
        #expect(scene.accessory?.subviews.first is UITextField)
        let drawing = Drawing.draw(scene).drawing
        drawing.targets["titleLabel"]?(nil)
        drawing.targets["switch-1"]?(nil)
        #expect(scene.taps == 2)
    }

    @Test("Prototype cells, and the scene that a container shows")
    func prototypes() throws {
        let scene = try scene(
            subviews: """
                <tableView id="tv"><rect key="frame" x="0" y="0" width="320" height="100"/><prototypes>
                <tableViewCell reuseIdentifier="row" id="ce"><tableViewCellContentView key="contentView" id="cc"><subviews>
                <label tag="7" text="prototype" id="cl"/></subviews></tableViewCellContentView></tableViewCell></prototypes>
                <connections><outlet property="dataSource" destination="vc" id="o1"/></connections></tableView>
                <containerView id="cv"><rect key="frame" x="0" y="200" width="320" height="100"/><connections>
                <segue destination="child" kind="embed" id="sg"/></connections></containerView>
                """
        )
        #expect(view(scene).texts == ["row 0", "row 1", "inside"])
        #expect(scene.embedded?.parent === scene)
    }

    @Test("Texts of the host's language replace those of the file")
    func strings() throws {
        UIStoryboard.locale = "de-AT"
        defer { UIStoryboard.locale = "en" }
        let scene = try scene(
            subviews: #"<label text="Hello" id="l1"/><button id="b1"><state key="normal" title="Go"/></button>"#,
            strings: #""l1.text" = "Hallo"; "b1.normalTitle" = "Los";"#
        )
        #expect(view(scene).texts == ["Hallo", "Los"])
    }

    @Test("An outlet that the class lacks is reported, as a phone would end the process")
    func unknownOutlet() throws {
        _ = try scene(
            subviews: #"<label text="a" id="l1"/>"#,
            connections: #"<outlet property="missing" destination="l1" id="o1"/>"#
        )
        let diagnostics = CurrentPresentation.takeDiagnostics(of: "nib")
        #expect(diagnostics.contains { $0["reason"] == "unknownOutlet" })
    }

    private final class Settings: UITableViewController {
        var nameLabel: UILabel?
        var chosen: [IndexPath] = []
        override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
            chosen.append(indexPath)
        }
    }

    @Test("Static rows of a table's controller are shown with their titles, and their outlets are set")
    func staticRows() throws {
        PhoneObject.register(
            Settings.self,
            outlets: ["nameLabel": { PhoneObject.set(\Settings.nameLabel, of: $0, to: $1) }]
        )
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("phonekit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" initialViewController="vc">
            <scenes><scene sceneID="s1"><objects>
            <tableViewController id="vc" customClass="Settings" sceneMemberID="viewController">
            <tableView key="view" dataMode="static" style="grouped" id="table"><sections>
            <tableViewSection headerTitle="Account" footerTitle="Kept on the phone" id="t1"><cells>
            <tableViewCell id="c1"><tableViewCellContentView key="contentView" id="v1"><subviews>
            <label text="Name" id="l1"/></subviews></tableViewCellContentView></tableViewCell>
            <tableViewCell id="c2"><tableViewCellContentView key="contentView" id="v2"><subviews>
            <label text="Log out" id="l2"/></subviews></tableViewCellContentView></tableViewCell>
            </cells></tableViewSection></sections></tableView>
            <connections><outlet property="nameLabel" destination="l1" id="o1"/></connections>
            </tableViewController></objects></scene></scenes></document>
            """
        try text.write(to: folder.appendingPathComponent("Main.storyboard"), atomically: true, encoding: .utf8)
        let bundle = try #require(Bundle(path: folder.path))
        let controller = UIStoryboard(name: "Main", bundle: bundle).instantiateInitialViewController()
        let settings = try #require(controller as? Settings)
        settings.loadViewIfNeeded()
        settings.nameLabel?.text = "Ada"
        let (view, drawing) = Drawing.draw(settings)
        #expect(view.texts == ["Account", "Ada", "Log out", "Kept on the phone"])
        drawing.targets["table-1-2"]?(nil)
        #expect(settings.chosen == [IndexPath(row: 1, section: 0)])
    }
}
