import ExtensionKit
import JSON

/// Shows a coupon with a button; a touch saves a custom event.
@main
final class MyCouponExtension: NotificationContentExtension, InteractionHandler {
    private let context: ExtensionContext
    private var code = ""

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: DeliveredNotification) throws {
        code = try notification.request.content.userInfo.string("coupon_code")
        context.view = .stack([.text(code), .button("Use the coupon", id: "use")])
    }

    func interact(_ interaction: Interaction) throws {
        try context.saveCustomEvent("Coupon Used", properties: ["Code": .string(code)])
        context.view = .text("\(code) is used.")
    }
}
