public import Foundation
import JSON

/// The name of a sound file of the app.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The file's name.
    public var rawValue: String
    /// A name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notification.
open class UNNotificationSound: NSObject, NSCopying, @unchecked Sendable {
    private let name: String
    private let isCritical: Bool
    private let volume: Double?

    private init(name: String, isCritical: Bool = false, volume: Double? = nil) {
        (self.name, self.isCritical, self.volume) = (name, isCritical, volume)
    }

    /// The system's sound.
    public class var `default`: UNNotificationSound { UNNotificationSound(name: "default") }
    /// The system's sound for critical alerts.
    public class var defaultCritical: UNNotificationSound { UNNotificationSound(name: "default", isCritical: true) }
    /// The system's ringtone.
    public class var defaultRingtone: UNNotificationSound { UNNotificationSound(name: "default") }
    /// The system's sound for critical alerts at that volume.
    public class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound {
        UNNotificationSound(name: "default", isCritical: true, volume: Double(volume))
    }
    /// A sound of the app for critical alerts.
    public class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(name: name.rawValue, isCritical: true)
    }
    /// A sound of the app for critical alerts at that volume.
    public class func criticalSoundNamed(
        _ name: UNNotificationSoundName,
        withAudioVolume volume: Float
    ) -> UNNotificationSound {
        UNNotificationSound(name: name.rawValue, isCritical: true, volume: Double(volume))
    }

    /// A sound of the app.
    public convenience init(named name: UNNotificationSoundName) { self.init(name: name.rawValue) }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.wire == wire }
    open override var hash: Int { name.hashValue }

    /// The sound as in a payload.
    convenience init?(wire: JSON) {
        if let name = wire.string {
            self.init(name: name)
            return
        }
        guard wire.object != nil else { return nil }
        self.init(
            name: wire["name"]?.string ?? "default",
            isCritical: wire["critical"]?.integer == 1,
            volume: wire["volume"]?.number
        )
    }

    /// The sound as in a payload.
    var wire: JSON {
        guard isCritical else { return .string(name) }
        let members: [(String, JSON?)] = [
            ("critical", 1), ("name", .string(name)), ("volume", volume.map(JSON.real)),
        ]
        return .object(JSON.Object(members.compactMap { name, value in value.map { (name, $0) } }))
    }
}
