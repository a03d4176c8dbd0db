import PhoneRuntime
import UIKit

// What the rewriter would append to CourseCell.swift.
extension CourseCell {
    static func registerWithPhoneKit() {
        PhoneObject.register(
            CourseCell.self,
            outlets: [
                "nameLabel": { PhoneObject.set(\CourseCell.nameLabel, of: $0, to: $1) },
                "checkmarkView": { PhoneObject.set(\CourseCell.checkmarkView, of: $0, to: $1) },
            ]
        )
    }
}
