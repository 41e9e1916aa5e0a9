// The way of arrays from kernel to kernel, against the generator of the module,
// which knows what each name stands for when it writes the line.
//
// INDEXICAL_SEED: the first instance; INDEXICAL_MODULES: how many.
#include "indexical/cost/launch/array_flow.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// An array: the instruction that wrote it, and the number of its result.
using Array = std::pair<std::string, int>;

struct Uses {
  std::multiset<std::string> readers;
  bool isResult = false, isOpen = false;
};

/// A name in a computation, and the arrays that it stands for. All of them are
/// f32[8]; a tuple has several.
struct Named {
  std::string name;
  std::vector<Array> arrays;
  bool isTuple = false;
};

/// Writes a random module, and knows its uses.
class Writer {
 public:
  explicit Writer(Random &random) : random_(random) {}

  std::string module() {
    computation("e", /*isEntry=*/true, {}, 0);
    return "HloModule m, is_scheduled=true\n" + loop_ + bodies_ + entry_;
  }
  const std::map<Array, Uses> &uses() const { return uses_; }

 private:
  static std::string shapeOf(const Named &of) {
    if (!of.isTuple) return "f32[8]";
    std::string text = "(";
    for (size_t k = 0; k < of.arrays.size(); ++k)
      text += std::string(k ? ", " : "") + "f32[8]";
    return text + ")";
  }
  std::string fresh(const std::string &prefix) {
    return prefix + std::to_string(++names_);
  }

  /// Returns the root of the computation.
  Named computation(const std::string &name, bool isEntry,
                    std::vector<Named> arguments, int depth) {
    std::string text;
    std::vector<Named> scope;
    const size_t parameters = isEntry ? random_.in(1, 3) : arguments.size();
    for (size_t k = 0; k < parameters; ++k) {
      Named of = isEntry ? Named{} : arguments[k];
      of.name = fresh("p");
      if (isEntry) of.arrays = {{of.name, 0}};
      text += "  " + of.name + " = " + shapeOf(of) + " parameter(" +
              std::to_string(k) + ")\n";
      scope.push_back(of);
    }
    Named last = scope.back();
    for (int64_t left = random_.in(1, 7); left > 0; --left) {
      last = line(scope, text, depth);
      scope.push_back(last);
    }
    // The root stands last.
    const size_t at = text.rfind("\n  ", text.size() - 2);
    text.insert(at == std::string::npos ? 2 : at + 3, "ROOT ");
    (isEntry ? entry_ : bodies_) +=
        (isEntry ? "ENTRY " : "") + name + " {\n" + text + "}\n";
    if (isEntry)
      for (const Array &array : last.arrays) uses_[array].isResult = true;
    return last;
  }

  const Named &any(const std::vector<Named> &scope) {
    return scope[random_.in(0, int64_t(scope.size()) - 1)];
  }
  std::vector<Named> plain(const std::vector<Named> &scope) const {
    std::vector<Named> found;
    for (const Named &of : scope)
      if (!of.isTuple) found.push_back(of);
    return found;
  }

  Named line(const std::vector<Named> &scope, std::string &text, int depth) {
    const std::vector<Named> arrays = plain(scope);
    const int64_t kind = random_.in(0, 6);
    Named result;
    result.name = fresh("v");
    auto write = [&](const std::string &op) {
      text += "  " + result.name + " = " + shapeOf(result) + " " + op + "\n";
      return result;
    };
    if (kind == 0) {
      const Named &of = any(scope);
      std::vector<Named> parts = {of};
      if (of.isTuple) parts.clear();
      for (int64_t k = random_.in(1, 2); k > 0 && !arrays.empty(); --k)
        parts.push_back(any(arrays));
      if (parts.empty()) return line(scope, text, depth);
      result.isTuple = true;
      std::string words;
      for (const Named &part : parts) {
        words += (words.empty() ? "" : ", ") + part.name;
        result.arrays.push_back(part.arrays[0]);
      }
      return write("tuple(" + words + ")");
    }
    const Named &of = any(scope);
    if (of.isTuple) {
      const int64_t k = random_.in(0, int64_t(of.arrays.size()) - 1);
      result.arrays = {of.arrays[k]};
      return write("get-tuple-element(" + of.name +
                   "), index=" + std::to_string(k));
    }
    if (kind == 1) {
      result.arrays = of.arrays;
      return write("bitcast(" + of.name + ")");
    }
    if (kind == 2 && depth < 2) {
      const Named second = any(arrays);
      const std::string callee = fresh("c");
      const Named root = computation(callee, false, {of, second}, depth + 1);
      result.arrays = root.arrays;
      result.isTuple = root.isTuple;
      return write("call(" + of.name + ", " + second.name +
                   "), to_apply=" + callee);
    }
    if (kind == 3) {
      if (loop_.empty())
        loop_ =
            "cond { q = f32[8] parameter(0)\n"
            "  ROOT t = pred[] constant(false) }\n"
            "body { b = f32[8] parameter(0)\n"
            "  ROOT n = f32[8] negate(b) }\n";
      uses_[of.arrays[0]].isOpen = true;
      result.arrays = {{result.name, 0}};
      return write("while(" + of.name + "), condition=cond, body=body");
    }
    const Named second = any(arrays);
    uses_[of.arrays[0]].readers.insert(result.name);
    result.arrays = {{result.name, 0}};
    if (kind == 4) return write("negate(" + of.name + ")");
    uses_[second.arrays[0]].readers.insert(result.name);
    return write("add(" + of.name + ", " + second.name + ")");
  }

  Random &random_;
  std::map<Array, Uses> uses_;
  std::string loop_, bodies_, entry_;
  int names_ = 0;
};

TEST(ArrayFlow, FindsTheReadersThatTheWriterKnows) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_MODULES", 400);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    Writer writer(random);
    const std::string text = writer.module();
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed) + "\n" + text);
    const auto program = parseHlo(text, "test.hlo");
    ASSERT_TRUE(program.ok()) << program.status().message();
    const Module &module = program->modules[0];
    const ArrayFlow flow(module);
    std::map<std::string, Leaf> places;
    for (size_t c = 0; c < module.computations.size(); ++c)
      for (size_t i = 0; i < module.computations[c].instructions.size(); ++i)
        places[module.computations[c].instructions[i].name.str()] = {
            ComputationId(c), InstructionId(i)};
    for (const auto &[array, known] : writer.uses()) {
      Leaf leaf = places.at(array.first);
      leaf.leaf = LeafId(array.second);
      const ArrayUses &found = flow.usesOf(leaf);
      std::multiset<std::string> readers;
      for (const ArrayUses::Reader &reader : found.readers) {
        const Computation &of = module.computations[reader.computation];
        readers.insert(of.instructions[reader.instruction].name.str());
        const auto source = flow.sourceOf(
            reader.computation, reader.instruction, reader.operandLeaf);
        ASSERT_TRUE(source);
        EXPECT_EQ(source->instruction, leaf.instruction);
        EXPECT_EQ(source->computation, leaf.computation);
      }
      EXPECT_EQ(readers, known.readers) << array.first;
      EXPECT_EQ(found.isResult, known.isResult) << array.first;
      EXPECT_EQ(found.isOpen, known.isOpen) << array.first;
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace indexical::testing
