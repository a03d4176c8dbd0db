import AVKit
import Foundation
import JSON
import MapKit
import PhoneRuntime
import SwiftUI
import Testing
import UIKit
import _AVKit_SwiftUI
import _MapKit_SwiftUI

private let there = CLLocationCoordinate2D(latitude: 3, longitude: 4)

/// What SwiftUI's views become, drawn without a host.
@MainActor @Suite(.serialized)
struct SwiftUITests {
    /// A view that is shown, which a test touches.
    @MainActor private final class Screen {
        let controller: UIHostingController<AnyView>

        init(_ view: some View) { controller = UIHostingController(rootView: AnyView(view)) }

        /// What is seen once the main queue has run what waits on it.
        func view() async -> JSON { await draw().view }

        func touch(_ element: String, _ value: JSON? = nil) async throws -> JSON {
            let target = try #require(await draw().drawing.targets[element])
            target(value)
            return await view()
        }

        private func draw() async -> (view: JSON, drawing: Drawing) {
            controller.loadViewIfNeeded()
            await withCheckedContinuation { continuation in MainQueue.settle { continuation.resume() } }
            return Drawing.draw(controller)
        }
    }

    @Observable
    final class Basket {
        var items = ["Tea"]
        var note: String?
    }

    @Test func aPlayerAndMapsAreThoseOfUIKit() async throws {
        struct Content: View {
            let player: AVPlayer
            @State private var region = MKCoordinateRegion(center: there, span: MKCoordinateSpan())
            var body: some View {
                VideoPlayer(player: player) { Text("LIVE") }
                Map(coordinateRegion: $region)
                Map {
                    Marker("Here", coordinate: Self.here)
                    if region.center.latitude > 0 { Marker("There", systemImage: "cup", coordinate: there) }
                }
            }
            static let here = CLLocationCoordinate2D(latitude: 1, longitude: 2)
        }
        let player = AVPlayer(url: URL(fileURLWithPath: "/tmp/none.mp4"))
        let screen = Screen(Content(player: player))
        let nodes = await screen.view()["children"]
        #expect(nodes?.array?.map { $0["type"] } == ["media", "text", "map", "map"])
        #expect(nodes?[0]?["id"] == "player" && nodes?[0]?["state"] == "failed")
        #expect(nodes?[2] == ["type": "map", "latitude": 3.0, "longitude": 4.0])
        #expect(nodes?[3]?["annotations"]?.array?.map { $0["title"] } == ["Here", "There"])
        #expect(nodes?[3]?["latitude"] == 2.0 && nodes?[3]?["longitude"] == 3.0)
        _ = try await screen.touch("player")
        #expect(player.rate == 1)
    }

    @Test func theContentOfBuildersIsChosenAndKeepsItsState() async throws {
        struct Counter: View {
            let name: String
            @State private var count = 0
            var body: some View { Button("\(name) \(count)") { count += 1 } }
        }
        struct Content: View {
            @State private var isFirst = true
            let optional: String?
            var body: some View {
                if isFirst { Counter(name: "First") } else { Counter(name: "Second") }
                if let optional { Text(optional) }
                Button("Other") { isFirst.toggle() }.accessibilityIdentifier("other")
            }
        }
        let screen = Screen(Content(optional: nil))
        #expect(await screen.view().texts == ["First 0", "Other"])
        #expect(try await screen.touch("button-1").texts == ["First 1", "Other"])
        // Another branch is another view: its state is new, and that of the first is gone.
        #expect(try await screen.touch("other").texts == ["Second 0", "Other"])
        #expect(try await screen.touch("other").texts == ["First 0", "Other"])
        #expect(await Screen(Content(optional: "Here")).view().texts == ["First 0", "Here", "Other"])
    }

    @Test func anObservedModelAndItsBindingsDrawAgain() async throws {
        struct Content: View {
            @Bindable var basket: Basket
            var body: some View {
                ForEach($basket.items, id: \.self) { $item in TextField("Item", text: $item) }
                Button("More") { basket.items.append("Milk") }
                Text(basket.note ?? "No note")
            }
        }
        let basket = Basket()
        let screen = Screen(Content(basket: basket))
        #expect(await screen.view().node("field-1")?["value"] == "Tea")
        #expect(try await screen.touch("button-1").node("field-2")?["value"] == "Milk")
        _ = try await screen.touch("field-1", "Coffee")
        #expect(basket.items == ["Coffee", "Milk"])
        basket.note = "Hurry"
        #expect(await screen.view().texts.last == "Hurry")
    }

