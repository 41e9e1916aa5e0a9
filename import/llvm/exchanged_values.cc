// What lanes of a warp give each other.
//
//   %b = shfl.sync.bfly %a, 16     %b of lane l is %a of lane l xor 16
//   %c = fadd %a, %b               … and so on down to 1: the sum of %a over
//                                  all lanes
//
// A tree of shuffles over lanes that differ in some bits is one reduction over
// them. What follows has that for the laws of reductions, whose order a kernel
// settles.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/llvm/stored_values.h"

namespace indexical::compiled {

using kernels::KernelValue;
using llvm::dyn_cast;
using llvm::StringRef;
using llvm::Value;

namespace {

/// How lanes exchange a value: with the lane whose number differs in the bits
/// of `by`, or with the one that is `by` lanes behind, or with lane `by`.
struct Shuffle {
  enum class Kind : uint8_t { Butterfly, Down, Index };
  Kind kind = Kind::Butterfly;
  int64_t by = 0;
  const Value *from = nullptr;
};

constexpr int64_t kLanes = 32;

std::optional<int64_t> numberOf(const Value *value) {
  const auto *number = dyn_cast<llvm::ConstantInt>(value);
  if (!number || number->getBitWidth() > 64) return std::nullopt;
  return number->getSExtValue();
}

/// Returns a shuffle of all lanes of a warp of 32.
std::optional<Shuffle> shuffleOf(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || call.arg_size() != 4) return std::nullopt;
  StringRef name = callee->getName();
  if (!name.consume_front("llvm.nvvm.shfl.sync.") ||
      (!name.consume_back(".i32") && !name.consume_back(".f32")))
    return std::nullopt;
  const auto members = numberOf(call.getArgOperand(0));
  const auto by = numberOf(call.getArgOperand(2));
  const auto clamp = numberOf(call.getArgOperand(3));
  if (members != -1 || !by || clamp != kLanes - 1 || *by < 0 || *by >= kLanes)
    return std::nullopt;
  Shuffle shuffle;
  shuffle.by = *by;
  shuffle.from = call.getArgOperand(1);
  if (name == "bfly")
    shuffle.kind = Shuffle::Kind::Butterfly;
  else if (name == "down")
    shuffle.kind = Shuffle::Kind::Down;
  else if (name == "idx")
    shuffle.kind = Shuffle::Kind::Index;
  else
    return std::nullopt;
  return shuffle;
}

const llvm::CallInst *shuffleBehind(const Value *value) {
  const auto *call = dyn_cast<llvm::CallInst>(withoutCasts(value));
  return call && shuffleOf(*call) ? call : nullptr;
}

/// Returns the lane's number with those bits of another number in place of its
/// own.
Expr withBits(IndexingMapBuilder &b, Expr thread, Expr number,
              llvm::ArrayRef<int64_t> bits) {
  Expr sum = thread;
  for (size_t k = 0; k < bits.size();) {
    // A run of bits is one quotient and remainder.
    size_t end = k + 1;
    while (end < bits.size() && bits[end] == bits[end - 1] + 1) ++end;
    const auto count = static_cast<int64_t>(end - k);
    const int64_t low = int64_t{1} << bits[k], size = int64_t{1} << count;
    Expr own = low == 1 ? thread : floorDiv(thread, low);
    own = mod(own, size);
    Expr other = k == 0 ? number : floorDiv(number, int64_t{1} << k);
    if (end < bits.size()) other = mod(other, size);
    sum = sum + (other - own) * low;
    k = end;
  }
  (void)b;
  return sum;
}

}  // namespace

std::string StoredValues::obstacleOfShuffle(const llvm::CallInst &call) {
  const auto &sides = tile_.sides();
  if (kernel_.lanes != kLanes || tile_.counts().back() != sides.back() ||
      sides.back() % kLanes != 0)
    return "lanes of a warp are not 32 neighbours along one side of the block";
  for (size_t k = 0; k < sides.size(); ++k)
    if (tile_.counts()[k] != sides[k])
      return "a warp has lanes that are not there";
  // All lanes have to be there.
  const TermId reached = terms_.reaches(call.getParent());
  const kernels::Terms &terms = terms_.terms();
  for (TermKind kind : {TermKind::Coordinate, TermKind::Unknown,
                        TermKind::Loaded, TermKind::Placeholder})
    if (terms.mentions(reached, kind))
      return "some lanes may not come to a shuffle";
  return "";
}

