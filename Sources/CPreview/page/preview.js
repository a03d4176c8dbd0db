/** The page: choices and questions; what shows the payload, the notification and the timeline has modules. */

import { $, connect, make, notice, on, send } from "./page.js";
import { discard } from "./editor.js";
import "./stage.js";
import "./timeline.js";

let asked;

const options = (list, values) => {
  const key = JSON.stringify(values);
  if (list.dataset.values === key) return;
  list.dataset.values = key;
  list.replaceChildren(...values.map(([value, text]) => make("option", { value, textContent: text })));
};

function choose(name, value) {
  const input = document.querySelector(`[data-choice="${name}"]`);
  if (input && document.activeElement !== input && input.value !== value) input.value = value ?? "";
}

on("choices", (message) => {
  options($("text-size"), message.textSizes.map((size) => [size, size.replaceAll("-", " ")]));
  for (const name of ["locale", "clock", "profile", "scheme", "textSize", "destination"]) choose(name, message[name]);
  $("part").setAttribute("aria-pressed", String(message.part === "expanded"));
  $("part").dataset.part = message.part;
});

on("bundles", (message) => {
  options($("bundle"), [["", "Choose…"], ...message.bundles.map((bundle) => [bundle.identifier, bundle.name])]);
  options($("destination"), message.destinations.map((name) => [name, name]));
});

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
  input.onchange = () => send({ type: "choose", name: input.dataset.choice, value: input.value });
$("yes").onclick = () => { $("ask").hidden = true; discard(); send(asked); };
$("no").onclick = () => { $("ask").hidden = true; };

connect();
