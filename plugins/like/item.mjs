/** The item that a notification shows. */
export class Item {
  /**
   * Reads the key-value pairs.
   * @param {import("./pushhost-extension.mjs").UserInfo} userInfo
   */
  constructor(userInfo) {
    this.id = text(userInfo, "item_id", 100);
    this.title = text(userInfo, "item_title", 200);
    this.subtitle = userInfo.optionalString("item_subtitle") ?? "";
    this.price = userInfo.optionalString("item_price") ?? "";
    this.image = userInfo.optionalString("item_image") ?? "";
    this.alt = userInfo.optionalString("item_image_alt") || this.title;
    if (this.image !== "" && !/^https:\/\/[^\s/]\S*$/.test(this.image)) {
      throw userInfo.wrong("item_image", "a string with an https URL");
    }
    const user = userInfo.get("braze_id");
    /** The key in the App Group under which it is stored that this user likes this item. */
    this.key = `liked_item/${typeof user === "string" ? encodeURIComponent(user) : ""}/${this.id}`;
  }
}

/**
 * A required text, without spaces at its ends, which must not be blank.
 * @param {import("./pushhost-extension.mjs").UserInfo} userInfo
 * @param {string} key
 * @param {number} limit
 */
function text(userInfo, key, limit) {
  const text = userInfo.string(key).trim();
  if (text === "" || [...text].length > limit) throw userInfo.wrong(key, `a string of 1 to ${limit} characters`);
  return text;
}
