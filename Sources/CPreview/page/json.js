/** JSON as text: its tokens, the places of its members, and the smallest edits that change one. */

const TOKEN = /("(?:[^"\\]|\\.)*"?)(?=(\s*:)?)|(-?\d[\w.+-]*)|(true|false|null)\b|[{}[\],:]|\s+|[^\s"{}[\],:]+/g;

/** The tokens of a line: their class, and where they end. A text of JSON never goes on in the next line. */
export const tokens = (line) => [...line.matchAll(TOKEN)].map((match) => ({
  kind: match[1] ? match[2] ? "key" : "string" : match[3] ? "number" : match[4] ? "literal" : "",
  end: match.index + match[0].length,
}));

/** The lines that can be folded, each with the line of the closing bracket. */
export function folds(lines) {
  const open = [], found = new Map();
  lines.forEach((line, number) => {
    for (const [token] of line.matchAll(TOKEN)) {
      if (token === "{" || token === "[") open.push(number);
      else if ((token === "}" || token === "]") && open.length) {
        const start = open.pop();
        if (number > start + 1) found.set(start, number);
      }
    }
  });
  return found;
}

/** The value of a valid text, with the places of its members and of theirs. */
export function tree(text) {
  let at = 0;
  const skip = () => { while (" \t\r\n".includes(text[at] ?? "x")) at += 1; };
  const string = () => {
    for (at += 1; text[at] !== '"'; at += 1) if (text[at] === "\\") at += 1;
    at += 1;
  };
  const separated = (close, element) => {
    at += 1;
    for (skip(); text[at] !== close; skip()) {
      element();
      skip();
      if (text[at] === ",") at += 1;
    }
    at += 1;
  };
  function value() {
    skip();
    const node = { start: at };
    if (text[at] === "{") {
      node.members = [];
      separated("}", () => {
        const start = at;
        string();
        const name = JSON.parse(text.slice(start, at));
        skip();
        at += 1;
        node.members.push({ name, start, value: value() });
      });
    } else if (text[at] === "[") separated("]", value);
    else if (text[at] === '"') string();
    else while (at < text.length && !" \t\r\n,]}".includes(text[at])) at += 1;
    node.end = at;
    return node;
  }
  return value();
}

const member = (node, name) => node?.members?.findLast((own) => own.name === name);

/** The member of a path of names; undefined if there is none. */
export const find = (root, path) =>
  path.reduce((found, name) => member(found?.value, name), { value: root });

/** The text with a member set to a value, or removed if that is undefined; the rest stays as it is written. */
export function set(text, path, value) {
  if (text.trim() === "") text = "{}";
  let node = tree(text);
  for (const [index, name] of path.entries()) {
    const found = member(node, name), rest = path.slice(index + 1);
    if (found && rest.length && found.value.members) {
      node = found.value;
      continue;
    }
    if (value === undefined) return found && !rest.length ? without(text, node, found) : text;
    const whole = rest.reduceRight((inner, step) => ({ [step]: inner }), value);
    return found ? splice(text, found.value.start, found.value.end, spelled(text, found.start, whole))
      : inserted(text, node, name, whole);
  }
  return text;
}

const splice = (text, start, end, replacement) => text.slice(0, start) + replacement + text.slice(end);

/** The white space at the beginning of the line of an offset. */
const indent = (text, offset) => /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))[0];

const spelled = (text, offset, value) =>
  JSON.stringify(value, null, text.includes("\n") ? 2 : 0).replaceAll("\n", `\n${indent(text, offset)}`);

function inserted(text, node, name, value) {
  const last = node.members.at(-1), outer = indent(text, node.start);
  if (!last) {
    const inner = `\n${outer}  `;
    return splice(text, node.start + 1, node.end - 1,
      `${inner}${JSON.stringify(name)}: ${JSON.stringify(value, null, 2).replaceAll("\n", inner)}\n${outer}`);
  }
  const before = text.slice(0, last.start);
  const space = before.slice(before.trimEnd().length) || (node.members.length === 1 ? " " : "");
  return splice(text, last.value.end, last.value.end,
    `,${space}${JSON.stringify(name)}: ${spelled(text, last.start, value)}`);
}

function without(text, node, found) {
  const index = node.members.indexOf(found), next = node.members[index + 1], previous = node.members[index - 1];
  if (next) return splice(text, found.start, next.start, "");
  if (previous) return splice(text, previous.value.end, found.value.end, "");
  return splice(text, node.start + 1, node.end - 1, "");
}
