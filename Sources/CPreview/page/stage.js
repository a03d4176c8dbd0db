/** The notification, and what is done with it by pointer and keyboard. */

import { $, make, on, send } from "./page.js";

let isPointerDown = false, waiting;

/** Puts the picture in place; not between the press and the release of a pointer, or its click would be lost. */
function draw(html) {
  if (isPointerDown) { waiting = html; return; }
  waiting = undefined;
  const picture = $("picture");
  const old = picture.contains(document.activeElement) ? document.activeElement : null;
  const names = ["data-element", "data-page", "data-action", "data-text-of", "data-media"];
  const same = old && names.filter((name) => old.hasAttribute(name))
    .map((name) => `[${name}="${CSS.escape(old.getAttribute(name))}"]`).join("");
  const typed = old?.tagName === "INPUT" && old.value !== old.defaultValue
    ? { value: old.value, start: old.selectionStart, end: old.selectionEnd } : null;
  picture.innerHTML = html;
  const next = same ? picture.querySelector(old.tagName.toLowerCase() + same) : null;
  if (!next) return;
  next.focus({ preventScroll: true });
  if (typed && !old.isSent) {
    next.value = typed.value;
    next.setSelectionRange(typed.start, typed.end);
  }
}

function released() {
  isPointerDown = false;
  // After the click, which follows the release.
  if (waiting !== undefined) setTimeout(() => waiting !== undefined && draw(waiting));
}

let swipe;
$("picture").addEventListener("pointerdown", (event) => {
  isPointerDown = true;
  swipe = { x: event.clientX, y: event.clientY, target: event.target };
});
addEventListener("pointerup", (event) => {
  if (!isPointerDown) return;
  const { x, y, target } = swipe, dx = event.clientX - x, dy = event.clientY - y;
  if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) {
    const pages = target.closest("[aria-roledescription=carousel]")?.querySelectorAll("button.pn-turn:not(.pn-dots)");
    if (pages?.length) pages[dx < 0 ? pages.length - 1 : 0].click();
  }
  released();
});
addEventListener("pointercancel", released);

$("picture").addEventListener("click", (event) => {
  const control = event.target.closest("button");
  if (!control) {
    if (event.target.closest("[data-part=banner]")) send({ type: "choose", name: "part", value: "expanded" });
    return;
  }
  const { element, page, action, media } = control.dataset;
  if (media !== undefined) send({ type: "media", play: media === "play" });
  else if (action !== undefined) {
    const field = [...$("picture").querySelectorAll("[data-text-of]")].find((input) => input.dataset.textOf === action);
    send({ type: "action", action, ...(field && { text: field.value }) });
  } else if (element !== undefined) send({ type: "touch", element, ...(page !== undefined && { value: Number(page) }) });
});

$("picture").addEventListener("change", (event) => {
  const { element } = event.target.dataset;
  if (event.target.tagName !== "INPUT" || element === undefined) return;
  event.target.isSent = send({ type: "touch", element, value: event.target.value });
});

$("picture").addEventListener("input", (event) => { event.target.isSent = false; });

$("picture").addEventListener("keydown", (event) => {
  const { textOf } = event.target.dataset;
  if (event.key === "Enter" && textOf !== undefined) send({ type: "action", action: textOf, text: event.target.value });
});

on("picture", (message) => {
  draw(message.html);
  $("problem").textContent = message.problem ?? "";
  $("problem").hidden = !message.problem;
  $("diagnostics").replaceChildren(...message.diagnostics.map((diagnostic) =>
    make("li", { className: "warning" }, [diagnostic.path, diagnostic.message].filter(Boolean).join(": "))));
  if (document.activeElement !== $("bundle") && [...$("bundle").options].some((option) => option.value === message.bundle))
    $("bundle").value = message.bundle;
});

$("part").onclick = () => send({ type: "choose", name: "part", value: $("part").dataset.part === "banner" ? "expanded" : "banner" });
