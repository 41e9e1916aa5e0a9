#!/usr/bin/env python3
"""Refuses constructions that make a sentence hard to read.

  prose_test.py INDEXICAL PAGE... [--of SOURCE...]

The rules are few, and each names the sentence to write instead. They are asked
of every sentence of a page outside of code, of every comment of the headers
among the SOURCEs, and of the help of every command of INDEXICAL and of every
word of answers that it knows. Headers have rules of their own: a function
returns what its comment says first.

A user has little to read: the README, and together with it the pages of
docs/ without keys.md and the internals, stay below a number of words.
"""

import os
import re
import subprocess
import sys

# (name, pattern, what to write)
RULES = [
    ("a relative clause as the subject",
     r"(?:^|[.:;!?] |\| |- |\*\* )(?:What|Who|Whoever) (?![^.|]*\?)[^.?|]*[.|;]"
     r"|; what (?:is|are|has|does|it|they)\b",
     "begin with a noun: `The moved bytes are…`, not `What is moved is…`"),
    ("`is no` and a noun",
     r"(?<!there )(?<!There )\b(?:is|are|was|were|be|become|becomes) (?:no(?! "
     r"(?:longer|more|less|fewer|larger|smaller|later|earlier|wider|greater|"
     r"doubt|such)\b)|none)\b(?! of\b)",
     "`is not a…`"),
    ("nobody, somebody",
     r"\b(?:[Nn]o|[Ss]ome)body\b|\b[Ss]omeone\b|\b[Nn]o one\b",
     "`symbolic`, `unknown`"),
    ("likewise", r"\b[Ll]ikewise\b", "say it: a cell is read alone"),
    ("those of which", r"\b(?:[Tt]hose|[Tt]hat) of which\b", "a noun"),
    ("held against", r"\bh(?:eld|olds?) (?:\w+ ){0,4}against\b",
     "`compared with`, `validated against`"),
    ("to mend", r"\b[Mm]end(?:s|ed)?\b", "`fix`; `recommendation`"),
    ("`Of a…` before the verb",
     r"(?:^|[.:;!] |- )Of (?:an?|each|any|every|another|others|what|such) ",
     "`For a…`"),
    ("to turn around", r"\bturn(?:s|ed)? (?:\w+ )?around\b",
     "`invert`, `transpose`"),
    ("for all trips", r"\bfor all trips\b", "`all launches`"),
    ("as good as none", r"\bas good as none\b", "`ignored`"),
    ("made of", r"\b(?:is|are|be|being) made of\b|\bmade up of\b",
     "`composed of`, `computed from`"),
    ("an op behind another one",
     r"\b(?:instructions?|ops|kernels?|producers?|everything) behind\b",
     "`upstream of`, `after`"),
    ("to win time", r"\b(?:could|can|would) win\b", "`save`"),
    ("it is so", r"\bit is (?:not )?so\b", "say what is"),
    ("if it is not known, it has", r"[Ii]f (?:that|this|it) is not known, "
     r"(?:it|they)\b", "`conservative: true when unknown`"),
]
# (name, pattern of a comment's first words, what to write)
HEADER_RULES = [
    ("the same of", r"^(?:The same of|As much|Like this)\b",
     "name the function: `Like f(), …`"),
]
WHETHER = ("a function that begins with `Whether`", "`Returns whether…`")
FUNCTION = re.compile(
    r"\s*(?:(?:static|virtual|inline|constexpr|friend) )*"
    r"(?:bool|std::optional<bool>|absl::StatusOr<(?:bool|Decision)>) "
    r"(?:\w+|operator[=!<>]+)\(")
MOST_OF_README, MOST_OF_USERS = 900, 30000  # words
CODE = re.compile(r"``.*?``|`[^`]*`")


