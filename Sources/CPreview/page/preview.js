/** The page: choices, bundles, questions; the payload, the phone and the timeline have modules of their own. */

import { $, connect, make, notice, on, send } from "./page.js";
import { discard } from "./editor.js";
import "./stage.js";
import "./timeline.js";

let asked, shownBundle;

/** The value of a choice; an hour and minute is that time of today. */
function chosenValue(input) {
  const [, hour, minute] = input.id === "clock" && input.value.match(/^\s*(\d\d?):(\d\d)\s*$/) || [];
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
const sizeName = (size) => size === "large" ? "Large (default)" : size[0].toUpperCase() + size.slice(1).replaceAll("-", " ");

on("choices", (message) => {
  options($("locales"), message.locales.map((tag) => [tag, ""]));
  options($("text-size"), message.textSizes.map((size) => [size, sizeName(size)]));
  for (const input of document.querySelectorAll("[data-choice]")) {
    const value = message[input.dataset.choice] ?? "";
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
}
$("present").onclick = () => present(!document.body.classList.contains("present"));
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented && document.body.classList.contains("present")) present(false);
});
$("yes").onclick = () => { $("ask").close(); discard(); send(asked); };
$("no").onclick = () => $("ask").close();
$("ask").onclose = () => { $("bundle").value = shownBundle; };

connect();