    @Test func presentedViewsEndThemselves() async throws {
        struct Sheet: View {
            @Environment(\.dismiss) private var dismiss
            var body: some View { Button("Close") { dismiss() } }
        }
        struct Content: View {
            @State private var showsSheet = false
            @State private var asks = false
            @State private var answer = "none"
            var body: some View {
                VStack {
                    Button("Sheet") { showsSheet = true }
                    Button("Ask") { asks = true }
                    Text(answer)
                }
                .sheet(isPresented: $showsSheet) { Sheet() }
                .alert("Sure?", isPresented: $asks) {
                    Button("Yes") { answer = "yes" }
                    Button("No", role: .cancel) {}
                } message: {
                    Text("It cannot be undone.")
                }
            }
        }
        let screen = Screen(Content())
        _ = try await screen.touch("button-1")
        #expect(await screen.view().texts == ["Close"])
        #expect(try await screen.touch("button-1").texts == ["Sheet", "Ask", "none"])
        let asked = try await screen.touch("button-2")
        #expect(asked.texts == ["Sheet", "Ask", "none", "Sure?", "It cannot be undone.", "Yes", "No"])
        #expect(try await screen.touch("alert-Yes").texts == ["Sheet", "Ask", "yes"])
    }

    @Test func pagesGridsAndNavigationAreNodes() async throws {
        struct Content: View {
            @State private var page = "b"
            var body: some View {
                TabView(selection: $page) {
                    ForEach(["a", "b", "c"], id: \.self) { Text($0) }
                }
                Text("Page \(page)")
                LazyVGrid(columns: [GridItem(), GridItem()]) { ForEach(0..<3) { Text("\($0)") } }
                NavigationStack { NavigationLink("Deeper") { Text("Deep") } }
            }
        }
        let screen = Screen(Content())
        let view = await screen.view()
        #expect(view.node("carousel-1")?["page"] == 1)
        #expect(view["children"]?[2]?["columns"] == 2)
        #expect(try await screen.touch("carousel-1", 2).texts.contains("Page c"))
        let deep = try await screen.touch("button-1")
        #expect(deep.texts.suffix(2) == ["Back", "Deep"])
        #expect(try await screen.touch("button-1").texts.last == "Deeper")
    }

    @Test(.timeLimit(.minutes(1))) func aTaskEndsWithItsView() async throws {
        final class Log: @unchecked Sendable { var entries: [String] = [] }
        struct Content: View {
            let log: Log
            @State private var isShown = true
            var body: some View {
                if isShown {
                    Text("Here")
                        .task {
                            log.entries.append("began")
                            while !Task.isCancelled { await Task.yield() }
                            log.entries.append("ended")
                        }
                        .onDisappear { log.entries.append("gone") }
                }
                Button("Hide") { isShown = false }
            }
        }
        let log = Log()
        let screen = Screen(Content(log: log))
        _ = await screen.view()
        #expect(log.entries == ["began"])
        #expect(try await screen.touch("button-1").texts == ["Hide"])
        while log.entries.count < 3 { await Task.yield() }
        #expect(log.entries == ["began", "gone", "ended"])
    }

    /// The state of a view lives as long as its task, which may change it when the controller has gone.
    @Test(.timeLimit(.minutes(1))) func aTaskOutlivesItsController() async throws {
        final class Gate: @unchecked Sendable {
            var isOpen = false
            var hasPassed = false
        }
        struct Content: View {
            let gate: Gate
            @State private var count = 0
            var body: some View {
                Text("\(count)").task {
                    while !gate.isOpen { await Task.yield() }
                    count += 1
                    gate.hasPassed = true
                }
            }
        }
        let gate = Gate()
        var screen: Screen? = Screen(Content(gate: gate))
        weak let controller = screen?.controller
        #expect(await screen?.view().texts == ["0"])
        screen = nil
        while controller != nil { await Task.yield() }
        gate.isOpen = true
        while !gate.hasPassed { await Task.yield() }
        // The update that the task asked for runs on the main queue.
        await withCheckedContinuation { continuation in MainQueue.settle { continuation.resume() } }
    }

    @Test func aBarShowsItsItemsAboveTheView() async throws {
        struct Bar: ToolbarContent {
            let name: String?
            var body: some ToolbarContent {
                ToolbarItem(placement: .principal) { Text("Order") }
                if let name {
                    ToolbarItemGroup {
                        Text(name); Button("Pay") {}
                    }
                }
            }
        }
        struct Content: View {
            let name: String?
            var body: some View { Text("Body").toolbar { Bar(name: name) } }
        }
        #expect(await Screen(Content(name: "Ada")).view().texts == ["Order", "Ada", "Pay", "Body"])
        #expect(await Screen(Content(name: nil)).view().texts == ["Order", "Body"])
        #expect(await Screen(Text("Body").toolbar { Text("Bare") }).view().texts == ["Bare", "Body"])
    }

