"""Small kernels, each with what has to be said of it and what must not be said.

    for title, text, words, says, denies in KERNELS: …

`says` and `denies` are patterns of the text that the command prints.
"""

MODULE = """module {
%s  tt.func public @k(%%y: !tt.ptr<i32>, %%q: !tt.ptr<i32>, %%n: i32, %%m: i64) {
    %%one = arith.constant 1 : i32
    %%zero = arith.constant 0 : i32
    %%far = arith.constant 1000 : i32
    %%true = arith.constant true
    %%pid = tt.get_program_id x : i32
    %%wide = arith.extsi %%pid : i32 to i64
%s    tt.return
  }
}
"""
SHAPES = ["--shape=y=s32[64]", "--shape=q=s32[64]"]
KERNELS = []

STORE = """%p = tt.addptr %y, {0} : !tt.ptr<i32>, i32
tt.store %p, %one : !tt.ptr<i32>
"""
FAR_IF = """%p = tt.addptr %y, %far : !tt.ptr<i32>, i32
tt.store %p, %one, {0} : !tt.ptr<i32>
"""


def kernel(title, body, says="", denies="never|write-write race: none", words=(),
           functions="", grid=4):
    lines = "".join("    %s\n" % line for line in body.strip().split("\n"))
    KERNELS.append((title, MODULE % (functions, lines),
                    ["--grid=%d" % grid, "--num-warps=1", *SHAPES, *words],
                    says, denies))


# A value that is not known is another one in each program.
for made in (
        '%t = math.absi %n : i32',
        '%t = tt.mulhiui %n, %n : i32',
        '%f = arith.sitofp %n : i32 to f32\n%t = arith.fptosi %f : f32 to i32',
        '%t = tt.elementwise_inline_asm "mov $0, $1;" {constraints = "=r,r", '
        'packed_element = 1 : i32, pure = true} %n : i32 -> i32',
        '%t = tt.extern_elementwise %n {libname = "", libpath = "", pure = true, '
        'symbol = "f"} : (i32) -> i32',
        '%t = tt.atomic_rmw max, acq_rel, gpu, %q, %one, %true : (!tt.ptr<i32>, '
        'i32, i1) -> i32',
        '%t = tt.load %q {isVolatile = true} : !tt.ptr<i32>',
        '%e = arith.cmpi eq, %pid, %one : i32\n'
        '%t = tt.load %q, %e : !tt.ptr<i32>',
        '%t = arith.divsi %far, %zero : i32',
        '%w = arith.constant 32 : i32\n%t = arith.shli %one, %w : i32',
        '%x = math.absi %n : i32\n%t = scf.for %i = %zero to %far step %one '
        'iter_args(%v = %x) -> (i32) : i32 {\n%z = arith.muli %v, %v : i32\n'
        'scf.yield %z : i32\n}'):
    kernel("its sum with the program is not one of each program",
           made + "\n%o = arith.addi %t, %pid : i32\n" + STORE.format("%o"),
           "write-write race: undecided")
kernel("an argument is one value",
       "%o = arith.addi %n, %pid : i32\n" + STORE.format("%o"),
       "write-write race: none", "violated")
kernel("so is an element that nothing changes",
       "%v = tt.load %q : !tt.ptr<i32>\n%o = arith.addi %v, %pid : i32\n" +
       STORE.format("%o"), "write-write race: none", "violated")
kernel("an atomic operation of another program may change it",
       "%v = tt.load %q : !tt.ptr<i32>\n%o = arith.addi %v, %pid : i32\n" +
       STORE.format("%o") +
       "%t = tt.atomic_rmw add, acq_rel, gpu, %q, %one, %true : (!tt.ptr<i32>, "
       "i32, i1) -> i32", "write-write race: undecided")
kernel("a ticket is not the program's number",
       "%t = tt.atomic_rmw add, acq_rel, gpu, %q, %one, %true : (!tt.ptr<i32>, "
       "i32, i1) -> i32\n%e = arith.cmpi eq, %t, %pid : i32\n"
       "tt.store %y, %one, %e : !tt.ptr<i32>", "write-write race: undecided",
       "proved: programs|write-write race: yes|write-write race: none")

# Another call, another load, another iteration.
kernel("the difference of two calls is not 0",
       "%a = tt.call @f(%one) : (i32) -> i32\n"
       "%b = tt.call @f(%far) : (i32) -> i32\n"
       "%d = arith.subi %b, %a : i32\n" + STORE.format("%d"),
       "in bounds undecided", "in bounds proved",
       functions="""  tt.func private @f(%x: i32) -> i32 {
    %r = math.absi %x : i32
    tt.return %r : i32
  }
""")
kernel("an element is another one after a store",
       "tt.store %q, %zero : !tt.ptr<i32>\n%a = tt.load %q : !tt.ptr<i32>\n"
       "tt.store %q, %far : !tt.ptr<i32>\n%b = tt.load %q : !tt.ptr<i32>\n"
       "%d = arith.subi %b, %a : i32\n" + STORE.format("%d"),
       r"store, line 15, y(?:.*\n)*?  in bounds undecided", grid=1)
