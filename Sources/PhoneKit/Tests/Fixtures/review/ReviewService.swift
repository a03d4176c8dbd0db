import Foundation

actor ReviewService {
    static let sent = Notification.Name("ReviewSent")

    private var count = 0

    func send(stars: Int, text: String?) async {
        count += 1
        await Task.yield()
        await MainActor.run {
            NotificationCenter.default.post(name: Self.sent, object: nil, userInfo: ["stars": stars])
        }
    }
}
