"""Whether a value equals the one in an example."""


class Schemas:
    """Which values differ from run to run, according to a document."""

    def __init__(self, document):
        self._components = document["components"]["schemas"]

    def unfolded(self, schema):
        """A schema and those that it refers to or combines, outermost first."""
        if not isinstance(schema, dict):
            return
        yield schema
        if "$ref" in schema:
            yield from self.unfolded(self._components[schema["$ref"].rsplit("/", 1)[1]])
        for word in ("allOf", "anyOf", "oneOf"):
            for part in schema.get(word, []):
                yield from self.unfolded(part)

    def is_volatile(self, schema):
        """Whether the value differs from run to run even if clock and random seed are fixed."""
        marks = (part["x-volatile"] for part in self.unfolded(schema) if "x-volatile" in part)
        return next(marks, None) == "run"

    def inner(self, schema, word, name=None):
        """The schema of a member or of the elements."""
        found = [part[word] for part in self.unfolded(schema) if word in part]
        if name is not None:
            found = [members[name] for members in found if name in members]
        return {"allOf": found}


def differences(expected, actual, schema, schemas, subset=False, path=""):
    """The differences between a value and the example's, each as a JSON Pointer and both values.

    1, 1.0 and true are three things. A subset has at least the example's members, and of an array at least its
    elements, in their order.
    """
    if schemas.is_volatile(schema):
        return
    if type(expected) is not type(actual):
        yield path, expected, actual
    elif isinstance(expected, dict):
        for name in expected.keys() | (set() if subset else actual.keys()):
            where = f"{path}/{name}"
            if name not in actual or name not in expected:
                yield where, expected.get(name, "absent"), actual.get(name, "absent")
            else:
                member = schemas.inner(schema, "properties", name)
                yield from differences(expected[name], actual[name], member, schemas, subset, where)
    elif isinstance(expected, list):
        items = schemas.inner(schema, "items")
        rest = list(actual)
        if not subset and len(rest) != len(expected):
            yield path, expected, actual
            return
        for index, element in enumerate(expected):
            found = list(differences(element, rest.pop(0), items, schemas, subset, f"{path}/{index}")) if rest else None
            while subset and found and rest:
                found = list(differences(element, rest.pop(0), items, schemas, subset, f"{path}/{index}"))
            yield from found if found is not None else [(f"{path}/{index}", element, "absent")]
    elif expected != actual:
        yield path, expected, actual
