/** The notifications on the phone, and what is done with them by pointer and keyboard. */

import { $, make, on, send } from "./page.js";
import { age } from "./phone.js";

const OPEN = "com.apple.UNNotificationDefaultActionIdentifier";
const CLEAR = "com.apple.UNNotificationDismissActionIdentifier";
/** How long a finger rests on a banner until it expands, in milliseconds, as on iOS. */
const HOLD = 500;
const picture = $("picture");
const isReduced = matchMedia("(prefers-reduced-motion:reduce)");

let shown = { state: "none", earlier: [] }, isPointerDown = false, waiting, arrival, cleared, lastIcon;

// ---- Drawing

/** What is done with a banner; an edit may have replaced it by another one since. */
const act = (id, action) => send({ type: "action", action, notification: id });
const expand = (id) => send({ type: "expand", notification: id });

function banner({ id, html }) {
  const content = make("div", { className: "note-card", tabIndex: 0, innerHTML: html });
  const text = [...content.querySelectorAll("h2, .pn-main > * > p, .pn-main > p, .pn-main h3")]
    .map((part) => part.textContent).join(", ");
  content.setAttribute("role", "button");
  content.setAttribute("aria-label", `Open ${text}`);
  content.setAttribute("aria-describedby", "gestures");
  const more = make("button", { type: "button", className: "note-expand", textContent: "⌄", onclick: () => expand(id) });
  more.setAttribute("aria-label", "Expand");
  const clear = make("button", { type: "button", className: "note-clear", textContent: "Clear", onclick: () => leave(id) });
  const note = make("li", { className: "note" }, content, more, clear);
  note.dataset.note = id;
  return note;
}

/** Clears a banner; what is seen of it moves away while it is already gone. */
function leave(id) {
  if (act(id, CLEAR)) cleared = id;
}

/** How what has the focus is found again in the next picture. */
function place(element) {
  const names = ["data-element", "data-page", "data-action", "data-text-of", "data-media"];
  const own = names.filter((name) => element.hasAttribute(name))
    .map((name) => `[${name}="${CSS.escape(element.getAttribute(name))}"]`).join("");
  if (own) return { selector: element.tagName.toLowerCase() + own, index: 0 };
  const kind = ["note-card", "note-expand", "note-clear"].find((name) => element.classList.contains(name));
  return kind ? { selector: `.${kind}`, index: [...picture.querySelectorAll(`.${kind}`)].indexOf(element) } : null;
}

/** Puts the picture in place; not between the press and the release of a pointer, or its click would be lost. */
function draw(message) {
  if (isPointerDown) { waiting = message; return; }
  waiting = undefined;
  const before = shown;
  shown = message;
  // A problem shows the last picture, without controls.
  const isOld = message.state === "none" && message.html !== "";
  const state = isOld ? (message.html.includes('data-part="banner"') ? "banner" : "expanded") : message.state;
  const start = topOf(picture.querySelector(".note, .open-note"));
  $("phone").dataset.state = state;
  $("phone").classList.toggle("old", isOld);
  picture.inert = isOld || message.app !== null;
  if (before.html !== message.html || before.state !== message.state || before.id !== message.id
    || JSON.stringify(before.earlier) !== JSON.stringify(message.earlier)) replace(message, state, before, start);
  const isEmpty = !picture.firstElementChild;
  $("nothing").hidden = !isEmpty || message.app !== null;
  $("end").textContent = message.end;
  $("end").hidden = !message.end;
  const isSheet = !$("cells").hidden, isTouch = matchMedia("(hover:none)").matches, press = isTouch ? "Tap" : "Click";
  $("gestures").textContent = message.app ? "The app is open, as after a tap." : isSheet ? "Choose a picture to see it on the phone." : state === "expanded"
    ? `${press} beside the notification${isTouch ? "" : ", or press Escape,"} to close it.`
    : `${press} a banner to open the app, hold it to expand it, swipe it to the left to clear it.${
      isTouch ? "" : " On the keyboard: Enter, Space, Delete."}`;
}

