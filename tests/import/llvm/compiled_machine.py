"""The oracle of random_compiled_test: LLVM IR of GPU kernels, run on this machine.

The text of the IR is rewritten a line at a time: before each load, store and
atomic stands a call that records the access and gives the address at which its
bytes really lie, and the numbers of threads and blocks come from functions.
clang compiles the result for this machine. Nothing of it is read by Indexical.

Arguments that are pointers hold addresses at which nothing lies: argument n
starts at (n + 1) << 40. Variables of __shared__ memory lie at SHARED + (k << 40).
What a thread wrote it reads again; a byte that it did not write is hash8 of its
address, in shared memory with `seed` mixed in, so that two seeds show whether
an access depends on what other threads wrote.
"""

import os
import re
import subprocess

SHARED = 0x4000 << 40
STEPS = 6000  # accesses of a thread, past which it is stopped
_TYPE = r"(?:<[^<>]*>|\[[^\[\]]*\]|ptr addrspace\(\d+\)|[a-z0-9]+)"
_LOAD = re.compile(r"^(\s*)(%\S+) = load (atomic )?(volatile )?(" + _TYPE + r"), (ptr.*)$")
_STORE = re.compile(r"^(\s*)store (atomic )?(volatile )?(.*), (ptr.*)$")
_ATOMIC = re.compile(r"^(\s*)(%\S+) = atomicrmw (volatile )?(\w+) (ptr.*)$")
_SHIFT = re.compile(r"^\s*%\S+ = (?:shl|lshr|ashr) (?:nuw |nsw |exact )*i(\d+) \S+, (%[\w.]+)")
_MEMORY = re.compile(r"@llvm\.(memcpy|memmove|memset)\.[\w.]*\(")
_SREG = re.compile(r"@llvm\.nvvm\.read\.ptx\.sreg\.([\w.]+)")
_SIZES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "i128": 16, "half": 2,
          "bfloat": 2, "float": 4, "double": 8, "ptr": 8}


class Unknown(Exception):
    """The rewriting does not know a construct; the kernel is left out, visibly."""


def size_of(name):
    """Bytes that a load or store of an LLVM type moves; vectors of bits are unknown."""
    name = name.strip()
    if name.startswith("ptr"):
        return 8
    found = re.fullmatch(r"<(\d+) x (.+)>", name)
    if found:
        if found[2] == "i1":
            raise Unknown("vector of bits")
        return int(found[1]) * size_of(found[2])
    if name in _SIZES:
        return _SIZES[name]
    found = re.fullmatch(r"i(\d+)", name)
    if found:
        return (int(found[1]) + 7) // 8
    raise Unknown("type " + name)


def split_top(text):
    """The parts of `text` between commas that stand in no bracket."""
    parts, depth, last = [], 0, 0
    for at, c in enumerate(text):
        depth += c in "([{<"
        depth -= c in ")]}>"
        if c == "," and depth == 0:
            parts.append(text[last:at])
            last = at + 1
    return parts + [text[last:]]


def _type_and_value(text):
    found = re.match(r"\s*(" + _TYPE + r"|%[\w.]+)\s+(.*)$", text)
    if not found:
        raise Unknown("operand " + text)
    return found[1], found[2]


def _plain_pointer(kind, value, at, lines, indent):
    """Lines that bring a pointer of any address space into the plain one; its name."""
    space = re.fullmatch(r"ptr addrspace\((\d+)\)", kind)
    if not space:
        return value
    lines.append(f"{indent}%plain.{at} = addrspacecast {kind} {value} to ptr")
    return f"%plain.{at}"


def _access(indent, at, pointer, size, piece, kind):
    """The call that records an access: a load (0), a store (1) or an atomic (2)."""
    return f"{indent}%host.{at} = call ptr @rt_access(ptr {pointer}, i64 {size}, i64 {piece}, i32 {kind})"


