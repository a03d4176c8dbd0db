import PhoneKit

PhoneMain.run(service: { NotificationService() })
