"""The typed parts of the client for Node."""

from __future__ import annotations

import json
import re
import textwrap

from .contract import Contract, Method
from .names import camel_case, error_class, pascal_case
from .shapes import Choice, Listed, Member, Named, Primitive, Shape, Struct, Words

MARK = "// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.\n"
WIDTH = 120
SCALARS = {
    "string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null",
    "any": "unknown", "map": "{ [member: string]: unknown }",
}  # fmt: skip


def files(contract: Contract) -> dict[str, str]:
    """Every generated file by its path from the folder of the clients."""
    written = {
        "contract.mjs": constants(contract),
        "contract.d.ts": types(contract),
        "methods.mjs": methods(contract),
        "methods.d.ts": method_types(contract),
        "reasons.mjs": reasons(contract),
        "reasons.d.ts": reason_types(contract),
    }
    return {f"node/lib/{name}": text for name, text in written.items()}


# MARK: Types


def constants(contract: Contract) -> str:
    topics = "".join(f"  {quoted(topic.name)},\n" for topic in contract.topics)
    text = MARK + f"\nexport const CONTRACT_VERSION = {quoted(contract.version)};\n"
    text += "\n/** The maximum length of a line in bytes, unless the host's option --line-limit sets another. */\n"
    text += f"export const MAX_LINE_BYTES = {contract.line_limit};\n"
    return text + f"\nexport const TOPICS = Object.freeze([\n{topics}]);\n"


def types(contract: Contract) -> str:
    text = MARK + "\n/** The version of the contract from which this client was generated. */\n"
    text += "export declare const CONTRACT_VERSION: string;\n\n/** Every topic that can be listened to. */\n"
    text += "export declare const TOPICS: readonly Topic[];\n"
    for schema in contract.schemas:
        text += "\n" + comment([schema.description], "")
        if isinstance(schema.shape, Struct):
            text += interface(schema.name, schema.shape)
        else:
            text += alias(schema.name, schema.shape)
    for method in contract.methods:
        if method.params:
            text += "\n" + comment([f"The params of `{method.name}`."], "")
            text += interface(params_name(method), Struct(ordered(method), False))
    for topic in contract.topics:
        name = pascal_case(topic.name)
        text += "\n" + comment([f"The params of `{topic.name}`."], "") + interface(f"{name}Params", topic.params)
        text += "\n" + comment([topic.summary], "")
        text += f"export interface {name} {{\n  topic: {quoted(topic.name)};\n  params: {name}Params;\n}}\n"
    names = " | ".join(pascal_case(topic.name) for topic in contract.topics)
    return text + f"\n/** What a listener hears. */\nexport type Notification = {names};\n"


def interface(name: str, struct: Struct) -> str:
    text = f"export interface {name} {{\n"
    for member in struct.members:
        key = member.name if member.name.isidentifier() else quoted(member.name)
        text += comment([member.description], "  ")
        text += f"  {key}{'' if member.required else '?'}: {typescript(member.shape)};\n"
    if struct.is_open:
        text += "  [member: string]: unknown;\n"
    return text + "}\n"


def alias(name: str, shape: Shape) -> str:
    line = f"export type {name} = {typescript(shape)};\n"
    if len(line) <= WIDTH or not isinstance(shape, Words):
        return line
    return f"export type {name} =\n" + "".join(f"  | {quoted(value)}\n" for value in shape.values)[:-1] + ";\n"


def typescript(shape: Shape) -> str:
    if isinstance(shape, Primitive):
        return SCALARS[shape.name]
    if isinstance(shape, Named):
        return shape.name
    if isinstance(shape, Listed):
        inner = typescript(shape.items)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if isinstance(shape, Words):
        return " | ".join(quoted(value) for value in shape.values)
    if isinstance(shape, Choice):
        return " | ".join(dict.fromkeys(typescript(each) for each in shape.shapes))
    raise ValueError(f"{shape} needs a name")


# MARK: Methods


def methods(contract: Contract) -> str:
    text = MARK + "\nexport class Methods {\n"
    for method in contract.methods:
        text += f"  {camel_case(method.name)}(params, options) {{\n"
        text += f"    return this.call({quoted(method.name)}, params, options);\n  }}\n\n"
    return text[:-1] + "}\n"


def method_types(contract: Contract) -> str:
    body = ""
    for method in contract.methods:
        errors = "Rejects with " + ", ".join(error_class(reason) for reason in method.reasons) + "."
        paragraphs = [method.summary, method.description, errors]
        if method.deprecation:
            paragraphs.append(f"@deprecated since {method.deprecation.since}: {method.deprecation.advice}")
        body += "\n" + comment(paragraphs, "  ")
        body += f"  {camel_case(method.name)}({signature(method)}): Promise<{typescript(method.result)}>;\n"
    used = set(re.findall(r"\b[A-Z]\w+\b", re.sub(r"/\*\*.*?\*/", "", body, flags=re.DOTALL)))
    known = {schema.name for schema in contract.schemas} | {params_name(method) for method in contract.methods}
    names = "".join(f"  {name},\n" for name in sorted(used & known))
    text = (
        MARK + f'\nimport type {{\n{names}}} from "./contract.js";\nimport type {{ CallOptions }} from "../index.js";\n'
    )
    about = ["The methods of the contract."]
    return text + "\n" + comment(about, "") + "export declare abstract class Methods {\n" + body[1:] + "}\n"


def signature(method: Method) -> str:
    if not method.params:
        return "params?: {}, options?: CallOptions"
    needed = any(member.required for member in method.params)
    return f"params{'' if needed else '?'}: {params_name(method)}, options?: CallOptions"


def params_name(method: Method) -> str:
    return pascal_case(method.name) + "Params"


def ordered(method: Method) -> tuple[Member, ...]:
    return tuple(sorted(method.params, key=lambda member: not member.required))


# MARK: Errors


def reasons(contract: Contract) -> str:
    text = MARK + '\nimport { CallError } from "./errors.mjs";\n\n'
    for reason in contract.reasons:
        text += f"export class {error_class(reason.name)} extends CallError {{}}\n"
    text += "\nexport const REASONS = Object.freeze({\n"
    return text + "".join(f"  {each.name}: {error_class(each.name)},\n" for each in contract.reasons) + "});\n"


def reason_types(contract: Contract) -> str:
    text = MARK + '\nimport { CallError } from "../index.js";\n\n'
    for reason in contract.reasons:
        text += comment([f"`{reason.name}` ({reason.code}): {reason.message}"], "")
        text += f"export declare class {error_class(reason.name)} extends CallError {{}}\n"
    text += "\n/** The class of each reason. */\nexport declare const REASONS: {\n"
    return (
        text
        + "".join(f"  readonly {each.name}: typeof {error_class(each.name)};\n" for each in contract.reasons)
        + "};\n"
    )


# MARK: Text


def quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def comment(paragraphs: list[str], indent: str) -> str:
    some = [paragraph.replace("*/", "* /") for paragraph in paragraphs if paragraph]
    if not some:
        return ""
    if len(some) == 1 and len(indent) + len(some[0]) + 7 <= WIDTH:
        return f"{indent}/** {some[0]} */\n"
    lines: list[str] = []
    for paragraph in some:
        lines += ([""] if lines else []) + textwrap.wrap(
            paragraph, WIDTH - len(indent) - 3, break_long_words=False, break_on_hyphens=False
        )
    return f"{indent}/**\n" + "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines) + f"{indent} */\n"