function replace(message, state, before, start) {
  const icon = picture.querySelector(".pn-icon");
  // Its colours are those of the notification around it.
  if (icon) lastIcon = make("div", { className: icon.closest(".pn").className }, icon.cloneNode(true));
  const old = picture.contains(document.activeElement) ? document.activeElement : null;
  const spot = old && place(old);
  const typed = old?.tagName === "INPUT" && old.value !== old.defaultValue
    ? { value: old.value, start: old.selectionStart, end: old.selectionEnd, isSent: old.isSent } : null;
  const going = cleared ? departure(picture.querySelector(`[data-note="${CSS.escape(cleared)}"]`), "note leaving")
    : state === "expanded" && before.state === "banner" ? departure(picture.querySelector(".note"), "note fading")
      : state === "banner" && before.state === "expanded" ? departure(picture.querySelector(".open-note"), "fading") : null;
  if (state === "expanded") {
    const open = make("div", { className: "open-note", innerHTML: message.html });
    picture.replaceChildren(open);
    if (before.state === "banner") {
      picture.scrollTop = 0;
      moveFrom(start, open, "opening");
    }
  } else {
    const current = state === "banner" ? [banner(message)] : [];
    const notes = current.concat(message.earlier.map(banner));
    if (message.arrival !== arrival) current[0]?.classList.add("arriving");
    arrival = message.arrival;
    picture.replaceChildren(...notes.length ? [make("ul", { className: "notes" }, ...notes)] : []);
    const list = picture.firstElementChild;
    list?.setAttribute("aria-label", "Notification Center");
    if (list && before.state === "expanded" && state === "banner") moveFrom(start, list, "closing");
  }
  if (going) $("screen").append(going);
  cleared = undefined;
  if (!old) return;
  const next = spot && picture.querySelectorAll(spot.selector)[spot.index];
  // What had the focus is gone; the focus stays at the notification, or at what is there in its place.
  const target = next ?? picture.querySelector("button, input, [tabindex]") ?? $("again");
  queueMicrotask(() => { if (document.activeElement === document.body) target.focus({ preventScroll: true }); });
  if (next && typed && !typed.isSent) {
    next.value = typed.value;
    next.setSelectionRange(typed.start, typed.end);
  }
}

/** Where an element begins on the screen, in points. */
const topOf = (element) =>
  element ? element.getBoundingClientRect().top * $("phone").offsetWidth / $("phone").getBoundingClientRect().width : 0;

/** Lets an element move from where another one was. */
function moveFrom(start, element, name) {
  element.style.setProperty("--from", start - topOf(element));
  element.classList.add(name);
}

/** What is gone, at its place, from which it moves away or in which it fades. */
function departure(note, look) {
  if (!note) return null;
  const screen = $("screen").getBoundingClientRect(), place = note.getBoundingClientRect();
  const scale = screen.width / $("screen").offsetWidth;
  const list = make(note.localName === "li" ? "ul" : "div", { className: "departure", ariaHidden: "true", inert: true });
  Object.assign(list.style, { left: `${(place.left - screen.left) / scale}px`, top: `${(place.top - screen.top) / scale}px`,
    width: `${note.offsetWidth}px` });
  list.addEventListener("animationend", () => list.remove());
  note.className = look;
  list.append(note);
  return list;
}

on("picture", (message) => {
  draw(message);
  $("problem").textContent = message.problem ?? "";
  $("problem").hidden = !message.problem;
  // The cause stands at the end of a traceback.
  $("problem").scrollTop = $("problem").scrollHeight;
  // What is about the payload stands in its panel.
  const others = message.diagnostics.filter(({ path }) => !path?.startsWith("/params/payload/"));
  $("diagnostics").replaceChildren(...others.map((diagnostic) =>
    make("li", { className: "warning" }, [diagnostic.path, diagnostic.message].filter(Boolean).join(": "))));
  for (const input of $("part").querySelectorAll("input"))
    input.checked = input.value === (message.state === "expanded" || message.state === "none" && message.part === "expanded"
      ? "expanded" : "banner");
  showApp(message);
  showAges();
});

/** How long ago the notifications arrived, as a phone says it; what has just arrived has the word of the picture. */
function showAges() {
  for (const label of picture.querySelectorAll(".pn-now")) {
    const id = noteOf(label)?.dataset.note ?? shown.id;
    const time = shown.arrived?.find((note) => note.id === id)?.time;
    const text = time && age(time);
    if (text) label.textContent = text;
  }
}

setInterval(showAges, 15_000);

/** The app that a tap, an action or the extension opened. */
function showApp({ app, appName, bundle }) {
  const wasHidden = $("app").hidden;
  $("app").hidden = app === null;
  if (!app) return;
  if (lastIcon) $("app-icon").replaceChildren(lastIcon);
  $("app-name").textContent = appName ?? bundle?.split(".").pop() ?? "The app";
  $("app-link").textContent = app.url ? `Opened with ${app.url}` : "Opened without a link";
  if (wasHidden) $("leave-app").focus({ preventScroll: true });
}

on("waiting", ({ seconds }) => { $("activity").hidden = seconds === null; });

$("leave-app").onclick = () => send({ type: "leaveApp" });
$("again").onclick = () => send({ type: "push" });
$("part").onchange = (event) => send({ type: "choose", name: "part", value: event.target.value });

// ---- Pointers

let drag, ignoresClick = false;

const noteOf = (target) => target.closest(".note");

picture.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  // A touch elsewhere does nothing but push back what was swiped aside.
  const aside = [...picture.querySelectorAll(".note.swiped")].filter((note) => note !== noteOf(event.target));
  for (const note of aside) {
    note.classList.remove("swiped");
    note.style.removeProperty("--dx");
  }
  ignoresClick = aside.length > 0;
  if (ignoresClick) return;
  isPointerDown = true;
  const card = event.target.closest(".note-card");
  drag = { x: event.clientX, y: event.clientY, target: event.target, card, note: card && noteOf(card), isSwipe: false };
  if (!card) return;
  card.classList.add("held");
  const id = drag.note.dataset.note;
  drag.timer = setTimeout(() => {
    // The picture changes below the finger.
    card.classList.remove("held");
    ignoresClick = true;
    released();
    expand(id);
  }, HOLD);
});

