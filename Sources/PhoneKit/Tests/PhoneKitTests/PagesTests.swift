import Foundation
import JSON
import PhoneRuntime
import Testing
import UIKit

/// Controllers in controllers, and what people swipe, hold and search.
@MainActor
struct PagesTests {
    private final class Page: UIViewController {
        let number: Int
        var events: [String] = []
        init(_ number: Int) {
            self.number = number
            super.init(nibName: nil, bundle: nil)
            let label = UILabel()
            label.text = "page \(number)"
            view.addSubview(label)
        }
        required init?(coder: NSCoder) { nil }
        override func viewWillAppear(_ animated: Bool) { events.append("will appear") }
        override func viewDidDisappear(_ animated: Bool) { events.append("did disappear") }
    }

    private final class Book: NSObject, UIPageViewControllerDataSource, UIPageViewControllerDelegate {
        var turned: [Int] = []
        private func page(_ number: Int) -> Page? { (1...3).contains(number) ? Page(number) : nil }
        func pageViewController(
            _ pageViewController: UIPageViewController,
            viewControllerBefore viewController: UIViewController
        ) -> UIViewController? { (viewController as? Page).flatMap { page($0.number - 1) } }
        func pageViewController(
            _ pageViewController: UIPageViewController,
            viewControllerAfter viewController: UIViewController
        ) -> UIViewController? { (viewController as? Page).flatMap { page($0.number + 1) } }
        func pageViewController(
            _ pageViewController: UIPageViewController,
            didFinishAnimating finished: Bool,
            previousViewControllers: [UIViewController],
            transitionCompleted completed: Bool
        ) { turned += previousViewControllers.compactMap { ($0 as? Page)?.number } }
    }

    @Test("Pages are a carousel that turns to the page before or after")
    func pages() throws {
        let (root, book) = (UIViewController(), Book())
        let pages = UIPageViewController(transitionStyle: .scroll, navigationOrientation: .horizontal)
        (pages.dataSource, pages.delegate) = (book, book)
        pages.setViewControllers([Page(1)], direction: .forward, animated: false)
        root.addChild(pages)
        root.view.addSubview(pages.view)
        var (view, drawing) = Drawing.draw(root)
        #expect(view["type"] == "carousel" && view["page"] == 0 && view["children"]?.array?.count == 2)
        let id = try #require(view["id"]?.string)
        drawing.targets[id]?(1)
        (view, drawing) = Drawing.draw(root)
        #expect(view.texts == ["page 2"] && view["page"] == 1 && view["children"]?.array?.count == 3)
        #expect(book.turned == [1])
        drawing.targets[id]?(0)
        #expect(Drawing.draw(root).view.texts == ["page 1"])
    }

    @Test("A child appears with its parent, when it is added later, and goes when its view goes")
    func children() {
        let (root, first, second) = (UIViewController(), Page(1), Page(2))
        root.addChild(first)
        root.view.addSubview(first.view)
        #expect(first.events.isEmpty)
        root.appear()
        #expect(first.events == ["will appear"])
        root.addChild(second)
        root.view.addSubview(second.view)
        #expect(second.events == ["will appear"])
        first.view.removeFromSuperview()
        #expect(first.events == ["will appear", "did disappear"])
    }

