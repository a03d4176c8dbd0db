import SwiftUI

struct DrinkVoteView: View {
    @Environment(DrinkVote.self) private var vote
    @Environment(\.colorScheme) private var colorScheme
    @Environment(\.openURL) private var openURL
    @State private var note = ""
    @State private var showsRules = false

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(vote.question)
                .font(.title3)
                .fontWeight(.semibold)
            ForEach(vote.candidates) { candidate in
                CandidateRow(candidate: candidate, share: share(of: candidate), isChosen: vote.choice == candidate.id) {
                    withAnimation(.spring()) { vote.choose(candidate, note: note) }
                }
                .disabled(!vote.isOpen)
            }
            switch (vote.choice, vote.ending) {
            case (.some, _):
                Label("Thank you for your vote", systemImage: "checkmark.circle.fill")
                    .foregroundStyle(.green)
            case (nil, 0):
                Text("The vote is over").foregroundStyle(.secondary)
            default:
                TextField("Why this one?", text: $note)
                    .textFieldStyle(.roundedBorder)
                    .accessibilityIdentifier("note")
                Text("\(vote.ending) seconds left")
                    .font(.caption)
                    .monospacedDigit()
            }
            HStack {
                Button("Rules") { showsRules.toggle() }
                    .accessibilityIdentifier("rules")
                Spacer()
                Button("Menu", systemImage: "arrow.right") { open("https://example.com/menu") }
                    .accessibilityIdentifier("menu")
            }
            .buttonStyle(.borderless)
            if showsRules {
                Text("One vote for each guest.").modifier(FinePrint())
            }
        }
        .padding()
        .background(colorScheme == .dark ? Color.black : Color.white, in: RoundedRectangle(cornerRadius: 12))
        .task { await countDown() }
    }

    private func share(of candidate: Candidate) -> Double {
        vote.total == 0 ? 0 : Double(candidate.votes) / Double(vote.total)
    }

    private func open(_ link: String) {
        if let url = URL(string: link) { openURL(url) }
    }

    private func countDown() async {
        while vote.ending > 0, !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            if vote.choice == nil { vote.ending -= 1 }
        }
    }
}

private struct CandidateRow: View {
    let candidate: Candidate
    let share: Double
    let isChosen: Bool
    let action: () -> Void

    var body: some View {
        VStack(alignment: .leading) {
            Button(action: action) {
                HStack {
                    Text(candidate.name)
                    Spacer()
                    if isChosen { Image(systemName: "heart.fill") }
                }
            }
            .buttonStyle(PillButtonStyle())
            .accessibilityIdentifier(candidate.id)
            ProgressView(value: share)
        }
    }
}

private struct PillButtonStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .padding(.horizontal, 16)
            .background(Capsule().fill(Color.accentColor.opacity(0.15)))
            .scaleEffect(configuration.isPressed ? 0.97 : 1)
    }
}

private struct FinePrint: ViewModifier {
    func body(content: Content) -> some View {
        content
            .font(.footnote)
            .foregroundColor(.secondary)
    }
}

#Preview {
    DrinkVoteView().environment(DrinkVote())
}
