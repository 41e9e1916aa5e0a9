#!/usr/bin/env python3
"""No two files define a type of one name, and the tests that headers cite exist.

    same/values/polynomial.h   namespace indexical { struct Polynomial {…}; }
    simplifier/polynomial.h        namespace indexical { class Polynomial {…}; }

A program that links both has one destructor for the two, whichever the linker
takes (the one-definition rule). Types of anonymous namespaces are a file's own,
and so are aliases in a `.cc`.

The files of the tests are found beside the first file, behind its link.
"""

import collections
import os
import re
import sys

PASSED_OVER = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*|::|[{}();<>=:,]|\S")
# A test in a comment: tests/exact/edge_test.cc.
CITED = re.compile(r"\btests/[a-z_0-9/]+_test(?:\.(?:cc|py))?\b")


def without_text(source):
    """The source without comments, literals and directives."""
    return PASSED_OVER.sub(
        lambda match: " " if match[0][0] in "/#" else " 0 ", source)


def behind_parameters(words):
    """The words of a template behind its parameters."""
    while words[:2] == ["template", "<"]:
        depth = 0
        for place, word in enumerate(words):
            depth += (word == "<") - (word == ">")
            if word == ">" and depth == 0:
                break
        words = words[place + 1:]
    return words


def type_of(words):
    """The name of the type or alias that a declaration defines, or None.

    The words are those behind its template's parameters, up to its brace, or to
    the semicolon of an alias.
    """
    if words[:1] == ["using"]:
        return words[1] if words[2:3] == ["="] else None
    if words[:1] == ["enum"] and words[1:2] in (["class"], ["struct"]):
        words = words[1:]
    if words[:1] not in (["struct"], ["class"], ["enum"], ["union"]):
        return None
    words = words[1:]
    if words[:1] == ["["]:  # attributes
        words = words[len(words) - words[::-1].index("]"):]
    is_name = words and words[0].isidentifier()
    # Anything else is a specialisation, a member of a type, or a function.
    is_all = words[1:2] in ([], ["final"], [":"])
    return words[0] if is_name and is_all else None


def types(source, is_header):
    """The qualified names of the types that the source defines."""
    spaces = []  # of a namespace its name, else None
    words, found = [], set()
    for token in TOKEN.findall(without_text(source)):
        if token not in "{};":
            words.append(token)
            continue
        words = behind_parameters(words)
        is_alias = words[:1] == ["using"]
        is_shared = all(spaces) and (is_header or not is_alias)
        if is_shared and is_alias == (token == ";"):
            name = type_of(words)
            if name:
                found.add("::".join(spaces + [name]))
        if token == "{":
            is_space = "namespace" in words[:2]
            spaces.append("".join(words[words.index("namespace") + 1:])
                          if is_space else None)
        elif token == "}" and spaces:
            spaces.pop()
        words = []
    return found


def two_of_one_name(files):
    """Sentences about the names that two files define."""
    places = collections.defaultdict(list)
    for path, source in files:
        for name in types(source, path.endswith(".h")):
            places[name].append(path)
    return [f"{name} is a type of each of: {', '.join(sorted(paths))}"
            for name, paths in sorted(places.items()) if len(paths) > 1]


def missing_tests(files, exists):
    """Sentences about tests that headers cite and that do not exist."""
    for path, source in files:
        if not path.endswith(".h"):
            continue
        for cited in sorted({match[0] for match in CITED.finditer(source)}):
            ends = [""] if "." in cited else [".cc", ".py"]
            if not any(exists(cited + end) for end in ends):
                yield f"{path} cites {cited}, which does not exist"


def self_check():
    """The test sees what it is for."""
    def named(first, second):
        return bool(two_of_one_name([
            ("a.h", f"namespace indexical {{\n{first}\n}}"),
            ("b.h", f"namespace indexical {{\n{second}\n}}")]))
    two = [("struct A { int b; };", "class A : public B { A(); };"),
           ("using A = int;", "enum class A : uint8_t { B };"),
           ("template <typename T>\nclass A final {};", "struct A {};"),
           ("template <class T> struct A {};", "struct [[nodiscard]] A {};"),
           ("namespace x { struct A {}; }", "namespace x { struct A {}; }"),
           ('// a "quote\nstruct A {};', "/* { */ struct A {};"),
           ("void f() { if (x) { } }\nstruct A {};", "struct A {};")]
    apart = [("struct A;", "struct A {};"),
             ("namespace { struct A {}; }", "struct A {};"),
             ("namespace x { struct A {}; }", "struct A {};"),
             ("struct B { struct A {}; };", "struct A {};"),
             ("template <> struct A<int> {};", "struct A {};"),
             ("void f() { struct A {}; }", "struct A {};"),
             ("struct A f(int x) { return {}; }", "struct A {};"),
             ('constexpr char kText[] = "struct A {};";', "struct A {};")]
    cited = list(missing_tests([("a.h", "// (tests/a/b_test.cc)")],
                               lambda path: False))
    kept = list(missing_tests([("a.h", "// (tests/a/b_test)")],
                              lambda path: path == "tests/a/b_test.py"))
    return ([f"not seen: {each}" for each in two if not named(*each)] +
            [f"seen wrongly: {each}" for each in apart if named(*each)] +
            ([] if len(cited) == 1 and not kept else ["cited tests"]))


def main(here, paths):
    root = os.path.dirname(os.path.realpath(here))
    files = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            files.append((path, file.read()))
    wrong = [f"the test itself: {each}" for each in self_check()]
    wrong += two_of_one_name(files)
    wrong += missing_tests(
        files, lambda path: os.path.exists(os.path.join(root, path)))
    count = sum(len(types(source, True)) for _, source in files)
    print("\n".join(wrong) or f"{len(files)} files, {count} types")
    return 1 if wrong or len(files) < 300 or count < 500 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
