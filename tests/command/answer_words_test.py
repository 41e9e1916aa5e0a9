#!/usr/bin/env python3
"""`indexical help WORD` knows every word that an answer uses.

  answer_words_test.py INDEXICAL KEYS_MD FORMATS_SCHEMA_JSON FOLDER

The words are taken from what is printed, and from the contract:

- the values of keys that are words of a list (the schema's constants);
- the words of the tables of patterns and remedies of keys.md;
- the values that documents have for keys of words (KEYS), for some modules of
  the folder, and the names of the uses of time;
- in texts, what is in parentheses behind a time, a use of time or an access,
  and the words in front of a colon in the answer about a kernel.
"""

import json
import os
import re
import subprocess
import sys

# Values that are words, of keys whose type is a string.
KEYS = {"pattern", "remedy", "limited_by", "emitter", "avoid_by", "moves",
        "copy_reason", "engine", "work", "answer", "verdict", "because", "mark", "kind"}
# Words of texts that are no values of keys.
PHRASES = (r"\b(?:bank conflicts|active lanes|vectors|global (?:loads|stores)|"
           r"allocates|write-write race|(?:defensive|contiguous|needless) copy)\b")
TIMEOUT = 60
FILES = ["between.hlo", "kernels.hlo", "modelled.sm_8.0.hlo", "moved.hlo",
         "places.hlo", "rounds.hlo", "turned.hlo", "unknown_indices.hlo",
         "compiled.ll", "kernel.ttir", "turns.ttir"]
# Names and numbers, not words: what a key of these names also has elsewhere.
NO_WORD = re.compile(r"indexical/\d+|\d.*|.*[({\[].*")


class Test:
    def __init__(self, tool):
        self.tool = tool
        self.words = {}  # word -> where it was seen

    def run(self, *words):
        return subprocess.run([self.tool] + list(words), capture_output=True,
                              timeout=TIMEOUT, check=False, encoding="utf-8")

    def add(self, word, where):
        if word and not NO_WORD.fullmatch(word):
            self.words.setdefault(word, where)

    def add_values(self, value, where):
        if isinstance(value, list):
            for each in value:
                self.add_values(each, where)
        elif isinstance(value, dict):
            for key, each in value.items():
                if key in KEYS and isinstance(each, str):
                    self.add(each, "%s of %s" % (key, where))
                if key == "time_uses":
                    for name in each:
                        if name not in ("unknown", "roofs"):
                            self.add(name, where)
                self.add_values(each, where)

    def add_text(self, text, where):
        """What is in parentheses, and what stands in front of a colon."""
        for word in re.findall(r"\((memory|cache|cores|operations|blocks|waits|"
                               r"[a-z]+-bound|uncoalesced)\)", text):
            self.add(word, "the text of " + where)
        for word in re.findall(PHRASES, text):
            self.add(word, "the text of " + where)
        if where.startswith("kernel"):
            for word in re.findall(r"^([a-z][a-z ]+): ", text, re.M):
                self.add(word, "the text of " + where)


def constants_of(schema):
    if isinstance(schema, list):
        for each in schema:
            yield from constants_of(each)
    elif isinstance(schema, dict):
        for each in [schema.get("const")] + (
                schema["enum"] if isinstance(schema.get("enum"), list) else []):
            if isinstance(each, str):
                yield each
        for key, each in schema.items():
            if key not in ("const", "enum", "description", "commands"):
                yield from constants_of(each)


def words_of_table(page, heading):
    """The first cells of the table below the heading."""
    part = page.split("\n### %s\n" % heading)[1].split("\n#")[0]
    return re.findall(r"^\| `(.*?)` \|", part, re.M)


def main(tool, page_path, schema_path, folder):
    test = Test(os.path.abspath(tool))
    with open(schema_path, encoding="utf-8") as file:
        for word in constants_of(json.load(file)["$defs"]):
            test.add(word, "the schema")
    with open(page_path, encoding="utf-8") as file:
        page = file.read()
    for heading in ("Patterns", "Remedies"):
        words = words_of_table(page, heading)
        assert len(words) >= 10, (heading, words)
        for word in words:
            test.add(word, heading)
    answered = 0
    for path in [os.path.join(folder, name) for name in FILES]:
        name = os.path.basename(path)
        calls = [("report", "--top=all"), ("hazards",)]
        if name.endswith((".ttir", ".ttgir", ".ll")):
            calls = [("kernel", "--grid=4")]
        for command, *options in calls:
            for form in ("json", "text"):
                done = test.run(command, path, "--format=" + form, *options)
                if done.returncode not in (0, 3, 4):
                    continue
                answered += 1
                where = "%s %s" % (command, name)
                if form == "text":
                    test.add_text(done.stdout, where)
                else:
                    test.add_values(json.loads(done.stdout), where)
    # An error, and what a call that fails says.
    for call in (["report", "no-such-file"], ["report", "--nothing"]):
        test.add_values(json.loads(
            test.run(*call, "--format=json").stdout)["error"], "an error")
    print("%d answers, %d words" % (answered, len(test.words)))
    assert answered > 25 and len(test.words) > 150, "too few"
    wrong = 0
    for word, where in sorted(test.words.items()):
        done = test.run("help", word)
        if done.returncode != 0:
            wrong += 1
            print("help %r, seen in %s: %s" % (word, where, done.stderr.strip()))
        elif "AS A WORD OF ANSWERS" not in done.stdout and not (
                done.stdout.lower().startswith(word.lower() + ": ")):
            wrong += 1
            print("help %r is not about the word:\n%s" % (word, done.stdout[:200]))
    # The table has no word twice, and a word that is none is refused.
    text = test.run("help", "avoidabel")
    if text.returncode != 2 or "`avoidable`" not in text.stderr:
        wrong += 1
        print("avoidabel: %s" % text.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