    private final class Searcher: NSObject, UISearchBarDelegate {
        var events: [String] = []
        func searchBarTextDidBeginEditing(_ searchBar: UISearchBar) { events.append("begin") }
        func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) { events.append(searchText) }
        func searchBarSearchButtonClicked(_ searchBar: UISearchBar) { events.append("search") }
        func searchBarTextDidEndEditing(_ searchBar: UISearchBar) { events.append("end") }
        func searchBarCancelButtonClicked(_ searchBar: UISearchBar) { events.append("cancel") }
        func searchBar(_ searchBar: UISearchBar, selectedScopeButtonIndexDidChange selectedScope: Int) {
            events.append("scope \(selectedScope)")
        }
    }

    @Test("A search bar is a field with buttons, which tells its delegate in UIKit's order")
    func searchBar() {
        let (controller, bar, searcher) = (UIViewController(), UISearchBar(), Searcher())
        bar.accessibilityIdentifier = "find"
        bar.delegate = searcher
        bar.showsCancelButton = true
        (bar.showsScopeBar, bar.scopeButtonTitles) = (true, ["All", "New"])
        controller.view.addSubview(bar)
        let drawing = Drawing.draw(controller).drawing
        drawing.targets["find-field"]?("tea")
        drawing.targets["find-New"]?(nil)
        drawing.targets["find-cancel"]?(nil)
        #expect(searcher.events == ["begin", "tea", "search", "end", "scope 1", "cancel"])
        #expect(bar.text == "tea" && bar.selectedScopeButtonIndex == 1)
    }

    private final class Gestures: NSObject {
        var calls: [String] = []
        @MainActor
        func add(_ gesture: UIGestureRecognizer, _ name: String, to view: UIView) {
            PhoneObject.register(
                Gestures.self,
                actions: [
                    "\(name):": { object, arguments in
                        guard let gesture = arguments[0] as? UIGestureRecognizer else { return }
                        let moved = (gesture as? UIPanGestureRecognizer).map { " \($0.translation(in: nil).x)" } ?? ""
                        (object as? Gestures)?.calls.append("\(name) \(gesture.state)\(moved)")
                    }
                ]
            )
            gesture.addTarget(self, action: Selector("\(name):"))
            view.addGestureRecognizer(gesture)
        }
    }

    @Test("A tap is no long press; a finger that stays or moves goes through the states of its gesture")
    func gestures() {
        let (view, gestures) = (UIView(frame: CGRect(x: 0, y: 0, width: 200, height: 100)), Gestures())
        gestures.add(UITapGestureRecognizer(), "tap", to: view)
        gestures.add(UILongPressGestureRecognizer(), "press", to: view)
        gestures.add(UIPanGestureRecognizer(), "pan", to: view)
        let (controller, label) = (UIViewController(), UILabel())
        label.text = "card"
        view.addSubview(label)
        view.accessibilityIdentifier = "card"
        controller.view.addSubview(view)
        let touch = Drawing.draw(controller).drawing.targets["card"]
        touch?(nil)
        #expect(gestures.calls == ["tap ended"])
        touch?("hold")
        #expect(gestures.calls.dropFirst() == ["press began", "press ended"])
        gestures.calls = []
        touch?("left")
        #expect(gestures.calls == ["pan began 0.0", "pan changed -200.0", "pan ended -200.0"])
    }

    @Test("Actions of a swipe on a row stand beside it, and inner entries of a menu below its button")
    func actions() {
        final class Rows: NSObject, UITableViewDataSource, UITableViewDelegate {
            var deleted: [Int] = []
            func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 1 }
            func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { true }
            func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
                let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
                cell.textLabel?.text = "row"
                return cell
            }
            func tableView(
                _ tableView: UITableView,
                trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
            ) -> UISwipeActionsConfiguration? {
                let delete = UIContextualAction(style: .destructive, title: "Delete") { [weak self] _, _, done in
                    self?.deleted.append(indexPath.row)
                    done(true)
                }
                return UISwipeActionsConfiguration(actions: [delete])
            }
        }
        let (controller, table, rows) = (UIViewController(), UITableView(), Rows())
        (table.dataSource, table.delegate) = (rows, rows)
        controller.view.addSubview(table)
        var chosen = ""
        let button = UIButton(type: .system)
        button.accessibilityIdentifier = "more"
        button.showsMenuAsPrimaryAction = true
        let byName = UIAction(title: "By name") { _ in chosen = "name" }
        let inner = UIMenu(title: "Sort", options: .displayInline, children: [byName])
        let late = UIDeferredMenuElement { $0([UIAction(title: "Late") { _ in chosen = "late" }]) }
        button.menu = UIMenu(children: [inner, late])
        controller.view.addSubview(button)
        let drawing = Drawing.draw(controller).drawing
        drawing.targets["table-1-1-Delete"]?(nil)
        #expect(rows.deleted == [0])
        drawing.targets["more-By name"]?(nil)
        #expect(chosen == "name")
        drawing.targets["more-Late"]?(nil)
        #expect(chosen == "late")
    }

    @Test("An animator that was stopped completes no more")
    func animator() async {
        var ends: [UIViewAnimatingPosition] = []
        let stopped = UIViewPropertyAnimator(duration: 1, curve: .linear)
        stopped.addCompletion { ends.append($0) }
        stopped.startAnimation()
        stopped.stopAnimation(false)
        await withCheckedContinuation { continuation in
            UIViewPropertyAnimator.runningPropertyAnimator(withDuration: 1, delay: 0, animations: {}) {
                ends.append($0)
                continuation.resume()
            }
        }
        #expect(ends == [.end])
        stopped.finishAnimation(at: .current)
        #expect(ends == [.end, .current])
        #expect(stopped.state == .inactive)
    }

    @Test("A cell shows the view of its own kind of configuration, and keeps it for the next")
    func configurations() {
        struct Price: UIContentConfiguration {
            var text: String
            func makeContentView() -> any UIView & UIContentView { PriceView(self) }
            func updated(for state: any UIConfigurationState) -> Price { self }
        }
        final class PriceView: UIView, UIContentView {
            private let label = UILabel()
            var configuration: any UIContentConfiguration { didSet { show() } }
            init(_ configuration: Price) {
                self.configuration = configuration
                super.init(frame: .zero)
                addSubview(label)
                show()
            }
            required init?(coder: NSCoder) { nil }
            private func show() { label.text = (configuration as? Price)?.text }
        }
        let (controller, cell) = (UIViewController(), UITableViewCell(style: .default, reuseIdentifier: nil))
        controller.view.addSubview(cell)
        cell.contentConfiguration = Price(text: "1 €")
        let shown = cell.contentView.subviews.first
        cell.contentConfiguration = Price(text: "2 €")
        #expect(Drawing.draw(controller).view.texts == ["2 €"] && cell.contentView.subviews.first === shown)
        var list = cell.defaultContentConfiguration()
        list.text = "list"
        cell.contentConfiguration = list
        #expect(Drawing.draw(controller).view.texts == ["list"])
    }
}
