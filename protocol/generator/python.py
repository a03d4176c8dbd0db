"""The typed parts of the client for Python."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from itertools import permutations

from .contract import Contract, Method, Schema, Topic
from .names import error_class, is_name, pascal_case, snake_case
from .shapes import Choice, Listed, Member, Named, Primitive, Shape, Struct, Words, is_nullable

MARK = "# Generated from protocol/openrpc.json by protocol/generate.py; do not edit.\n"
WIDTH = 120
SCALARS = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "any": "Any",
    "map": "dict[str, Any]",
}  # fmt: skip


def files(contract: Contract) -> dict[str, str]:
    """Every generated file by its path from the client's folder."""
    written = {
        "types.py": types(contract),
        "reasons.py": reasons(contract),
        "_methods.py": methods(contract, BLOCKING),
        "_async_methods.py": methods(contract, ASYNC),
    }
    return {f"python/src/pushhost/{name}": text for name, text in written.items()}


# MARK: Types


def types(contract: Contract) -> str:
    text = (
        MARK + '"""The named types of the contract: params and results of methods, and notifications."""\n\n'
    )
    text += "from __future__ import annotations\n\n"
    text += "from collections.abc import Callable\n"
    text += "from typing import Any, Literal, NamedTuple, NotRequired, TypedDict, Union\n\n"
    text += f"#: The version of the contract that this client was generated from.\nCONTRACT_VERSION = {quoted(contract.version)}\n"
    text += "\n#: The maximum length of a line in bytes, unless the host's option --line-limit sets another.\n"
    text += f"MAX_LINE_BYTES = {contract.line_limit}\n"
    for schema in contract.schemas:
        text += "\n\n" + definition(schema)
    for topic in contract.topics:
        text += "\n\n" + event(topic)
    names = [pascal_case(topic.name) for topic in contract.topics]
    text += "\n\n#: A notification that a listener receives.\n" + assigned("Notification", f"Union[{', '.join(names)}]")
    text += "\n#: The class of each topic's notifications.\nNOTIFICATIONS: dict[str, Callable[[Any, Any], Notification]] = {\n"
    text += "".join(f"    {quoted(topic.name)}: {pascal_case(topic.name)},\n" for topic in contract.topics)
    return text + "}\n"


def definition(schema: Schema) -> str:
    if isinstance(schema.shape, Struct):
        return typed_dict(schema.name, schema.description, schema.shape)
    about = comment(schema.description, "")
    return about + assigned(schema.name, python(schema.shape, runtime=True))


def typed_dict(name: str, description: str, struct: Struct) -> str:
    if not all(is_name(member.name) for member in struct.members):
        # Such names cannot be attributes of a class. names.py checked that none of the members is required.
        about = comment(description, "")
        lines = "".join(
            comment(member.description, "    ") + f"    {quoted(member.name)}: {python(member.shape, runtime=True)},\n"
            for member in struct.members
        )
        return f"{about}{name} = TypedDict(\n    {quoted(name)},\n    {{\n{textwrap.indent(lines, '    ')}    }},\n    total=False,\n)\n"
    about = docstring([description], "    ") + "\n" if description else ""
    return f"class {name}(TypedDict):\n" + about + "".join(field(member) for member in struct.members)


def field(member: Member) -> str:
    kind = python(member.shape)
    return comment(member.description, "    ") + f"    {member.name}: {kind if member.required else f'NotRequired[{kind}]'}\n"


def event(topic: Topic) -> str:
    name = pascal_case(topic.name)
    params = typed_dict(f"{name}Params", f"The params of ``{topic.name}``.", topic.params)
    text = f"{params}\n\nclass {name}(NamedTuple):\n" + docstring([topic.summary], "    ")
    return text + f"\n    topic: Literal[{quoted(topic.name)}]\n    params: {name}Params\n"


def python(shape: Shape, *, runtime: bool = False) -> str:
    """A type as an annotation; one that is evaluated at run time quotes names, which may be defined further down."""
    if isinstance(shape, Primitive):
        return SCALARS[shape.name]
    if isinstance(shape, Named):
        return quoted(shape.name) if runtime else shape.name
    if isinstance(shape, Listed):
        return f"list[{python(shape.items, runtime=runtime)}]"
    if isinstance(shape, Words):
        return f"Literal[{', '.join(literal(value) for value in shape.values)}]"
    if isinstance(shape, Choice):
        return union([python(each, runtime=runtime) for each in shape.shapes], runtime=runtime)
    raise ValueError(f"{shape} needs a name")


