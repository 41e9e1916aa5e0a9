#!/usr/bin/env python3
"""The tables of docs/keys.md as a JSON Schema.

  formats_schema.py KEYS.md > FORMATS.schema.json

A heading with a table is a definition; its name is the heading's anchor.

  | key | type | absent | meaning |     an object
  | `name` | string | never | … |       a key that is always there
  | `reason` | string | the answer was decided | … |    one that may be absent
  | `bytes` | integer >= 0 | with `reason` | … |        there, or `reason` is
  | `result` | … | with no `computation` | … |          there as that one is
  | keys of [a map](#a-map) without `empty` | | | |     the rows of that table
  | keys of [totals](#totals) | | nothing is summed | | these, which may be absent
  | keys of [sums](#sums) or null | | | |    these, whose values may be null

  | type | meaning |                    a value of one of these types

A type is `boolean`, `integer`, `integer >= 0`, `number`, `string`, `null`, a
literal (`"exact"`), a link to a definition, `list of TYPEs`, `list of two
TYPEs`, `TYPEs by name` (an object whose keys are names), or several of these:
`TYPE, TYPE or TYPE`. `, or TYPE` ends a list's own type. The table under the
heading `Formats` says which definition a command prints: the document, and the
lines of JSON lines.

So the page is the one place that says what a document holds: the schema is
written from it, and the contract test (tests/command/contract_test.py) checks
that the file is, and holds what the commands print to it.
"""

import json
import re
import sys

LINK = re.compile(r"\[([^\]]*)\]\(#([^)]*)\)")


