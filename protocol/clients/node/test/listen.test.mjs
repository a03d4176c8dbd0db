/** Notifications. */

import assert from "node:assert/strict";
import test from "node:test";
import { InvalidParamsError } from "pushhost";
import { PAYLOAD, start } from "./support.mjs";

async function shown(t) {
  const host = await start(t);
  const { notification } = await host.didReceive({ payload: PAYLOAD });
  return { host, notification };
}

test("notifications of a topic arrive in order", async (t) => {
  const { host, notification } = await shown(t);
  const listener = host.listen("viewDidChange");
  await host.interact({ notification, element: "tell", value: 100 });
  const texts = [];
  for await (const { topic, params } of listener) {
    assert.equal(topic, "viewDidChange");
    if (texts.push(params.view.children[0].text) === 100) break;
  }
  assert.deepEqual(texts, Array.from({ length: 100 }, (_, number) => `${number}`));
  assert.deepEqual((await host.subscribe({ topics: [] })).topics, [], "leaving the loop closes it");
});

test("notifications of several topics arrive with their names", async (t) => {
  const { host, notification } = await shown(t);
  const heard = host.listen("didDismiss", "openApplication");
  await host.didReceiveResponse({ notification, actionIdentifier: "com.apple.UNNotificationDefaultActionIdentifier" });
  const topics = [(await heard.next()).value.topic, (await heard.next()).value.topic];
  assert.deepEqual(topics.sort(), ["didDismiss", "openApplication"]);
});

test("listeners subscribe only to their topics", async (t) => {
  const { host } = await shown(t);
  const first = host.listen("viewDidChange", "$/log");
  const second = host.listen("$/log");
  const chosen = await host.subscribe({ topics: ["didDismiss"] });
  assert.deepEqual(chosen.topics.sort(), ["$/log", "didDismiss", "viewDidChange"]);
  first.close();
  first.close();
  assert.deepEqual((await host.subscribe({ topics: [] })).topics, ["$/log"]);
  second.close();
  assert.deepEqual((await host.subscribe({ topics: [] })).topics, []);
});

test("a listener without topics receives the topics that others chose", async (t) => {
  const { host, notification } = await shown(t);
  const everything = host.listen();
  await host.subscribe({ topics: ["didDismiss"] });
  await host.dismiss({ notification });
  assert.equal((await everything.next()).value.topic, "didDismiss");
});

test("an unknown topic is refused and leaves no listener", async (t) => {
  const { host } = await shown(t);
  await assert.rejects(host.listen("weather").next(), InvalidParamsError);
  host.listen("didDismiss");
  assert.deepEqual((await host.subscribe({ topics: [] })).topics, ["didDismiss"]);
});

test("the end of the host ends the loop", async (t) => {
  const { host, notification } = await shown(t);
  const listener = host.listen("didDismiss");
  await host.dismiss({ notification });
  const loop = (async () => {
    const topics = [];
    for await (const { topic } of listener) topics.push(topic);
    return topics;
  })();
  await host.close();
  assert.deepEqual(await loop, ["didDismiss"]);
});
