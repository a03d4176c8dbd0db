/** The timeline: what went between the host and its extensions. */

import { $, make, notice, on, send } from "./page.js";

on("timeline", (message) => {
  const list = $("timeline");
  const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
  if (message.whole) list.replaceChildren();
  list.append(...message.entries.map((entry) => {
    const time = entry.t === null ? "" : `${(entry.t / 1000).toFixed(3)} `;
    const short = (name) => name.split(".").pop();
    const way = entry.to ? `${short(entry.from)} → ${short(entry.to)}` : short(entry.from);
    const line = `${time}${way} ${entry.kind} ${entry.text}`;
    const content = entry.raw === null ? line
      : make("details", {}, make("summary", {}, line), make("pre", {}, entry.raw));
    const item = make("li", { className: entry.kind }, content);
    item.dataset.kind = entry.kind;
    return item;
  }));
  while (list.childElementCount > message.limit) list.firstElementChild.remove();
  if (isAtEnd) list.scrollTop = list.scrollHeight;
});

on("session", (message) => {
  const link = make("a", { href: URL.createObjectURL(new Blob([message.text], { type: "application/jsonl" })), download: message.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  notice(`Saved as ${message.name}; pushhost replay runs it.`, false);
});

$("record").onclick = () => send({ type: "record" });
$("clear").onclick = () => $("timeline").replaceChildren();
