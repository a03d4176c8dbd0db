/** Plays the match game in CI: the same clock and seed give the same game. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Host, NoPresentationError } from "pushhost";

const plugins = new URL("../../../../plugins", import.meta.url);
const payload = { aps: { category: "match_game", alert: "A game?" } };
let data, host;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "match-game-"));
  host = await Host.start({ plugins, data, clock: "2026-01-01T00:00:00Z", seed: 1, deadline: 60_000 });
});

afterEach(async () => {
  await host.close();
  rmSync(data, { recursive: true });
});

test("a card shows its face when it is touched", async () => {
  const { notification } = await host.didReceive({ payload });
  const { view } = await host.interact({ notification, element: "card-0" });
  const faceUp = view.children[0].children.filter((card) => card.faceUp);
  assert.deepEqual(faceUp.map((card) => card.id), ["card-0"]);
});

test("a game that was swiped away takes no touch", async () => {
  const { notification } = await host.didReceive({ payload });
  await host.dismiss({ notification });
  await assert.rejects(host.interact({ notification, element: "card-0" }), NoPresentationError);
});