    @Test func textsAreWrittenAsPeopleReadThem() async throws {
        LocalizedTexts.set(["%lld of %@": "%2$@: %1$lld"])
        defer { LocalizedTexts.set([:]) }
        let screen = Screen(
            VStack {
                Text("\(1) of \("Ada")")
                Text("**Bold** and \(0.5, specifier: "%.1f") %")
                Text("Loud").textCase(.uppercase).font(.caption)
                Text(verbatim: "**as it is**") + Text(" · end")
                Text(12_345, format: .number)
                Label("Likes", systemImage: "heart.fill")
            }
        )
        let view = await screen.view()
        #expect(
            view.texts == ["Ada: 1", "Bold and 0.5 %", "LOUD", "**as it is** · end", "12,345", "♥", "Likes"]
        )
        #expect(view["children"]?[2]?["style"] == "caption")
    }

    @Test func buttonsAreCalledWhatIsUponThem() async throws {
        let data = try #require(Data(base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAAElFTkSuQmCC"))
        let picture = try #require(UIImage(data: data))
        let screen = Screen(
            VStack {
                Button {
                } label: {
                    Image(systemName: "star")
                }
                .accessibilityLabel("Favourite")
                Button {
                } label: {
                    Label("Go", systemImage: "play.fill")
                }
                Button {
                } label: {
                    Image(uiImage: picture)
                }
                .accessibilityIdentifier("picture")
                Text("Tap").onTapGesture {}
                Button("Off") {}.disabled(true)
            }
        )
        let view = await screen.view()
        #expect(view.texts == ["Favourite", "▶ Go", "Tap", "Off"])
        #expect(view.node("picture")?["type"] == "image")
        #expect(view.node("view-1")?["type"] == "button")
        #expect(view.node("button-3")?["enabled"] == false)
    }

    @Test func publishersPassValuesOn() {
        let (first, second) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(10))
        var seen: [String] = []
        var subscriptions: Set<AnyCancellable> = []
        first.combineLatest(second).map { $0 + $1 }.removeDuplicates().dropFirst()
            .sink { seen.append("sum \($0)") }.store(in: &subscriptions)
        first.flatMap { Just($0 * 2) }.prefix(2).collect().sink { seen.append("twice \($0)") }
            .store(in: &subscriptions)
        for number in [1, 2, 2, 3] { first.send(number) }
        second.value = 20
        subscriptions = []
        first.send(9)
        #expect(seen == ["sum 12", "twice [2, 4]", "sum 13", "sum 23"])
        var failures: [String] = []
        _ = Fail<Int, CocoaError>(error: CocoaError(.fileNoSuchFile)).replaceError(with: 7)
            .sink { failures.append("\($0)") }
        _ = Future<Int, Never> { $0(.success(5)) }.sink { failures.append("\($0)") }
        #expect(failures == ["7", "5"])
    }

    @Test func publishersHaveTheNamesThatCodeCalls() {
        final class Model {
            let numbers = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
            let sums: Publishers.Map<Publishers.CombineLatest<PassthroughSubject<Int, Never>, Just<Int>>, Int>
            init() { sums = numbers[0].combineLatest(Just(10)).map { $0 + $1 } }
        }
        let model = Model()
        var seen: [String] = []
        var subscriptions: Set<AnyCancellable> = []
        func see<P: Publisher<Int, Never>>(_ name: String, _ publisher: P) {
            publisher.sink { seen.append("\(name) \($0)") }.store(in: &subscriptions)
        }
        see("sum", model.sums)
        see("many", Publishers.MergeMany(model.numbers))
        see("three", model.numbers[0].merge(with: model.numbers[1], Just(3)))
        see("four", Publishers.Merge4(Just(1), Just(2), Just(3), Empty()))
        see("latest", Publishers.CombineLatest4(Just(1), Just(2), Just(3), model.numbers[0]).map { $0 + $1 + $2 + $3 })
        model.numbers[0].send(5)
        model.numbers[1].send(6)
        let fours = ["four 1", "four 2", "four 3"]
        #expect(seen == ["three 3"] + fours + ["sum 15", "many 5", "three 5", "latest 11", "many 6", "three 6"])
    }
}
