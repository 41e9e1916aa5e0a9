#include "indexical/same/values/open_sizes.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace {

// A number for each leaf of an instruction, and back.
constexpr int64_t kMostLeaves = int64_t{1} << 20;
// So often a size may be named by another one.
constexpr int kMostNames = 100;

int64_t placeOfLeaf(InstructionLeaf leaf) {
  return int64_t{leaf.instruction} * kMostLeaves + int64_t{leaf.leaf};
}

/// Adds a multiple; false if arithmetic leaves 64 bits.
bool addTimes(SizeSum &sum, const SizeSum &other, int64_t times) {
  auto added = [&](int64_t &to, int64_t by) {
    const auto product = checkedMul(by, times);
    const auto all = product ? checkedAdd(to, *product) : product;
    if (all) to = *all;
    return all.has_value();
  };
  if (!added(sum.constant, other.constant)) return false;
  for (const auto &[said, by] : other.terms) {
    int64_t &own = sum.terms[said];
    if (!added(own, by)) return false;
    if (own == 0) sum.terms.erase(said);
  }
  return true;
}

}  // namespace

bool SizeSum::operator==(const SizeSum &o) const {
  auto isSame = [](const auto &a, const auto &b) {
    return !(a.first < b.first) && !(b.first < a.first) && a.second == b.second;
  };
  return constant == o.constant && terms.size() == o.terms.size() &&
         std::equal(terms.begin(), terms.end(), o.terms.begin(), isSame);
}

OpenSizes::OpenSizes(const Module &module, ComputationId entry,
                     llvm::ArrayRef<int32_t> numbers)
    : entry_(module.computations[entry]),
      numbers_(numbers.begin(), numbers.end()),
      shapes_(entry_, placeOfLeaf) {}

std::optional<SizeSum> OpenSizes::sumOf(FormId form) const {
  const ExpressionTable &table = shapes_.table();
  SizeSum sum;
  sum.constant = table.constant(form);
  for (const auto &[atom, coefficient] : table.terms(form)) {
    if (table.atom(atom).kind != AtomKind::Variable) return std::nullopt;
    const SizeFacts::Variable &variable =
        shapes_.variable(table.atom(atom).variable().index);
    const int64_t tensor = variable.source.tensor - SizeFacts::kOutside;
    const bool isSize = variable.source.kind == RuntimeSource::Kind::Size;
    if (tensor < 0 ||
        (!isSize && variable.source.kind != RuntimeSource::Kind::Element))
      return std::nullopt;
    const Instruction &from = entry_.instructions[tensor / kMostLeaves];
    if (from.parameterNumber < 0) return std::nullopt;
    SaidNumber said;
    said.parameter = numbers_.empty() ? from.parameterNumber
                                      : numbers_[from.parameterNumber];
    said.leaf = LeafId(tensor % kMostLeaves);
    if (isSize)
      said.dimension = variable.source.dimension;
    else
      said.index = variable.index;
    SizeSum one;
    one.terms[said] = 1;
    if (!addTimes(sum, one, coefficient)) return std::nullopt;
  }
  return sum;
}

std::optional<SizeSum> OpenSizes::of(InstructionLeaf leaf, int64_t dimension) {
  const ArrayShape &shape =
      shapesOf(entry_.instructions[leaf.instruction].op).results[leaf.leaf];
  SizeSum sum;
  if (const auto size = sizeIfFixed(shape, dimension)) {
    sum.constant = *size;
    return sum;
  }
  const auto form = shapes_.size(leaf, dimension);
  return form ? sumOf(*form) : std::nullopt;
}

std::vector<std::pair<SaidNumber, SizeSum>> OpenSizes::forced() {
  std::vector<std::pair<SaidNumber, SizeSum>> all;
  for (auto [p, i] : llvm::enumerate(entry_.parameters)) {
    const ShapeList &leaves = shapesOf(entry_.instructions[i].op).results;
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf)
      for (int64_t k = 0; k < leaves[leaf].rank(); ++k) {
        if (sizeIfFixed(leaves[leaf], k)) continue;
        SaidNumber said;
        said.parameter =
            numbers_.empty() ? static_cast<int32_t>(p) : numbers_[p];
        said.leaf = LeafId(leaf);
        said.dimension = k;
        auto sum = of({i, LeafId(leaf)}, k);
        // What follows from several sizes is another condition.
        const bool isOne =
            sum && (sum->terms.empty() ||
                    (sum->terms.size() == 1 && sum->constant == 0 &&
                     sum->terms.begin()->second == 1 &&
                     sum->terms.begin()->first.dimension >= 0));
        if (isOne && !sum->terms.count(said))
          all.emplace_back(std::move(said), *std::move(sum));
      }
  }
  return all;
}

//===-- Known sizes -------------------------------------------------------===//

SizeSum KnownSums::replaced(const SaidNumber &said) const {
  SizeSum sum;
  sum.terms[said] = 1;
  for (int k = 0; k < kMostNames; ++k) {
    if (sum.terms.empty()) break;
    const auto found = instead_.find(sum.terms.begin()->first);
    if (found == instead_.end()) break;
    sum = found->second;
  }
  return sum;
}

void KnownSums::add(llvm::ArrayRef<std::pair<SaidNumber, SizeSum>> forced) {
  for (const auto &[said, sum] : forced) {
    SizeSum a = replaced(said);
    SizeSum b = sum.terms.empty() ? sum : replaced(sum.terms.begin()->first);
    if (a == b) continue;
    // A number stands for its sizes, else the first size does.
    if (a.terms.empty() ||
        (!b.terms.empty() && a.terms.begin()->first < b.terms.begin()->first))
      std::swap(a, b);
    // Two numbers: neither module runs.
    if (!a.terms.empty()) instead_[a.terms.begin()->first] = b;
  }
}

SizeSum KnownSums::known(const SizeSum &sum) const {
  SizeSum all;
  all.constant = sum.constant;
  for (const auto &[said, by] : sum.terms)
    if (!addTimes(all, replaced(said), by)) return sum;
  return all;
}

}  // namespace indexical