std::optional<KernelValue> StoredValues::exchanged(const KernelValue &made,
                                                   const llvm::CallInst &call,
                                                   int64_t bit) {
  const auto shuffle = shuffleOf(call);
  if (!shuffle) return std::nullopt;
  if (const std::string why = obstacleOfShuffle(call); !why.empty())
    return failed(made, why);
  KernelValue value = made;
  value.kind = Kind::Move;
  value.operands = {part(shuffle->from, bit, made.type)};
  auto addMap = [&](llvm::function_ref<Expr(IndexingMapBuilder &, Expr)> to) {
    const auto map =
        mapFrom(made, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile,
                          llvm::SmallVectorImpl<Expr> &results) {
          results.append(tile.begin(), tile.end());
          results.back() = to(b, tile.back());
        });
    if (map) value.maps.push_back({0, *map});
    return map.has_value();
  };
  const int64_t by = shuffle->by;
  bool isKnown = true;
  switch (shuffle->kind) {
    case Shuffle::Kind::Butterfly:
      isKnown = addMap([&](IndexingMapBuilder &, Expr thread) {
        Expr sum = thread;
        for (int64_t low = 1; low < kLanes; low *= 2) {
          if ((by & low) == 0) continue;
          const Expr own = low == 1 ? thread : floorDiv(thread, low);
          sum = sum + low - mod(own, 2) * (2 * low);
        }
        return sum;
      });
      break;
    case Shuffle::Kind::Down:
      // A lane that has none behind it gets its own value.
      isKnown = addMap([&](IndexingMapBuilder &b, Expr thread) {
                  b.constraint(mod(thread, kLanes), {0, kLanes - 1 - by});
                  return thread + by;
                }) &&
                (by == 0 || addMap([&](IndexingMapBuilder &b, Expr thread) {
                   b.constraint(mod(thread, kLanes), {kLanes - by, kLanes - 1});
                   return thread;
                 }));
      break;
    case Shuffle::Kind::Index:
      isKnown = addMap([&](IndexingMapBuilder &, Expr thread) {
        return floorDiv(thread, kLanes) * kLanes + by;
      });
      break;
  }
  if (!isKnown) return failed(made, "a shuffle is not followed");
  return value;
}

std::optional<KernelValue> StoredValues::reducedByLanes(
    const KernelValue &made, const llvm::Instruction &at, const ValueOp &op) {
  if (!isFreeOp(op) || at.getType()->isVectorTy()) return std::nullopt;
  // The steps, from the last one back.
  std::vector<int64_t> bits;
  std::optional<Shuffle::Kind> kind;
  const Value *base = &at;
  while (const auto *step = dyn_cast<llvm::Instruction>(withoutCasts(base))) {
    const auto own = valueOpOf(*step, 0);
    if (!own || own->name != op.name || own->isForeign != op.isForeign ||
        own->type != op.type || own->operands.size() != 2 ||
        !obstacleOf(*step).empty() || step->getType()->isVectorTy())
      break;
    const Value *from = nullptr;
    for (unsigned k : {0U, 1U}) {
      const llvm::CallInst *call = shuffleBehind(own->operands[k].value);
      const Value *other = withoutCasts(own->operands[1 - k].value);
      if (!call) continue;
      const Shuffle shuffle = *shuffleOf(*call);
      if (withoutCasts(shuffle.from) != other ||
          shuffle.kind == Shuffle::Kind::Index ||
          (kind && *kind != shuffle.kind) ||
          !llvm::isPowerOf2_64(static_cast<uint64_t>(shuffle.by)))
        continue;
      const auto bit = static_cast<int64_t>(
          llvm::Log2_64(static_cast<uint64_t>(shuffle.by)));
      if (llvm::is_contained(bits, bit) || !obstacleOfShuffle(*call).empty())
        continue;
      kind = shuffle.kind;
      bits.push_back(bit);
      from = other;
      break;
    }
    if (!from) break;
    base = from;
  }
  if (bits.empty()) return std::nullopt;
  llvm::sort(bits);
  const bool isDown = *kind == Shuffle::Kind::Down;
  // Sums of lanes behind are all lanes only if no number of them is left out.
  if (isDown && bits.back() != static_cast<int64_t>(bits.size()) - 1)
    return std::nullopt;
  const int64_t size = int64_t{1} << bits.size();
  KernelValue lanes = made;
  lanes.tile.push_back(size);
  const auto map =
      mapFrom(lanes, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile,
                         llvm::SmallVectorImpl<Expr> &to) {
        to.append(tile.begin(), tile.end() - 1);
        const Expr thread = to.back();
        if (isDown) b.constraint(mod(thread, size), Interval::point(0));
        to.back() = isDown ? thread + tile.back()
                           : withBits(b, thread, tile.back(), bits);
      });
  if (!map) return failed(made, "a shuffle is not followed");
  const int64_t number = part(base, 0, made.type);
  lanes = moved(std::move(lanes), number, *map);
  if (isDown)
    lanes.text = absl::StrCat("line ", made.line,
                              ": only the first lane has the sum of all");
  KernelValue sum = made;
  sum.kind = Kind::Reduce;
  sum.text = op.name;
  sum.axis = static_cast<int64_t>(made.tile.size());
  sum.operands = {add(std::move(lanes))};
  return sum;
}

}  // namespace indexical::compiled