kernel("an unknown pointer leaves no pointer of the call before",
       "tt.call @put(%y, %pid) : (!tt.ptr<i32>, i32) -> ()\n"
       "%z = tt.int_to_ptr %m : i64 -> !tt.ptr<i32>\n"
       "tt.call @put(%z, %far) : (!tt.ptr<i32>, i32) -> ()",
       "the pointer is not known", "write-write race: none|violated",
       functions="""  tt.func private @put(%p: !tt.ptr<i32>, %o: i32) {
    %one = arith.constant 1 : i32
    %a = tt.addptr %p, %o : !tt.ptr<i32>, i32
    tt.store %a, %one : !tt.ptr<i32>
    tt.return
  }
""")
kernel("a carried integer that is loaded is no pointer",
       "%three = arith.constant 3 : i64\n%seven = arith.constant 7 : i32\n"
       "%l = tt.load %q : !tt.ptr<i32>\n%s = arith.andi %l, %seven : i32\n"
       "%t = arith.subi %s, %seven : i32\n"
       "%r = scf.for %i = %zero to %one step %one iter_args(%v = %t) -> (i32) : "
       "i32 {\n%u = arith.extui %v : i32 to i64\n"
       "%e = arith.cmpi sgt, %u, %three : i64\n"
       "%p = tt.addptr %y, %v : !tt.ptr<i32>, i32\n"
       "tt.store %p, %one, %e : !tt.ptr<i32>\n"
       "%w = arith.addi %v, %one : i32\nscf.yield %w : i32\n}",
       "in bounds undecided", r"store, line 18, y\n.*\n.*\n  in bounds proved",
       grid=1)

# 64 bits.
for title, condition in (
        ("a difference leaves 64 bits",
         "%l = arith.constant -9223372036854775808 : i64\n"
         "%e = arith.cmpi sgt, %wide, %l : i64"),
        ("so does a sum",
         "%l = arith.constant 9223372036854775807 : i64\n"
         "%s = arith.addi %wide, %l : i64\n%z = arith.constant 0 : i64\n"
         "%e = arith.cmpi sgt, %s, %z : i64"),
        ("so does half of a remainder, and the value does not",
         "%k = arith.constant 2147483648 : i64\n%x = arith.constant -1 : i32\n"
         "%a = arith.extui %x : i32 to i64\n%b = arith.muli %a, %k : i64\n"
         "%c = arith.addi %b, %wide : i64\n%t = arith.trunci %c : i64 to i32\n"
         "%e = arith.cmpi slt, %t, %zero : i32"),
        ("of one bit, true is below false",
         "%f = arith.constant false\n%e = arith.cmpi slt, %true, %f : i1")):
    kernel(title, condition + "\n" + FAR_IF.format("%e"),
           "in bounds (violated|undecided)",
           "never|write-write race: none|in bounds proved")
kernel("a loop of 64 bits whose distance leaves them",
       "%l = arith.constant -9223372036854775808 : i64\n"
       "%h = arith.constant 9223372036854775807 : i64\n"
       "%s = arith.constant 4611686018427387904 : i64\n"
       "scf.for %i = %l to %h step %s : i64 {\n"
       "tt.store %y, %one : !tt.ptr<i32>\n}", "bounds of a loop")
kernel("a loop of 64 bits whose distance leaves them by an argument",
       "%l = arith.constant -9223372036854775807 : i64\n"
       "%s = arith.constant 4611686018427387904 : i64\n"
       "scf.for %i = %l to %m step %s : i64 {\n"
       "tt.store %y, %one : !tt.ptr<i32>\n}", "",
       words=["--arg=m=9223372036854775806"])
kernel("an unsigned loop",
       "%h = arith.constant -1 : i32\n%s = arith.constant 1073741824 : i32\n"
       "scf.for unsigned %i = %zero to %h step %s : i32 {\n"
       "tt.store %y, %one : !tt.ptr<i32>\n}", "write-write race: yes")
