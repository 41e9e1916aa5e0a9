#!/usr/bin/env python3
"""A client of `indexical mcp`: the Model Context Protocol, revision 2025-06-18.

  mcp_test.py INDEXICAL FORMATS_SCHEMA_JSON

The server runs in a folder with a few modules. What it answers is held to the
protocol (one message a line, JSON-RPC 2.0, the id that was asked), to the output
schema that the tool itself announces, and to what the same call of the command
prints. Then messages that are wrong, in part random ones, whose seed is
printed: the server answers each with an error or passes over it, and goes on.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

import jsonschema

TIMEOUT = 60
REVISION = "2025-06-18"
MODULE = """HloModule m, is_scheduled=true
ENTRY e {
  p = f32[64,128]{1,0} parameter(0)
  ROOT t = f32[128,64]{1,0} transpose(p), dimensions={1,0}
}
"""


# Its distinct elements are not found within a minute.
SLOW = ("(d0, d1, d2, d3, d4) -> ((d0 * d1 * d2 * d3 + d4 * d1) mod 1000003), "
        "domain: d0 in [0, 1000], d1 in [0, 1000], d2 in [0, 1000], "
        "d3 in [0, 1000], d4 in [0, 1000000]\n")


class Client:
    """A server, and what it sends, by id. Lines without an id are `loose`."""

    def __init__(self, tool, folder, *options):
        self.process = subprocess.Popen(
            [tool, "mcp"] + list(options), cwd=folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.answers, self.loose, self.lines = {}, [], []
        self.is_strict = True  # an id is answered once
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.number = 0

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line)
                try:
                    message = json.loads(line)
                except ValueError:
                    message = {"broken": line}
                if message.get("id") is None:
                    self.loose.append(message)
                else:
                    if self.is_strict:
                        assert message["id"] not in self.answers, "twice"
                    self.answers[message["id"]] = message
                self.changed.notify_all()

    def write(self, line):
        if isinstance(line, str):
            line = line.encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method, params=None, **more):
        message = {"jsonrpc": "2.0", "method": method, **more}
        if params is not None:
            message["params"] = params
        self.write(json.dumps(message))

    def wait(self, number):
        """The answer to a request."""
        with self.changed:
            done = self.changed.wait_for(lambda: number in self.answers, TIMEOUT)
            assert done, "no answer to %r: %s" % (number, self.lines[-3:])
            return self.answers[number]

    def wait_loose(self, count):
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.loose) >= count,
                                         TIMEOUT), self.lines[-3:]
            return self.loose[count - 1]

    def ask(self, method, params=None):
        self.number += 1
        self.send(method, params, id=self.number)
        return self.wait(self.number)

    def begin(self):
        return self.ask("initialize", {
            "protocolVersion": REVISION, "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}})

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def end(self):
        self.process.stdin.close()
        self.process.wait(TIMEOUT)
        self.reader.join(TIMEOUT)
        return self.process.returncode


def check(condition, *what):
    assert condition, " ".join(map(str, what))[:2000]


def error_of(answer, code):
    check(answer.get("error", {}).get("code") == code, "wanted", code, answer)
    check(isinstance(answer["error"]["message"], str), answer)
    check("result" not in answer and answer["jsonrpc"] == "2.0", answer)


def result_of(answer, is_error=False):
    check("result" in answer, answer)
    result = answer["result"]
    check(result["isError"] is is_error, answer)
    return result


def check_handshake(tool, folder):
    client = Client(tool, folder)
    check(client.ask("ping")["result"] == {}, "ping")
    error_of(client.ask("tools/list"), -32002)
    error_of(client.ask("initialize", {}), -32602)
    begun = client.begin()["result"]
    check(begun["protocolVersion"] == REVISION, begun)
    check(begun["capabilities"] == {"tools": {}}, begun)
    check(begun["serverInfo"]["name"] == "indexical", begun)
    client.send("notifications/initialized")
    # A client of another revision gets the one that the server has.
    other = client.ask("initialize", {"protocolVersion": "2031-01-01"})
    check(other["result"]["protocolVersion"] == REVISION, other)
    check(client.end() == 0, "the server ends when its input does")
    check(not client.loose, client.loose)


def check_tools(client, schema):
    """Each tool has schemas that are right, and is a command with JSON."""
    tools = client.ask("tools/list")["result"]["tools"]
    names = [tool["name"] for tool in tools]
    check(sorted(names) == sorted(schema["commands"]), names)
    for tool in tools:
        for key in ("inputSchema", "outputSchema"):
            jsonschema.Draft202012Validator.check_schema(tool[key])
            check(tool[key]["type"] == "object", tool["name"])
        check(tool["description"], tool["name"])
        options = set(tool["inputSchema"]["properties"])
        check(not options & {"o", "format", "help", "color", "resume", "quiet"},
              options)
    error_of(client.ask("tools/list", {"cursor": "x"}), -32602)
    return {tool["name"]: tool for tool in tools}


def check_content(result, tool):
    """What is structured is what the text says, and as the tool announced."""
    document = result["structuredContent"]
    check(json.loads(result["content"][0]["text"]) == document, document)
    check(all(each["type"] == "text" for each in result["content"]), result)
    jsonschema.Draft202012Validator(tool["outputSchema"]).validate(document)
    return document


def check_calls(client, tools, tool_path, folder):
    """The answer of a tool is what the command prints."""
    calls = [
        ("report", {"files": ["m.hlo"]}, ["m.hlo"]),
        ("report", {"files": ["m.hlo"], "maps": True, "top": "all",
                    "device": "a100"},
         ["m.hlo", "--maps", "--top=all", "--device=a100"]),
        ("report", {"files": ["m.hlo"], "top": 1}, ["m.hlo", "--top=1"]),
        ("dump", {"files": ["m.hlo"], "direction": "both"},
         ["m.hlo", "--direction=both"]),
        ("count", {"files": ["a.maps"]}, ["a.maps"]),
        ("count", {"files": ["a.maps", "b.maps"]}, ["a.maps", "b.maps"]),
        ("simplify", {"files": ["sub/c.maps"]}, ["sub/c.maps"]),
        ("equal", {"files": ["a.maps"]}, ["a.maps"]),
        ("equal", {"files": ["m.hlo", "n.hlo"]}, ["m.hlo", "n.hlo"]),
        ("tile", {"files": ["m.hlo"], "tile": "2,b"}, ["m.hlo", "--tile=2,b"]),
        ("hazards", {"files": ["m.hlo"]}, ["m.hlo"]),
        ("sharding", {"sharding": "{devices=[2]<=[2]}",
                      "global-shape": "f32[5]"},
         ["--sharding={devices=[2]<=[2]}", "--global-shape=f32[5]"]),
        ("layout", {"files": ["(2,4):(4,1)", "8:1"]}, ["(2,4):(4,1)", "8:1"]),
        ("reshard", {"from": "{devices=[4,1]<=[4]}", "to": "{replicated}",
                     "global-shape": "f32[7,5]", "memory": "1 kB",
                     "emit": "stablehlo"},
         ["--from={devices=[4,1]<=[4]}", "--to={replicated}",
          "--global-shape=f32[7,5]", "--memory=1 kB", "--emit=stablehlo"]),
        ("help", {"word": "avoidable"}, ["avoidable"]),
        ("help", {}, []),
    ]
    for name, arguments, words in calls:
        done = subprocess.run(
            [tool_path, name, "--format=json"] + words, cwd=folder,
            capture_output=True, timeout=TIMEOUT, check=False)
        decoder, text, wanted = json.JSONDecoder(), done.stdout.decode(), []
        while text.strip():
            value, end = decoder.raw_decode(text.lstrip())
            wanted.append(value)
            text = text.lstrip()[end:]
        answer = client.call(name, **arguments)
        result = result_of(answer, is_error=done.returncode in (1, 2))
        document = check_content(result, tools[name])
        check(document == (wanted[0] if len(wanted) == 1 else
                           {"documents": wanted}), name, document, wanted)
        check(result["_meta"]["indexical/status"] == done.returncode, answer)
    # A text in place of a file.
    given = result_of(client.call("dump", text=MODULE))["structuredContent"]
    check(given["source"]["path"] == "text", given)
    own = result_of(client.call("dump", files=["m.hlo"]))["structuredContent"]
    check(given["modules"] == own["modules"], "text")


def code_of(client, tool, tools, **arguments):
    result = result_of(client.call(tool, **arguments), is_error=True)
    return check_content(result, tools[tool])["error"]


def check_mistakes(client, tools):
    """Mistakes of a call are results that say what would be right."""
    wrong = [
        ({"fils": ["m.hlo"]}, "usage", "files"),
        ({"files": ["m.hlo"], "devise": "a100"}, "usage", "device"),
        ({"files": "m.hlo"}, "usage", None),
        ({"files": []}, "usage", None),
        ({"files": [3]}, "usage", None),
        ({}, "usage", None),
        ({"files": ["m.hlo"], "text": MODULE}, "usage", None),
        ({"files": ["m.hlo"], "maps": "yes"}, "usage", None),
        ({"files": ["m.hlo"], "deadline": "soon"}, "usage", None),
        ({"files": ["m.hlo"], "device": ["a100"]}, "usage", None),
        ({"files": ["m.hlo"], "device": "a10000"}, "usage", "--device=a100"),
        ({"files": ["m.hlo"], "top": "few"}, "usage", None),
        ({"files": ["m.hlo"], "o": "written"}, "usage", None),
        ({"files": ["m.hlo"], "format": "text"}, "usage", None),
        ({"files": ["x.hlo"]}, "not_found", None),
        ({"files": ["broken.hlo"]}, "invalid_input", "param"),
    ]
    for arguments, code, suggestion in wrong:
        error = code_of(client, "report", tools, **arguments)
        check(error["code"] == code, arguments, error)
        check(suggestion is None or error.get("suggestion") == suggestion,
              arguments, error)
    # It reads no file, and says so.
    check("files" not in tools["reshard"]["inputSchema"]["properties"])
    error = code_of(client, "reshard", tools, files=["m.hlo"])
    check(error["code"] == "usage" and "`files`" in error["message"], error)
    error = code_of(client, "report", tools, files=["broken.hlo"])
    check(error["path"] == "broken.hlo" and error["line"] == 4, error)
    for params in ({"name": "rm"}, {"name": 3}, {}, {"name": "report",
                                                     "arguments": [1]}):
        error_of(client.ask("tools/call", params), -32602)


def check_outside(client, tools, folder):
    """No path leads out of the folder: by words, links, lists or neighbours."""
    above = os.path.dirname(folder)
    for path in ("../secret.hlo", os.path.join(above, "secret.hlo"),
                 "link.hlo", "linked/secret.hlo", "sub/../../secret.hlo",
                 "linked/../secret.hlo", "nothing/../../secret.hlo",
                 "/etc/passwd", "/etc/no-such-file", "..", "-", "linked"):
        for tool in ("report", "dump", "passes", "equal", "layout"):
            error = code_of(client, tool, tools, files=[path])
            check(error["code"] == "outside", tool, path, error)
            check("secret_name" not in json.dumps(error), error)
    check(code_of(client, "report", tools, files=["@list"])["code"] == "usage")
    for option in ("baseline", "hlo", "ops", "topology", "thread-map"):
        value = "../secret.hlo"
        given = [value] if option == "hlo" else value
        error = code_of(client, "report", tools, files=["m.hlo"],
                        **{option: given})
        check(error["code"] == "outside", option, error)
    error = code_of(client, "kernel", tools, files=["k.ttir"],
                    of="../secret.hlo#secret_name")
    check(error["code"] == "outside", error)
    # A file of a folder is passed over where it is a link that leads out.
    inside = result_of(client.call("dump", files=["sub"], computation="no"),
                       is_error=True)
    check("secret_name" not in json.dumps(inside), inside)
    found = result_of(client.call("dump", files=["mixed"]))
    text = json.dumps(found)
    check("secret_name" not in text and "inner.hlo" in text, text)
    # One that is inside may be a link, too.
    check_content(result_of(client.call("dump", files=["inside.hlo"])),
                  tools["dump"])


def check_bounds(tool, folder, tools):
    """An answer with too many bytes is an error; a call has an end."""
    client = Client(tool, folder, "--answer-bytes=2000", "--call-seconds=1")
    client.begin()
    error = code_of(client, "dump", tools, files=["many.hlo"])
    check(error["code"] == "too_large" and "instruction" in error["message"],
          error)
    check(max(map(len, client.lines)) < 10000, "a line is long")
    begun = time.monotonic()
    # What is complete is there, and that it is not all is said.
    result = result_of(client.call("count", files=["slow.maps"], budget=10**15),
                       is_error=True)
    check("the deadline was reached" in result["content"][1]["text"], result)
    check_content(result, tools["count"])
    check(time.monotonic() - begun < 20, "late")
    check(result_of(client.call("count", files=["a.maps"])), "goes on")
    client.end()


def check_cancel(tool, folder):
    """A call that is cancelled has no answer, whether it works or waits."""
    client = Client(tool, folder, "--call-seconds=50")
    client.begin()
    slow = {"name": "count", "arguments": {"files": ["slow.maps"],
                                           "budget": 10**15}}
    begun = time.monotonic()
    client.send("tools/call", slow, id="works")
    client.send("tools/call", slow, id="waits")
    client.send("tools/call", {"name": "count", "arguments": {
        "files": ["a.maps"]}}, id="last")
    # An id that is in use is refused.
    client.send("tools/call", slow, id="works")
    error_of(client.wait("works"), -32600)
    check(client.ask("ping")["result"] == {}, "answers while it works")
    time.sleep(0.3)
    client.send("notifications/cancelled", {"requestId": "nothing"})
    client.send("notifications/cancelled", {"requestId": "waits"})
    client.send("notifications/cancelled", {"requestId": "works",
                                            "reason": "test"})
    result_of(client.wait("last"))
    check(time.monotonic() - begun < 30, "it is not cancelled")
    check("waits" not in client.answers, client.answers.get("waits"))
    check(client.end() == 0, "end")
    # Nothing but the refusal was ever said of it.
    check(sum(b'"works"' in line for line in client.lines) == 1, client.lines)


def check_malformed(tool, folder):
    client = Client(tool, folder)
    client.begin()
    wrong = [
        (b"{", -32700), (b"nonsense", -32700), (b"\xff\xfe\x00", -32700),
        (b"[" * 200000, -32700), (b'{"a":' * 5000, -32700),
        (b'"' + b"x" * (17 << 20) + b'"', -32700),
        (b"[]", -32600), (b"3", -32600), (b"null", -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
    ]
    for count, (line, code) in enumerate(wrong, 1):
        client.write(line)
        error_of(client.wait_loose(count), code)
    # Those whose id is known.
    of_id = [
        ('{"jsonrpc":"1.0","id":"a","method":"ping"}', "a", -32600),
        ('{"id":"b","method":"ping"}', "b", -32600),
        ('{"jsonrpc":"2.0","id":"c"}', "c", -32600),
        ('{"jsonrpc":"2.0","id":"d","method":7}', "d", -32600),
        ('{"jsonrpc":"2.0","id":"e","method":"ping","params":[]}', "e", -32602),
        ('{"jsonrpc":"2.0","id":"f","method":"resources/list"}', "f", -32601),
        ('{"jsonrpc":"2.0","id":"g","method":""}', "g", -32601),
    ]
    for line, number, code in of_id:
        client.write(line)
        error_of(client.wait(number), code)
    # What has no answer: notifications, answers, empty lines.
    for line in ("", "  ", '{"jsonrpc":"2.0","method":"nothing"}',
                 '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
                 '{"jsonrpc":"2.0","method":"ping","params":3}',
                 '{"jsonrpc":"2.0","id":99,"result":{}}'):
        client.write(line)
    check(client.ask("ping")["result"] == {}, "goes on")
    check(len(client.loose) == len(wrong), client.loose[len(wrong):])
    # A last line needs no end.
    client.process.stdin.write(b'{"jsonrpc":"2.0","id":"z","method":"ping"}')
    client.process.stdin.flush()
    check(client.end() == 0, "end")
    check(client.answers["z"]["result"] == {}, "the last line")


def check_interrupt(tool, folder):
    """Ctrl-C ends a server that waits, also after it has worked."""
    client = Client(tool, folder)
    client.begin()
    result_of(client.call("count", files=["a.maps"]))
    client.process.send_signal(signal.SIGINT)
    check(client.process.wait(TIMEOUT) >= 0, "it was killed")


def check_random(tool, folder, seed):
    """Mutations of right messages: each is answered or passed over."""
    rng = random.Random(seed)
    client = Client(tool, folder, "--call-seconds=5")
    client.is_strict = False
    client.begin()
    right = [json.dumps(each).encode() for each in (
        {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
            "name": "count", "arguments": {"files": ["a.maps"]}}},
        {"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": {
            "name": "report", "arguments": {"text": MODULE, "top": 3}}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled",
         "params": {"requestId": 7}})]
    for _ in range(300):
        line = bytearray(rng.choice(right))
        # Ids stay apart from those of the client, and are not asked twice.
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(line))
            kind = rng.randrange(3)
            if kind == 0:
                line[at] = rng.randrange(256)
            elif kind == 1:
                del line[at]
            else:
                line[at:at] = rng.choice([b'"', b"{", b"}", b"[", b",", b"\\u0000",
                                          b"-", b"9999999999999999999999"])
        line = bytes(line).replace(b"\n", b" ").replace(b'"id": 7', b'"id": null')
        line = line.replace(b'"id": "x"', b'"id": true')
        client.write(line)
        if client.process.poll() is not None:
            break
    client.number = 10**6
    check(client.ask("ping").get("result") == {}, "it ended; seed", seed)
    check(client.end() == 0, "status; seed", seed)
    for line in client.lines:
        message = json.loads(line)
        check(message["jsonrpc"] == "2.0", line, "seed", seed)


def make_folder(root):
    folder = os.path.join(root, "inside")
    files = {
        "secret.hlo": MODULE.replace("HloModule m", "HloModule secret_name"),
        "secret_folder/secret.hlo": MODULE,
        "inside/m.hlo": MODULE,
        "inside/n.hlo": MODULE.replace("transpose(p), dimensions={1,0}",
                                       "reshape(p)"),
        "inside/broken.hlo": MODULE.replace("p = f32", "param = f32").replace(
            "transpose(p)", "transpose(parm)"),
        "inside/a.maps": "(d0) -> (d0 mod 8), domain: d0 in [0, 31]\n// -----\n"
                         "(d0) -> (d0 mod 8), domain: d0 in [0, 32]\n",
        "inside/b.maps": "(d0) -> (d0), domain: d0 in [0, 3]\n",
        "inside/sub/c.maps": "(d0) -> (d0 * 4 floordiv 4), domain: d0 in [0, 3]\n",
        "inside/sub/d.hlo": MODULE,
        "inside/mixed/inner.hlo": MODULE,
        "inside/slow.maps": SLOW,
        "inside/list": "../secret.hlo\n",
        "inside/k.ttir": "module {\n tt.func @k() {\n tt.return\n }\n}\n",
        "inside/many.hlo": "HloModule m\nENTRY e {\n  p0 = f32[4] parameter(0)\n" +
        "".join("  %sp%d = f32[4] negate(p%d)\n" % ("ROOT " * (k == 200), k, k - 1)
                for k in range(1, 201)) + "}\n",
    }
    for name, text in files.items():
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    os.symlink(os.path.join(root, "secret.hlo"), os.path.join(folder, "link.hlo"))
    os.symlink(os.path.join(root, "secret_folder"), os.path.join(folder, "linked"))
    os.symlink("m.hlo", os.path.join(folder, "inside.hlo"))
    os.symlink(os.path.join(root, "secret.hlo"),
               os.path.join(folder, "mixed", "secret_name.hlo"))
    os.symlink(os.path.join(root, "secret_folder"),
               os.path.join(folder, "mixed", "folder"))
    return folder


def main(tool, schema_path):
    tool = os.path.abspath(tool)
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    seed = int(os.environ.get("SEED", "20250618"))
    print("seed", seed)
    with tempfile.TemporaryDirectory() as root:
        root = os.path.realpath(root)
        folder = make_folder(root)
        check_handshake(tool, folder)
        client = Client(tool, folder)
        client.begin()
        tools = check_tools(client, schema)
        check_calls(client, tools, tool, folder)
        check_mistakes(client, tools)
        check_outside(client, tools, folder)
        check(client.end() == 0, "end")
        check(not client.loose, client.loose)
        check_bounds(tool, folder, tools)
        check_cancel(tool, folder)
        check_malformed(tool, folder)
        check_interrupt(tool, folder)
        check_random(tool, folder, seed)
    print("%d tools" % len(tools))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
