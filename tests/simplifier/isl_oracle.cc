#include "tests/simplifier/isl_oracle.h"

#include <string>

#include "llvm/ADT/StringExtras.h"
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>

namespace indexical::testing {
namespace {

constexpr unsigned long kOperations = 200'000;
constexpr int64_t kMostTerms = 500;

std::string nameOf(VariableId id) {
  static constexpr const char *kPrefix[] = {"d", "s", "r"};
  return kPrefix[static_cast<int>(id.kind)] + std::to_string(id.index);
}

/// Returns isl's text of a tree. `good` becomes false if isl has none.
std::string textOf(const Tree &tree, bool &good) {
  using Op = Tree::Op;
  if (tree.op == Op::Constant) return "(" + std::to_string(tree.constant) + ")";
  if (tree.op == Op::Variable) return nameOf(tree.variable);
  const std::string a = textOf(tree.parts[0], good);
  if (tree.op == Op::Negate) return "(-" + a + ")";
  const Tree &second = tree.parts[1];
  if (tree.op == Op::Add) return "(" + a + " + " + textOf(second, good) + ")";
  if (tree.op == Op::Subtract)
    return "(" + a + " - " + textOf(second, good) + ")";
  if (tree.op == Op::Min || tree.op == Op::Max)
    return std::string(tree.op == Op::Min ? "min(" : "max(") + a + ", " +
           textOf(second, good) + ")";
  good &= second.op == Op::Constant;
  const int64_t c = second.constant;
  auto quotient = [](bool negative, const std::string &x, int64_t by) {
    return "floor((" + std::string(negative ? "-" : "") + x + ") / " +
           std::to_string(by < 0 ? -by : by) + ")";
  };
  switch (tree.op) {
    case Op::Multiply:
      return "(" + std::to_string(c) + " * " + a + ")";
    case Op::FloorDiv:
      return quotient(c < 0, a, c);
    case Op::CeilDiv:  // minus the floor of the negative
      return "(-" + quotient(c > 0, a, c) + ")";
    default:
      return "(" + a + " mod " + std::to_string(c) + ")";
  }
}

/// isl's text of the map's forms.
class FormText {
 public:
  explicit FormText(const ExpressionTable &table) : table(table) {}
  std::string operator()(FormId form, bool &good) const {
    std::string text = "(" + std::to_string(table.constant(form));
    for (const Term &term : table.terms(form)) {
      const Atom &atom = table.atom(term.atom);
      text += " + " + std::to_string(term.coefficient) + " * ";
      if (atom.kind == AtomKind::Variable) {
        text += nameOf(atom.variable());
        continue;
      }
      const bool isPart = atom.kind == AtomKind::PositivePart;
      good &= isPart || atom.kind == AtomKind::Digit;
      if (!good) return "0";
      std::string inner = (*this)(atom.a, good);
      if (isPart) {
        text += "max(0, " + inner + ")";
        continue;
      }
      if (atom.stride != 1)
        inner = "floor(" + inner + " / " + std::to_string(atom.stride) + ")";
      if (atom.modulus)
        inner = "(" + inner + " mod " + std::to_string(atom.modulus) + ")";
      text += inner;
    }
    return text + ")";
  }

 private:
  const ExpressionTable &table;
};

std::string within(const std::string &what, Interval bounds) {
  std::string text;
  if (bounds.hasLower())
    text += " and " + what + " >= " + std::to_string(bounds.lower);
  if (bounds.hasUpper())
    text += " and " + what + " <= " + std::to_string(bounds.upper);
  return text;
}

/// `{ [d0, y0] : exists s0 : y0 = … and … }`
class SetText {
 public:
  SetText(size_t dimensions, size_t results, size_t ranges, size_t runtime) {
    auto names = [](const char *prefix, size_t count,
                    std::vector<std::string> &list) {
      for (size_t i = 0; i < count; ++i)
        list.push_back(prefix + std::to_string(i));
    };
    std::vector<std::string> outside, inside;
    names("d", dimensions, outside);
    names("y", results, outside);
    names("s", ranges, inside);
    names("r", runtime, inside);
    text = "{ [" + llvm::join(outside, ", ") + "] : ";
    if (!inside.empty()) text += "exists (" + llvm::join(inside, ", ") + " : ";
    text += "0 = 0";
    end = inside.empty() ? " }" : ") }";
  }
  void bound(VariableKind kind, size_t i, Interval bounds) {
    text += within(nameOf({kind, static_cast<uint32_t>(i)}), bounds);
  }
  void constraint(const std::string &what, Interval bounds) {
    text += within(what, bounds);
  }
  void result(size_t i, const std::string &what) {
    text += " and y" + std::to_string(i) + " = " + what;
  }
  std::string str() const { return text + end; }