def _rewrite(line, at, lines):
    """Appends what a line of a function becomes."""
    found = _LOAD.match(line)
    if found:
        indent, name, atomic, volatile, kind, rest = found.groups()
        size = size_of(kind)
        parts = split_top(rest)
        pointer = _plain_pointer(*_type_and_value(parts[0]), at, lines, indent)
        lines.append(_access(indent, at, pointer, size, pieces_of(parts, size), 0))
        lines.append(f"{indent}{name} = load {kind}, ptr %host.{at}, align 1")
        return
    found = _STORE.match(line)
    if found:
        indent = found[1]
        parts = split_top(line.strip()[len("store "):])
        first = re.sub(r"^\s*(atomic |volatile )+", "", parts[0])
        kind, _ = _type_and_value(first)
        parts[1] = re.sub(r" (syncscope\(\"\w+\"\) )?(unordered|release|seq_cst|monotonic)$", "", parts[1])
        pointer = _plain_pointer(*_type_and_value(parts[1]), at, lines, indent)
        size = size_of(kind)
        lines.append(_access(indent, at, pointer, size, pieces_of(parts, size), 1))
        lines.append(f"{indent}store {first}, ptr %host.{at}, align 1")
        return
    found = _ATOMIC.match(line)
    if found:
        indent, name, _, op, rest = found.groups()
        parts = split_top(rest)
        pointer = _plain_pointer(*_type_and_value(parts[0]), at, lines, indent)
        kind, _ = _type_and_value(parts[1])
        size = size_of(kind)
        lines.append(_access(indent, at, pointer, size, size, 2))
        # An order needs an alignment that the host's address has not.
        parts[1] = re.sub(r" (syncscope\(\"\w+\"\) )?(acq_rel|acquire|release|seq_cst|monotonic)$", " monotonic",
                          parts[1])
        value = re.sub(r"syncscope\(\"\w+\"\)\s*", "", parts[1])
        lines.append(f"{indent}{name} = atomicrmw {op} ptr %host.{at},{value}")
        return
    if " cmpxchg " in line:
        raise Unknown("cmpxchg")
    if "asm " in line:
        raise Unknown("inline assembly")
    found = _MEMORY.search(line)
    if found and " call " in line:
        name = {"memcpy": "rt_copy", "memmove": "rt_copy", "memset": "rt_set"}[found[1]]
        inside = line[found.end():line.rindex(")")]
        parts = [re.sub(r"\b(noundef|nonnull|align \d+|dereferenceable\(\d+\)|captures\(none\)) ?", "", p)
                 for p in split_top(inside)]
        pointers = 2 if name == "rt_copy" else 1
        for k in range(pointers):
            kind, value = _type_and_value(parts[k])
            parts[k] = "ptr " + _plain_pointer(kind, value, f"{at}.{k}", lines, "  ")
        kind, value = _type_and_value(parts[2])
        if kind == "i32":
            lines.append(f"  %bytes.{at} = zext i32 {value} to i64")
            value = f"%bytes.{at}"
        lines.append(f"  call void @{name}({parts[0]}, {parts[1]}, i64 {value})")
        return
    found = _SHIFT.match(line)
    if found:
        bits, amount = int(found[1]), found[2]
        if bits < 64:
            lines.append(f"  %amount.{at} = zext i{bits} {amount} to i64")
            amount = f"%amount.{at}"
        if bits <= 64:
            lines.append(f"  call void @rt_shift(i64 {amount}, i64 {bits})")
    if "@llvm.nvvm.bar" in line or "@llvm.assume(" in line or "@llvm.experimental.noalias" in line:
        return
    lines.append(line)


def _drop_calls(text, word):
    """`text` without every WORD(...), brackets balanced; the name in it is lost."""
    out = ""
    while True:
        at = text.find(word + "(")
        if at < 0:
            return out + text
        depth, end = 0, at + len(word)
        while True:
            depth += text[end] == "("
            depth -= text[end] == ")"
            end += 1
            if depth == 0:
                break
        out += text[:at]
        text = text[end:].lstrip(" ")


def pieces_of(parts, size):
    """Bytes of each access that the hardware makes of a load or store: it has none
    wider than its alignment."""
    for part in parts:
        found = re.fullmatch(r"\s*align (\d+)\s*", part)
        if found:
            return min(size, int(found[1]))
    return size


