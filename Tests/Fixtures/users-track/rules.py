"""What `POST /users/track` accepts and refuses: the rules that Braze enforces with errors.

Where Braze's documents differ by age, the stricter value counts. Lengths are
counted in code points.
"""

import json
import math
import re
from dataclasses import dataclass, field
from datetime import datetime

import fields

ARRAYS = ("attributes", "events", "purchases")
PRIMARY = ("external_id", "user_alias", "braze_id")
NO_DATA = "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields."

TEXT_LIMIT = 255
EXTERNAL_ID_BYTES = 987
RESERVED_PROPERTIES = {"time", "event_name"}
RESERVED_PURCHASE_PROPERTIES = RESERVED_PROPERTIES | {"product_id", "quantity", "price", "currency"}
# The members of an attributes object that are not attributes.
SETTINGS = {*PRIMARY, "_update_existing_only", "_merge_objects", "push_token_import", "app_id"}

TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.:]\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?"
)


class Refused(Exception):
    """Why an object is refused: the `type` of its error."""


@dataclass(frozen=True)
class Limits:
    """Limits in which contracts and documents differ; the defaults are the strict values."""

    objects: int = 75
    per_array: bool = False
    value_bytes: int = 50 * 1024  # of an event's properties, and of an array or an object that is an attribute


@dataclass
class Verdict:
    """The content of the answer, and the accepted objects as (array, index, object)."""

    status: int
    answer: dict
    taken: list = field(default_factory=list)


def judge(body, limits=Limits(), refuses=lambda item: False):
    """The verdict on a body's bytes; `refuses` selects additional objects to refuse."""
    try:
        document = json.loads(body, parse_constant=not_a_number, object_pairs_hook=no_duplicates)
    except (ValueError, RecursionError) as error:
        return Verdict(400, {"message": f"The request body is not valid JSON: {error}"})
    if not isinstance(document, dict):
        return Verdict(400, {"message": "The request body must be a JSON object"})
    arrays = {name: document[name] for name in ARRAYS if name in document}
    for name, items in arrays.items():
        if not isinstance(items, list):
            return Verdict(400, {"message": f"'{name}' must be an array"})
    counts = [len(items) for items in arrays.values()]
    if (max(counts, default=0) if limits.per_array else sum(counts)) > limits.objects:
        what = "per array" if limits.per_array else "in total"
        return Verdict(400, {"message": f"A request may hold {limits.objects} objects {what}, this one has {counts}"})

    errors, taken = [], []
    for name, items in arrays.items():
        for index, item in enumerate(items):
            try:
                if not isinstance(item, dict):
                    raise Refused(f"an item of '{name}' must be an object")
                CHECKS[name](item, limits)
                if refuses(item):
                    raise Refused("the object is refused")
                taken.append((name, index, item))
            except Refused as refusal:
                errors.append({"type": str(refusal), "input_array": name, "index": index})
    if not taken:
        return Verdict(400, {"message": NO_DATA, **({"errors": errors} if errors else {})})
    answer = {"message": "success"}
    for name in arrays:
        answer[f"{name}_processed"] = sum(one[0] == name for one in taken)
    if errors:
        answer["errors"] = errors
    return Verdict(201, answer, taken)


def not_a_number(text):
    raise ValueError(f"{text} is no JSON number")


