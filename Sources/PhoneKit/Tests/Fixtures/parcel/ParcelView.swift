import Combine
import SwiftUI

struct Stop: Identifiable {
    let name: String
    var id: String { name }
}

@MainActor
final class ParcelModel: ObservableObject {
    @Published var title = ""
    @Published var stops: [Stop] = []
    @Published private(set) var done = 0

    func finish() { done += 1 }
}

struct ParcelView: View {
    @ObservedObject var model: ParcelModel
    @StateObject private var doorbell = Doorbell()
    @State private var note = ""
    @State private var isGift = false
    @State private var seconds = 0

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            Text(model.title)
                .font(.headline)
                .onTapGesture { model.stops.reverse() }
                .accessibilityIdentifier("title")
            ForEach(model.stops) { stop in
                StopRow(stop: stop, onFinish: model.finish)
            }
            if model.done > 0 {
                ProgressView(value: Double(model.done), total: Double(model.stops.count))
                    .accessibilityIdentifier("way")
            }
            TextField("Note for the courier", text: $note)
                .accessibilityIdentifier("note")
            if !note.isEmpty { Text("The courier reads: \(note)") }
            Toggle("Gift", isOn: $isGift.animation())
            HStack {
                Image(systemName: "clock")
                Text("\(seconds) s on the way")
            }
            Button("Ring") { doorbell.ring() }
                .buttonStyle(.borderedProminent)
                .disabled(isGift)
            Text("Rung \(doorbell.count) times").font(.caption)
        }
        .padding()
        .onReceive(Timer.publish(every: 1, on: .main, in: .common).autoconnect()) { _ in seconds += 1 }
        .onChange(of: isGift) { _, new in note = new ? "A gift" : "" }
    }
}

/// A stop, whose state stays with it when the order changes.
private struct StopRow: View {
    let stop: Stop
    let onFinish: () -> Void
    @State private var isDone = false

    var body: some View {
        Button {
            isDone = true
            onFinish()
        } label: {
            Label(stop.name, systemImage: isDone ? "checkmark.circle.fill" : "circle")
        }
        .disabled(isDone)
    }
}

/// Rings later, through Combine.
private final class Doorbell: ObservableObject {
    @Published private(set) var count = 0
    private let rings = PassthroughSubject<Int, Never>()
    private var subscriptions: Set<AnyCancellable> = []

    init() {
        rings.scan(0, +).filter { $0 < 3 }.receive(on: DispatchQueue.main).assign(to: &$count)
    }

    func ring() { rings.send(1) }
}