class Module:
    """A text of IR made ready to run: its kernels, and the names of shared arrays."""

    def __init__(self, text):
        self.shared = []
        lines, at, inside = [], 0, False
        self.kernels = {}
        text = self._place_shared(text)
        for line in text.split("\n"):
            if line.startswith(("target ", "source_filename", "; ", "!")) or "!nvvm" in line[:6]:
                continue
            line = re.sub(r"(, ![\w.]+ ![\w]+)+\s*$", "", line)
            line = re.sub(r"(, ![\w.]+ !\{\})", "", line)
            if line.startswith("attributes #"):
                line = line[:line.index("=")] + "= { nounwind }"
            line = re.sub(r"\b(zeroext|signext) ", "", line)
            line = line.replace("ptx_kernel ", "").replace("ptx_device ", "")
            if line.startswith("define"):
                inside = True
                name = re.search(r"@([\w.$]+)\(", line)[1]
                line = _drop_calls(line, "byval")
                head = line[line.index("@"):]
                depth = 0
                for end, c in enumerate(head):
                    depth += c == "("
                    depth -= c == ")"
                    if c == ")" and depth == 0:
                        break
                arguments = head[head.index("(") + 1:end]
                self.kernels[name] = [re.match(r"\s*(\S+)", p)[1] for p in split_top(arguments) if p.strip()]
            if line.startswith("declare") and ("nvvm" in line):
                found = _SREG.search(line)
                if found:
                    lines.append(f"declare i32 @rt_{found[1].replace('.', '_')}()")
                elif "nvvm.bar" not in line:
                    raise Unknown(line.split("@")[1])
                continue
            if inside and line.startswith("}"):
                inside = False
            if inside and line.startswith(" "):
                line = _drop_calls(line, "byval")
                line = _SREG.sub(lambda m: "@rt_" + m[1].replace(".", "_"), line)
                at += 1
                _rewrite(line, at, lines)
            else:
                lines.append(line)
        self.text = "\n".join(lines)

    def _place_shared(self, text):
        """Each variable of shared memory becomes a number: an address at which nothing lies."""
        kept = []
        for line in text.split("\n"):
            found = re.match(r"@([\w.$]+) = .*addrspace\(3\) (?:global|constant)", line)
            if found:
                self.shared.append(found[1])
            else:
                kept.append(line)
        text = "\n".join(kept)
        for k, name in enumerate(self.shared):
            text = re.sub(r"@" + re.escape(name) + r"(?![\w.$])",
                          f"inttoptr (i64 {SHARED + (k << 40)} to ptr addrspace(3))", text)
        return text


def _calls(module, launches):
    """IR that calls each launch's kernel: `launches` are (kernel, values); a value is
    a number, "pointer", or the bytes of a struct."""
    out = ["declare ptr @rt_access(ptr, i64, i64, i32)", "declare void @rt_copy(ptr, ptr, i64)",
           "declare void @rt_set(ptr, i8, i64)", "declare void @rt_shift(i64, i64)", "declare ptr @rt_struct(ptr, i64)"]
    body, targets = [], []
    for k, (kernel, values) in enumerate(launches):
        body.append(f"launch{k}:")
        operands = []
        for n, (kind, value) in enumerate(zip(module.kernels[kernel], values)):
            if value == "pointer":
                operands.append(f"ptr inttoptr (i64 {(n + 1) << 40} to ptr)")
            elif isinstance(value, bytes):
                out.append(f"@bytes.{k}.{n} = global [{len(value)} x i8] c\"" +
                           "".join(f"\\{b:02x}" for b in value) + "\", align 16")
                body.append(f"  %s.{k}.{n} = call ptr @rt_struct(ptr @bytes.{k}.{n}, i64 {len(value)})")
                operands.append(f"ptr %s.{k}.{n}")
            else:
                operands.append(f"{kind} {value}")
        body.append(f"  call void @{kernel}({', '.join(operands)})")
        body.append("  ret void")
        targets.append(f"i32 {k}, label %launch{k}")
    return "\n".join(out + ["define void @rt_launch(i32 %k) {",
                            "  switch i32 %k, label %none [" + " ".join(targets) + "]",
                            "none:", "  ret void"] + body + ["}", ""])


