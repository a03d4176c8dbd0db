import PhoneKit

PhoneMain.run(content: { NotificationViewController() }, registrations: [])
