"""The contract of docs/keys.md, for contract_test.py: what a document must
be beyond the types of its keys.

  contract = Contract(schema, …)
  for problem in contract.problems(value, "a-map"): …
"""

import collections
import re

import jsonschema


class Contract:
    """The schema, and what of it was seen."""

    def __init__(self, schema, formats, format_names, columns, group_columns,
                 row_columns, words):
        self.definitions = schema["$defs"]
        self.formats = formats
        self.format_names = format_names
        self.columns = columns
        self.group_columns = group_columns
        self.row_columns = row_columns  # of a command's other tables
        pattern, remedy = words
        self.words = {"remedy": remedy, "pattern": pattern}
        self.validators = {}
        self.seen = set()  # (definition, key)
        self.documents = collections.Counter()  # of a command and a format

    def definition_of(self, schema, value):
        """The definition that an object's schema is, and its name."""
        for each in [schema] + schema.get("anyOf", []):
            name = each.get("$ref", "").removeprefix("#/$defs/")
            found = self.definitions.get(name)
            if found and "anyOf" in found:
                return self.definition_of(found, value)
            if found and found.get("type") == "object":
                return name, found
        return None, None

    def objects(self, value, schema):
        """Every object in a value, with its definition's name."""
        if isinstance(value, dict):
            name, definition = self.definition_of(schema, value)
            if definition is None:
                return  # its keys are names
            yield name, definition, value
            for key, each in value.items():
                yield from self.objects(each, definition["properties"][key])
        elif isinstance(value, list):
            if "$ref" in schema:
                schema = self.definitions[schema["$ref"].split("/")[-1]]
            for each in value:
                yield from self.objects(each, schema.get("items", {}))

    def validator(self, name):
        if name not in self.validators:
            self.validators[name] = jsonschema.Draft202012Validator(
                {"$ref": "#/$defs/" + name, "$defs": self.definitions})
        return self.validators[name]

    def problems(self, value, name):
        """What is wrong with a document or line of this definition."""
        for error in self.validator(name).iter_errors(value):
            # The branch of `if` says it better than the branch itself.
            while error.context:
                error = error.context[0]
            yield "%s: %s" % (error.json_path, error.message[:300])
            return
        for found, definition, each in self.objects(
                value, {"$ref": "#/$defs/" + name}):
            self.seen.update((found, key) for key in each)
            wanted = [k for k in definition["properties"] if k in each]
            # The two lists of answers begin with what they are asked from.
            if found != "an-answer" and list(each) != wanted:
                yield "%s: the order of keys is %s, not %s" % (
                    found, list(each), wanted)
            for key, words in self.words.items():
                if key in each and not re.fullmatch(words, each[key]):
                    yield "%s: `%s` is no %s of the page" % (
                        found, each[key], key)
            if found in LAWS:
                yield from ("%s: %s" % (found, problem)
                            for problem in LAWS[found](each))


def bounds(entry):
    return "[%s, %s]" % (
        "-inf" if entry["lower"] is None else entry["lower"],
        "inf" if entry["upper"] is None else entry["upper"])


def text_of(entry):
    """A map's text, from its parts."""
    if entry["empty"]:
        return "KNOWN EMPTY"
    lists = ["(%s)", "[%s]", "{%s}"]
    text, domain = "", []
    for key, braces in zip(("dimensions", "ranges", "runtime"), lists):
        names = [variable["name"] for variable in entry[key]]
        if names or key == "dimensions":
            text += braces % ", ".join(names)
        domain += ["%s in %s" % (v["name"], bounds(v)) for v in entry[key]]
    for constraint in entry["constraints"]:
        expression = constraint["expression"]
        if re.fullmatch(r"[A-Za-z_][\w.]*", expression):
            expression = "(%s)" % expression
        domain.append("%s in %s" % (expression, bounds(constraint)))
    # The text sorts its lines, the list its expressions.
    variables = len(domain) - len(entry["constraints"])
    domain[variables:] = sorted(domain[variables:])
    text += " -> (%s)" % ", ".join(entry["results"])
    return text + (", domain: " + ", ".join(domain) if domain else "")


def check_map(entry):
    if entry.get("undefined"):  # Its lists say nothing.
        if entry["text"] != "UNDEFINED" or entry["results"]:
            yield "an undefined map has `%s`" % entry["text"]
        return
    expressions = [each["expression"] for each in entry["constraints"]]
    if expressions != sorted(expressions):
        yield "the constraints are not sorted: %s" % expressions
    if entry["text"] != text_of(entry):
        yield "the text is `%s`, and its parts are `%s`" % (
            entry["text"], text_of(entry))


def check_bytes(entry):
    """What is moved is used or wasted, and the least is not above the most."""
    if "used_bytes" in entry and entry["used_bytes"] is not None:
        if entry["moved_bytes"] != entry["used_bytes"] + entry["wasted_bytes"]:
            yield "%d bytes moved, %d used and %d wasted" % (
                entry["moved_bytes"], entry["used_bytes"],
                entry["wasted_bytes"])
    for key, least in entry.items():
        most = entry.get(key.replace("_least_", "_"))
        if "_least_bytes" in key and least is not None and least > most:
            yield "%s is %d, of %d at most" % (key, least, most)


def check_answers(item):
    """The answers of a computation or an instruction fit its arrays."""
    for key in ("output_to_input", "input_to_output"):
        for answer in item.get(key, []):
            if (answer["result"] >= len(item["results"]) or
                    answer["operand"] >= len(item["operands"])):
                yield "an answer about no array"
                continue
            first = key == "output_to_input"
            if list(answer)[:2] != sorted(list(answer)[:2], reverse=first):
                yield "%s begins with %s" % (key, list(answer)[:2])
            rank = len(item["results"][answer["result"]]["dimensions"])
            for entry in answer["maps"]:
                own = entry["dimensions" if first else "results"]
                if not entry["empty"] and len(own) != rank:
                    yield "the rank is %d, and the map `%s`" % (
                        rank, entry["text"])
            if not answer["maps"] and answer["precision"] != "exact":
                yield "no piece, and not exact"
        if key in item and len(item["results"]) == 1:
            if len(item[key]) != len(item["operands"]):
                yield "not every operand has an answer"


LAWS = {
    "a-map": check_map,
    "a-line-of-a-map": check_map,
    "a-computation": check_answers,
    "an-instruction": check_answers,
    "a-line-of-a-computation": check_answers,
    "a-line-of-an-instruction": check_answers,
    "a-kernel": check_bytes,
    "a-group": check_bytes,
    "totals": check_bytes,
    "a-line-of-a-kernel": check_bytes,
    "a-line-of-a-group": check_bytes,
    "a-line-of-a-summary": check_bytes,
    "a-line-of-a-total": check_bytes,
    "what-a-kernel-touches": check_bytes,
}
