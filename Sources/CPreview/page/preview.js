/** The page: choices, bundles, questions; the payload, the phone and the timeline have modules of their own. */

import { $, connect, make, notice, on, send } from "./page.js";
import { discard } from "./editor.js";
import "./stage.js";
import "./timeline.js";

let asked, shownBundle;

/** A choice as it is shown; a minute of today has no date. */
function shortTime(input, value) {
  const time = new Date(value), now = new Date();
  const isShort = input.id === "clock" && time.toDateString() === now.toDateString() && time % 60_000 === 0;
  return isShort ? `${time.getHours()}:${String(time.getMinutes()).padStart(2, "0")}` : value;
}

/** The value of a choice; an hour and minute is that time of today. */
function chosenValue(input) {
  const [, hour, minute] = input.id === "clock" && input.value.match(/^\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/) || [];
  if (hour === undefined) return input.value;
  const time = new Date();
  time.setHours(hour, minute, 0, 0);
  return time.toISOString();
}

const options = (list, values) => {
  const key = JSON.stringify(values);
  if (list.dataset.values === key) return;
  list.dataset.values = key;
  list.replaceChildren(...values.map(([value, text]) => make("option", { value, textContent: text })));
};

/** A text size as the phone's settings would name it. */
const sizeName = (size) => {
  const name = size.replace(/^accessibility-/, "").replaceAll("-", " "), large = ["medium", "large"];
  const step = size.startsWith("accessibility") ? (large.indexOf(name) + 1 || name.split("extra").length + 1) : 0;
  return size === "large" ? "Large (default)" : step ? `AX${step}: ${name}` : name[0].toUpperCase() + name.slice(1);
};

on("choices", (message) => {
  options($("locales"), message.locales.map((tag) => [tag, ""]));
  options($("text-size"), message.textSizes.map((size) => [size, sizeName(size)]));
  for (const input of document.querySelectorAll("[data-choice]")) {
    const value = shortTime(input, message[input.dataset.choice] ?? "");
    if (document.activeElement !== input && input.value !== value) input.value = value;
  }
});

on("bundles", (message) => {
  options($("bundle"), [["", "Choose a bundle…"], ...message.bundles.map((bundle) => [bundle.identifier, bundle.name])]);
  chosen({ bundle: shownBundle });
  options($("destination"), message.destinations.map((name) => [name, name]));
});

/** Names the bundle that shows the notification; which one it is may be known before the list. */
function chosen({ bundle }) {
  shownBundle = bundle;
  if (document.activeElement !== $("bundle") && [...$("bundle").options].some((option) => option.value === bundle))
    $("bundle").value = bundle;
}

on("picture", chosen);

on("host", (message) => { if (message.problem) notice(message.problem, true); else $("notice").hidden = true; });

on("waiting", (message) => {
  if (message.seconds === null) {
    $("status").textContent = "Connected";
  } else {
    // The seconds are not said again and again.
    const passed = $("status").querySelector("span") ?? make("span", { ariaHidden: "true" });
    if (!passed.isConnected) $("status").replaceChildren("Waiting for the extension", passed);
    passed.textContent = `, ${message.seconds} s`;
  }
});

on("ask", (message) => {
  asked = message.message;
  $("question").textContent = message.question;
  if (!$("ask").open) $("ask").showModal();
});

on("notice", (message) => { notice(message.text, message.isError); });

$("bundle").onchange = () => { if ($("bundle").value) send({ type: "bundle", bundle: $("bundle").value }); };
for (const input of document.querySelectorAll("[data-choice]"))
  input.addEventListener("change", () => send({ type: "choose", name: input.dataset.choice, value: chosenValue(input) }));
/** Shows nothing but the phone, or all parts again. */
function present(isOn) {
  document.body.classList.toggle("present", isOn);
  $("present").setAttribute("aria-pressed", String(isOn));
  $("present").textContent = isOn ? "Done" : "Present";
}
$("present").onclick = () => present(!document.body.classList.contains("present"));
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || !event.target.matches("body, header *, #stage-panel *")) return;
  // What the hint beside the phone says, wherever the focus is.
  if ($("phone").dataset.state === "expanded") send({ type: "choose", name: "part", value: "banner" });
  else present(false);
});
$("yes").onclick = () => { $("ask").close(); discard(); send(asked); };
$("no").onclick = () => $("ask").close();
$("ask").onclose = () => { $("bundle").value = shownBundle; };

connect();
