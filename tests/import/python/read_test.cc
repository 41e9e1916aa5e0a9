#include "indexical/import/python/read.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

namespace indexical::python {
namespace {

using llvm::StringRef;

/// A file with a kernel of such a body, whose arguments are x, y and n.
std::string fileOf(const std::string &body) {
  std::string text =
      "import triton\nimport triton.language as tl\n\n"
      "@triton.jit\ndef k(x, y, n, B: tl.constexpr = 8):\n";
  for (StringRef rest = body; !rest.empty();) {
    const auto [line, next] = rest.split('\n');
    absl::StrAppend(&text, "    ", line.str(), "\n");
    rest = next;
  }
  return text;
}

PythonKernel read(const std::string &text, PythonOptions options = {}) {
  if (options.types.empty())
    options.types = {{"x", "*fp16"}, {"y", "*fp32"}, {"n", "i32"}};
  const auto kernels = readPython(text, options);
  if (!kernels.ok() || kernels->empty()) {
    ADD_FAILURE() << kernels.status().ToString();
    return {};
  }
  return kernels->front();
}

/// The kernel as its text alone says, with types that follow from use.
PythonKernel readAlone(const std::string &text) {
  PythonOptions options;
  const auto kernels = readPython(text, options);
  if (!kernels.ok() || kernels->empty()) {
    ADD_FAILURE() << kernels.status().ToString();
    return {};
  }
  return kernels->front();
}

PythonKernel ofBody(const std::string &body, PythonOptions options = {}) {
  return read(fileOf(body), std::move(options));
}

/// `LINE kind`, where the body begins in line 6, or "".
std::string refusalOf(const std::string &body) {
  const PythonKernel kernel = ofBody(body);
  if (!kernel.refusal) return "";
  return absl::StrCat(kernel.refusal->place.line, " ",
                      nameOf(kernel.refusal->kind).str());
}

/// The type of what the body's last line stores: the type that `value` has
/// before it is cast to that of the pointer.
std::string typeOf(const std::string &value) {
  const PythonKernel kernel =
      ofBody(absl::StrCat("o = tl.arange(0, B)\nh = tl.load(x + o)\n"
                          "f = tl.load(y + o)\nv = ",
                          value, "\ntl.static_assert(False, v.dtype == 0)"));
  if (!kernel.refusal) return "no refusal";
  // The assertion alone is refused: ask for the type by what is equal to it.
  for (const char *name :
       {"int1", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
        "uint64", "float16", "bfloat16", "float32", "float64"}) {
    const PythonKernel asked = ofBody(
        absl::StrCat("o = tl.arange(0, B)\nh = tl.load(x + o)\n"
                     "f = tl.load(y + o)\nv = ",
                     value, "\ntl.static_assert(v.dtype == tl.", name, ")"));
    if (!asked.refusal) return name;
  }
  return absl::StrCat("none: ", kernel.refusal->message);
}

TEST(ReadPython, TypesOfOperations) {
  EXPECT_EQ(typeOf("2"), "int32");
  EXPECT_EQ(typeOf("1 << 31"), "uint32");
  EXPECT_EQ(typeOf("1 << 40"), "int64");
  EXPECT_EQ(typeOf("1 << 63"), "uint64");
  EXPECT_EQ(typeOf("2.0"), "float32");
  EXPECT_EQ(typeOf("1e300"), "float64");
  EXPECT_EQ(typeOf("True"), "int1");
  EXPECT_EQ(typeOf("h * 2.0"), "float16");
  EXPECT_EQ(typeOf("h / 2.0"), "float32");
  EXPECT_EQ(typeOf("h + f"), "float32");
  EXPECT_EQ(typeOf("h.to(tl.bfloat16) + h"), "float16");
  EXPECT_EQ(typeOf("h.to(tl.bfloat16) + h.to(tl.bfloat16)"), "bfloat16");
  EXPECT_EQ(typeOf("h.to(tl.bfloat16) * n"), "float32");
  EXPECT_EQ(typeOf("o.to(tl.int8) * 2"), "int8");
  EXPECT_EQ(typeOf("o.to(tl.int8) * n"), "int32");
  EXPECT_EQ(typeOf("o.to(tl.uint8) * 2.5"), "float32");
  EXPECT_EQ(typeOf("o.to(tl.uint32) + o"), "uint32");
  EXPECT_EQ(typeOf("o.to(tl.uint8) + o.to(tl.int16)"), "int16");
  EXPECT_EQ(typeOf("o / n"), "float32");
  EXPECT_EQ(typeOf("o // n"), "int32");
  EXPECT_EQ(typeOf("o < n"), "int1");
  EXPECT_EQ(typeOf("tl.sum(o.to(tl.int8), axis=0)"), "int32");
  EXPECT_EQ(typeOf("tl.sum(o.to(tl.uint8), axis=0)"), "uint32");
  EXPECT_EQ(typeOf("tl.sum(o < n, axis=0)"), "int32");
  EXPECT_EQ(typeOf("tl.sum(h, axis=0)"), "float16");
  EXPECT_EQ(typeOf("tl.max(h, axis=0)"), "float32");
  EXPECT_EQ(typeOf("tl.argmax(h, axis=0)"), "int32");
  EXPECT_EQ(typeOf("tl.where(o < n, 1, 0.0)"), "float32");
  EXPECT_EQ(typeOf("tl.maximum(h, 0.0)"), "float32");
  EXPECT_EQ(typeOf("tl.cumsum(h.to(tl.bfloat16), axis=0)"), "float32");
}

TEST(ReadPython, AVariableIsATensorAndAnAnnotatedOneIsNot) {
  EXPECT_EQ(refusalOf("b = 4\ntl.store(y + tl.arange(0, b), 0.0)"), "7 triton");
  EXPECT_EQ(
      refusalOf("b: tl.constexpr = 4\ntl.store(y + tl.arange(0, b), 0.0)"), "");
  EXPECT_EQ(refusalOf("t = 2.0\nv = tl.load(x) * t\n"
                      "tl.static_assert(v.dtype == tl.float32)"),
            "");
}

// A bracket that is closed at the begin of a line does not end the line.
TEST(ReadPython, ALineGoesOnBehindABracket) {
  const PythonKernel kernel =
      ofBody("v = tl.load(\n    y\n) * 2.0\ntl.store(y, v)\ntl.store(x, v)");
  ASSERT_FALSE(kernel.refusal.has_value()) << kernel.refusal->message;
  EXPECT_EQ(StringRef(kernel.ttir).count("tt.store"), 2u);
  EXPECT_TRUE(StringRef(kernel.ttir).contains("arith.mulf"));
}

// As Python refuses them, before anything is called.
TEST(ReadPython, ParametersThatAFunctionCannotHave) {
  auto ofParameters = [](const std::string &parameters) {
    const PythonKernel kernel = readAlone(absl::StrCat(
        "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
        "def k(",
        parameters, "):\n    tl.store(x, 1.0)\n"));
    return kernel.refusal ? kernel.refusal->message : "";
  };
  EXPECT_EQ(ofParameters("x, n, B=8"), "");
  EXPECT_EQ(ofParameters("x, B=8, *, n=4"), "");
  EXPECT_EQ(ofParameters("x, n, x"), "two parameters `x`");
  EXPECT_EQ(ofParameters("x, B=8, n"),
            "`n` has no value behind a parameter that has");
}

// A file that begins with what no expression begins with.
TEST(ReadPython, AKeywordWithAnIndexIsNoLaunch) {
  EXPECT_TRUE(readPython("as[n](x)\n@triton.jit\ndef k(x):\n    pass\n").ok());
}

TEST(ReadPython, WhatIsRefused) {
  EXPECT_EQ(refusalOf("tl.store(x, y + x)"), "6 type");
  EXPECT_EQ(refusalOf("tl.store(y, tl.load(x) & 1)"), "6 type");
  EXPECT_EQ(refusalOf("tl.store(y, unknown)"), "6 name");
  EXPECT_EQ(refusalOf("tl.store(y, tl.no_such(x))"), "6 name");
  EXPECT_EQ(refusalOf("a = tl.arange(0, 8)\nb = tl.arange(0, 4)\n"
                      "tl.store(y + a, a + b)"),
            "8 shape");
  EXPECT_EQ(refusalOf("tl.store(y + tl.arange(0, 12), 0.0)"), "6 triton");
  EXPECT_EQ(refusalOf("tl.store(y, 0 < n < 3)"), "6 triton");
  EXPECT_EQ(refusalOf("a = 1\nfor i in range(n):\n    a = a + 0.5\n"),
            "7 type");
  EXPECT_EQ(refusalOf("while n > 0:\n    break"), "7 unsupported");
  EXPECT_EQ(refusalOf("tl.store(y, tl.rand(0, n))"), "6 unsupported");
  EXPECT_EQ(refusalOf("with x:\n    pass"), "6 unsupported");
  EXPECT_EQ(refusalOf("tl.store(y, (1 + )"), "6 syntax");
  EXPECT_EQ(refusalOf("tl.store(y, 'abc)"), "6 syntax");
  EXPECT_EQ(refusalOf("tl.store(y, 0.0, mask=n > 0, mask=n > 1)"), "6 syntax");
  EXPECT_EQ(refusalOf("tl.store(mask=n > 0, y)"), "6 syntax");
  EXPECT_EQ(refusalOf("f = lambda a, b, a: b"), "6 syntax");
  EXPECT_EQ(refusalOf("v = tl.load(x).to(tl.uint8) + 300"), "6 type");
  EXPECT_EQ(refusalOf("v = tl.load(x, mask=n)"), "6 type");
}

/// The kind of refusal of a kernel that stores `value`, below such lines of its
/// file, or "".
std::string refusalBelow(const std::string &lines, const std::string &value) {
  const PythonKernel kernel = read(absl::StrCat(
      "import triton\nimport triton.language as tl\n", lines,
      "@triton.jit\ndef k(x, y, n):\n    tl.store(y, ", value, ")\n"));
  return kernel.refusal ? nameOf(kernel.refusal->kind).str() : "";
}

TEST(ReadPython, NamesWhoseValueTheRunDecidesAreRefused) {
  for (const char *lines :
       {"C = f()\nC += 1\n", "C = 1\nif f():\n    C = 2\n",
        "C = 1\nif f(): C = 2\n", "C = 1\nfor C in f():\n    pass\n",
        "C = 1\nfor i in f():\n    C = i\n", "C = 1\ndel C\n",
        "C = 1\nC, D = f()\n", "C = 1\nD = C = f()\n",
        "C = 1\nwhile f():\n    C = 2\n", "C = 1\nglobals()['C'] = 2\n",
        "C = 1\nwith f() as C:\n    pass\n", "C = 1\nf((C := f()))\n",
        "C = 1\ndef C():\n    pass\n", "C = 1\nclass C:\n    pass\n"})
    EXPECT_EQ(refusalBelow(lines, "C"), "name") << lines;
  EXPECT_EQ(refusalBelow("C = 1\nfrom m import C\n", "C"), "type");
  // The names of Python's own functions, too.
  EXPECT_EQ(refusalBelow("", "max(1, 2)"), "");
  EXPECT_EQ(refusalBelow("def max(a, b):\n    return a\n", "max(1, 2)"),
            "name");
  // Of several branches the first one counts, and other lines change nothing.
  for (const char *lines :
       {"C: int = 1\n", "try:\n    C = 1\nexcept E:\n    C = 2\n",
        "if f():\n    C = 1\nelse:\n    C = 2\n", "from m import C\nC = 1\n",
        "C = 1\nx.C = 2\nf(C=3)\nassert C == 1\n", "C = 1\nC += 1\n",
        "C = 1\nD = 1; C = 2\n", "C = 1\nf((C := 2))\n",
        "C = [1, 2]\nC.append(3)\nC = len(C)\n"})
    EXPECT_EQ(refusalBelow(lines, "C"), "") << lines;
  EXPECT_EQ(refusalBelow("try:\n    from triton.language.extra import "
                         "libdevice\nexcept ImportError:\n    libdevice = "
                         "None\n",
                         "libdevice.exp(tl.load(y))"),
            "");
}

TEST(ReadPython, FunctionsOfTritonThatAreNotReadAreUnsupported) {
  for (const char *call :
       {"tl.gather(x, y, 0)", "tl.histogram(n, 8)", "tl.sort(n)",
        "tl.topk(n, 2)", "tl.flip(n)", "tl.dot_scaled(x, x, y, y)",
        "tl.map_elementwise(x, y)", "tl.inline_asm_elementwise(n)",
        "tl.extra.cuda.globaltimer()"}) {
    const PythonKernel kernel = ofBody(absl::StrCat("tl.store(y, ", call, ")"));
    ASSERT_TRUE(kernel.refusal.has_value()) << call;
    EXPECT_EQ(nameOf(kernel.refusal->kind), "unsupported") << call;
    const StringRef function = StringRef(call).split('(').first;
    EXPECT_EQ(kernel.refusal->message,
              absl::StrCat("`", function.str(), "` is not read"));
  }
  EXPECT_EQ(refusalOf("tl.store(y, tl.gatherd(x))"), "6 name");
}

TEST(ReadPython, OnlyARefusalOfTypesSaysHowToGiveThem) {
  auto namesTypes = [](const std::string &line) {
    const PythonKernel kernel = readAlone(fileOf(line));
    EXPECT_TRUE(kernel.refusal && kernel.refusal->kind == RefusalKind::Type)
        << line;
    return kernel.refusal &&
           StringRef(kernel.refusal->message).contains("--type");
  };
  EXPECT_TRUE(namesTypes("tl.store(x, tl.load(y), mask=n + 1)"));
  EXPECT_FALSE(namesTypes("tl.store(x, tl.load(y), foo=1)"));
  EXPECT_FALSE(namesTypes("tl.store(x, tl.load(y) + 1 // 0)"));
  EXPECT_FALSE(namesTypes("tl.store(x, tl.load(y) + tl.abs(n, n, n))"));
  EXPECT_FALSE(namesTypes("tl.store(x)"));
}

TEST(ReadPython, Limits) {
  std::string deep = "v = ";
  for (int k = 0; k < 200; ++k) deep += "(";
  EXPECT_EQ(refusalOf(deep + "1" + std::string(200, ')')), "6 limit");
  EXPECT_EQ(refusalOf("for i in tl.static_range(5000):\n    pass"), "6 limit");
  EXPECT_EQ(refusalOf("v: tl.constexpr = 1 << 5000"), "6 limit");
  std::string returns;
  for (int k = 0; k < 30; ++k)
    absl::StrAppend(&returns, "if n > ", k, ":\n    return\n");
  EXPECT_EQ(refusalOf(returns + "tl.store(y, 0.0)"), "54 limit");
  EXPECT_EQ(refusalOf("for i in tl.static_range(4000):\n"
                      "    for j in tl.static_range(4000):\n        n += j"),
            "8 limit");
  const std::string recursive =
      "import triton\nimport triton.language as tl\n\n@triton.jit\n"
      "def f(a):\n    return f(a)\n\n@triton.jit\ndef k(x):\n    f(x)\n";
  PythonOptions options;
  options.types = {{"x", "*fp32"}};
  options.function = "k";
  const PythonKernel kernel = read(recursive, options);
  ASSERT_TRUE(kernel.refusal.has_value());
  EXPECT_EQ(kernel.refusal->kind, RefusalKind::Limit);
  const auto large = readPython(std::string(1100000, ' '));
  EXPECT_FALSE(large.ok());
}

TEST(ReadPython, AMistakeRefusesItsKernelAlone) {
  const std::string text =
      "import triton\nimport triton.language as tl\n\n"
      "@triton.jit\ndef bad(x):\n    tl.store(x, (1\n\n"
      "@triton.jit\ndef good(x):\n    tl.store(x, 1.0)\n";
  const auto kernels = readPython(text);
  ASSERT_TRUE(kernels.ok());
  ASSERT_EQ(kernels->size(), 2u);
  EXPECT_TRUE((*kernels)[0].refusal.has_value());
  EXPECT_EQ((*kernels)[0].refusal->place.line, 6u);
  EXPECT_FALSE((*kernels)[1].refusal.has_value());
  // One that combines values is called by a reduction.
  const auto combined = readPython(
      "import triton\nimport triton.language as tl\n\n"
      "@triton.jit\ndef f(a, b):\n    ret%urn a\n\n"
      "@triton.jit\ndef k(x):\n"
      "    tl.store(x, tl.reduce(tl.arange(0, 8), 0, f))\n");
  ASSERT_TRUE(combined.ok());
  ASSERT_TRUE(combined->back().refusal.has_value());
  EXPECT_EQ(combined->back().refusal->place.line, 6u);
}

/// `what name value from`, one a line.
std::string takenOf(const PythonKernel &kernel) {
  std::string text;
  for (const kernels::Taken &taken : kernel.taken)
    absl::StrAppend(&text, taken.what, " ", taken.name, " ", taken.value, " ",
                    taken.from, "\n");
  return text;
}

/// The refusal of a kernel that calls `h`, below such lines, or what is taken
/// of the meaning of names.
std::string meaningBelow(const std::string &lines) {
  const PythonKernel kernel = read(absl::StrCat(
      "import triton\nimport triton.language as tl\nimport m\n", lines,
      "@triton.jit\ndef k(x, y, n):\n    tl.store(y, h(n))\n"));
  if (kernel.refusal) return nameOf(kernel.refusal->kind).str();
  std::string text;
  for (const kernels::Taken &taken : kernel.taken)
    if (taken.what == "meaning")
      absl::StrAppend(&text, taken.name, ": ", taken.value, ";");
  return text;
}

TEST(ReadPython, FunctionsWhoseMeaningTheRunDecides) {
  const std::string h = "@triton.jit\ndef h(v):\n    return v\n";
  const std::string inIf = "    @triton.jit\n    def h(v):\n        return v\n";
  EXPECT_EQ(meaningBelow(h), "");
  EXPECT_EQ(meaningBelow(absl::StrCat(h, h)), "");
  EXPECT_EQ(meaningBelow(absl::StrCat(h, "h = m.f(h)\n")), "name");
  EXPECT_EQ(meaningBelow(absl::StrCat(h, "if m.x:\n    h = m.f(h)\n")), "name");
  EXPECT_EQ(meaningBelow(absl::StrCat(h, "if m.x:\n", inIf)), "name");
  EXPECT_EQ(meaningBelow(absl::StrCat(h, "from m import h\n")), "name");
  EXPECT_EQ(meaningBelow(absl::StrCat(h, "def h(v):\n    return v\n")), "name");
  EXPECT_EQ(meaningBelow(absl::StrCat(h, "h = m.f(h)\n", h)), "");
  EXPECT_EQ(meaningBelow(absl::StrCat("@m.f\n", h)), "@m.f: nothing;");
  const std::string first = "h: the first that the file defines;";
  EXPECT_EQ(meaningBelow(absl::StrCat("if m.x:\n", inIf, "else:\n", inIf)),
            first);
  EXPECT_EQ(
      meaningBelow(absl::StrCat("if m.x:\n", inIf, "else:\n    h = m.f\n")),
      first);
}

TEST(ReadPython, TypesComeFromUse) {
  const PythonKernel kernel = read(
      "import triton\nimport triton.language as tl\n\n@triton.jit\n"
      "def k(x, y, n, eps, B: tl.constexpr = 8):\n"
      "    p = y + tl.program_id(0) * n\n"
      "    if eps > 0.5:\n        tl.store(p, tl.load(x + n))\n",
      [] {
        PythonOptions own;
        own.types = {{"n", "i32"}};
        return own;
      }());
  ASSERT_FALSE(kernel.refusal.has_value()) << kernel.refusal->message;
  EXPECT_EQ(takenOf(kernel),
            "type x *fp32 use\ntype y *fp32 use\ntype eps fp32 use\n"
            "constant B 8 default\nalignment  16 default\n");
}

TEST(ReadPython, AnArgumentOfOneIsAConstant) {
  PythonOptions options;
  options.arguments = {{"n", 1}};
  const PythonKernel kernel =
      ofBody("tl.store(y + tl.arange(0, n * 4), 0.0)", options);
  EXPECT_FALSE(kernel.refusal.has_value());
  EXPECT_EQ(kernel.sizes.at("n"), 1);
}

TEST(ReadPython, AnArgumentThatSixteenDividesIsCompiledSo) {
  for (const int64_t value : {32, 33}) {
    PythonOptions options;
    options.arguments = {{"n", value}};
    const PythonKernel kernel = ofBody("tl.store(y + n, 0.0)", options);
    EXPECT_EQ(
        StringRef(kernel.ttir).contains("%n: i32 {tt.divisibility = 16 : i32}"),
        value == 32);
  }
}

TEST(ReadPython, ConfigurationsAreKernels) {
  const std::string text =
      "import triton\nimport triton.language as tl\n\nSIZES = [16, 32]\n\n"
      "@triton.autotune(configs=[triton.Config({'B': b}, num_warps=w) "
      "for b in SIZES for w in (2, 4) if b * w < 100], key=['n'])\n"
      "@triton.jit\ndef k(x, n, B: tl.constexpr):\n"
      "    tl.store(x + tl.arange(0, B), 0.0)\n\n"
      "def run(x):\n    n = x.numel()\n"
      "    grid = lambda meta: (triton.cdiv(n, meta['B']), 3)\n"
      "    k[grid](x, n)\n";
  const auto kernels = readPython(text);
  ASSERT_TRUE(kernels.ok());
  ASSERT_EQ(kernels->size(), 3u);
  std::string found;
  for (const PythonKernel &kernel : *kernels) {
    ASSERT_FALSE(kernel.refusal.has_value()) << kernel.refusal->message;
    absl::StrAppend(&found, kernel.configNumber, ": ",
                    kernel.config.at(0).second, " ", *kernel.warps, "\n");
    ASSERT_EQ(kernel.grid.size(), 2u);
    EXPECT_EQ(textOf(kernel.grid[0]), "cdiv(n, B)");
    EXPECT_EQ(textOf(kernel.grid[1]), "3");
  }
  EXPECT_EQ(found, "0: 16 2\n1: 16 4\n2: 32 2\n");
}

TEST(ReadPython, ConfigurationsThatTheRunDecidesAreNamed) {
  auto takenFor = [](const std::string &configs) {
    const auto kernels = readPython(absl::StrCat(
        "import triton\nimport triton.language as tl\nimport m\n\n"
        "@triton.autotune(configs=",
        configs,
        ", key=['n'])\n@triton.jit\ndef k(x, n, B: tl.constexpr):\n"
        "    tl.store(x + tl.arange(0, B), 0.0)\n"));
    if (!kernels.ok()) return kernels.status().ToString();
    std::string text = absl::StrCat(kernels->size(), "\n");
    for (const kernels::Taken &taken : kernels->back().taken)
      if (taken.what == "meaning")
        absl::StrAppend(&text, taken.name, ": ", taken.value, "\n");
    return text;
  };
  const std::string one = "triton.Config({'B': 64}, num_warps=2)";
  const std::string open = "1\nconfigs: only 1 that the file writes out\n";
  EXPECT_EQ(takenFor(absl::StrCat("[", one, "]")), "1\n");
  EXPECT_EQ(takenFor(absl::StrCat("[", one, "] + m.more()")), open);
  EXPECT_EQ(takenFor(absl::StrCat("[", one, ", m.best()]")), open);
  EXPECT_EQ(
      takenFor(absl::StrCat("[", one, ", triton.Config({'B': m.best()})]")),
      open);
  EXPECT_EQ(takenFor(absl::StrCat("[", one, ", triton.Config({**m.all()})]")),
            open);
  EXPECT_EQ(takenFor("[triton.Config({'B': b}) for b in (8, 16) "
                     "if b < 16 or m.takes(b)]"),
            open);
  EXPECT_EQ(takenFor("[triton.Config({'B': 8}, num_warps=m.best())]"),
            "1\nnum_warps: no number that the file writes out\n");
}

TEST(ReadPython, ConstantsOfALaunchAndOfTheFile) {
  const PythonKernel kernel = read(
      "import triton\nfrom triton import language as tl\n\nW = 4 * 2\n\n"
      "@triton.jit\ndef k(x, n, B: tl.constexpr, C: tl.constexpr):\n"
      "    tl.store(x + tl.arange(0, B * W), C)\n\n"
      "def run(x):\n    size = 16\n"
      "    k[(4,)](x, 3, B=size, C=0.5, num_warps=2)\n",
      [] {
        PythonOptions own;
        own.types = {{"x", "*fp32"}, {"n", "i32"}};
        return own;
      }());
  ASSERT_FALSE(kernel.refusal.has_value()) << kernel.refusal->message;
  EXPECT_EQ(takenOf(kernel),
            "constant B 16 launch\nconstant C 0.5 launch\nalignment  16 "
            "default\nmeaning W 8 without tl.constexpr Triton 2\n"
            "grid  4 launch\n");
  EXPECT_EQ(kernel.warps, 2);
  EXPECT_NE(kernel.ttir.find("end = 128 "), std::string::npos);
}

TEST(ReadPython, ConstexprsOfTheFileAreOfEveryTriton) {
  const PythonKernel kernel = readAlone(
      "import triton\nfrom triton import language as tl\n\n"
      "A = tl.constexpr(8)\nB: tl.constexpr = 4\nC = tl.float32\nD = 2\n\n"
      "@triton.jit\ndef k(x, E: tl.constexpr = D):\n"
      "    tl.store(x + tl.arange(0, A * B * E), tl.cast(1, C))\n");
  ASSERT_FALSE(kernel.refusal.has_value()) << kernel.refusal->message;
  EXPECT_EQ(takenOf(kernel),
            "type x *fp32 use\nconstant E 2 default\nalignment  16 "
            "default\n");
}

TEST(ReadPython, TabsAndSpacesAreNotMixed) {
  const std::string head =
      "import triton\nimport triton.language as tl\n\n@triton.jit\n"
      "def k(x):\n";
  const PythonKernel mixed =
      readAlone(head + "\tp = x + 1\n        tl.store(p, 0.0)\n");
  ASSERT_TRUE(mixed.refusal.has_value());
  EXPECT_EQ(mixed.refusal->place.line, 7u);
  EXPECT_EQ(mixed.refusal->message, "the indentation mixes tabs and spaces");
  auto isRefused = [&](const std::string &body) {
    return readAlone(head + body).refusal.has_value();
  };
  EXPECT_TRUE(isRefused("        p = x + 1\n\ttl.store(p, 0.0)\n"));
  EXPECT_TRUE(isRefused("  if True:\n\ttl.store(x, 0.0)\n"));
  EXPECT_FALSE(isRefused("\tp = x + 1\n\ttl.store(p, 0.0)\n"));
  EXPECT_FALSE(
      isRefused("\tif True:\n\t  tl.store(x, 0.0)\n\ttl.store(x, 1.0)\n"));
}

TEST(ReadPython, InductorSaysTypesAndSizes) {
  const std::string head =
      "import triton\nimport triton.language as tl\n\n"
      "@triton_heuristics.pointwise(size_hints=";
  const std::string tail =
      ")\n@triton.jit\ndef k(in_ptr0, out_ptr0, xnumel, XBLOCK : "
      "tl.constexpr):\n    xnumel = 1000\n"
      "    i = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]\n"
      "    tl.store(out_ptr0 + i, tl.load(in_ptr0 + i, i < xnumel), i < "
      "xnumel)\n";
  for (const char *meta :
       {"[1024], meta={'signature': {0: '*fp16', 1: '*fp32', 2: 'i32'}, "
        "'constants': {}}",
        "{'x': 1024}, triton_meta={'signature': {'in_ptr0': '*fp16', "
        "'out_ptr0': '*fp32', 'xnumel': 'i32', 'XBLOCK': 'constexpr'}, "
        "'constants': {}}"}) {
    const auto kernels = readPython(head + meta + tail);
    ASSERT_TRUE(kernels.ok());
    const PythonKernel &kernel = kernels->front();
    ASSERT_FALSE(kernel.refusal.has_value()) << kernel.refusal->message;
    EXPECT_NE(kernel.ttir.find("%in_ptr0: !tt.ptr<f16>"), std::string::npos);
    ASSERT_EQ(kernel.grid.size(), 1u);
    EXPECT_EQ(textOf(kernel.grid[0]), "cdiv(1000, XBLOCK)");
    EXPECT_EQ(kernel.sizes.at("XBLOCK"), 256);
  }
}

TEST(ReadPython, PlacesOfCallsAreThoseOfAllFrames) {
  PythonOptions options;
  options.path = "a.py";
  options.types = {{"x", "*fp32"}};
  const PythonKernel kernel = read(
      "import triton\nimport triton.language as tl\n\n"
      "@triton.jit\ndef f(p):\n    return tl.load(p)\n\n"
      "@triton.jit\ndef k(x):\n    tl.store(x, f(x) + 1)\n",
      options);
  EXPECT_NE(kernel.ttir.find("loc(callsite(\"f\"(\"a.py\":6:12) at "
                             "\"k\"(\"a.py\":10:17)))"),
            std::string::npos)
      << kernel.ttir;
}

TEST(ReadPython, OtherLanguagesAreRefusedByName) {
  const auto kernels = readPython(
      "from triton.experimental import gluon\n\n@gluon.jit\ndef k(x):\n"
      "    pass\n");
  ASSERT_TRUE(kernels.ok());
  ASSERT_EQ(kernels->size(), 1u);
  ASSERT_TRUE(kernels->front().refusal.has_value());
  EXPECT_EQ(kernels->front().refusal->kind, RefusalKind::Unsupported);
}

TEST(ReadPython, SizesAreRead) {
  const auto sizes = readSizes("cdiv(n, B) * 2, max(H - 1, 1), a // b % c");
  ASSERT_TRUE(sizes.ok());
  ASSERT_EQ(sizes->size(), 3u);
  EXPECT_EQ(valueOf((*sizes)[0], {{"n", 100}, {"B", 8}}), 26);
  EXPECT_EQ(valueOf((*sizes)[1], {{"H", 0}}), 1);
  EXPECT_EQ(textOf((*sizes)[2]), "(a // b) % c");
  for (const char *wrong : {"", "n ** 2", "f(n)", "1.5", "n,,m", "n = 2"})
    EXPECT_FALSE(readSizes(wrong).ok()) << wrong;
}

// Python's grammar of numbers, names, lines and blocks.
TEST(ReadPython, Grammar) {
  for (const char *bad : {"02", "0777", "1__0", "1_", "0_1", "1e", "1e+",
                          "1.5_", "1._5", "0x", "0b12", "0o8", "1x"})
    EXPECT_EQ(refusalOf(absl::StrCat("v = ", bad)), "6 syntax") << bad;
  for (const char *good :
       {"0", "00", "0_0", "1_000", "0x_1F", "0b1_0", "0o17", "1.", ".5", "1.e5",
        "1_0.5e-1_0", "0777.5", "1if B == 16else 2", "0x1for B"})
    EXPECT_EQ(refusalOf(absl::StrCat("v = ", good)), "") << good;
  EXPECT_EQ(refusalOf("if B:\n    v = 1\n  v = 2"), "8 syntax");
  EXPECT_EQ(refusalOf("v = 1\n# c\r    v = (\nw = 1"), "9 syntax");
  // Names that Python brings into another form may be those of others.
  for (const char *odd : {"\xF0\x9D\x90\xAF", "\xEF\xAC\x81", "\xC2\xB5"}) {
    const auto kernels =
        readPython(fileOf(absl::StrCat("v = 1\n", odd, " = 2")), {});
    EXPECT_EQ(kernels.status().message().substr(0, 7), "syntax:") << odd;
  }
  EXPECT_EQ(refusalOf("\xC3\xA9 = 1\n\xCE\xBB = \xC3\xA9"), "");
}

}  // namespace
}  // namespace indexical::python
