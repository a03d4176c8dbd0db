#!/usr/bin/env node
import { NotificationContentExtension, View, dismissActionIdentifier, main } from "./pushhost-extension.mjs";

/** The key in the App Group under which the app finds the text to share. */
const sharedKey = "shared_progress";

/** Shows a user's progress, and a button that passes it to the app, which shares it. */
class ShareProgress extends NotificationContentExtension {
  // The first version with rows and with styles of texts.
  static contractVersion = "1.1";

  /** @param {import("./pushhost-extension.mjs").Notification} notification */
  didReceive(notification) {
    const { title, body, userInfo } = notification.request.content;
    const name = userInfo.string("progress_name");
    const total = userInfo.integer("progress_total", 1, 1_000_000);
    // If more is completed than exists, everything is.
    const completed = Math.min(userInfo.integer("progress_completed", 0, 1_000_000), total);
    const url = readURL(userInfo, "share_url");
    const text = this.context.localized("SHARE_TEXT", name, completed, total);
    this.context.view = View.stack([
      View.text(title, { id: "title", style: "title" }),
      View.text(body, { id: "body" }),
      View.row([View.text(name, { id: "name" }), View.text(`${completed}/${total}`, { id: "count", alignment: "end" })]),
      View.progress(completed, total, { id: "progress" }),
      View.text(text, { id: "share-text", style: "caption" }),
    ]);
    const share = this.context.localized("SHARE");
    this.context.notificationActions = [{ identifier: "SHARE", title: share, options: new Set(["foreground"]) }];
    this.properties = { Name: name, Completed: completed, Total: total };
    this.shared = { text, ...(url === undefined ? {} : { url }) };
  }

  /**
   * @param {import("./pushhost-extension.mjs").NotificationResponse} response
   * @param {(option: import("./pushhost-extension.mjs").ResponseOption) => void} completion
   */
  async didReceiveResponse({ actionIdentifier }, completion) {
    if (actionIdentifier === dismissActionIdentifier) return completion("dismiss");
    if (actionIdentifier === "SHARE") {
      // The event is saved last: it is saved once even if a press that failed is repeated.
      await this.context.store(this.shared, sharedKey);
      await this.context.saveCustomEvent("Shared Progress", this.properties);
    }
    completion("dismissAndForwardAction");
  }
}

/**
 * An absolute URL, or undefined if the pair is absent.
 * @param {import("./pushhost-extension.mjs").UserInfo} userInfo
 * @param {string} key
 */
function readURL(userInfo, key) {
  const text = userInfo.optionalString(key);
  if (text === undefined) return undefined;
  try {
    return new URL(text).href;
  } catch {
    throw userInfo.wrong(key, "an absolute URL such as https://example.com/ada");
  }
}

main(ShareProgress);