kernel("offsets of blocks have 64 bits",
       "%big = arith.constant 2147483647 : i32\n%two = arith.constant 2 : i32\n"
       "%l = arith.constant 64 : i64\n%s = arith.constant 1 : i64\n"
       "%v = arith.constant dense<0> : tensor<16xi32>\n"
       "%a = tt.make_tensor_ptr %y, [%l], [%s], [%zero] {order = array<i32: 0>} "
       ": <tensor<16xi32>>\n%b = tt.advance %a, [%big] : <tensor<16xi32>>\n"
       "%c = tt.advance %b, [%big] : <tensor<16xi32>>\n"
       "%d = tt.advance %c, [%two] : <tensor<16xi32>>\n"
       "tt.store %d, %v : !tt.ptr<tensor<16xi32>>", "in bounds violated",
       "in bounds proved", grid=1)

# What may do anything, and what stands only in a condition.
kernel("foreign code that is not pure",
       '%r = tt.elementwise_inline_asm "st.global.b32 [$1], 7;" {constraints = '
       '"=r,r", packed_element = 1 : i32, pure = false} %n : i32 -> i32',
       "write-write race: undecided.*is not pure")
kernel("foreign code that is not pure, inside of an op",
       "%s = tt.splat %n : i32 -> tensor<4xi32>\n"
       '%r = "tt.reduce"(%s) <{axis = 0 : i32}> ({\n'
       "^bb0(%a: i32, %b: i32):\n"
       '  %c = tt.elementwise_inline_asm "st.global.b32 [$1], 7;" {constraints = '
       '"=r,r", packed_element = 1 : i32, pure = false} %a : i32 -> i32\n'
       "  tt.reduce.return %c : i32\n}) : (tensor<4xi32>) -> i32",
       "write-write race: undecided.*is not pure")
kernel("a condition on an argument alone",
       "%e = arith.cmpi slt, %n, %one : i32\n" + FAR_IF.format("%e"),
       "in bounds undecided", "violated")
kernel("the last program by a counter",
       "%t = tt.atomic_rmw add, acq_rel, gpu, %q, %one, %true : (!tt.ptr<i32>, "
       "i32, i1) -> i32\n%e = arith.cmpi eq, %t, %n : i32\nscf.if %e {\n"
       "tt.store %y, %one : !tt.ptr<i32>\n}", "write-write race: undecided",
       "violated", words=["--arg=n=3"])

# An access outside of its buffer is made all the same.
kernel("outside if an argument says so",
       "%e = arith.cmpi slt, %n, %one : i32\n" + FAR_IF.format("%e"),
       "requests +0 to 4", "never")
kernel("in part outside if an argument says so",
       "%e = arith.cmpi slt, %n, %one : i32\n%o = arith.muli %pid, %far : i32\n"
       "%p = tt.addptr %y, %o : !tt.ptr<i32>, i32\n"
       "tt.store %p, %one, %e : !tt.ptr<i32>", "requests +0 to 4", "never")
kernel("too far outside to be counted",
       "%c = arith.constant 1152921504606846976 : i64\n"
       "%p = tt.addptr %y, %c : !tt.ptr<i32>, i64\n"
       "tt.store %p, %one : !tt.ptr<i32>", "further than 2.56", "never")
kernel("outside whatever is loaded",
       "%b = tt.bitcast %q : !tt.ptr<i32> -> !tt.ptr<i8>\n"
       "%v = tt.load %b : !tt.ptr<i8>\n%w = arith.extsi %v : i8 to i32\n"
       "%o = arith.addi %w, %far : i32\n" + STORE.format("%o"),
       "outside of the buffer", "never")

# Races.
kernel("a store and an atomic operation of two programs",
       STORE.format("%pid") +
       "%t = tt.atomic_rmw add, acq_rel, gpu, %y, %one, %true : (!tt.ptr<i32>, "
       "i32, i1) -> i32",
       r"yes: program \(0, 0, 0\) stores element 0 of y, which program "
       r"\(\d, 0, 0\) changes by the atomic operation of line 11")
kernel("two stores of one program",
       STORE.format("%pid") + "tt.store %p, %zero : !tt.ptr<i32>",
       r"yes: program \(\d, 0, 0\) writes element \d of y twice in no "
       r"order, at line 1[01] and at line 1[01]")
kernel("two lanes of one store",
       "%v = arith.constant dense<0> : tensor<4xi32>\n"
       "%a = tt.addptr %y, %pid : !tt.ptr<i32>, i32\n"
       "%s = tt.splat %a : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>\n"
       "tt.store %s, %v : tensor<4x!tt.ptr<i32>>",
       r"yes: program \(\d, 0, 0\) writes element \d of y twice in no "
       r"order, at \(\d\) of line 12 and at \(\d\) of line 12")
kernel("one store in a loop has an order",
       "scf.for %i = %zero to %far step %one : i32 {\n" + STORE.format("%pid") +
       "}", "write-write race: none", "violated")
