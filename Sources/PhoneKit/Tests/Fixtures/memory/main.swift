import PhoneKit
import PhoneRuntime

PhoneMain.run(
    content: { NotificationViewController() },
    registrations: [{ PhoneObject.register(CardCell.self, frame: { CardCell(frame: $0) }) }]
)
