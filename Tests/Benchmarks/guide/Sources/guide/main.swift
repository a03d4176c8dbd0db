// Prints the median time of a save of a custom event as Braze's guide on content extensions shows it, with so many
// events pending.
//
//   guide PENDING SAVES
//
// The guide leaves it to iOS when the defaults are written. Here `synchronize` writes the whole file and syncs it after
// each save, so that another process can read the event and a crash loses none.

import Foundation

enum RemoteStorageKey: String {
    case pendingCustomEvents = "pending_custom_events"
}

final class RemoteStorage {
    private let defaults: UserDefaults

    init() {
        guard let defaults = UserDefaults(suiteName: "com.example.benchmark") else { fatalError("there is no suite") }
        self.defaults = defaults
    }

    func store(_ value: Any, forKey key: RemoteStorageKey) {
        defaults.set(value, forKey: key.rawValue)
    }

    func retrieve(forKey key: RemoteStorageKey) -> Any? {
        defaults.object(forKey: key.rawValue)
    }

    func synchronize() -> Bool { defaults.synchronize() }
}

func customEvent() -> [String: Any] { ["event_name": "Completed Match Game", "Score": 6] }

func saveCustomEvent() {
    let customEventDictionary = customEvent()
    let remoteStorage = RemoteStorage()
    if var pendingEvents = remoteStorage.retrieve(forKey: .pendingCustomEvents) as? [[String: Any]] {
        pendingEvents.append(contentsOf: [customEventDictionary])
        remoteStorage.store(pendingEvents, forKey: .pendingCustomEvents)
    } else {
        remoteStorage.store([customEventDictionary], forKey: .pendingCustomEvents)
    }
    guard remoteStorage.synchronize() else { fatalError("the defaults could not be written") }
}

guard CommandLine.arguments.count == 3, let pending = Int(CommandLine.arguments[1]),
    let saves = Int(CommandLine.arguments[2]), pending >= 0, saves > 0
else { fatalError("usage: guide PENDING SAVES") }

var times: [Duration] = []
for _ in 0..<saves {
    let before: [[String: Any]] = Array(repeating: customEvent(), count: pending)
    RemoteStorage().store(before, forKey: .pendingCustomEvents)
    guard RemoteStorage().synchronize() else { fatalError("the defaults could not be written") }
    times.append(ContinuousClock().measure(saveCustomEvent))
}
times.sort()
let stored = RemoteStorage().retrieve(forKey: .pendingCustomEvents) as? [[String: Any]]
guard stored?.count == pending + 1 else { fatalError("an event is missing") }
print("{\"p50_us\":\(times[saves / 2] / .microseconds(1))}")