def lines_of_page(text):
    """(number, line without code) outside of fenced blocks."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, CODE.sub("X", line)


def comments_of_header(text):
    """(number, comment, the line of code after it) of a header's paragraphs.

    Lines of a comment that are set in are an example, and end a paragraph.
    """
    lines = text.split("\n") + [""]
    number, kind, words = 0, None, []
    for at, line in enumerate(lines, 1):
        match = re.match(r"\s*(///?)(?!<)(?!=)(.*)$", line)
        example = match and (match[2].startswith("   ") or not match[2].strip())
        if words and (not match or example or match[1] != kind):
            yield number, CODE.sub("X", " ".join(words)), line
            words = []
        if match and not example:
            if not words:
                number, kind = at, match[1]
            words.append(match[2].strip())
        if behind := re.search(r"///<(.*)", line):
            yield at, CODE.sub("X", behind[1].strip()), ""


def problems_of_header(name, text):
    for number, comment, code in comments_of_header(text):
        yield from problems_of(name, [(number, comment)])
        for rule, pattern, advice in HEADER_RULES:
            if match := re.search(pattern, comment):
                yield "%s:%d: %s: \"%s\"; write %s" % (
                    name, number, rule, match[0], advice)
        if comment.startswith("Whether ") and FUNCTION.match(code):
            yield "%s:%d: %s: \"%s\"; write %s" % (
                name, number, WHETHER[0], code.strip(), WHETHER[1])


def problems_of(name, lines):
    for number, line in lines:
        for rule, pattern, advice in RULES:
            if match := re.search(pattern, line):
                yield "%s:%d: %s: \"%s\"; write %s" % (
                    name, number, rule, match[0].strip(), advice)


def problems_of_lengths(pages):
    """The README and the pages of a user are short enough."""
    words = {page: len(read(page).split())
             for page in map(os.path.normpath, pages)
             if os.path.dirname(page) in ("", "docs") and
             page not in ("docs/keys.md", "CONTRIBUTING.md", "SECURITY.md")}
    if words["README.md"] > MOST_OF_README:
        yield "README.md has %d words, and %d would do" % (
            words["README.md"], MOST_OF_README)
    if sum(words.values()) > MOST_OF_USERS:
        yield "users' pages have %d words, and %d would do: %s" % (
            sum(words.values()), MOST_OF_USERS, words)


def lines_of_help(tool):
    """(command, sentence) of the help of all commands, wide as a page."""
    def say(*words):
        return subprocess.run([tool, "help", *words], check=True,
                              env=dict(os.environ, COLUMNS="1000"),
                              stdout=subprocess.PIPE).stdout.decode("utf-8")
    commands = set(re.findall(r"^  ([a-z]+)  +\w", say(), re.M))
    if len(commands) < 10:
        sys.exit("prose_test: the help lists %s" % commands)
    for command in sorted(commands):
        # An option and a word are two columns, of which the second is prose.
        for line in re.split(r"\n|  +", say(command).split("EXAMPLE:")[0]):
            yield command, CODE.sub("X", line)


def meanings_of_words(path):
    """(path, sentence) of the words of answers, from their table's source."""
    text = re.sub(r'"\s*\n\s*"', "", read(path))
    meanings = re.findall(r'\{"[^"]+",\s*"((?:[^"\\]|\\.)+)"\}', text)
    if len(meanings) < 200:
        sys.exit("prose_test: only %d words have a meaning" % len(meanings))
    for meaning in meanings:
        for sentence in meaning.split(": "):
            yield path, CODE.sub("X", sentence)


def check_itself():
    """Each rule sees its construction, and no other sentence."""
    wrong = [
        "What is moved is what is used.", "It is so. Who knows it finds it.",
        "A constant is no parent.", "Tokens are none.",
        "Sizes that nobody knows are open.", "| `x` | likewise |",
        "Kernels, those of which most is avoidable, come first.",
        "It was held by a test against the code.",
        "That would mend it.", "Of a sort, keys count.",
        "It is turned around.", "It is as good as none.",
        "12.7 ms for all trips.", "Of each map, one is kept.",
        "A form is made of atoms.", "It reads all instructions behind it.",
        "A change could win 3 us.", "It is empty if it is so.",
        "If that is not known, it has.", "It is what no one gave.",
        "It is read; what it reads is empty.", "It becomes no tile.",
    ]
    right = [
        "**What is wasted?** Partial sectors.", "There is no end.",
        "The figure is no longer exact.", "`is no` is code.",
        "None of the kernels moves more.", "The rule says what it does.",
        "Of the 17 kernels, 16 are within 25%.", "There are none.",
        "It states what is read. Those that read it are users.",
        "They are no larger than 400 kB.",
    ]
    for line in wrong:
        if not list(problems_of("", lines_of_page(line))):
            sys.exit("prose_test itself does not see what is wrong in\n" + line)
    for line in right:
        if found := list(problems_of("", lines_of_page(line))):
            sys.exit("prose_test itself: " + found[0])
    header = ("// A map.\n//    What follows is an example.\n// What is read\n"
              "// is none.\n\n/// Whether it is one.\nbool f();\n"
              "/// Whether it was one.\nbool was = false;\n"
              "int n;  ///< of a map that is no map\n"
              "/// The same of two.\nbool f(int, int);\n")
    found = [int(each.split(":")[1]) for each in problems_of_header("", header)]
    if found != [3, 3, 6, 10, 11]:
        sys.exit("prose_test itself: comments of headers, %s" % found)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(tool, *arguments):
    check_itself()
    arguments = list(arguments)
    pages, sources = arguments, []
    if "--of" in arguments:
        pages = arguments[:arguments.index("--of")]
        sources = arguments[len(pages) + 1:]
    problems = []
    for command, line in lines_of_help(tool):
        problems += problems_of("help " + command, [(0, line)])
    for page in pages:
        problems += problems_of(page, lines_of_page(read(page)))
    problems += problems_of_lengths(pages)
    for words in sources:
        if words == "command/answer_words.cc":
            for path, sentence in meanings_of_words(words):
                problems += problems_of(path, [(0, sentence)])
    headers = sorted(each for each in sources if each.endswith(".h"))
    if sources and len(headers) < 500:
        problems.append("only %d headers are given" % len(headers))
    for header in headers:
        problems += problems_of_header(header, read(header))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
