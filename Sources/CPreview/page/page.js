/** What all parts of the page use: elements, JSON whose numbers stay exact, and the connection. */

export const $ = (id) => document.getElementById(id);
const number = (key, value, context) =>
  // A number that a double does not hold stays as it was written.
  typeof value === "number" && context && JSON.rawJSON && String(value) !== context.source
    ? JSON.rawJSON(context.source) : value;
export const parse = (text) => { try { return JSON.parse(text, number); } catch { return undefined; } };
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON?.(value);
export const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
/** A name that may break after its separators, and not within a word. */
export const breakable = (name) => name.split(/(?<=[_/-])/).flatMap((part, index) => index ? [make("wbr"), part] : [part]);
/** The number of this window; 0 until the preview said it. */
export let me = 0;
let socket, hiding;
const handlers = {};

/** Adds what is done with the messages of a type. */
export const on = (type, handler) => (handlers[type] ??= []).push(handler);

on("welcome", (message) => { me = message.window; });

/** Connects to the preview, again and again until it answers. */
export function connect() {
  socket = new WebSocket(`ws://${location.host}${location.pathname}socket`);
  socket.onopen = () => { $("status").textContent = "Connected"; };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    for (const handler of handlers[message.type] ?? []) handler(message);
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

/** Sends a message; false if there is no connection. */
export const send = (message) => socket?.readyState === 1 && me ? (socket.send(JSON.stringify(message)), true) : false;

/** Says something above the page. */
export function notice(text, isError) {
  clearTimeout(hiding);
  if (!isError) hiding = setTimeout(() => { $("notice").hidden = true; }, 6000);
  $("notice").textContent = text;
  $("notice").className = isError ? "error" : "";
  $("notice").hidden = false;
}
