import PhoneKit

PhoneMain.run(
    content: { NotificationViewController(nibName: nil, bundle: nil) },
    registrations: [{ CourseCell.registerWithPhoneKit() }]
)