def anchor_of(heading):
    """The anchor that Markdown gives a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def tables_of(text):
    """anchor -> (heading, rows of cells) of the first table behind a heading."""
    tables, heading, fenced = {}, None, False
    for line in text.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            continue
        elif match := re.match(r"#+ (.*)", line):
            heading = match.group(1)
        elif line.startswith("|") and heading:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            tables.setdefault(anchor_of(heading), (heading, []))[1].append(cells)
    return tables


def type_of(text):
    """The schema of a type."""
    text = text.strip()
    outer = text.split(", or ")
    if len(outer) > 1:
        return one_of([type_of(part) for part in outer])
    if match := re.match(r"lists? of (two )?", text):
        schema = {"type": "array", "items": type_of(text[match.end():])}
        if match.group(1):
            schema.update(minItems=2, maxItems=2)
        return schema
    return one_of([atom(part) for part in re.split(r", | or ", text)])


def atom(text):
    if match := re.fullmatch(r"`(.*)`", text):
        return {"const": json.loads(match.group(1))}
    if match := LINK.fullmatch(text):
        return {"$ref": "#/$defs/" + match.group(2)}
    if match := re.fullmatch(r"(.*) by name", text):
        return {"type": "object", "additionalProperties": atom(match.group(1))}
    name, bounded, least = text.partition(" >= ")
    name = name.removesuffix("s")
    if name not in ("boolean", "integer", "number", "string", "null"):
        raise ValueError("`%s` is no type" % text)
    return {"type": name, "minimum": int(least)} if bounded else {"type": name}


def one_of(schemas):
    if len(schemas) == 1:
        return schemas[0]
    if all(set(schema) == {"const"} for schema in schemas):
        return {"enum": [schema["const"] for schema in schemas]}
    if all(set(schema) == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def plain(text):
    """A cell without its links and marks of code."""
    return LINK.sub(r"\1", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)).replace(
        "`", "")


def meanings_of(tables, anchor):
    """key -> what it means, with its unit, of each key of an object."""
    meanings = {}
    for cells in tables[anchor][1][2:]:
        if match := re.match(r"keys of " + LINK.pattern, cells[0]):
            for key, text in meanings_of(tables, match.group(2)).items():
                meanings.setdefault(key, text)
            continue
        text = plain(cells[3]) if len(cells) > 3 else ""
        unit = plain(cells[4]) if len(cells) > 4 else ""
        meanings[cells[0].strip("`")] = text + (
            " [%s]" % unit if unit else "")
    return meanings


def with_meaning(schema, meaning):
    return {**schema, "description": meaning} if meaning else schema


def keys_of(tables, anchor):
    """(key, type, absent) of each key of an object, in order."""
    keys = []
    for cells in tables[anchor][1][2:]:
        if match := re.match(r"keys of " + LINK.pattern, cells[0]):
            rest = cells[0][match.end():]
            without = re.findall(r"`(.*?)`", rest)
            known = without + [key for key, _, _ in keys]
            or_null = " or null" if rest.endswith(" or null") else ""
            for key, kind, absent in keys_of(tables, match.group(2)):
                if key not in known:
                    optional = absent == "never" and cells[2]
                    keys.append((key, kind + or_null,
                                 cells[2] if optional else absent))
        else:
            keys.append((cells[0].strip("`"), cells[1], cells[2]))
    return keys


def object_of(tables, anchor):
    keys = keys_of(tables, anchor)
    meanings = meanings_of(tables, anchor)
    schema = {
        "title": tables[anchor][0],
        "type": "object",
        "additionalProperties": False,
        "required": [key for key, _, absent in keys if absent == "never"],
        "properties": {key: with_meaning(type_of(text), meanings.get(key))
                       for key, text, _ in keys},
    }
    rules = {}  # (another key, is it there?) -> keys that then are absent
    for key, _, absent in keys:
        reasons = absent.split("; ")
        for reason in reasons:
            if match := re.fullmatch(r"with (no )?`([^`]*)`", reason):
                rule = rules.setdefault((match.group(2), not match.group(1)),
                                        ([], []))
                rule[0].append(key)
                if len(reasons) == 1:
                    rule[1].append(key)
    for (other, there), (gone, needed) in rules.items():
        absent = {"properties": {key: False for key in gone}}
        present = {"required": needed}
        schema.setdefault("allOf", []).append({
            "if": {"required": [other]},
            "then": absent if there else present,
            "else": present if there else absent,
        })
    return schema


def definitions_of(tables):
    definitions = {}
    for anchor, (heading, rows) in tables.items():
        if rows[0][:3] == ["key", "type", "absent"]:
            definitions[anchor] = object_of(tables, anchor)
        elif rows[0][0] == "type":
            types = one_of([type_of(cells[0]) for cells in rows[2:]])
            definitions[anchor] = {"title": heading, **types}
    # A table from which others take their keys is no definition of its own.
    used = {match[1] for text in map(json.dumps, definitions.values())
            for match in re.finditer(r"#/\$defs/([^\"]*)", text)}
    used |= {name for names in formats_of(tables).values()
             for some in names for name in some}
    return {name: schema for name, schema in definitions.items()
            if name in used}


def formats_of(tables):
    """command -> (definitions of its document, of its lines)."""
    return {
        cells[0].strip("`"): tuple(
            [link[1] for link in LINK.findall(cell)] for cell in cells[1:3])
        for cells in tables["formats"][1][2:]
    }


def format_names_of(tables):
    """command -> the names of its formats."""
    return {
        # What is only a picture is no text.
        cells[0].strip("`"): ([] if "`svg`" in cells[3] and not cells[1]
                              else ["text"]) +
        [name for name, cell in zip(("json", "jsonl"), cells[1:3]) if cell] +
        re.findall(r"`(.*?)`", cells[3])
        for cells in tables["formats"][1][2:] if cells[0].startswith("`")
    }


def words_of(tables, anchor):
    """A pattern of what the first column lists: `N` is a number, `…` a list."""
    words = [re.escape(cells[0].strip("`")) for cells in tables[anchor][1][2:]]
    return "|".join(words).replace("N\\ B", r"\d+ (?:B|bits)").replace(
        "…", r"[\d,]*")


def columns_of_rows(tables):
    """command -> the columns of its CSV, but those of reads and writes."""
    _, rows = tables["csv-of-other-commands"]
    return {cells[0].strip("`"): re.findall(r"(?:^|, )`(\w+)`", re.sub(
        r" \(.*?\)", "", cells[2])) for cells in rows[2:]}


def columns_of(tables, heading="csv"):
    """The columns of CSV, below that heading."""
    return [cells[0].strip("`") for cells in tables[heading][1][2:]]


def schema_of(text):
    tables = tables_of(text)
    printed = {}  # in the order of the page, each once
    for documents, lines in formats_of(tables).values():
        printed.update(dict.fromkeys(documents + lines))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A document of `indexical`, or one of its JSON lines",
        "anyOf": [{"$ref": "#/$defs/" + name} for name in printed],
        # No keyword of JSON Schema: `indexical schema COMMAND` reads it.
        "commands": {
            command: {"json": documents, "jsonl": lines}
            for command, (documents, lines) in formats_of(tables).items()
            if documents and " " not in command},
        "$defs": definitions_of(tables),
    }


def printed(value, indent=""):
    """JSON; what does not fit on a line is broken."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or len(indent + line) <= 96:
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        items = [json.dumps(key) + ": " + printed(each, inner)
                 for key, each in value.items()]
    else:
        items = [printed(each, inner) for each in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return (opening + "\n" + ",\n".join(inner + item for item in items) + "\n" +
            indent + closing)


def schema_text(page):
    """The text of formats.schema.json."""
    return printed(schema_of(page)) + "\n"


def main(path):
    with open(path, encoding="utf-8") as page:
        sys.stdout.write(schema_text(page.read()))


if __name__ == "__main__":
    main(sys.argv[1])
