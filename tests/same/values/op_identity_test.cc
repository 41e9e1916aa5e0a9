// Two modules that differ in one thing that an op says are not equal by values.
//
// Every instruction of examples/every_opcode.hlo, and rows of MLIR, are changed
// one thing at a time, found in the text: a number, a word or the order of an
// attribute, the element type of a result, a called function, a literal, the
// opcode, an attribute that nobody knows. What may change without effect is in
// the table of program/values/op_identity.h alone.
#include "indexical/program/values/op_identity.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/hlo/opcodes.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/module_values.h"

namespace indexical::testing {
namespace {

using llvm::StringRef;

/// Returns whether the named instructions of both entries are equal by values.
bool areEqual(Program &first, Program &second, StringRef name,
              FloatLaws floats) {
  for (Program *program : {&first, &second}) {
    Module &module = program->modules[0];
    Computation &entry = module.computations[module.entry];
    entry.root = entry.find(name);
  }
  ValueOptions options;
  options.floats = floats;
  const auto equality =
      compareValues(first.modules[0], second.modules[0], options, {});
  return equality.ok() && equality->isEqual;
}

//===-- Changes of a text -------------------------------------------------===//

/// Words of attributes, each of which stands for another one of its list.
const std::vector<std::vector<std::string>> kWords = {
    {"true", "false"},
    {"LT", "GE", "EQ"},
    {"FFT", "IFFT"},
    {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"},
    {"rng_uniform", "rng_normal"},
    {"UNIFORM", "NORMAL"},
    {"rng_philox", "rng_three_fry"},
    {"b01f_01io->b01f", "b10f_01io->b01f", "b01f_10io->b01f"},
    {"\"f\"", "\"g\""},
    {"highest", "high", "default"},
    {"HIGHEST", "HIGH", "DEFAULT"},
    {"TOTALORDER", "FLOAT"},
    {"pad=1_1", "pad=0_2"},
    {"size=2x2", "size=1x2"},
    {"stride=2x2", "stride=2x2 rhs_reversal=1x0"},
    {"size=3x3", "size=3x3 rhs_reversal=1x1"},
    {"{0,1}", "{1,0}"},
    {"{2,3}", "{3,2}"},
    {"[0, 1]", "[1, 0]"},
    {"[2, 3]", "[3, 2]"},
    {"i8:f32", "i8<-127:127>:f32"},
    {"dot_bf16_bf16_f32", "dot_tf32_tf32_f32"},
};

/// Returns the texts in which one thing of `part`, a part of `text` that begins
/// at `begin`, is another.
std::vector<std::string> changesOf(const std::string &text, size_t begin,
                                   size_t end) {
  std::vector<std::string> changes;
  auto add = [&](size_t at, size_t size, const std::string &by) {
    changes.push_back(text.substr(0, at) + by + text.substr(at + size));
  };
  for (const auto &words : kWords)
    for (const std::string &from : words) {
      const size_t at = text.find(from, begin);
      if (at == std::string::npos || at + from.size() > end) continue;
      if (at > 0 && llvm::isAlnum(from[0]) && llvm::isAlnum(text[at - 1]))
        continue;
      for (const std::string &to : words)
        if (to != from) add(at, from.size(), to);
    }
  for (size_t i = begin; i < end; ++i) {
    if (!llvm::isDigit(text[i]) ||
        (i > 0 && (llvm::isAlnum(text[i - 1]) || text[i - 1] == '.' ||
                   text[i - 1] == '%')))
      continue;
    size_t last = i;
    while (last < end && llvm::isDigit(text[last])) ++last;
    const int64_t number = std::stoll(text.substr(i, last - i));
    for (int64_t to : {number + 1, number - 1})
      if (to >= 0) add(i, last - i, std::to_string(to));
  }
  return changes;
}

//===-- HLO ---------------------------------------------------------------===//

/// Further computations, so that each that the example names has another one of
/// the same types.
constexpr char kFunctions[] = R"(
product { a = f32[] parameter(0)  b = f32[] parameter(1)
  ROOT r = f32[] multiply(a, b) }
greater { a = f32[] parameter(0)  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GT }
thrice { a = f32[4,6] parameter(0)  b = f32[4,6] add(a, a)
  ROOT r = f32[4,6] add(a, b) }
running.2 { row = f32[6] parameter(0)  carry = f32[6] parameter(1)
  s = f32[6] subtract(row, carry)  ROOT r = (f32[6], f32[6]) tuple(s, s) }
going.2 { state = (s32[], f32[4,6], f32[4,6]) parameter(0)
  i = s32[] get-tuple-element(state), index=0  end = s32[] constant(3)
  ROOT r = pred[] compare(i, end), direction=LE }
step.2 { state = (s32[], f32[4,6], f32[4,6]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  kept = f32[4,6] get-tuple-element(state), index=1
  changed = f32[4,6] get-tuple-element(state), index=2
  two = s32[] constant(2)  next = s32[] add(i, two)
  turned = f32[4,6] reverse(changed), dimensions={0}
  ROOT r = (s32[], f32[4,6], f32[4,6]) tuple(next, kept, turned) }
)";
const std::map<std::string, std::string> kOtherFunctions = {
    {"sum", "product"},   {"second", "sum"},    {"less", "greater"},
    {"twice", "thrice"},  {"flipped", "twice"}, {"running", "running.2"},
    {"going", "going.2"}, {"step", "step.2"},
};

/// Attributes that the example leaves out.
const std::vector<std::pair<std::string, std::string>> kFurther = {
    {"compare", "type=TOTALORDER"},
    {"convolution", "operand_precision={highest,default}"},
    {"custom-call", "backend_config=\"1\""},
    {"custom-call", "dimensions={1}"},
    {"custom-call", "frontend_attributes={mhlo.attributes=\"1\"}"},
    {"custom-call", "api_version=API_VERSION_TYPED_FFI"},
    {"dot", "operand_precision={highest,default}"},
    {"dot", "algorithm=dot_bf16_bf16_f32"},
    {"exponential", "result_accuracy={tolerance={atol=1,rtol=0,ulps=0}}"},
    {"infeed", "infeed_config=\"1\""},
    {"scan", "is_reverse=true"},
    {"sort", "is_stable=true"},
};

class Example {
 public:
  Example() {
    std::ifstream file("examples/every_opcode.hlo");
    std::string line;
    while (std::getline(file, line)) {
      if (StringRef(line).starts_with("ENTRY")) {
        lines_.push_back(kFunctions);
        entry_ = lines_.size();
      }
      lines_.push_back(line);
    }
  }
  /// The lines of the entry's instructions but its parameters.
  std::vector<size_t> instructions() const {
    std::vector<size_t> numbers;
    for (size_t n = entry_; n < lines_.size(); ++n)
      if (StringRef(lines_[n]).contains(" = ") &&
          !StringRef(lines_[n]).contains(" parameter("))
        numbers.push_back(n);
    return numbers;
  }
  const std::string &line(size_t n) const { return lines_[n]; }
  static std::string nameOf(const std::string &line) {
    StringRef name = StringRef(line).split(" = ").first.trim();
    name.consume_front("ROOT ");
    return name.str();
  }
  /// Only what the instruction can depend on: those before it.
  std::optional<Program> with(size_t n, const std::string &text) const {
    std::string all;
    for (size_t i = 0; i < n; ++i) all += lines_[i] + "\n";
    auto program = parseHlo(all + text + "\n}\n");
    if (!program.ok()) return std::nullopt;
    return *std::move(program);
  }

 private:
  std::vector<std::string> lines_;
  size_t entry_ = 0;
};

/// The key of the attribute that the place lies in, behind the operands.
std::string attributeAt(const std::string &line, size_t place) {
  int depth = 0;
  size_t start = std::string::npos;
  for (size_t i = line.find(" = "); i <= place && i < line.size(); ++i) {
    const char c = line[i];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    if (c == ',' && depth == 0) start = i + 1;
  }
  if (start == std::string::npos) return "";
  const StringRef rest = StringRef(line).drop_front(start).ltrim();
  return rest.take_until([](char c) { return c == '='; }).str();
}

struct Counts {
  int64_t changes = 0, refused = 0, wrong = 0;
};

class HloIdentity : public ::testing::Test {
 protected:
  /// Checks that the changed line gives another value, if it is a module.
  void check(size_t n, const std::string &line, const std::string &other) {
    auto first = example_.with(n, line), second = example_.with(n, other);
    // A map goes over all dimensions, in order: with others it is no module.
    if (!first || !second || StringRef(line).contains(" map(")) {
      ++counts_.refused;
      return;
    }
    ++counts_.changes;
    for (FloatLaws floats : {FloatLaws::None, FloatLaws::Real}) {
      const bool equal =
          areEqual(*first, *second, Example::nameOf(line), floats);
      counts_.wrong += equal;
      EXPECT_FALSE(equal) << line << "\n" << other;
    }
  }
  /// Whether the table, or its meaning as a name, says that it may change.
  static bool isBeside(const std::string &key) {
    return key == "metadata" || key == "sharding" || key == "kind" ||
           key == "channel_id" || key == "domain";
  }
  /// What gives no array has no value.
  static bool isEffect(const std::string &line) {
    return StringRef(line).contains(" token[] ");
  }
  void TearDown() override {
    std::printf("  %ld changes, %ld more are no modules, %ld wrong\n",
                static_cast<long>(counts_.changes),
                static_cast<long>(counts_.refused),
                static_cast<long>(counts_.wrong));
  }

  Example example_;
  Counts counts_;
};

TEST_F(HloIdentity, Attributes) {
  for (size_t n : example_.instructions()) {
    const std::string &line = example_.line(n);
    const std::string name = Example::nameOf(line);
    if (isEffect(line)) continue;
    std::vector<std::string> starts = {line};
    for (const auto &[of, attribute] : kFurther)
      if (of == name) {
        starts.push_back(line + ", " + attribute);
        check(n, line, starts.back());
      }
    for (const std::string &start : starts)
      for (const std::string &other :
           changesOf(start, start.find(" = "), start.size())) {
        size_t place = 0;
        while (start[place] == other[place]) ++place;
        // The layout of the copy, and the slice's end that no step meets.
        const bool isSame =
            name == "copy" || StringRef(other).contains("[0:5:2]");
        if (!isSame && !isBeside(attributeAt(start, place)))
          check(n, start, other);
      }
  }
  EXPECT_GT(counts_.changes, 150);
}

TEST_F(HloIdentity, AttributesThatNobodyKnows) {
  for (size_t n : example_.instructions()) {
    const std::string &line = example_.line(n);
    // What gives a result of its own.
    if (isEffect(line)) continue;
    check(n, line, line + ", flavour=1");
    check(n, line + ", flavour=1", line + ", flavour=2");
  }
  EXPECT_GT(counts_.changes, 200);
}

TEST_F(HloIdentity, CalledFunctions) {
  for (size_t n : example_.instructions()) {
    const std::string &line = example_.line(n);
    for (const auto &[from, to] : kOtherFunctions)
      if (const size_t at = line.find("=" + from); at != std::string::npos) {
        const size_t end = at + 1 + from.size();
        if (end < line.size() && line[end] != ',' && line[end] != ' ') continue;
        check(n, line, line.substr(0, at + 1) + to + line.substr(end));
      }
  }
  EXPECT_GT(counts_.changes, 15);
}

TEST_F(HloIdentity, Opcodes) {
  const auto names = opcodeNames();
  for (size_t n : example_.instructions()) {
    const std::string &line = example_.line(n);
    const std::string name = Example::nameOf(line);
    const auto *own = llvm::find(names, name);
    if (own == names.end() || name == "copy") continue;
    const std::string opcode = " " + name + "(";
    const size_t at = line.find(opcode);
    if (at == std::string::npos) continue;
    for (int64_t step : {1, 2, 3, 7}) {
      const auto other = names[(own - names.begin() + step) % names.size()];
      // Forms of one op.
      if (other == "domain" || other == "opt-barrier" || other == "copy" ||
          name == "domain" || name == "opt-barrier" ||
          other.contains("start") || StringRef(name).contains("start") ||
          other.ends_with("-done") || other == "bitcast" ||
          other == "async-update" ||
          (name == "partition-id" && other == "replica-id"))
        continue;
      check(n, line,
            line.substr(0, at + 1) + other.str() +
                line.substr(at + opcode.size() - 1));
    }
  }
  EXPECT_GT(counts_.changes, 50);
}

/// The same op in another type, between conversions: parameters and results are
/// the same.
TEST(OpIdentity, ElementTypes) {
  const std::vector<std::vector<std::string>> kTypes = {
      {"f32", "f16", "bf16", "f64", "f8e5m2"},
      {"s8", "s16", "s32", "u8", "u16", "s64"},
  };
  const std::vector<std::string> kUnary = {"negate", "abs", "sign"};
  const std::vector<std::string> kBinary = {
      "add", "subtract", "multiply", "maximum", "divide", "remainder", "power"};
  auto moduleOf = [](const std::string &type, const std::string &opcode,
                     bool isBinary) {
    return "ENTRY e {\n x = f32[4] parameter(0)\n y = f32[4] parameter(1)\n"
           " a = " +
           type + "[4] convert(x)\n b = " + type +
           "[4] convert(y)\n c = " + type + "[4] " + opcode +
           (isBinary ? "(a, b)" : "(a)") + "\n ROOT r = f32[4] convert(c)\n}";
  };
  int64_t pairs = 0;
  for (const auto &types : kTypes)
    for (const std::string &first : types)
      for (const std::string &second : types) {
        if (first == second) continue;
        for (const auto *opcodes : {&kUnary, &kBinary})
          for (const std::string &opcode : *opcodes) {
            const bool isBinary = opcodes == &kBinary;
            auto a = parseHlo(moduleOf(first, opcode, isBinary));
            auto b = parseHlo(moduleOf(second, opcode, isBinary));
            ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
            ++pairs;
            EXPECT_FALSE(areEqual(*a, *b, "r", FloatLaws::None))
                << opcode << " " << first << " " << second;
          }
      }
  EXPECT_GT(pairs, 300);
}

//===-- MLIR --------------------------------------------------------------===//

struct Row {
  const char *operands;  ///< of the function
  const char *op;        ///< in the generic form
  const char *type;
};

constexpr char kOne[] = "%x: tensor<4x6xf32>";
constexpr char kTwo[] = "%x: tensor<4x4xf32>, %y: tensor<4x4xf32>";
constexpr char kQuantized[] = "%x: tensor<4x!quant.uniform<i8:f32, 1.0e-01:3>>";

const Row kRows[] = {
    {kOne,
     "\"stablehlo.custom_call\"(%x) {call_target_name = \"f\", "
     "backend_config = \"1\", api_version = 2 : i32, dimension = 3 : i64, "
     "mhlo.backend_config = {a = 5 : i64}, foo.bar = 7 : i64, "
     "mhlo.frontend_attributes = {k = \"8\"}}",
     "(tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {kOne,
     "\"foo.bar\"(%x) {dimension = 1 : i64, permutation = 2 : i64, padding = "
     "3 : i64, value = 4 : i64, k = 5 : i64, callee = \"f\", sharding = 6 : "
     "i64, unique_indices = true, foo.baz = 7 : i64, mhlo.backend_config = "
     "8 : i64}",
     "(tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {kTwo,
     "\"stablehlo.dot_general\"(%x, %y) {dot_dimension_numbers = "
     "#stablehlo.dot<lhs_contracting_dimensions = [1], "
     "rhs_contracting_dimensions = [0]>, precision_config = "
     "[#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}",
     "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"},
    {"%x: tensor<4x1xf32>, %y: tensor<1x4xf32>",
     "\"stablehlo.dot_general\"(%x, %y) {dot_dimension_numbers = "
     "#stablehlo.dot<lhs_contracting_dimensions = [1], "
     "rhs_contracting_dimensions = [0]>, precision_config = "
     "[#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}",
     "(tensor<4x1xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>"},
    {"%x: tensor<4x4xf32>, %y: tensor<4x4xf32>",
     "\"stablehlo.compare\"(%x, %y) {comparison_direction = "
     "#stablehlo<comparison_direction LT>, compare_type = "
     "#stablehlo<comparison_type FLOAT>}",
     "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>"},
    {kOne,
     "\"stablehlo.reduce_precision\"(%x) {exponent_bits = 5 : i32, "
     "mantissa_bits = 10 : i32}",
     "(tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {"%x: tensor<4xi64>",
     "\"stablehlo.constant\"() {value = dense<[1, 2, 3, "
     "4]> : tensor<4xi64>}",
     "() -> tensor<4xi64>"},
    {kQuantized, "\"stablehlo.uniform_dequantize\"(%x) {foo.a = 1 : i64}",
     "(tensor<4x!quant.uniform<i8:f32, 1.0e-01:3>>) -> tensor<4xf32>"},
    {"%x: tensor<4xf32>", "\"stablehlo.uniform_quantize\"(%x)",
     "(tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 1.0e-01:3>>"},
    {"%x: tensor<4xi32>, %y: tensor<4xi32>",
     "\"arith.cmpi\"(%x, %y) {predicate = 2 : i64}",
     "(tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>"},
};

std::string moduleOf(const Row &row, const std::string &op) {
  return "func.func @main(" + std::string(row.operands) + ") {\n  %r = " + op +
         "\n  return\n}\n";
}

TEST(OpIdentity, MlirAttributesAndTypes) {
  int64_t changes = 0, refused = 0;
  for (const Row &row : kRows) {
    const std::string op = std::string(row.op) + " : " + row.type;
    auto own = importMlir(moduleOf(row, op));
    ASSERT_TRUE(own.ok()) << own.status() << moduleOf(row, op);
    int64_t ofRow = 0;
    for (const std::string &other : changesOf(op, 0, op.size())) {
      auto first = importMlir(moduleOf(row, op));
      auto second = importMlir(moduleOf(row, other));
      if (!second.ok()) {
        ++refused;
        continue;
      }
      ++ofRow;
      size_t place = 0;
      while (op[place] == other[place]) ++place;
      const bool isSharding =
          StringRef(op).take_front(place).ends_with("mhlo.sharding = \"");
      for (FloatLaws floats : {FloatLaws::None, FloatLaws::Real})
        EXPECT_EQ(areEqual(*first, *second, "r", floats), isSharding)
            << op << "\n"
            << other;
    }
    EXPECT_GT(ofRow, 0) << op;
    changes += ofRow;
  }
  EXPECT_GT(changes, 50);
  std::printf("  %ld changes, %ld more are no modules\n",
              static_cast<long>(changes), static_cast<long>(refused));
}

/// In arith, a bit is a number of one bit, of which true is -1; in HLO it is a
/// truth, of which the sum and the maximum are the or.
TEST(OpIdentity, BitsOfArithAreSigned) {
  const std::pair<const char *, const char *> kPairs[] = {
      {"arith.maxsi", "stablehlo.maximum"},
      {"arith.minsi", "stablehlo.minimum"},
      {"arith.addi", "stablehlo.add"},
      {"arith.muli", "stablehlo.multiply"},
  };
  auto moduleOf = [](const std::string &op, const char *type) {
    const std::string tensor = "tensor<4x" + std::string(type) + ">";
    return "func.func @main(%x: " + tensor + ", %y: " + tensor + ") -> " +
           tensor + " {\n  %r = \"" + op + "\"(%x, %y) : (" + tensor + ", " +
           tensor + ") -> " + tensor + "\n  return %r : " + tensor + "\n}\n";
  };
  for (const auto &[arith, stablehlo] : kPairs)
    for (const char *type : {"i1", "i8"}) {
      auto first = importMlir(moduleOf(arith, type));
      auto second = importMlir(moduleOf(stablehlo, type));
      ASSERT_TRUE(first.ok() && second.ok())
          << first.status() << second.status();
      EXPECT_EQ(areEqual(*first, *second, "r", FloatLaws::None),
                StringRef(type) == "i8")
          << arith << " " << type;
    }
}

/// The scale of a parameter, which stands in no op.
TEST(OpIdentity, TypesOfParameters) {
  auto moduleOf = [](const char *type) {
    return "func.func @main(%x: tensor<4x" + std::string(type) +
           ">) -> tensor<4x" + type + "> {\n  return %x : tensor<4x" + type +
           ">\n}\n";
  };
  const char *kTypes[] = {"!quant.uniform<i8:f32, 1.0e-01:3>",
                          "!quant.uniform<i8:f32, 2.0e-01:3>",
                          "!quant.uniform<i8:f32, 1.0e-01:4>",
                          "!quant.uniform<i8<-127:127>:f32, 1.0e-01:3>",
                          "i8",
                          "i3",
                          "i5"};
  for (const char *a : kTypes)
    for (const char *b : kTypes) {
      auto first = importMlir(moduleOf(a)), second = importMlir(moduleOf(b));
      ASSERT_TRUE(first.ok() && second.ok())
          << first.status() << second.status();
      const auto equality =
          compareValues(first->modules[0], second->modules[0], {}, {});
      EXPECT_EQ(equality.ok() && equality->isEqual, a == b) << a << " " << b;
    }
}

}  // namespace
}  // namespace indexical::testing
