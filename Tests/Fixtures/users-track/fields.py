"""The standard attribute fields: for each a function that gives the error's `type`, or None."""

import re

EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d/\d\d/\d{4}$")
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
STATES = ("opted_in", "subscribed", "unsubscribed")
TEXT_LIMIT = 255
# Members of nested attributes that may begin with a dollar sign.
OPERATORS = {"$time", "$add", "$remove", "$update", "$identifier_key", "$identifier_value", "$new_object"}


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def text(name):
    return lambda value: None if isinstance(value, str) and len(value) <= TEXT_LIMIT else f"'{name}' must be a string"


def boolean(name):
    return lambda value: None if isinstance(value, bool) else f"'{name}' must be a boolean"


def date(name):
    def check(value):
        return None if isinstance(value, str) and DATE.match(value) else f"'{name}' must be a date"

    return check


def one_of(values, problem):
    return lambda value: None if isinstance(value, str) and value in values else problem


def email(value):
    return None if isinstance(value, str) and EMAIL.fullmatch(value) else "EMAIL_BAD_FORMAT"


def birthday(value):
    return None if isinstance(value, str) and DAY.fullmatch(value) else "'dob' must be YYYY-MM-DD"


def location(value):
    numbers = [value.get(key) for key in ("longitude", "latitude")] if isinstance(value, dict) else [None]
    return None if all(map(is_number, numbers)) else "BAD_LOCATION_UPDATE"


def push_tokens(value):
    if not isinstance(value, list):
        return "BAD_PUSH_TOKEN_VALUE"
    for token in value:
        if not isinstance(token, dict):
            return "BAD_PUSH_TOKEN_VALUE"
        if not isinstance(token.get("app_id"), str):
            return "BAD_PUSH_TOKEN_APP_ID"
        if not isinstance(token.get("token"), str):
            return "BAD_PUSH_TOKEN_STRING"
        device = token.get("device_id", "12345678")
        if not isinstance(device, str) or not 8 <= len(device.encode()) <= 255:
            return "BAD_DEVICE_ID"
    return None


def subscription_groups(value):
    if not isinstance(value, list):
        return "BAD_SUBSCRIPTION_GROUP_ARRAY"
    for group in value:
        if not isinstance(group, dict):
            return "BAD_SUBSCRIPTION_GROUP_HASH"
        if not (isinstance(group.get("subscription_group_id"), str) and UUID.fullmatch(group["subscription_group_id"])):
            return "BAD_SUBSCRIPTION_GROUP_ID"
        if group.get("subscription_state") not in ("subscribed", "unsubscribed"):
            return "BAD_SUBSCRIPTION_GROUP_STATE"
    return None


def members(name):
    return lambda value: None if isinstance(value, dict) else f"'{name}' must be an object"


TEXTS = ("first_name", "last_name", "home_city", "phone", "country", "language", "time_zone", "image_url")
BOOLEANS = ("email_open_tracking_disabled", "email_click_tracking_disabled")
DATES = ("date_of_first_session", "date_of_last_session", "marked_email_as_spam_at")

STANDARD = {
    **{name: text(name) for name in (*TEXTS, "alias_name", "alias_label")},
    **{name: boolean(name) for name in BOOLEANS},
    **{name: date(name) for name in DATES},
    **{name: members(name) for name in ("facebook", "twitter")},
    "email": email,
    "dob": birthday,
    "gender": one_of("MFONP", "'gender' must be M, F, O, N or P"),
    "email_subscribe": one_of(STATES, "BAD_EMAIL_SUBSCRIPTION_STATE"),
    "push_subscribe": one_of(STATES, "BAD_PUSH_SUBSCRIPTION_STATE"),
    "current_location": location,
    "push_tokens": push_tokens,
    "subscription_groups": subscription_groups,
}
