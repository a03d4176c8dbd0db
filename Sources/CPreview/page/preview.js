/** The page: choices, bundles, questions; the payload, the phone and the timeline have modules of their own. */

import { $, connect, make, notice, on, send } from "./page.js";
import { discard } from "./editor.js";
import "./stage.js";
import "./timeline.js";

let asked, shownBundle;

const options = (list, values) => {
  const key = JSON.stringify(values);
  if (list.dataset.values === key) return;
  list.dataset.values = key;
  list.replaceChildren(...values.map(([value, text]) => make("option", { value, textContent: text })));
};

on("choices", (message) => {
  options($("text-size"), message.textSizes.map((size) => [size, size.replaceAll("-", " ")]));
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
  $("status").textContent = message.seconds === null ? "Connected" : `Waiting for the extension, ${message.seconds} s`;
});

on("ask", (message) => {
  asked = message.message;
  $("question").textContent = message.question;
  $("ask").hidden = false;
  $("no").focus();
});

on("notice", (message) => { notice(message.text, message.isError); });

$("bundle").onchange = () => { if ($("bundle").value) send({ type: "bundle", bundle: $("bundle").value }); };
for (const input of document.querySelectorAll("[data-choice]"))
  input.addEventListener("change", () => send({ type: "choose", name: input.dataset.choice, value: input.value }));
$("yes").onclick = () => { $("ask").hidden = true; discard(); send(asked); };
$("no").onclick = () => { $("ask").hidden = true; };

connect();
