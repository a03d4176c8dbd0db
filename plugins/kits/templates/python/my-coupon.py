#!/usr/bin/env python3
from pushhost_extension import DeliveredNotification, Interaction, NotificationContentExtension, View, main


class MyCouponExtension(NotificationContentExtension):
    """Shows a coupon with a button; a touch saves a custom event."""

    def did_receive(self, notification: DeliveredNotification) -> None:
        self.code = notification.request.content.user_info.string("coupon_code")
        self.context.view = View.stack([View.text(self.code), View.button("Use the coupon", id="use")])

    def interact(self, interaction: Interaction) -> None:
        self.context.save_custom_event("Coupon Used", {"Code": self.code})
        self.context.view = View.text(f"{self.code} is used.")


main(MyCouponExtension)
