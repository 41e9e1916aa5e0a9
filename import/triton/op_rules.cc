#include "indexical/import/triton/op_rules.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/triton/value_types.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical::triton {

using llvm::StringRef;
using mlir::Operation;

namespace {

using Sides = llvm::SmallVector<int64_t, 4>;

struct OpCounts {
  StringRef name;
  unsigned leastOperands;
  unsigned results;
};

/// The ops that are traced by the numbers of their operands and results.
constexpr OpCounts kCounts[] = {
    {"get_program_id", 0, 1},
    {"get_num_programs", 0, 1},
    {"make_range", 0, 1},
    {"splat", 1, 1},
    {"bitcast", 1, 1},
    {"expand_dims", 1, 1},
    {"broadcast", 1, 1},
    {"trans", 1, 1},
    {"reshape", 1, 1},
    {"unsplat", 1, 1},
    {"join", 2, 1},
    {"addptr", 2, 1},
    {"make_tensor_ptr", 1, 1},
    {"make_tensor_descriptor", 1, 1},
    {"advance", 1, 1},
    {"load", 1, 1},
    {"store", 2, 0},
    {"atomic_rmw", 2, 1},
    {"atomic_cas", 2, 1},
    {"convert_layout", 1, 1},
    {"local_alloc", 0, 1},
    {"local_load", 1, 1},
    {"local_store", 2, 0},
    {"async_copy_global_to_local", 2, 1},
};

std::optional<std::string> brokenCounts(Operation &op, StringRef name) {
  const auto *const counts = llvm::find_if(
      kCounts, [&](const OpCounts &each) { return each.name == name; });
  if (counts == std::end(kCounts)) return std::nullopt;
  if (op.getNumOperands() < counts->leastOperands)
    return absl::StrCat("has ", op.getNumOperands(), " operands, and needs ",
                        counts->leastOperands);
  if (op.getNumResults() != counts->results)
    return absl::StrCat("has ", op.getNumResults(), " results, not ",
                        counts->results);
  return std::nullopt;
}

/// Returns the sides of the result of an `expand_dims`, or nothing if its axis
/// is none.
std::optional<Sides> expanded(Operation &op, Sides sides) {
  const auto axis = integerOf(op.getAttr("axis"));
  if (!axis || *axis < 0 || *axis > static_cast<int64_t>(sides.size()))
    return std::nullopt;
  sides.insert(sides.begin() + *axis, 1);
  return sides;
}

/// Returns the sides of the result of a `trans`, or nothing if its order is no
/// permutation. Without an order the dimensions are reversed.
std::optional<Sides> permuted(Operation &op, const Sides &sides) {
  llvm::SmallVector<int32_t, 4> order(sides.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (op.hasAttr("order")) {
    const auto given = op.getAttrOfType<mlir::DenseI32ArrayAttr>("order");
    if (!given) return std::nullopt;
    llvm::SmallVector<int32_t, 4> sorted(given.asArrayRef());
    llvm::sort(sorted);
    std::reverse(order.begin(), order.end());
    if (sorted != order) return std::nullopt;
    order.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  }
  Sides result;
  for (int32_t k : order) result.push_back(sides[k]);
  return result;
}

/// Returns the number of elements, or nothing if it leaves 64 bits.
std::optional<int64_t> elementsOf(const Sides &sides) {
  std::optional<int64_t> count = 1;
  for (int64_t side : sides) {
    if (side < 0) return std::nullopt;
    if (count) count = checkedMul(*count, side);
  }
  return count;
}

std::optional<std::string> brokenMove(Operation &op, StringRef name) {
  const Sides from = shapeOf(op.getOperand(0).getType());
  const Sides to = shapeOf(op.getResult(0).getType());
  const std::string misfit = "has a result of another shape than its operand's";
  if (name == "expand_dims") {
    const auto sides = expanded(op, from);
    if (!sides) return "has no axis among the dimensions of its result";
    if (*sides != to) return misfit;
  } else if (name == "trans") {
    const auto sides = permuted(op, from);
    if (!sides)
      return absl::StrCat("has an order that is not a permutation of ",
                          from.size(), " dimensions");
    if (*sides != to) return misfit;
  } else if (name == "broadcast") {
    const bool fits = from.size() == to.size() &&
                      llvm::all_of(llvm::zip(from, to), [](auto sides) {
                        const auto [own, other] = sides;
                        return own == 1 || own == other;
                      });
    if (!fits) return misfit;
  } else if (name == "reshape") {
    const auto before = elementsOf(from), after = elementsOf(to);
    if (!before || before != after) return misfit;
  } else if (name == "splat") {
    if (!from.empty()) return "has a tensor for its operand";
  } else if (name == "join") {
    if (to.empty() || to.back() != 2 ||
        shapeOf(op.getOperand(1).getType()) != from ||
        Sides(to.begin(), to.end() - 1) != from)
      return misfit;
  } else if (name == "convert_layout") {
    if (from != to) return misfit;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> brokenRule(Operation &op, StringRef name) {
  if (auto wrong = brokenCounts(op, name)) return wrong;
  if (name == "make_range") {
    const Sides to = shapeOf(op.getResult(0).getType());
    if (to.size() != 1) return "has no tensor of one dimension for its result";
    return std::nullopt;
  }
  if (name == "get_program_id" || name == "get_num_programs") {
    const auto axis = integerOf(op.getAttr("axis"));
    if (op.hasAttr("axis") && (!axis || *axis < 0 || *axis > 2))
      return "has an axis that is not x, y or z";
    return std::nullopt;
  }
  static constexpr StringRef kMoves[] = {"expand_dims",   "trans", "broadcast",
                                         "reshape",       "splat", "join",
                                         "convert_layout"};
  if (llvm::is_contained(kMoves, name)) return brokenMove(op, name);
  return std::nullopt;
}

}  // namespace indexical::triton
