#!/usr/bin/env node
import { ExtensionError, NotificationContentExtension, View, main } from "./pushhost-extension.mjs";
import { Item } from "./item.mjs";

/** Shows a listing or a song with a heart that saves it for later. */
class Like extends NotificationContentExtension {
  static contractVersion = "1.1";

  /** @type {Item} */
  item;
  /** Whether the heart is on. */
  isLiked = false;
  /**
   * The saves that the last touch did not complete; empty unless a save failed.
   * @type {(() => Promise<void>)[]}
   */
  saves = [];

  /** @param {import("./pushhost-extension.mjs").Notification} notification */
  async didReceive(notification) {
    const item = new Item(notification.request.content.userInfo);
    this.isLiked = await this.isStored(item);
    if (item.key !== this.item?.key) this.saves = [];
    this.item = item;
    this.draw();
  }

  /** @param {import("./pushhost-extension.mjs").Interaction} interaction */
  async interact({ element }) {
    if (element !== "like") {
      const message = `the element ${element} does nothing when touched; touch like`;
      throw new ExtensionError("notTouchable", message, "/params/element");
    }
    const isLiked = !this.isLiked;
    // Another notification about the same item may have saved it already.
    if (this.saves.length === 0 && (await this.isStored(this.item)) !== isLiked) this.saves = this.savesFor(isLiked);
    // A save that fails refuses the touch; the next touch retries that save.
    for (; this.saves.length > 0; this.saves.shift()) await this.saves[0]();
    this.isLiked = isLiked;
    this.draw();
  }

  /**
   * The saves of a touch, in order.
   * @param {boolean} isLiked
   */
  savesFor(isLiked) {
    const { context, item } = this;
    const change = isLiked ? { add: [item.id] } : { remove: [item.id] };
    return [
      () => context.saveCustomEvent(isLiked ? "Liked Item" : "Unliked Item", { Item: item.id }),
      () => context.saveCustomAttribute("Liked Items", change),
      () => (isLiked ? context.store(true, item.key) : context.removeObject(item.key)),
    ];
  }

  /** @param {Item} item */
  async isStored(item) {
    return (await this.context.retrieve(item.key)) === true;
  }

  draw() {
    const { image, alt, title, subtitle, price } = this.item;
    const heart = this.context.localized(this.isLiked ? "HEART_LIKED" : "HEART_OPEN");
    this.context.view = View.stack([
      ...(image ? [View.image(image, { id: "image", alt })] : []),
      View.row([View.text(title, { id: "title", style: "title" }), View.button(heart, { id: "like" })]),
      ...(subtitle ? [View.text(subtitle, { id: "subtitle" })] : []),
      ...(price ? [View.text(price, { id: "price", style: "caption" })] : []),
    ]);
  }
}

main(Like);