def union(types: list[str], *, runtime: bool = False) -> str:
    """One of the types; at run time a quoted name has no ``|``."""
    some = sorted(dict.fromkeys(types), key=lambda each: each == "None")
    if runtime and any(each.startswith('"') for each in some):
        return f"Union[{', '.join(some)}]"
    return " | ".join(some)


def assigned(name: str, value: str) -> str:
    if len(name) + len(value) + 3 <= WIDTH:
        return f"{name} = {value}\n"
    head, _, rest = value.partition("[")
    return f"{name} = {head}[\n" + filled(rest[:-1] + ",", "    ", "    ") + "]\n"


# MARK: Errors


def reasons(contract: Contract) -> str:
    text = MARK + '"""An exception class for each reason with which the host refuses a call."""\n\n'
    text += "from __future__ import annotations\n\nfrom .errors import CallError\n"
    for reason in contract.reasons:
        text += f"\n\nclass {error_class(reason.name)}(CallError):\n"
        text += docstring([f"``{reason.name}`` ({reason.code}): {reason.message}"], "    ")
    text += "\n\n#: The class of each reason.\nREASONS: dict[str, type[CallError]] = {\n"
    return text + "".join(f"    {quoted(each.name)}: {error_class(each.name)},\n" for each in contract.reasons) + "}\n"


# MARK: Methods


class Style:
    """How the methods of a class are written."""

    def __init__(self, name: str, about: str, hook: str, imports: str) -> None:
        self.name, self.about, self.hook, self.imports = name, about, hook, imports


BLOCKING = Style(
    "Methods",
    "The methods of the contract; each waits for its answer.",
    """    def _call(self, method: str, params: dict[str, Any], deadline: float | None) -> Any:
        raise NotImplementedError

    def _listen(self, topics: tuple[str, ...]) -> Listener[Any]:
        raise NotImplementedError
""",
    "from collections.abc import Mapping, Sequence\nfrom typing import Any, Literal, cast, overload\n\n"
    "from ._absent import ABSENT, absent\nfrom ._listener import Listener\n",
)
ASYNC = Style(
    "AsyncMethods",
    "The methods of the contract, for asyncio.",
    """    async def _call(self, method: str, params: dict[str, Any], deadline: float | None) -> Any:
        raise NotImplementedError

    def _listen(self, topics: tuple[str, ...]) -> AsyncListener[Any]:
        raise NotImplementedError
""",
    "from collections.abc import Mapping, Sequence\nfrom typing import Any, Literal, cast, overload\n\n"
    "from ._absent import ABSENT, absent\nfrom ._async_listener import AsyncListener\n",
)


def methods(contract: Contract, style: Style) -> str:
    body = "".join("\n" + method(contract, each, style) for each in contract.methods) + listening(contract, style)
    text = MARK + f'"""{style.about}"""\n\nfrom __future__ import annotations\n\n' + style.imports
    names = ", ".join(imported(contract, body))
    text += f"from .types import (\n{filled(f'{names},', '    ', '    ')})\n\n\n"
    return text + f'class {style.name}:\n    """{style.about}\n\n{ABOUT}    """\n\n{style.hook}' + body


ABOUT = """    ``deadline`` is in seconds; None is the host's own default, and ``math.inf`` is no deadline.
    An optional argument that is None is left out.
"""


def imported(contract: Contract, body: str) -> Iterator[str]:
    tokens = set("".join(char if char.isalnum() or char == "_" else " " for char in body).split())
    known = {schema.name for schema in contract.schemas} | {pascal_case(topic.name) for topic in contract.topics}
    yield from sorted((known | {"Notification"}) & tokens)


def method(contract: Contract, method: Method, style: Style) -> str:
    indent = "        "
    params = sorted(method.params, key=lambda member: not member.required)
    result = python(method.result)
    text = "    async def " if style is ASYNC else "    def "
    arguments = ["self", "*", *(argument(contract, member) for member in params), "deadline: float | None = None"]
    text = signature(f"{text}{snake_case(method.name)}", arguments, result)
    text += docstring(documentation(method, params), indent)
    text += object_of(params, indent)
    call = ("await " if style is ASYNC else "") + f"self._call({quoted(method.name)}, params, deadline)"
    if result == "None":
        return text + f"{indent}{call}\n"
    return text + f"{indent}return cast({quoted(result)}, {call})\n"


def signature(head: str, arguments: list[str], result: str) -> str:
    """The first line of a method, or if it is too long, a line for each argument."""
    line = f"{head}({', '.join(arguments)}) -> {result}:\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"{head}(\n" + "".join(f"        {each},\n" for each in arguments) + f"    ) -> {result}:\n"


