"""HLO text as XLA prints it, turned into a HloProto in protoc's text form.

A second reader of HLO, for tests alone: what it does not know it refuses, with
`Unsupported`.
"""

import re

from proto_attributes import (aliasing_fields, attribute_fields,
                              frontend_fields)
from proto_literals import literal_fields
from proto_values import (Unsupported, closing, integers, message, quote,
                          repeated, shape_fields, split, unquoted)


# Of an async-start and the like that calls one instruction.
SHORT_FORM = re.compile(
    r"(?<!all-gather)(?<!all-reduce)(?<!collective-permute)(?<!copy)(?<!async)"
    r"(?<!send)(?<!recv)-(start|update|done)$")


def without_comments(text):
    """The text without `/*…*/` and `//…` that no quotes hold."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|/\*.*?\*/|//[^\n]*',
                  lambda match: match[1] or "", text, flags=re.S)


def instructions_of(body):
    """The instructions of a computation, which may stand on several lines."""
    found, depth = [], 0
    for line in body.split("\n"):
        begins = re.match(r"\s*(ROOT\s+)?%?[\w.-]+ += *[(\w]", line)
        if begins and depth == 0:
            found.append(line.strip())
        elif line.strip():
            if not found:
                raise Unsupported(line.strip()[:50])
            found[-1] += " " + line.strip()
        depth += sum((c in "([{") - (c in ")]}")
                     for _, c, _ in unquoted(line))
    return found


class Module:

    def __init__(self, text):
        if re.search(r"^// -----", text, re.M):
            raise Unsupported("several modules")
        self.computations, self.ids = [], {}
        self.name, self.header = "", ""
        self.tables = {}
        self.read(without_comments(text))

    def read(self, text):
        match = re.match(r"\s*HloModule ([^\s,]+)", text)
        if not match:
            raise Unsupported("no module")
        self.name, place = match[1], match.end()
        while text[place:].lstrip(" ").startswith(","):
            comma = text.index(",", place)
            end = next((i for i, c, depth in unquoted(text, comma + 1)
                        if depth == 0 and c in ",\n" and
                        text[comma + 1:i].strip()), len(text))
            self.header += text[comma:end]
            place = end
        place = self.read_tables(text, place)
        if "HloModule " in text[place:]:
            raise Unsupported("several modules")
        while text[place:].strip():
            match = re.match(r"\s*(ENTRY\s+)?%?([\w.-]+)\s*([({])", text[place:])
            if not match:
                raise Unsupported(text[place:].strip()[:50])
            place += match.start(3)
            if match[3] == "(":
                place = text.index("{", self.end_of_signature(text, place))
            end = closing(text, place)
            thread = re.match(r'\},\s*execution_thread="([^"]*)"', text[end:])
            self.ids[match[2]] = len(self.computations) + 1
            self.computations.append((
                match[2], bool(match[1]),
                instructions_of(text[place + 1:end]),
                thread[1] if thread else ""))
            place = end + (thread.end() if thread else 1)

    def end_of_signature(self, text, place):
        """Behind `(x: f32[8]) -> f32[8]{0}`; layouts have braces, too."""
        place = closing(text, place) + 1
        arrow = re.match(r"\s*->\s*", text[place:])
        if not arrow:
            return place
        place += arrow.end()
        if text[place] == "(":
            return closing(text, place) + 1
        return place + re.match(r"\w+(\[[^\]]*\](\{[^{}]*\})?)?",
                                text[place:]).end()

    def read_tables(self, text, place):
        table = None
        while match := re.match(r"\s*(FileNames|FunctionNames|FileLocations|"
                                r"StackFrames|\d+ [^\n]*)\n", text[place:]):
            if match[1][0].isdigit():
                if table is None:
                    raise Unsupported("a row without a table")
                table.append(match[1].strip())
            else:
                table = self.tables.setdefault(match[1], [])
            place += match.end() - 1
        return place

    def instruction(self, line, ids):
        match = re.match(r"(ROOT\s+)?%?([\w.-]+)\s*=\s*(.*)$", line, re.S)
        if not match:
            raise Unsupported(line[:60])
        rest = match[3]
        end = next((i for i, c, depth in unquoted(rest)
                    if depth == 0 and c == " " and
                    not re.match(r" *[\[{]", rest[i:])), None)
        if end is None:
            raise Unsupported(line[:60])
        shape, rest = rest[:end], rest[end:].lstrip()
        opcode = re.match(r"([\w-]+)\s*\(", rest)
        if not opcode:
            raise Unsupported(line[:60])
        begin = opcode.end() - 1
        opcode = opcode[1]
        if SHORT_FORM.search(opcode):
            raise Unsupported("a short form, of which protos have none")
        end = closing(rest, begin)
        argument, attributes = rest[begin + 1:end], split(rest[end + 1:])
        ids.setdefault(match[2], len(ids) + 1)
        fields = ["name: " + quote(match[2].encode()),
                  "opcode: " + quote(opcode.encode()),
                  "id: %d" % ids[match[2]],
                  message("shape", shape_fields(shape))]
        if opcode == "parameter":
            fields.append("parameter_number: " + argument.strip())
        elif opcode == "constant":
            literal = literal_fields(argument, shape)
            if literal:
                fields.append(message("literal", literal))
        else:
            names = []
            for part in split(argument):
                name = part.split()[-1].removeprefix("%")
                if name not in ids:
                    raise Unsupported("operand " + part[:40])
                names.append(ids[name])
            fields.append(repeated("operand_ids", names))
        keys = {}
        for attribute in attributes:
            key, _, value = attribute.partition("=")
            keys[key.strip()] = value.strip()
        fields.append(attribute_fields(opcode, keys, ids, self.ids))
        return " ".join(fields), ids[match[2]] if match[1] else None

    def table_fields(self):
        if not self.tables.get("StackFrames"):
            return ""
        fields = []
        for title, name in (("FileNames", "file_names"),
                            ("FunctionNames", "function_names")):
            fields += ["%s: %s" % (name, row.split(" ", 1)[1])
                       for row in self.tables.get(title, [])]
        for row in self.tables.get("FileLocations", []):
            known = dict(re.findall(r"(\w+)=(\d+)", row))
            fields.append(message("file_locations", *[
                "%s: %s" % (key, known[key]) for key in (
                    "file_name_id", "function_name_id", "line", "column",
                    "end_line", "end_column")
                if key in known]))
        for row in self.tables["StackFrames"]:
            known = dict(re.findall(r"(\w+)=(\d+)", row))
            fields.append(message(
                "stack_frames", "file_location_id: " +
                known["file_location_id"], "parent_frame_id: %d" % (
                    int(known.get("parent_frame_id", 1)) - 1)))
        return message("stack_frame_index", *fields)

    def header_fields(self):
        fields = []
        for part in split(self.header.lstrip(",")):
            key, _, value = part.partition("=")
            if key == "input_output_alias":
                fields.append(message(key, *aliasing_fields(value, "entries")))
            elif key == "buffer_donor":
                fields.append(message(key, *[
                    message("entries", "parameter_number: " + number, repeated(
                        "parameter_shape_index", integers(inner)))
                    for number, inner in re.findall(
                        r"\((\d+), \{([\d, ]*)\}\)", value)]))
            elif key == "entry_computation_layout":
                end = closing(value, 1)
                fields.append(message("host_program_shape", *[
                    message("parameters", shape_fields(part))
                    for part in split(value[2:end])], message(
                        "result", shape_fields(value[end + 3:-1]))))
            elif key == "frontend_attributes":
                fields.append(frontend_fields(value))
        return fields

    def fields(self):
        """The fields of a HloModuleProto."""
        if not self.computations:
            raise Unsupported("no module")
        fields, sequences = ["name: " + quote(self.name.encode())], []
        # Without ENTRY the last computation is meant.
        entry = len(self.computations)
        for name, is_entry, lines, thread in self.computations:
            number, ids, inside, root = self.ids[name], {}, [], None
            for line in lines:
                text, is_root = self.instruction(line, ids)
                inside.append(message("instructions", text))
                root = is_root or root
            entry = number if is_entry else entry
            fields.append(message(
                "computations", "name: " + quote(name.encode()),
                "id: %d root_id: %d" % (number, root or len(ids)), *inside,
                "execution_thread: " + quote(thread.encode()) if thread
                else ""))
            sequences.append(message(
                "sequences", "key: %d" % number, message(
                    "value", repeated("instruction_ids",
                                      range(1, len(lines) + 1)))))
        fields.append("entry_computation_id: %d" % entry)
        if "is_scheduled=true" in self.header:
            fields.append(message("schedule", *sequences))
        fields += self.header_fields()
        counts = [re.search(key + r"=(\d+)", self.header) for key in (
            "replica_count", "num_partitions")]
        if any(counts):
            fields.append(message("device_assignment", *[
                "%s: %s" % (name, match[1]) for name, match in zip(
                    ("replica_count", "computation_count"), counts) if match]))
        fields.append(self.table_fields())
        return " ".join(fields)
