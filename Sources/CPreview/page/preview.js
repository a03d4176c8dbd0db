"use strict";
const $ = (id) => document.getElementById(id);
const number = (key, value, context) =>
  // A number that a double does not hold stays as it was written.
  typeof value === "number" && context && JSON.rawJSON && String(value) !== context.source
    ? JSON.rawJSON(context.source) : value;
const parse = (text) => { try { return JSON.parse(text, number); } catch { return undefined; } };
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON?.(value);
const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
const base = location.pathname;

let socket, me = 0, asked, entryLimit = 300;

// ---- The connection

function connect() {
  socket = new WebSocket(`ws://${location.host}${base}socket`);
  socket.onopen = () => { $("status").textContent = "Connected"; };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    show[message.type]?.(message);
  };
  socket.onclose = (event) => {
    me = 0;
    if (event.code === 1013) {
      const again = make("button", { type: "button", textContent: "Connect again", onclick: connect });
      $("status").replaceChildren(`Disconnected: ${event.reason || "the preview is busy"}. `, again);
    } else {
      $("status").textContent = "Disconnected: the preview has ended or cannot be reached.";
      setTimeout(connect, 1000);
    }
  };
}

const send = (message) => socket?.readyState === 1 && me ? (socket.send(JSON.stringify(message)), true) : false;

function notice(text, isError) {
  $("notice").textContent = text;
  $("notice").className = isError ? "error" : "";
  $("notice").hidden = false;
}

// ---- The editor

let timer, isUnsent = false, findings = [];

function edited(text) {
  $("json").value = text;
  isUnsent = true;
  fill();
  clearTimeout(timer);
  timer = setTimeout(sendEdit, 120);
}

function sendEdit() {
  if (isUnsent && send({ type: "edit", text: $("json").value })) isUnsent = false;
}

/** Changes the payload by the form. */
function change(body) {
  const payload = parse($("json").value);
  if (!isObject(payload)) return;
  body(payload);
  edited(JSON.stringify(payload, null, 2));
}

const aps = (payload) => isObject(payload.aps) ? payload.aps : (payload.aps = {});

function setAlert(name, value) {
  change((payload) => {
    const own = aps(payload), alert = own.alert;
    if (name === "body" && !isObject(alert)) {
      own.alert = value;
    } else {
      const object = isObject(alert) ? alert : alert === undefined || alert === "" ? {} : { body: alert };
      if (value === "") delete object[name]; else object[name] = value;
      own.alert = object;
    }
  });
}

/** Fills the form from the JSON; what has the focus is left alone if it says the same. */
function fill() {
  const text = $("json").value;
  const payload = text.trim() === "" ? {} : parse(text);
  const isUsable = isObject(payload);
  $("form").disabled = !isUsable;
  if (!isUsable) return mark();
  const own = isObject(payload.aps) ? payload.aps : {};
  const alert = isObject(own.alert) ? own.alert : { body: own.alert };
  const put = (input, value) => { if (input.value !== value) input.value = value; };
  for (const name of ["title", "subtitle", "body"])
    put($(`alert-${name}`), typeof alert[name] === "string" ? alert[name] : "");
  put($("category"), typeof own.category === "string" ? own.category : "");
  const keys = Object.keys(payload).filter((key) => key !== "aps" && typeof payload[key] === "string");
  const rows = [...$("keys").children];
  if (rows.map((row) => row.dataset.key).join("\n") !== keys.join("\n"))
    $("keys").replaceChildren(...keys.map(keyRow));
  for (const row of $("keys").children) put(row.querySelector("input"), payload[row.dataset.key]);
  mark();
}

function keyRow(key) {
  const input = make("input", { id: `key-${key}`, dir: "auto" });
  input.oninput = () => change((payload) => { payload[key] = input.value; });
  const remove = make("button", { type: "button", textContent: "×" });
  remove.setAttribute("aria-label", `Remove ${key}`);
  remove.onclick = () => change((payload) => { delete payload[key]; });
  const row = make("div", { className: "row" }, make("label", {}, key, input), remove);
  row.dataset.key = key;
  return row;
}

/** Names each finding at its place. */
function mark() {
  const places = { "/aps/alert/title": "alert-title", "/aps/alert/subtitle": "alert-subtitle",
    "/aps/alert/body": "alert-body", "/aps/alert": "alert-body", "/aps/category": "category" };
  const marked = new Map();
  for (const { path, level, message } of findings) {
    const key = path?.startsWith("/") && !path.startsWith("/aps") ? path.slice(1).replaceAll("~1", "/").replaceAll("~0", "~") : null;
    const input = $(places[path]) ?? (key === null ? null : $(`key-${key}`)) ?? (path ? null : $("json"));
    if (input && level === "error") marked.set(input, message);
  }
  for (const input of document.querySelectorAll("#form input, #json")) {
    if (marked.has(input)) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    input.title = marked.get(input) ?? "";
  }
}

function select(line, column) {
  const lines = $("json").value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + Math.max(0, column - 1);
  $("json").focus();
  $("json").setSelectionRange(start, start + 1);
}