def object_of(params: list[Member], indent: str) -> str:
    """The assignment of an object of the arguments, on one line if it fits."""
    pairs = ", ".join(f"{quoted(member.name)}: {value(member)}" for member in params)
    line = f"{indent}params: dict[str, Any] = {{{pairs}}}\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"{indent}params: dict[str, Any] = {{\n{filled(f'{pairs},', f'{indent}    ', f'{indent}    ')}{indent}}}\n"


def listening(contract: Contract, style: Style) -> str:
    """The overloads of ``listen``: typed by one or two topics; for more topics, all notification types are possible."""
    kind = "AsyncListener" if style is ASYNC else "Listener"
    text = ""
    for count in (1, 2):
        for topics in permutations(contract.topics, count):
            names = union([pascal_case(topic.name) for topic in topics])
            words = zip(("topic",) if count == 1 else ("first", "second"), topics)
            arguments = ", ".join(f"{word}: Literal[{quoted(topic.name)}]" for word, topic in words)
            text += overload(f"self, {arguments}, /", f"{kind}[{names}]")
    text += overload("self, *topics: Topic", f"{kind}[Notification]")
    text += f"\n    def listen(self, *topics: str) -> {kind}[Any]:\n" + docstring(LISTENING, "        ")
    return text + "        return self._listen(topics)\n"


def overload(arguments: str, result: str) -> str:
    line = f"    def listen({arguments}) -> {result}: ...\n"
    if len(line) > WIDTH + 1:
        line = f"    def listen(\n        {arguments}\n    ) -> {result}: ...\n"
    return f"\n    @overload\n{line}"


LISTENING = [
    "Listens to notifications of these topics from now on; subscribes to them while the listener is open.",
    "Without topics it receives all notifications that ``subscribe`` and other listeners chose.",
]


def argument(contract: Contract, member: Member) -> str:
    name, kind = snake_case(member.name), accepted(contract, member.shape)
    if member.required:
        return f"{name}: {kind}"
    if is_nullable(member.shape):
        return f"{name}: {kind} = ABSENT"
    return f"{name}: {union([kind, 'None'])} = None"


def value(member: Member) -> str:
    name = snake_case(member.name)
    return name if member.required or is_nullable(member.shape) else f"absent({name})"


def accepted(contract: Contract, shape: Shape) -> str:
    """The type of an argument. It is as general as possible, because the client only reads it."""
    meaning = contract.resolve(shape)
    if meaning == Primitive("map"):
        return "Mapping[str, Any]"
    if isinstance(meaning, Struct) and meaning.is_open:
        return f"{python(shape)} | Mapping[str, Any]"
    if isinstance(shape, Listed):
        return f"Sequence[{accepted(contract, shape.items)}]"
    if isinstance(shape, Choice):
        return union([accepted(contract, each) for each in shape.shapes])
    return python(shape)


def documentation(method: Method, params: list[Member]) -> list[str]:
    paragraphs = [method.summary, method.description]
    if method.deprecation:
        advice = method.deprecation.advice
        paragraphs.append(f".. deprecated:: {method.deprecation.since}\n{advice[0].upper()}{advice[1:]}")
    paragraphs += [f":param {snake_case(member.name)}: {member.description}" for member in params]
    return paragraphs + [f":raises: {', '.join(error_class(reason) for reason in method.reasons)}"]


# MARK: Text


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def literal(value: object) -> str:
    return quoted(value) if isinstance(value, str) else repr(value)


def comment(text: str, indent: str) -> str:
    return filled(text, indent + "#: ", indent + "#: ") if text else ""


def docstring(paragraphs: list[str], indent: str) -> str:
    """A doc string: the first paragraph, a blank line, the others; fields follow each other."""
    some = [paragraph.replace("\\", "\\\\") for paragraph in paragraphs if paragraph]
    text = ""
    for index, paragraph in enumerate(some):
        field = paragraph.startswith(":")
        if index and not (field and some[index - 1].startswith(":")):
            text += "\n"
        if paragraph.startswith(".. "):
            directive, paragraph = paragraph.split("\n", 1)
            text += f"{indent}{directive}\n" + filled(paragraph, f"{indent}    ", f"{indent}    ")
            continue
        text += filled(paragraph, indent + ('"""' if index == 0 else ""), indent + ("    " if field else ""))
    if len(some) == 1 and text.count("\n") == 1 and len(text) + 2 <= WIDTH and not text.endswith('"\n'):
        return text[:-1] + '"""\n'
    return text + f'{indent}"""\n'


def filled(text: str, first: str, rest: str) -> str:
    lines = textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines) + "\n"
