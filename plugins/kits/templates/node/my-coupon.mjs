#!/usr/bin/env node
import { NotificationContentExtension, View, main } from "./pushhost-extension.mjs";

/** Shows a coupon with a button; a touch saves a custom event. */
class MyCouponExtension extends NotificationContentExtension {
  /** @param {import("./pushhost-extension.mjs").Notification} notification */
  didReceive(notification) {
    this.code = notification.request.content.userInfo.string("coupon_code");
    this.context.view = View.stack([View.text(this.code), View.button("Use the coupon", { id: "use" })]);
  }

  /** @param {import("./pushhost-extension.mjs").Interaction} interaction */
  async interact(interaction) {
    await this.context.saveCustomEvent("Coupon Used", { Code: this.code });
    this.context.view = View.text(`${this.code} is used.`);
  }
}

main(MyCouponExtension);
