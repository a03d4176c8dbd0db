/** The maximum number of punches of a card, because each is drawn. */
const punchLimit = 50;
const achievementLimit = 20;

/**
 * An achievement and the number of punches that unlocks it.
 * @typedef {{name: string, punches: number}} Achievement
 */

/** The punch card of a notification. */
export class Card {
  /**
   * Reads the key-value pairs.
   * @param {import("./pushhost-extension.mjs").UserInfo} userInfo
   */
  constructor(userInfo) {
    this.needed = userInfo.integer("punches_needed", 1, punchLimit);
    /** If the user has more punches than the card needs, the card is full. */
    this.punches = Math.min(userInfo.integer("punches", 0, 1_000_000), this.needed);
    this.reward = userInfo.optionalString("reward") ?? "";
    /** @type {Achievement[]} */
    this.achievements = readAchievements(userInfo);
  }

  get isFull() {
    return this.punches === this.needed;
  }

  /** @param {Achievement} achievement */
  isUnlocked(achievement) {
    return this.punches >= achievement.punches;
  }
}

/**
 * @param {import("./pushhost-extension.mjs").UserInfo} userInfo
 * @returns {Achievement[]}
 */
function readAchievements(userInfo) {
  const text = userInfo.optionalString("achievements") ?? "";
  if (text.trim() === "") return [];
  const achievements = text.split(",").map((part) => {
    const [, punches, name] = /^\s*([0-9]{1,2})=(.*\S)\s*$/.exec(part) ?? [];
    return { name, punches: Number(punches) };
  });
  const names = new Set(achievements.map(({ name }) => name));
  const areValid = achievements.every(({ name, punches }) => name && punches >= 1 && punches <= punchLimit);
  if (areValid && names.size === achievements.length && names.size <= achievementLimit) return achievements;
  throw userInfo.wrong(
    "achievements",
    `a string of up to ${achievementLimit} pairs such as 3=Regular with commas between them, each name once, ` +
      `the number from 1 to ${punchLimit}`,
  );
}