 private:
  std::string text, end;
};

std::string setOf(const MapParts &parts, bool &good) {
  SetText set(parts.dimensions.size(), parts.results.size(),
              parts.ranges.size(), parts.runtime.size());
  auto bounds = [&](VariableKind kind, const std::vector<Interval> &list) {
    for (size_t i = 0; i < list.size(); ++i) set.bound(kind, i, list[i]);
  };
  bounds(VariableKind::Dimension, parts.dimensions);
  bounds(VariableKind::Range, parts.ranges);
  bounds(VariableKind::Runtime, parts.runtime);
  for (const auto &[tree, within] : parts.constraints)
    set.constraint(textOf(tree, good), within);
  for (size_t i = 0; i < parts.results.size(); ++i)
    set.result(i, textOf(parts.results[i], good));
  return set.str();
}

std::string setOf(const IndexingMap &map, bool &good) {
  SetText set(map.dimensions().size(), map.results().size(),
              map.ranges().size(), map.runtime().size());
  for (size_t i = 0; i < map.dimensions().size(); ++i)
    set.bound(VariableKind::Dimension, i, map.dimensions()[i].bounds);
  for (size_t i = 0; i < map.ranges().size(); ++i)
    set.bound(VariableKind::Range, i, map.ranges()[i].bounds);
  for (size_t i = 0; i < map.runtime().size(); ++i)
    set.bound(VariableKind::Runtime, i, map.runtime()[i].bounds);
  const FormText text(map.expressions());
  for (const Constraint &c : map.constraints())
    set.constraint(text(c.form, good), c.bounds);
  for (size_t i = 0; i < map.results().size(); ++i)
    set.result(i, text(map.results()[i], good));
  return set.str();
}

/// isl's context, one a thread.
struct Context {
  isl_ctx *ctx = isl_ctx_alloc();
  Context() { isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE); }
  ~Context() { isl_ctx_free(ctx); }
};

}  // namespace

Opinion sameRelation(const MapParts &parts, const IndexingMap &map) {
  bool good = map.isKnownEmpty() || writtenSize(map) <= kMostTerms;
  if (!good) return Opinion::None;
  const std::string before = setOf(parts, good);
  const std::string after = map.isKnownEmpty() ? "" : setOf(map, good);
  if (!good) return Opinion::None;
  thread_local Context own;
  isl_ctx_reset_error(own.ctx);
  isl_ctx_reset_operations(own.ctx);
  isl_ctx_set_max_operations(own.ctx, kOperations);
  isl_set *first = isl_set_read_from_str(own.ctx, before.c_str());
  isl_bool same = isl_bool_error;
  if (map.isKnownEmpty()) {
    same = isl_set_is_empty(first);
  } else {
    isl_set *second = isl_set_read_from_str(own.ctx, after.c_str());
    same = isl_set_is_equal(first, second);
    isl_set_free(second);
  }
  isl_set_free(first);
  const bool gaveUp = isl_ctx_last_error(own.ctx) != isl_error_none;
  isl_ctx_reset_error(own.ctx);
  isl_ctx_set_max_operations(own.ctx, 0);
  if (gaveUp || same == isl_bool_error) return Opinion::None;
  return same == isl_bool_true ? Opinion::Same : Opinion::Different;
}

}  // namespace indexical::testing
