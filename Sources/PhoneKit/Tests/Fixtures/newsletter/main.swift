import PhoneKit

PhoneMain.run(
    content: NotificationViewController.self,
    storyboard: "MainInterface",
    registrations: [{ NotificationViewController.registerWithPhoneKit() }]
)
