#include "indexical/program/kernel/vectors.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "llvm/ADT/STLExtras.h"

namespace indexical::kernels {

namespace {

/// Stands for the divisor of 0, which every number divides. Divisors are capped
/// at it.
constexpr int64_t kMostDivisor = int64_t{1} << 62;

/// Returns the highest power of two that divides the number.
int64_t powerIn(int64_t number) {
  // Without a sign: the power in -2^63 is 2^63.
  const auto bits = static_cast<uint64_t>(number);
  if (bits == 0) return kMostDivisor;
  return std::min<uint64_t>(kMostDivisor, bits & (~bits + 1));
}

int64_t timesCapped(int64_t a, int64_t b) {
  return a > kMostDivisor / b ? kMostDivisor : a * b;
}

bool isCompare(TermKind kind) {
  return kind >= TermKind::Equal && kind <= TermKind::LessEqualU;
}

}  // namespace

AxisInfo AxisAnalysis::shared(const TermNode &term) const {
  AxisInfo info;
  int64_t divisor = 1;
  if (term.kind == TermKind::Constant) {
    divisor = powerIn(term.value);
    info.value = term.value;
  }
  if (term.kind == TermKind::Argument || term.kind == TermKind::Pointer)
    if (const auto given = divisors_.find(term.value); given != divisors_.end())
      divisor = powerIn(given->second);
  info.contiguity.assign(tile_.size(), 1);
  info.divisibility.assign(tile_.size(), divisor);
  info.constancy.assign(tile_.begin(), tile_.end());
  return info;
}

AxisInfo AxisAnalysis::leaf(const TermNode &term) {
  AxisInfo info = shared(term);
  if (term.kind == TermKind::Coordinate) {
    info.contiguity[term.value] = tile_[term.value];
    info.constancy[term.value] = 1;
    info.divisibility.assign(tile_.size(), 1);
    info.divisibility[term.value] = kMostDivisor;
  } else if (term.kind == TermKind::Loaded) {
    // Elements with one address and one mask are equal. Operand 1 is the result
    // if that is not so.
    for (TermId operand : term.operands)
      for (size_t d = 0; operand != term.operands[1] && d < tile_.size(); ++d)
        info.constancy[d] =
            std::gcd(info.constancy[d], known_[operand].constancy[d]);
  } else {
    // A value that is not known differs along the dimensions that it depends
    // on.
    for (TermId operand : term.operands)
      for (size_t d = 0; d < tile_.size(); ++d)
        if (known_[operand].constancy[d] < tile_[d]) info.constancy[d] = 1;
  }
  return info;
}

const AxisInfo &AxisAnalysis::of(TermId root, int64_t elementBytes) {
  std::set<TermId> todo = {root};
  std::set<TermId> needed;
  while (!todo.empty()) {
    const TermId at = *todo.rbegin();
    todo.erase(at);
    if (known_.count(at)) continue;
    needed.insert(at);
    for (TermId operand : terms_[at].operands) todo.insert(operand);
  }
  for (TermId at : needed) {
    const TermNode &term = terms_[at];
    known_[at] = term.kind <= TermKind::Unknown ? leaf(term)
                                                : combine(term, elementBytes);
  }
  return known_[root];
}

AxisInfo AxisAnalysis::combine(const TermNode &term, int64_t elementBytes) {
  const AxisInfo &a = known_[term.operands[0]];
  if (term.operands.size() == 1) {
    AxisInfo info = a;
    if (info.value) info.value = wrapped(*info.value, term.bits);
    return info;
  }
  const AxisInfo &b = known_[term.operands[1]];
  AxisInfo info;
  for (size_t d = 0; d < tile_.size(); ++d) {
    const int64_t ac = a.contiguity[d], bc = b.contiguity[d];
    const int64_t ak = a.constancy[d], bk = b.constancy[d];
    const int64_t ad = a.divisibility[d], bd = b.divisibility[d];
    int64_t contiguity = 1, divisibility = 1, constancy = std::gcd(ak, bk);
    switch (term.kind) {
      case TermKind::Add:
      case TermKind::PointerAdd:
        contiguity = std::max(std::gcd(ak, bc), std::gcd(ac, bk));
        divisibility = std::gcd(ad, term.kind == TermKind::Add
                                        ? bd
                                        : timesCapped(bd, elementBytes));
        break;
      case TermKind::Sub:
        contiguity = std::gcd(ac, bk);
        divisibility = std::gcd(ad, bd);
        break;
      case TermKind::Mul: {
        contiguity = b.value == 1 ? ac : a.value == 1 ? bc : 1;
        // Only the first element of a contiguous row is known to be divided.
        const int64_t left = ac > 1 && b.value != 1 ? 1 : ad;
        const int64_t right = bc > 1 && a.value != 1 ? 1 : bd;
        divisibility = timesCapped(left, right);
        break;
      }
      case TermKind::DivS:
      case TermKind::DivU:
        if (b.value == 1) {
          contiguity = ac;
          divisibility = ad;
        } else if (ac > 1) {
          // The quotients of a row are equal if the divisor is the same for the
          // row.
          if (bk >= ac)
            constancy = std::max(constancy, std::gcd(ac, std::gcd(ad, bd)));
        } else if (b.value && *b.value > 0) {
          divisibility = std::max<int64_t>(1, ad / powerIn(*b.value));
          if (*b.value != powerIn(*b.value)) divisibility = 1;
        }
        break;
      case TermKind::RemS:
      case TermKind::RemU:
        if (b.value == 1) break;
        contiguity = ac > 1 && bk >= ac ? std::gcd(ac, std::gcd(ad, bd)) : 1;
        if (contiguity > 1)
          divisibility = std::gcd(ad, bd);
        else if (ac == 1)
          divisibility = std::gcd(ad, bd);
        break;
      case TermKind::MinS:
      case TermKind::MinU:
      case TermKind::MaxS:
      case TermKind::MaxU:
        divisibility = std::gcd(ad, bd);
        contiguity = std::min(ac, bc);
        constancy = std::min(ak, bk);
        break;
      case TermKind::Shl:
        if (b.value && *b.value >= 0 && *b.value < 62 && ac == 1)
          divisibility = timesCapped(ad, int64_t{1} << *b.value);
        break;
      case TermKind::Select: {
        const AxisInfo &c = known_[term.operands[2]];
        const bool isWhole = a.constancy[d] >= tile_[d];
        contiguity = std::min(bc, c.contiguity[d]);
        constancy = std::min(bk, c.constancy[d]);
        divisibility = std::min(bd, c.divisibility[d]);
        if (!isWhole) {
          contiguity = std::gcd(a.constancy[d], contiguity);
          constancy = std::gcd(a.constancy[d], constancy);
        }
        break;
      }
      default:
        if (!isCompare(term.kind)) break;
        const bool isLess =
            term.kind == TermKind::LessS || term.kind == TermKind::LessU;
        const bool isLessEqual = term.kind == TermKind::LessEqualS ||
                                 term.kind == TermKind::LessEqualU;
        const int64_t common = std::gcd(ad, bd);
        if (isLess && bk >= ac)
          constancy = std::max(constancy, std::gcd(ac, common));
        if (isLessEqual && ak >= bc)
          constancy = std::max(constancy, std::gcd(bc, common));
        break;
    }
    info.contiguity.push_back(contiguity);
    info.divisibility.push_back(divisibility);
    info.constancy.push_back(constancy);
  }
  return info;
}

llvm::SmallVector<int64_t, 4> orderOf(const AxisInfo &pointer) {
  llvm::SmallVector<int64_t, 4> order;
  for (size_t k = 0; k < pointer.contiguity.size(); ++k) order.push_back(k);
  llvm::stable_sort(order, [&](int64_t a, int64_t b) {
    return pointer.contiguity[a] > pointer.contiguity[b];
  });
  return order;
}

int64_t alignedElements(const AxisInfo &pointer, int64_t dimension,
                        int64_t elementBytes, int64_t vectorBytes) {
  const int64_t aligned =
      std::max<int64_t>(1, pointer.divisibility[dimension] / elementBytes);
  return std::max<int64_t>(
      1, std::min({aligned, pointer.contiguity[dimension],
                   std::max<int64_t>(1, vectorBytes / elementBytes)}));
}

}  // namespace indexical::kernels
