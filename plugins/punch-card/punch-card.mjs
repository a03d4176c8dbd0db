#!/usr/bin/env node
import { NotificationContentExtension, View, main } from "./pushhost-extension.mjs";
import { Card } from "./card.mjs";

const columns = 5;

/** Shows a punch card, and the achievements that its punches unlock. */
class PunchCard extends NotificationContentExtension {
  /** @param {import("./pushhost-extension.mjs").Notification} notification */
  async didReceive(notification) {
    const { content } = notification.request;
    const card = new Card(content.userInfo);
    const unlocked = await this.unlock(card, content.userInfo.get("braze_id"));
    await this.context.saveCustomEvent("Viewed Punch Card", { Punches: card.punches, Needed: card.needed });
    this.draw(content, card, unlocked);
  }

  /**
   * Saves an event for each achievement that is new to the user, and returns these achievements.
   * @param {Card} card
   * @param {unknown} user
   */
  async unlock(card, user) {
    const key = "punch_card_achievements" + (typeof user === "string" && user !== "" ? `.${user}` : "");
    const stored = await this.context.retrieve(key);
    const known = new Set(Array.isArray(stored) ? stored : []);
    const unlocked = card.achievements.filter((one) => card.isUnlocked(one) && !known.has(one.name));
    for (const { name } of unlocked) {
      await this.context.saveCustomEvent("Unlocked Achievement", { Achievement: name });
      // Stored one by one: if a later save fails, this achievement is not new again.
      await this.context.store([...known.add(name)], key);
    }
    return unlocked;
  }

  /**
   * @param {import("./pushhost-extension.mjs").Notification["request"]["content"]} content
   * @param {Card} card
   * @param {import("./card.mjs").Achievement[]} unlocked
   */
  draw(content, card, unlocked) {
    const localized = this.context.localized.bind(this.context);
    const reward = card.reward || localized("CARD_REWARD");
    const punches = Array.from({ length: card.needed }, (_, index) =>
      View.text(index < card.punches ? "●" : "○", { id: `punch-${index + 1}` }),
    );
    const achievements = card.achievements.map((achievement, index) => {
      const { name, punches } = achievement;
      const key = unlocked.includes(achievement) ? "ACHIEVEMENT_NEW" : "ACHIEVEMENT_UNLOCKED";
      const text = card.isUnlocked(achievement) ? localized(key, name) : localized("ACHIEVEMENT_LOCKED", name, punches);
      return View.text(text, { id: `achievement-${index + 1}` });
    });
    const goal = card.isFull
      ? localized("CARD_FULL", reward)
      : localized("CARD_REMAINING", card.needed - card.punches, reward);
    this.context.view = View.stack([
      View.text(content.title, { id: "title" }),
      View.text(content.body, { id: "body" }),
      View.text(`${card.punches}/${card.needed}`, { id: "count" }),
      View.progress(card.punches, card.needed, { id: "progress" }),
      View.grid(punches, { columns, id: "punches" }),
      View.text(goal, { id: "goal" }),
      ...achievements,
    ]);
    this.context.notificationActions = card.isFull
      ? [{ identifier: "REDEEM", title: localized("CARD_REDEEM"), options: new Set(["foreground"]) }]
      : [];
  }
}

main(PunchCard);
