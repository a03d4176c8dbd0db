import CafeKit
import Foundation
import Observation

/// A drink that can be voted for.
struct Candidate: Identifiable {
    let id: String
    let name: String
    var votes: Int

    init?(_ values: [String: Any]) {
        guard let id = values["id"] as? String, let name = values["name"] as? String else { return nil }
        (self.id, self.name) = (id, name)
        votes = (values["votes"] as? NSNumber)?.intValue ?? 0
    }
}

/// The vote as the guest sees it.
@MainActor @Observable
final class DrinkVote {
    var question = ""
    var candidates: [Candidate] = []
    /// How many seconds are left.
    var ending = 0
    private(set) var choice: Candidate.ID?

    var isOpen: Bool { choice == nil && ending > 0 }
    var total: Int { candidates.reduce(0) { $0 + $1.votes } }

    func choose(_ candidate: Candidate, note: String) {
        guard isOpen, let index = candidates.firstIndex(where: { $0.id == candidate.id }) else { return }
        candidates[index].votes += 1
        choice = candidate.id
        GuestRecords().logEvent("drink_voted", properties: ["drink": candidate.id, "note": note])
    }
}