// ---- The picture

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

// ---- What the preview tells

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

const show = {
  welcome(message) {
    me = message.window;
    sendEdit();
  },
  editor(message) {
    findings = message.findings;
    if (!isUnsent && message.author !== me && $("json").value !== message.text) $("json").value = message.text;
    fill();
    $("save").disabled = $("load").disabled = !message.file;
    const state = message.isChangedOnDisk ? "changed on disk; Load shows it, Save replaces it"
      : message.isDirty ? "not saved" : "saved";
    $("file").textContent = message.file ? `${message.file}: ${state}` : "in no file";
    $("findings").replaceChildren(...findings.map((finding) => {
      const place = finding.line ? `line ${finding.line}, column ${finding.column}` : finding.path || "payload";
      const item = make("li", { className: finding.level },
        `${finding.level}: ${place}: ${finding.message}${finding.advice ? ` (${finding.advice})` : ""} `);
      if (finding.line)
        item.append(make("button", { type: "button", textContent: "Show", onclick: () => select(finding.line, finding.column) }));
      return item;
    }));
  },
  choices(message) {
    options($("text-size"), message.textSizes.map((size) => [size, size.replaceAll("-", " ")]));
    for (const name of ["locale", "clock", "profile", "scheme", "textSize", "destination"]) choose(name, message[name]);
    $("part").setAttribute("aria-pressed", String(message.part === "expanded"));
    $("part").dataset.part = message.part;
  },
  bundles(message) {
    options($("bundle"), [["", "Choose…"], ...message.bundles.map((bundle) => [bundle.identifier, bundle.name])]);
    options($("destination"), message.destinations.map((name) => [name, name]));
  },
  picture(message) {
    draw(message.html);
    $("problem").textContent = message.problem ?? "";
    $("problem").hidden = !message.problem;
    $("diagnostics").replaceChildren(...message.diagnostics.map((diagnostic) =>
      make("li", { className: "warning" }, [diagnostic.path, diagnostic.message].filter(Boolean).join(": "))));
    if (document.activeElement !== $("bundle") && [...$("bundle").options].some((option) => option.value === message.bundle))
      $("bundle").value = message.bundle;
  },
  records(message) {
    $("record-count").textContent = message.count;
    $("records").replaceChildren(...message.records.map(({ suite, record }) => {
      const name = record.name ?? `${record.key ?? record.field}: ${JSON.stringify(record.value)}`;
      return make("li", {}, make("details", {}, make("summary", {}, `${record.kind} ${name} (${suite})`),
        make("pre", {}, JSON.stringify(record, null, 2))));
    }));
  },
  flush(message) { $("flush").textContent = message.text; },
  host(message) { if (message.problem) notice(message.problem, true); else $("notice").hidden = true; },
  waiting(message) {
    $("status").textContent = message.seconds === null ? "Connected" : `Waiting for the extension, ${message.seconds} s`;
  },
  timeline(message) {
    entryLimit = message.limit;
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
    while (list.childElementCount > entryLimit) list.firstElementChild.remove();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  },
  ask(message) {
    asked = message.message;
    $("question").textContent = message.question;
    $("ask").hidden = false;
    $("no").focus();
  },
  notice(message) { notice(message.text, message.isError); },
  session(message) {
    const link = make("a", { href: URL.createObjectURL(new Blob([message.text], { type: "application/jsonl" })), download: message.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    notice(`Saved as ${message.name}; pushhost replay runs it.`, false);
  },
};

// ---- Controls

$("json").oninput = () => edited($("json").value);
for (const input of document.querySelectorAll("[data-alert]")) input.oninput = () => setAlert(input.dataset.alert, input.value);
$("category").oninput = () => change((payload) => {
  if ($("category").value === "") delete aps(payload).category; else aps(payload).category = $("category").value;
});
$("add-key").onclick = () => {
  const key = $("new-key").value;
  if (key === "" || key === "aps") return;
  change((payload) => { payload[key] ??= ""; });
  $("new-key").value = "";
  $(`key-${key}`)?.focus();
};
$("new-key").onkeydown = (event) => { if (event.key === "Enter") $("add-key").click(); };
$("push").onclick = () => send({ type: "push" });
$("save").onclick = () => { sendEdit(); send({ type: "save" }); };
$("load").onclick = () => send({ type: "load" });
$("record").onclick = () => send({ type: "record" });
$("clear").onclick = () => $("timeline").replaceChildren();
$("bundle").onchange = () => { if ($("bundle").value) send({ type: "bundle", bundle: $("bundle").value }); };
$("part").onclick = () => send({ type: "choose", name: "part", value: $("part").dataset.part === "banner" ? "expanded" : "banner" });
for (const input of document.querySelectorAll("[data-choice]"))
  input.onchange = () => send({ type: "choose", name: input.dataset.choice, value: input.value });
$("yes").onclick = () => { $("ask").hidden = true; isUnsent = false; send(asked); };
$("no").onclick = () => { $("ask").hidden = true; };

connect();