addEventListener("pointermove", (event) => {
  if (!drag?.card) return;
  const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
  if (!drag.isSwipe && Math.hypot(dx, dy) > 8) {
    letGo();
    if (Math.abs(dx) < Math.abs(dy)) { drag.card = null; return; }
    drag.isSwipe = true;
    drag.start = drag.note.classList.contains("swiped") ? -88 : 0;
    drag.note.classList.add("dragged");
    drag.card.setPointerCapture(event.pointerId);
  }
  if (!drag.isSwipe) return;
  drag.dx = Math.min(0, drag.start + dx / (drag.card.getBoundingClientRect().width / drag.card.offsetWidth));
  drag.note.style.setProperty("--dx", drag.dx);
});

/** The press is no long one any more. */
function letGo() {
  clearTimeout(drag?.timer);
  drag?.card?.classList.remove("held");
}

/** A banner that was swiped a little shows what it offers; one that was swiped away is cleared. */
function swiped({ note, dx, card }) {
  ignoresClick = true;
  note.classList.remove("dragged");
  const isFar = -dx > card.offsetWidth * .55;
  note.classList.toggle("swiped", !isFar && dx < -44);
  note.style.setProperty("--dx", isFar ? dx : note.classList.contains("swiped") ? -88 : 0);
  if (isFar) leave(note.dataset.note);
}

addEventListener("pointerup", (event) => {
  if (!isPointerDown || !drag) return;
  letGo();
  const { x, y, target } = drag, dx = event.clientX - x, dy = event.clientY - y;
  if (drag.isSwipe) swiped(drag);
  else if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) {
    const pages = target.closest("[aria-roledescription=carousel]")?.querySelectorAll("button.pn-turn:not(.pn-dots)");
    if (pages?.length) pages[dx < 0 ? pages.length - 1 : 0].click();
  }
  released();
});

addEventListener("pointercancel", () => {
  letGo();
  if (drag?.isSwipe) swiped({ ...drag, dx: 0 });
  released();
});

function released() {
  drag = undefined;
  isPointerDown = false;
  // After the click, which follows the release.
  if (waiting !== undefined) setTimeout(() => waiting !== undefined && draw(waiting));
}

// A long press of a finger is no wish for the browser's menu.
picture.addEventListener("contextmenu", (event) => { if (event.target.closest(".note-card")) event.preventDefault(); });

picture.addEventListener("click", (event) => {
  if (ignoresClick && event.detail > 0) { ignoresClick = false; return; }
  const card = event.target.closest(".note-card");
  if (card) {
    const note = noteOf(card);
    if (note.classList.contains("swiped")) {
      note.classList.remove("swiped");
      note.style.removeProperty("--dx");
    } else act(note.dataset.note, OPEN);
    return;
  }
  const control = event.target.closest("button");
  if (!control) {
    if (shown.state !== "expanded") return;
    // As on iOS, a tap on the texts opens the app, and one beside the notification makes it a banner again.
    if (event.target.closest(".pn-content:not([role=status])")) act(shown.id, OPEN);
    else if (!event.target.closest(".pn-platter, .pn-actions")) collapse();
    return;
  }
  const { element, page, action, media } = control.dataset;
  if (media !== undefined) send({ type: "media", play: media === "play" });
  else if (action !== undefined) {
    const field = [...picture.querySelectorAll("[data-text-of]")].find((input) => input.dataset.textOf === action);
    send({ type: "action", action, ...(field && { text: field.value }) });
  } else if (element !== undefined) send({ type: "touch", element, ...(page !== undefined && { value: Number(page) }) });
});

const collapse = () => send({ type: "choose", name: "part", value: "banner" });

// ---- Keyboard

picture.addEventListener("change", (event) => {
  const { element } = event.target.dataset;
  if (event.target.tagName !== "INPUT" || element === undefined) return;
  event.target.isSent = send({ type: "touch", element, value: event.target.value });
});

picture.addEventListener("input", (event) => { event.target.isSent = false; });

picture.addEventListener("keydown", (event) => {
  const { textOf } = event.target.dataset;
  if (event.key === "Enter" && textOf !== undefined) send({ type: "action", action: textOf, text: event.target.value });
  if (event.key === "Escape" && shown.state === "expanded") { event.preventDefault(); return collapse(); }
  if (!event.target.classList.contains("note-card")) return;
  const id = noteOf(event.target).dataset.note;
  const done = { Enter: () => act(id, OPEN), " ": () => expand(id), Delete: () => leave(id), Backspace: () => leave(id) }[event.key];
  if (!done) return;
  event.preventDefault();
  done();
});
