/** The phone: its device, its clock, its size on the page, and several phones side by side. */

import { $, make, on, send } from "./page.js";

// ---- Device, wallpaper, clock

let choices = { locale: "", clock: "", zone: "UTC" }, tick;

on("choices", (message) => {
  choices = message;
  for (const name of ["device", "scheme", "icons", "wallpaper"]) $("phone").dataset[name] = message[name];
  $("cells").dataset.wallpaper = message.wallpaper;
  $("cells").dataset.icons = message.icons;
  showTime();
  fit();
});

/** The chosen language, and English in case the browser does not know it. */
const locales = () => [choices.locale.replaceAll("_", "-") || "en", "en"];

function isRightToLeft(tag) {
  try { return (new Intl.Locale(tag).getTextInfo?.() ?? new Intl.Locale(tag).textInfo)?.direction === "rtl"; } catch { return false; }
}

/** How long ago a time was, in the chosen language; empty for less than a minute, and while the clock stands still. */
export function age(time) {
  const minutes = Math.floor((Date.now() - time) / 60_000);
  if (minutes < 1 || !Number.isNaN(Date.parse(choices.clock))) return "";
  const past = minutes < 60 ? [-minutes, "minute"] : [-Math.floor(minutes / 60), "hour"];
  for (const locale of locales()) {
    try { return new Intl.RelativeTimeFormat(locale, { style: "narrow" }).format(...past); } catch { /* The next one is known. */ }
  }
}

/** A text of the clock's time, in the chosen language and the host's time zone as far as the browser knows them. */
function format(time, options, parts = () => true) {
  for (const locale of locales()) {
    for (const timeZone of [choices.zone, undefined]) {
      try {
        const format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
        return format.formatToParts(time).filter(parts).map((part) => part.value).join("").trim();
      } catch { /* The next one is known. */ }
    }
  }
}

function showTime() {
  clearTimeout(tick);
  const fixed = new Date(choices.clock);
  const isFixed = !Number.isNaN(fixed.getTime()), time = isFixed ? fixed : new Date();
  const isPart = (part) => part.type === "hour" || part.type === "minute"
    || part.type === "literal" && part.value.trim() !== "";
  $("time").textContent = $("bar-time").textContent = format(time, { hour: "numeric", minute: "2-digit" }, isPart);
  $("date").textContent = format(time, { weekday: "long", month: "long", day: "numeric" });
  $("lock").lang = choices.locale || "en";
  $("bar").dir = isRightToLeft(locales()[0]) ? "rtl" : "ltr";
  if (!isFixed) tick = setTimeout(showTime, 60_000 - time % 60_000 + 20);
}

/** Makes the phone as large as there is room for it, and not larger than it is. */
function fit() {
  const phone = $("phone"), stage = $("stage");
  const isOneScreen = matchMedia("(min-width:1200px) and (min-height:640px)").matches;
  const isAlone = matchMedia("(max-width:480px)").matches;
  const width = phone.offsetWidth, across = stage.clientWidth / width;
  if (!width) return;
  // On a phone the screen is as high as what the page's header leaves.
  phone.style.removeProperty("--h");
  if (isAlone) {
    const room = (innerHeight - document.querySelector("header").offsetHeight) / across;
    phone.style.setProperty("--h", Math.round(Math.min(phone.offsetHeight, Math.max(560, room))));
  }
  const height = phone.offsetHeight;
  // Beside a wide window's settings there is the payload; below them in a narrower one, so the phone leaves it room.
  const down = isOneScreen ? (stage.clientHeight - 8) / height : (innerWidth < 640 ? .92 : .6) * innerHeight / height;
  const scale = Math.max(.3, isAlone ? across : Math.min(1, across, down));
  phone.style.transform = `scale(${scale})`;
  // A transform leaves the room as it was.
  phone.style.margin = `0 ${(scale - 1) * width}px ${(scale - 1) * height}px 0`;
}

new ResizeObserver(fit).observe($("stage"));
addEventListener("resize", fit);

// ---- Side by side

const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
const language = (tag) => {
  try { return names.of(tag.replaceAll("_", "-")) ?? tag; } catch { return tag; }
};
const labels = {
  locales: (value) => language(value) === value ? value : `${language(value)} (${value})`,
  textSizes: (value) => $("text-size").querySelector(`[value="${value}"]`).textContent,
  schemes: (value) => value === "dark" ? "Dark" : "Light",
  devices: (value) => $("device").querySelector(`[value="${value}"]`).textContent,
};
const choice = { locales: "locale", textSizes: "textSize", schemes: "scheme", devices: "device" };

function cell(kind, { value, html, problem }) {
  const screen = make("div", { className: "cell-screen", inert: true }, make("div", { className: "cell-paper" }));
  if (problem) screen.append(make("p", { textContent: problem }));
  else screen.insertAdjacentHTML("beforeend", html);
  if (kind === "devices") {
    screen.dataset.device = value;
    if (html?.includes('data-part="banner"'))
      screen.append(make("div", { className: "cell-lock" }, $("date").textContent, make("b", {}, $("time").textContent)));
  }
  const dark = kind === "schemes" ? value : choices.scheme;
  screen.style.colorScheme = dark === "auto" ? "light dark" : dark;
  const pick = make("button", { type: "button", textContent: labels[kind](value) });
  pick.onclick = () => {
    send({ type: "choose", name: choice[kind], value });
    send({ type: "choose", name: "sheet", value: "none" });
    $("sheet").focus();
  };
  if (choices[choice[kind]] === value) pick.setAttribute("aria-current", "true");
  return make("li", { className: "cell" }, screen, pick);
}

on("sheet", ({ kind, items }) => {
  const isShown = items !== undefined;
  $("cells").hidden = !isShown;
  $("phone").hidden = isShown;
  if (!isShown) { $("cells").replaceChildren(); fit(); return; }
  const all = kind === "devices"
    ? [...$("device").options].flatMap(({ value }) => items.map(({ html }) => ({ value, html }))) : items;
  const focused = [...$("cells").querySelectorAll("button")].indexOf(document.activeElement);
  $("cells").dataset.kind = kind;
  $("cells").replaceChildren(...all.map((item) => cell(kind, item)));
  $("cells").querySelectorAll("button")[focused]?.focus();
});
