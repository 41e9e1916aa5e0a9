// Advice, carried out: a kernel of which the report says that a view, a copy,
// another layout, a conversion or a concatenation would do is replaced by it,
// and `compareValues` is asked whether the values are the same.
//
//   advice    only joins `wq` and 1 more
//   kernel    ROOT joined = fusion(wq, wk), calls=f
//   instead   ROOT c = concatenate(a, b), of slices of wq and wk
//
// Advice that a neighbour could do what the kernel does rests on it that the
// kernel only moves elements. Such a kernel may be exchanged with a function of
// single elements: kernel(tanh(x)) is tanh(kernel(x)).
//
// INDEXICAL_ADVICE: the most modules, 150; 0: all.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/report/report.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/ops/op.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/values/module_values.h"
#include "tests/support/corpus.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Numbers = llvm::SmallVector<int64_t, 6>;

std::string list(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (const int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::string typed(const ArrayShape &of, llvm::ArrayRef<int64_t> sizes,
                  llvm::ArrayRef<int64_t> layout) {
  ArrayShape plain(of.type, {});
  std::string type = plain.str();
  type.resize(type.find('['));
  type += "[" + list(sizes) + "]";
  return layout.empty() ? type : type + "{" + list(layout) + "}";
}
std::string typed(const ArrayShape &of) {
  return typed(of, of.dimensions, of.minorToMajor());
}

Numbers rowMajor(size_t rank) {
  Numbers layout;
  for (size_t k = rank; k-- > 0;) layout.push_back(static_cast<int64_t>(k));
  return layout;
}

int64_t placeOf(const ArrayShape &shape, llvm::ArrayRef<int64_t> index) {
  int64_t at = 0, stride = 1;
  for (const int64_t k : shape.minorToMajor()) {
    at += index[k] * stride;
    stride *= shape.dimensions[k];
  }
  return at;
}

int64_t elementsOf(const ArrayShape &shape) {
  int64_t count = 1;
  for (const int64_t size : shape.dimensions) count *= size;
  return count;
}

/// Why an advice is not carried out.
struct NotCarried {
  std::string reason;
};

/// One kernel with an advice: its text, and what the advice puts in its place.
class Advised {
 public:
  Advised(const Program &program, const KernelCost &cost)
      : program_(program),
        module_(program.modules[cost.module]),
        computation_(module_.computations[cost.computation]),
        cost_(cost),
        kernel_(computation_.instructions[cost.instruction]) {}

  /// Returns both modules as texts, or why there is no second one.
  std::optional<std::pair<std::string, std::string>> texts(NotCarried &not_) {
    auto fail = [&](std::string why) {
      not_.reason = std::move(why);
      return std::nullopt;
    };
    if (!readText()) return fail("the text of the kernel is not one line");
    if (!kernel_.shape->isArray()) return fail("several results");
    result_ = &shapesOf(kernel_.op).results[0];
    if (shapesOf(kernel_.op).results.hasOpenSize() ||
        shapesOf(kernel_.op).operands.hasOpenSize())
      return fail("an open size");
    for (const InstructionId operand : kernel_.operands)
      if (!computation_.instructions[operand].shape->isArray())
        return fail("an operand is a tuple");
    std::optional<std::string> instead;
    const AvoidBy by = cost_.facts.avoidable.whole;
    if (by == AvoidBy::View || by == AvoidBy::Donate || by == AvoidBy::Loop)
      instead = asView();
    else if (by == AvoidBy::Layout || by == AvoidBy::Type)
      instead = asLayout();
    else if (by == AvoidBy::Join)
      instead = asJoin();
    else if (by == AvoidBy::Fill)
      instead = asFill();
    const std::string first = module(parameters(), kernelText("ROOT "));
    if (instead) return std::pair(first, module(parameters(), *instead));
    return exchanged(not_);
  }

 private:
  const Instruction &operand(int64_t leaf) const {
    return computation_.instructions[kernel_.operands[leaf]];
  }
  const ArrayShape &shapeOf(int64_t leaf) const {
    return shapesOf(kernel_.op).operands[leaf];
  }
  const std::set<int64_t> &sources() const { return cost_.facts.moved.sources; }

  //===-- Text ------------------------------------------------------------===//

  /// Returns the program's text from that line on.
  llvm::StringRef textFrom(size_t line) const {
    llvm::StringRef rest = *program_.text;
    for (size_t k = 1; k < line && !rest.empty(); ++k)
      rest = rest.split('\n').second;
    return rest;
  }

  /// Reads the instruction, which may go on behind a comma.
  bool readText() {
    llvm::StringRef rest = textFrom(kernel_.place.line);
    do {
      llvm::StringRef line;
      std::tie(line, rest) = rest.split('\n');
      line = line.trim();
      if (line_.empty()) line.consume_front("ROOT ");
      line_ += (line_.empty() ? "" : " ") + line.str();
    } while (!rest.empty() &&
             (llvm::StringRef(line_).ends_with(",") || !isBalanced(line_)));
    // A closing brace of the computation may follow.
    llvm::StringRef whole = line_;
    if (whole.count('}') == whole.count('{') + 1 && whole.ends_with("}"))
      line_ = whole.drop_back().rtrim().str();
    llvm::StringRef name = line_;
    name.consume_front("%");
    return name.consume_front(kernel_.name) && name.trim().starts_with("=") &&
           isBalanced(line_) && collect(kernel_);
  }
  static bool isBalanced(llvm::StringRef text) {
    return text.count('(') == text.count(')') &&
           text.count('{') <= text.count('}');
  }

  /// Adds the texts of the computations that the instruction calls.
  bool collect(const Instruction &of) {
    for (const CalledComputation &called : of.called) {
      if (called.computation < 0) return false;
      if (!collected_.insert(called.computation).second) continue;
      const Computation &body = module_.computations[called.computation];
      for (const Instruction &inner : body.instructions)
        if (!collect(inner)) return false;
      const llvm::StringRef rest = textFrom(body.place.line);
      int depth = 0;
      bool isQuoted = false;
      size_t end = 0;
      for (; end < rest.size(); ++end) {
        if (rest[end] == '"') isQuoted = !isQuoted;
        if (isQuoted) continue;
        depth += rest[end] == '{';
        if (rest[end] == '}' && --depth == 0) {
          // The braces of layouts in a header close before the body opens.
          const llvm::StringRef head = rest.take_front(end + 1);
          if (head.contains("ROOT") || body.instructions.size() == 1) break;
        }
      }
      bodies_ += rest.take_front(end + 1).str() + "\n";
    }
    return true;
  }

  std::string kernelText(const std::string &root) const {
    return "  " + root + line_ + "\n";
  }

  std::string parameters(const std::set<std::string> &renamed = {}) const {
    std::string text;
    std::set<std::string> seen;
    for (const InstructionId id : kernel_.operands) {
      const Instruction &of = computation_.instructions[id];
      if (!seen.insert(of.name.str()).second) continue;
      text += "  %" + of.name.str() +
              (renamed.count(of.name.str()) ? ".given" : "") + " = " +
              typed(shapesOf(of.op).results[0]) + " parameter(" +
              std::to_string(seen.size() - 1) + ")\n";
    }
    return text;
  }

  std::string module(const std::string &parameters,
                     const std::string &body) const {
    return "HloModule m, is_scheduled=true\n" + bodies_ + "ENTRY %carried {\n" +
           parameters + body + "}\n";
  }

  //===-- What the advice names -------------------------------------------===//

  /// Returns the pieces of the reads of an operand leaf.
  std::optional<std::vector<IndexingMap>> readsOf(int64_t leaf,
                                                  Direction direction) const {
    ProgramIndexing maps(module_);
    auto relation =
        maps.instruction({cost_.computation, cost_.instruction, LeafId(0)},
                         LeafId(leaf), direction);
    if (!relation.ok() || relation->precision() != Precision::Exact)
      return std::nullopt;
    std::vector<IndexingMap> pieces;
    for (const IndexingMap &piece : relation->pieces())
      if (!piece.isKnownEmpty()) pieces.push_back(piece);
    return pieces;
  }

  static std::optional<Numbers> at(const IndexingMap &map,
                                   llvm::ArrayRef<int64_t> index) {
    IndexingMap::Point point;
    point.dimensions.assign(index.begin(), index.end());
    if (!map.ranges().empty() || !map.runtime().empty() || !map.contains(point))
      return std::nullopt;
    return map.evaluate(point);
  }

  std::optional<std::string> asView() const {
    if (sources().size() != 1) return std::nullopt;
    const int64_t leaf = *sources().begin();
    const ArrayShape &from = shapeOf(leaf);
    const auto pieces = readsOf(leaf, Direction::OutputToInput);
    if (!pieces || pieces->size() != 1) return std::nullopt;
    const auto first = at(pieces->front(), Numbers(result_->dimensions.size()));
    if (!first) return std::nullopt;
    const int64_t start = placeOf(from, *first), size = elementsOf(*result_);
    std::string source = "%" + operand(leaf).name.str(), text;
    if (from.type != result_->type) {
      text = "  cast.v = " +
             typed(*result_, from.dimensions, from.minorToMajor()) +
             " bitcast-convert(" + source + ")\n";
      source = "cast.v";
    }
    text += "  flat.v = " + typed(*result_, {elementsOf(from)}, {0}) +
            " bitcast(" + source +
            ")\n  part.v = " + typed(*result_, {size}, {0}) +
            " slice(flat.v), slice={[" + std::to_string(start) + ":" +
            std::to_string(start + size) +
            "]}\n  ROOT r.v = " + typed(*result_) + " bitcast(part.v)\n";
    return text;
  }

  /// The source, perhaps in another type, in the layout in which it lies as the
  /// result does.
  std::optional<std::string> asLayout() const {
    MovedElements moved = cost_.facts.moved;
    const bool converts = moved.converts;
    moved.converts = false;
    if (!moved.areRearranged() || moved.recasts) return std::nullopt;
    const int64_t leaf = *sources().begin();
    const ArrayShape &from = shapeOf(leaf);
    const auto pieces = readsOf(leaf, Direction::InputToOutput);
    if (!pieces) return std::nullopt;
    std::vector<std::pair<int64_t, int64_t>> strides;
    Numbers ones;
    for (size_t k = 0; k < from.dimensions.size(); ++k) {
      if (from.dimensions[k] == 1) {
        ones.push_back(static_cast<int64_t>(k));
        continue;
      }
      Numbers index(from.dimensions.size());
      index[k] = 1;
      std::optional<Numbers> to;
      for (const IndexingMap &piece : *pieces)
        if (!to) to = at(piece, index);
      if (!to) return std::nullopt;
      strides.push_back({placeOf(*result_, *to), static_cast<int64_t>(k)});
    }
    llvm::sort(strides);
    Numbers layout;
    int64_t stride = 1;
    for (const auto &[own, k] : strides) {
      if (own != stride) return std::nullopt;
      stride *= from.dimensions[k];
      layout.push_back(k);
    }
    layout.append(ones.begin(), ones.end());
    std::string source = "%" + operand(leaf).name.str(), text;
    ArrayShape as = from;
    if (converts) {
      as.type = result_->type;
      text = "  typed.v = " + typed(as, from.dimensions, from.minorToMajor()) +
             " convert(" + source + ")\n";
      source = "typed.v";
    }
    return text + "  laid.v = " + typed(as, from.dimensions, layout) +
           " copy(" + source + ")\n  ROOT r.v = " + typed(*result_) +
           " bitcast(laid.v)\n";
  }

  /// The part of a source that one box of the result is.
  struct JoinedBox {
    Numbers lower, sizes;
    std::string text, name;
  };

  std::optional<JoinedBox> boxOf(int64_t leaf, const IndexingMap &piece,
                                 size_t number) const {
    if (!piece.constraints().empty()) return std::nullopt;
    JoinedBox box;
    Numbers upper;
    for (const Variable &v : piece.dimensions()) {
      box.lower.push_back(v.bounds.lower);
      upper.push_back(v.bounds.upper);
      box.sizes.push_back(v.bounds.count());
    }
    const auto start = at(piece, box.lower), end = at(piece, upper);
    if (!start || !end) return std::nullopt;
    const ArrayShape &from = shapeOf(leaf);
    // The dimension of the source along which each of the result goes.
    Numbers order, used(from.dimensions.size(), 0);
    for (size_t k = 0; k < box.lower.size(); ++k) {
      if (box.sizes[k] == 1) {
        order.push_back(-1);
        continue;
      }
      Numbers next = box.lower;
      ++next[k];
      const auto to = at(piece, next);
      if (!to) return std::nullopt;
      int64_t along = -1;
      for (size_t j = 0; j < to->size(); ++j) {
        if ((*to)[j] == (*start)[j]) continue;
        if (along >= 0 || (*to)[j] != (*start)[j] + 1) return std::nullopt;
        along = static_cast<int64_t>(j);
      }
      if (along < 0 || used[along]++) return std::nullopt;
      if ((*end)[along] - (*start)[along] != box.sizes[k] - 1)
        return std::nullopt;
      order.push_back(along);
    }
    const std::string n = std::to_string(number);
    std::string slice;
    Numbers sizes, permutation;
    for (size_t j = 0; j < start->size(); ++j) {
      slice += (j == 0 ? "" : ", ") + ("[" + std::to_string((*start)[j])) +
               ":" + std::to_string((*end)[j] + 1) + "]";
      sizes.push_back((*end)[j] + 1 - (*start)[j]);
      if (sizes.back() < 1) return std::nullopt;
    }
    for (const int64_t along : order)
      if (along >= 0) permutation.push_back(along);
    for (size_t j = 0; j < sizes.size(); ++j)
      if (used[j] == 0) {
        if (sizes[j] != 1) return std::nullopt;
        permutation.push_back(static_cast<int64_t>(j));
      }
    Numbers permuted;
    for (const int64_t along : permutation) permuted.push_back(sizes[along]);
    box.text = "  s.v" + n + " = " +
               typed(from, sizes, rowMajor(sizes.size())) + " slice(%" +
               operand(leaf).name.str() + "), slice={" + slice + "}\n  t.v" +
               n + " = " + typed(from, permuted, rowMajor(permuted.size())) +
               " transpose(s.v" + n + "), dimensions={" + list(permutation) +
               "}\n  b.v" + n + " = " +
               typed(from, box.sizes, rowMajor(box.sizes.size())) +
               " reshape(t.v" + n + ")\n";
    box.name = "b.v" + n;
    if (from.type != result_->type) {
      box.text += "  c.v" + n + " = " +
                  typed(*result_, box.sizes, rowMajor(box.sizes.size())) +
                  " convert(b.v" + n + ")\n";
      box.name = "c.v" + n;
    }
    return box;
  }

  std::optional<std::string> asJoin() const {
    if (cost_.facts.moved.fills || cost_.facts.moved.recasts)
      return std::nullopt;
    std::vector<JoinedBox> boxes;
    for (const int64_t leaf : sources()) {
      const auto pieces = readsOf(leaf, Direction::OutputToInput);
      if (!pieces) return std::nullopt;
      for (const IndexingMap &piece : *pieces) {
        auto box = boxOf(leaf, piece, boxes.size());
        if (!box) return std::nullopt;
        boxes.push_back(*std::move(box));
      }
    }
    int64_t along = -1, covered = 0;
    for (size_t k = 0; k < result_->dimensions.size(); ++k)
      if (llvm::any_of(boxes, [&](const JoinedBox &box) {
            return box.sizes[k] != result_->dimensions[k];
          })) {
        if (along >= 0) return std::nullopt;
        along = static_cast<int64_t>(k);
      }
    if (along < 0) return std::nullopt;
    llvm::sort(boxes, [&](const JoinedBox &a, const JoinedBox &b) {
      return a.lower[along] < b.lower[along];
    });
    std::string text, names;
    for (const JoinedBox &box : boxes) {
      if (box.lower[along] != covered) return std::nullopt;
      covered += box.sizes[along];
      text += box.text;
      names += (names.empty() ? "" : ", ") + box.name;
    }
    if (covered != result_->dimensions[along]) return std::nullopt;
    return text + "  ROOT r.v = " + typed(*result_) + " concatenate(" + names +
           "), dimensions={" + std::to_string(along) + "}\n";
  }

  /// The first element of the result, everywhere.
  std::optional<std::string> asFill() const {
    std::string slice;
    Numbers ones(result_->dimensions.size(), 1);
    for (size_t k = 0; k < ones.size(); ++k)
      slice += (k == 0 ? "" : ", ") + std::string("[0:1]");
    return kernelText("") +
           "  one.v = " + typed(*result_, ones, rowMajor(ones.size())) +
           " slice(%" + kernel_.name.str() + "), slice={" + slice +
           "}\n  only.v = " + typed(*result_, {}, {}) +
           " reshape(one.v)\n  ROOT r.v = " + typed(*result_) +
           " broadcast(only.v), dimensions={}\n";
  }

  /// The kernel behind a function of single elements, and before it.
  std::optional<std::pair<std::string, std::string>> exchanged(
      NotCarried &not_) const {
    auto fail = [&](std::string why) {
      not_.reason = std::move(why);
      return std::nullopt;
    };
    const MovedElements &moved = cost_.facts.moved;
    if (moved.converts || moved.recasts) return fail("moves and converts");
    if (moved.fills) return fail("moves, and adds constants");
    const std::string function = elementFunction(result_->type);
    if (function.empty()) return fail("no function of its type");
    std::set<std::string> names, others;
    for (size_t leaf = 0; leaf < kernel_.operands.size(); ++leaf)
      (sources().count(static_cast<int64_t>(leaf)) ? names : others)
          .insert(operand(static_cast<int64_t>(leaf)).name.str());
    for (const std::string &name : others)
      if (names.count(name)) return fail("an array is moved, and says where");
    std::string before;
    for (const std::string &name : names) {
      const Instruction &of =
          computation_.instructions[computation_.find(name)];
      before += "  %" + name + " = " + typed(shapesOf(of.op).results[0]) + " " +
                function + "(%" + name + ".given)\n";
    }
    return std::pair(
        module(parameters(names), before + kernelText("ROOT ")),
        module(parameters(), kernelText("") +
                                 "  ROOT r.v = " + typed(*result_) + " " +
                                 function + "(%" + kernel_.name.str() + ")\n"));
  }

  static std::string elementFunction(ElementType type) {
    switch (type) {
      case ElementType::F16:
      case ElementType::BF16:
      case ElementType::F32:
      case ElementType::F64:
        return "tanh";
      default:
        return type == ElementType::Pred || isInteger(type) ? "not" : "";
    }
  }

  const Program &program_;
  const Module &module_;
  const Computation &computation_;
  const KernelCost &cost_;
  const Instruction &kernel_;
  const ArrayShape *result_ = nullptr;
  std::string line_, bodies_;
  std::set<int32_t> collected_;
};

struct Tally {
  int64_t carried = 0, proved = 0;
  std::map<std::string, int64_t> notCarried;
};

TEST(CarriedAdvice, GivesTheSameValues) {
  const int64_t most = fromEnvironment("INDEXICAL_ADVICE", 150);
  std::map<std::string, Tally> tallies;
  int64_t modules = 0;
  std::set<std::string> seen;
  // Instructions of modules that are not scheduled are taken for kernels.
  ReportQuestion question;
  question.launch = LaunchModel::Xla;
  const auto carryOut = [&](const Program &program, const std::string &name) {
    if (most > 0 && modules >= most) return;
    modules += static_cast<int64_t>(program.modules.size());
    // The caller keeps the program.
    const auto measured = measure(
        std::shared_ptr<const Program>(std::shared_ptr<void>(), &program),
        question);
    if (!measured.ok()) return;
    for (const KernelCost &cost : measured->kernels) {
      const Avoidable &avoidable = cost.facts.avoidable;
      if (avoidable.whole == AvoidBy::Nothing) continue;
      Tally &tally = tallies[nameOf(avoidable.whole).str()];
      NotCarried why;
      const auto texts = Advised(program, cost).texts(why);
      const std::string kernel = program.modules[cost.module]
                                     .computations[cost.computation]
                                     .instructions[cost.instruction]
                                     .name.str();
      if (!texts) {
        ++tally.notCarried[why.reason];
        std::cout << "  not carried out: " << why.reason << ": " << name << ", "
                  << kernel << ", " << nameOf(avoidable.whole).str() << '\n';
        continue;
      }
      // Modules of one kind have the same kernels.
      if (!seen.insert(texts->first + texts->second).second) continue;
      auto first = parseHlo(texts->first), second = parseHlo(texts->second);
      ASSERT_TRUE(first.ok()) << name << ": " << first.status() << '\n'
                              << texts->first;
      ASSERT_TRUE(second.ok()) << name << ": " << second.status() << '\n'
                               << texts->second;
      const auto same =
          compareValues(first->modules[0], second->modules[0], {}, {});
      ASSERT_TRUE(same.ok()) << name << ": " << same.status() << '\n'
                             << texts->second;
      ++tally.carried;
      tally.proved += same->isEqual;
      // Whether an update at one place of the run is that of its operands is
      // not always decided. It is counted and named, and never different.
      const bool mayBeOpen =
          avoidable.whole == AvoidBy::Fuse &&
          texts->first.find("dynamic-update-slice") != std::string::npos;
      EXPECT_FALSE(same->isDifferent) << name << ", " << kernel << '\n'
                                      << texts->first << texts->second;
      if (!same->isEqual && mayBeOpen) {
        ++tally.notCarried["an update that is not decided"];
        std::cout << "  not decided: " << name << ", " << kernel << '\n';
        continue;
      }
      EXPECT_TRUE(same->isEqual) << name << ", " << kernel << ": "
                                 << adviceOf(avoidable, cost.avoided()) << '\n'
                                 << texts->first << texts->second;
    }
  };
  forEachHloFile(carryOut);
  forEachHloSnippet(carryOut);
  int64_t carried = 0;
  for (const auto &[by, tally] : tallies) {
    std::cout << by << ": " << tally.carried << " carried out, " << tally.proved
              << " proved\n";
    for (const auto &[reason, count] : tally.notCarried)
      std::cout << "  " << count << " not carried out: " << reason << '\n';
    carried += tally.carried;
  }
  std::cout << modules << " modules\n";
  EXPECT_GE(carried, most == 0 || most >= 150 ? ofCorpus(100, 1) : 0);
}

}  // namespace
}  // namespace indexical::testing