RUNTIME = r"""
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
typedef uint64_t u64;
static int tid[3], ctaid[3], ntid[3], nctaid[3];
#define NUMBER(name) int rt_##name##_x(void) { return name[0]; } \
  int rt_##name##_y(void) { return name[1]; } int rt_##name##_z(void) { return name[2]; }
NUMBER(tid) NUMBER(ctaid) NUMBER(ntid) NUMBER(nctaid)
int rt_warpsize(void) { return 32; }
int rt_laneid(void) { return (tid[0] + ntid[0] * (tid[1] + ntid[1] * tid[2])) % 32; }
static u64 seed, stack_top;
static long steps;
static sigjmp_buf out;
enum { SLOTS = 1 << 18 };
static u64 keys[SLOTS];
static unsigned char held[SLOTS];
static int used[SLOTS], turn, filled;
static unsigned slot(u64 a) {
  unsigned k = (a * 0x9E3779B97F4A7C15u) >> 46;
  while (used[k] == turn && keys[k] != a) k = (k + 1) % SLOTS;
  return k;
}
static unsigned char fresh(u64 a) {
  if (a >> 40 >= 0x3fff) a ^= seed;
  a ^= a >> 31; a *= 0x9E3779B97F4A7C15u; a ^= a >> 29; a *= 0xBF58476D1CE4E5B9u; a ^= a >> 32;
  return a & 0xff;
}
static unsigned char get(u64 a) { unsigned k = slot(a); return used[k] == turn ? held[k] : fresh(a); }
static void put(u64 a, unsigned char v) {
  unsigned k = slot(a);
  if (used[k] != turn) { if (++filled > SLOTS / 2) siglongjmp(out, 1); }
  used[k] = turn; keys[k] = a; held[k] = v;
}
static _Alignas(64) unsigned char bounce[256];
static u64 pending, pending_size;
static void flush(void) {
  for (u64 i = 0; i < pending_size; ++i) put(pending + i, bounce[i]);
  pending_size = 0;
}
extern char __executable_start, _end;
static int real(u64 a) {
  return (a >= (u64)&__executable_start && a < (u64)&_end) ||
         (a <= stack_top && a > stack_top - (64u << 20));
}
/* A kernel has an address of this process, and not of its own variables, only by an
   index that leaves one of them, which means nothing. */
static void refuse_lost(u64 a) {
  if (a >> 40 >= 0x70 && a >> 40 < 0x80) siglongjmp(out, 2);
}
static volatile sig_atomic_t printing, is_late;
static void record(char kind, u64 a, u64 n) {
  refuse_lost(a);
  if (++steps > STEPS) siglongjmp(out, 1);
  printing = 1;
  printf("%c %llu %llu\n", kind, (unsigned long long)a, (unsigned long long)n);
  printing = 0;
  if (is_late) siglongjmp(out, 1);
}
void *rt_access(char *p, u64 n, u64 piece, int kind) {
  u64 a = (u64)p;
  if (real(a) && real(a + n - 1)) return p;
  flush();
  for (u64 i = 0; i < n; i += piece) record("LSA"[kind], a + i, i + piece < n ? piece : n - i);
  for (u64 i = 0; i < n; ++i) bounce[i] = get(a + i);
  if (kind) { pending = a; pending_size = n; }
  return bounce;
}
void rt_copy(char *to, char *from, u64 n) {
  static unsigned char bytes[1 << 16];
  flush();
  if (n > sizeof bytes) siglongjmp(out, 1);
  if (n == 0) return;
  int far = !real((u64)from), out_far = !real((u64)to);
  if (far) record('l', (u64)from, n);
  if (out_far) record('s', (u64)to, n);
  for (u64 i = 0; i < n; ++i) bytes[i] = far ? get((u64)from + i) : (unsigned char)from[i];
  for (u64 i = 0; i < n; ++i) if (out_far) put((u64)to + i, bytes[i]); else to[i] = bytes[i];
}
void rt_set(char *to, unsigned char v, u64 n) {
  flush();
  if (n > 1 << 16) siglongjmp(out, 1);
  if (n == 0) return;
  int out_far = !real((u64)to);
  if (out_far) record('s', (u64)to, n);
  for (u64 i = 0; i < n; ++i) if (out_far) put((u64)to + i, v); else to[i] = v;
}
/* A shift of all bits and more means nothing. */
void rt_shift(u64 amount, u64 bits) { if (amount >= bits) siglongjmp(out, 2); }
void *rt_struct(void *from, u64 n) {
  static _Alignas(16) unsigned char copies[16][256];
  static int next;
  next = (next + 1) % 16;
  return memcpy(copies[next], from, n);
}
void rt_launch(int);
static __attribute__((noinline)) void start(int launch) {
  volatile char here = 0;
  stack_top = (u64)&here;
  rt_launch(launch);
}
static void failed(int s) {
  if (s == SIGALRM && printing) is_late = 1;
  else siglongjmp(out, s == SIGALRM ? 1 : 2);
}
int main(void) {
  int launch;
  int signals[] = {SIGSEGV, SIGFPE, SIGALRM, SIGILL, SIGBUS, SIGTRAP};
  for (int k = 0; k < 6; ++k) signal(signals[k], failed);
  while (scanf("%d %llu %d %d %d %d %d %d %d %d %d %d %d %d", &launch, (unsigned long long *)&seed,
               &nctaid[0], &nctaid[1], &nctaid[2], &ntid[0], &ntid[1], &ntid[2], &ctaid[0],
               &ctaid[1], &ctaid[2], &tid[0], &tid[1], &tid[2]) == 14) {
    ++turn; filled = 0; steps = 0; pending_size = 0; is_late = 0;
    struct itimerval limit = {{0, 0}, {0, 500000}}, none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &limit, 0);
    int how = sigsetjmp(out, 1);
    if (!how) start(launch);
    setitimer(ITIMER_REAL, &none, 0);
    printf(how == 0 ? "end\n" : how == 1 ? "long\n" : "fault\n");
  }
}
"""