def no_duplicates(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object has a member twice")
    return members


# MARK: Objects


def event(item, limits):
    identifier(item)
    name(item, "name")
    time(item)
    properties(item, RESERVED_PROPERTIES, limits)
    settings(item)


def purchase(item, limits):
    identifier(item)
    name(item, "product_id")
    if not (isinstance(item.get("currency"), str) and re.fullmatch("[A-Za-z]{3}", item["currency"])):
        raise Refused("'currency' must be an ISO 4217 code")
    if not fields.is_number(item.get("price")):
        raise Refused("'price' must be a number")
    quantity = item.get("quantity", 1)
    if not fields.is_integer(quantity) or not 1 <= quantity <= 100:
        raise Refused("'quantity' must be an integer from 1 to 100")
    time(item)
    properties(item, RESERVED_PURCHASE_PROPERTIES, limits)
    settings(item)


def attributes(item, limits):
    if item.get("push_token_import") is True:
        if "push_tokens" not in item or "external_id" in item or "braze_id" in item:
            raise Refused("BAD_PUSH_TOKEN_IMPORT")
    else:
        identifier(item)
    settings(item)
    for key, value in item.items():
        if key in SETTINGS or value is None:
            continue
        if key in fields.STANDARD:
            problem = fields.STANDARD[key](value)
            if problem:
                raise Refused(problem)
        else:
            custom_attribute(key, value, limits)


CHECKS = {"attributes": attributes, "events": event, "purchases": purchase}


def identifier(item):
    """Exactly one primary identifier; without one an e-mail address or a phone number."""
    primaries = [key for key in PRIMARY if key in item]
    if len(primaries) > 1:
        raise Refused(f"only one of {', '.join(primaries)} may be given")
    if not primaries:
        if not any(isinstance(item.get(key), str) and item[key] for key in ("email", "phone")):
            raise Refused("'external_id', 'braze_id', 'user_alias', 'email' or 'phone' is required")
        return
    value = item[primaries[0]]
    if primaries[0] == "user_alias":
        parts = [value.get(key) for key in ("alias_name", "alias_label")] if isinstance(value, dict) else [None]
        if not all(isinstance(part, str) and part for part in parts):
            raise Refused("'user_alias' must have 'alias_name' and 'alias_label'")
    elif not isinstance(value, str) or not value:
        raise Refused(f"'{primaries[0]}' must be a non-empty string")
    elif primaries[0] == "external_id" and len(value.encode()) > EXTERNAL_ID_BYTES:
        raise Refused("EXTERNAL_USER_ID_TOO_LARGE")


def name(item, key):
    value = item.get(key)
    if not isinstance(value, str) or not 1 <= len(value) <= TEXT_LIMIT:
        raise Refused(f"'{key}' must be a string of 1 to {TEXT_LIMIT} characters")


def time(item):
    if not is_time(item.get("time")):
        raise Refused("'time' must be an ISO 8601 time")


def is_time(value):
    match = TIME.fullmatch(value) if isinstance(value, str) else None
    if not match:
        return False
    try:
        datetime(*(int(part or 0) for part in match.groups()))
    except ValueError:
        return False
    return True


def settings(item):
    for key in ("_update_existing_only", "_merge_objects"):
        if not isinstance(item.get(key, False), bool):
            raise Refused(f"'{key}' must be a boolean")
    if not isinstance(item.get("app_id", ""), str):
        raise Refused("'app_id' must be a string")


def properties(item, reserved, limits):
    members = item.get("properties", {})
    if not isinstance(members, dict):
        raise Refused("'properties' must be an object")
    for key, value in members.items():
        if not 1 <= len(key) <= TEXT_LIMIT or key.startswith("$"):
            raise Refused(f"the property key '{key[:40]}' is not allowed")
        if key in reserved:
            raise Refused(f"the property key '{key}' is reserved")
        if isinstance(value, str) and len(value) > TEXT_LIMIT:
            raise Refused(f"the property '{key[:40]}' is longer than {TEXT_LIMIT} characters")
    payload(members, "properties", limits)


def payload(value, what, limits):
    if len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()) > limits.value_bytes:
        raise Refused(f"'{what}' is larger than {limits.value_bytes} bytes")


def custom_attribute(key, value, limits):
    if not 1 <= len(key) <= TEXT_LIMIT:
        raise Refused(f"the attribute key '{key[:40]}' is not allowed")
    if isinstance(value, str) and len(value) > TEXT_LIMIT:
        raise Refused(f"the attribute '{key[:40]}' is longer than {TEXT_LIMIT} characters")
    if isinstance(value, float) and not math.isfinite(value):
        raise Refused(f"the attribute '{key[:40]}' is not finite")
    if isinstance(value, list):
        payload(value, key, limits)
    if isinstance(value, dict):
        change(key, value, limits)


def change(key, value, limits):
    """An attribute that is an object: an increment, a change of an array, or a nested attribute."""
    if "inc" in value:
        if len(value) != 1 or not fields.is_integer(value["inc"]):
            raise Refused(f"'inc' of '{key[:40]}' must be an integer and alone")
    elif "add" in value or "remove" in value:
        if not set(value) <= {"add", "remove"} or not all(isinstance(one, list) for one in value.values()):
            raise Refused(f"'add' and 'remove' of '{key[:40]}' must be arrays and alone")
    else:
        nested_keys(key, value)
        payload(value, key, limits)


def nested_keys(attribute, value):
    if isinstance(value, list):
        for element in value:
            nested_keys(attribute, element)
    elif isinstance(value, dict):
        for key, element in value.items():
            if key not in fields.OPERATORS and (not key or any(mark in key for mark in " .$")):
                raise Refused(f"the nested key '{key[:40]}' of '{attribute[:40]}' is not allowed")
            nested_keys(attribute, element)