class Machine:
    """Compiles and runs modules in a folder of its own."""

    def __init__(self, clang, folder):
        self.clang, self.folder = clang, folder
        source = os.path.join(folder, "runtime.c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(f"#define STEPS {STEPS}\n" + RUNTIME)
        self.runtime = os.path.join(folder, "runtime.o")
        subprocess.run([clang, "-O1", "-fno-pie", "-c", source, "-o", self.runtime], check=True)

    def run(self, text, launches, threads):
        """Runs threads of launches of the module `text`.

        `launches` are (kernel, values), `threads` are (launch, seed, grid, block,
        block's index, thread's index). Answers, for each thread, (end, accesses):
        "end" is "end", "long" or "fault"; an access is (kind, array, offset, bytes).
        Raises Unknown where the text holds what the rewriting does not know."""
        module = Module(text)
        path = os.path.join(self.folder, "host.ll")
        with open(path, "w", encoding="utf-8") as f:
            f.write(module.text + "\n" + _calls(module, launches))
        program = os.path.join(self.folder, "host")
        command = [self.clang, "-O0", "-no-pie", "-fno-pie", "-w", path, self.runtime, "-lm", "-o", program]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode != 0:
            raise Unknown("clang: " + made.stderr.strip()[:600])
        lines = "\n".join(" ".join(str(v) for v in (launch, seed, *grid, *block, *at, *thread))
                          for launch, seed, grid, block, at, thread in threads)
        try:
            ran = subprocess.run([program], input=lines, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired as error:
            raise Unknown("the program does not end") from error
        answers, accesses = [], []
        for line in ran.stdout.split("\n"):
            words = line.split()
            if len(words) == 3:
                accesses.append(self._named(words[0], int(words[1]), int(words[2]), module.shared))
            elif words:
                answers.append((words[0], accesses))
                accesses = []
        if len(answers) != len(threads):
            raise Unknown("the program ended with " + str(ran.returncode))
        return answers

    @staticmethod
    def _named(kind, address, size, shared):
        """An access by the array that lies nearest to its address."""
        number = (address + (1 << 39)) >> 40
        base = SHARED >> 40
        if 1 <= number <= 64:
            array = f"arg{number - 1}"
        elif 0 <= number - base < len(shared):
            array = "shared:" + shared[number - base]
        else:
            array, number = "address", 0
        return kind, array, address - (number << 40), size
