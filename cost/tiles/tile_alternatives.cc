#include "indexical/cost/tiles/tile_alternatives.h"

#include <algorithm>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include "indexical/cost/tiles/tile_forms.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/shape.h"

namespace indexical {
namespace {

/// Symbols that are looked at: there are 3^n cases.
constexpr size_t kMostSymbols = 4;
/// Sizes that are tried, to find which cases say more than others.
constexpr int64_t kMostTried = 4096;
/// Sizes that are tried by their numbers, if there are no more.
constexpr int64_t kMostByNumbers = 256;

class Alternatives {
 public:
  Alternatives(const InstructionTile &tile, const RootTile &root)
      : tile_(tile), root_(root), names_(root.symbols()) {}

  absl::StatusOr<std::vector<SizeCase>> find() {
    const SymbolicTile &usual = tile_.tile;
    if (names_.empty() || !usual.isExact() || usual.conditions().empty())
      return std::vector<SizeCase>();
    if (!bound()) return std::vector<SizeCase>();
    cases_.push_back({{}, usual});
    addSamples();
    INDEXICAL_RETURN_IF_ERROR(addFixed());
    if (areAllSizes_) INDEXICAL_RETURN_IF_ERROR(addNumbers());
    if (cases_.size() == 1) cases_.clear();
    return std::move(cases_);
  }

 private:
  /// Finds the symbols that the tile depends on, and their greatest values.
  /// Returns false if these are not known, or too many.
  bool bound() {
    const IndexingMap &map = tile_.map;
    llvm::SmallBitVector used(root_.shape.size());
    auto use = [&](VariableId id) {
      if (id.kind == VariableKind::Dimension) used.set(id.index);
    };
    map.expressions().visitVariables(map.resultsAndMembers(), use);
    for (const Constraint &constraint : map.constraints())
      map.expressions().visitVariables(constraint.form, use);
    most_.assign(names_.size(), Interval::kInfinity);
    for (size_t k = 0; k < root_.shape.size(); ++k) {
      if (!root_.strides.empty() && root_.strides[k].isSymbol() && used.test(k))
        return false;
      if (!root_.sizes[k].isSymbol() || root_.shape[k] == kDynamicSize)
        continue;
      const size_t s = llvm::find(names_, root_.sizes[k].name) - names_.begin();
      most_[s] = std::min(most_[s], std::max<int64_t>(1, root_.shape[k]));
      if (used.test(k) && !llvm::is_contained(symbols_, s))
        symbols_.push_back(s);
    }
    return !symbols_.empty() && symbols_.size() <= kMostSymbols &&
           llvm::all_of(symbols_, [&](size_t s) {
             return most_[s] < (int64_t{1} << 40);
           });
  }

  std::vector<int64_t> someSizes(int64_t most, int64_t count) const {
    std::set<int64_t> sizes = {1, most};
    if (most <= count) {
      for (int64_t size = 1; size <= most; ++size) sizes.insert(size);
    } else {
      for (int64_t size = 2; size < most; size *= 2)
        for (int64_t near : {size, most / size, size - 1, size + 1})
          if (near >= 1 && near <= most) sizes.insert(near);
      for (int64_t size = 1; size <= std::min<int64_t>(most / size, 1000);
           ++size)
        if (most % size == 0) sizes.insert({size, most / size});
    }
    return {sizes.begin(), sizes.end()};
  }

  void addSamples() {
    int64_t all = 1;
    for (size_t s : symbols_) all = boundedProduct(all, most_[s]);
    areAllSizes_ = all <= kMostByNumbers;
    const int64_t each = all <= kMostTried      ? kMostTried
                         : symbols_.size() == 1 ? 1024
                         : symbols_.size() == 2 ? 48
                                                : 12;
    samples_ = {std::vector<int64_t>(names_.size(), 1)};
    for (size_t s : symbols_) {
      std::vector<std::vector<int64_t>> longer;
      for (const auto &sample : samples_)
        for (int64_t size : someSizes(most_[s], each)) {
          if (static_cast<int64_t>(longer.size()) == kMostTried) break;
          longer.push_back(sample);
          longer.back()[s] = size;
        }
      samples_ = std::move(longer);
    }
    drop(cases_[0]);
  }

  /// Leaves the samples for which the case does not hold. Returns whether there
  /// were others.
  bool drop(const SizeCase &of) {
    const size_t before = samples_.size();
    llvm::erase_if(samples_, [&](const auto &each) { return of.holds(each); });
    return samples_.size() < before;
  }

  /// Adds the cases in which some sizes are 1, or all of their dimensions, the
  /// most general ones first.
  absl::Status addFixed() {
    size_t count = 1;
    for (size_t i = 0; i < symbols_.size(); ++i) count *= 3;
    for (size_t fixed = 1; fixed <= symbols_.size(); ++fixed)
      for (size_t number = 1; number < count && !samples_.empty(); ++number) {
        SizeCase tried;
        size_t rest = number;
        for (size_t s : symbols_) {
          if (rest % 3 == 1) tried.fixed.push_back({s, 1});
          if (rest % 3 == 2) tried.fixed.push_back({s, most_[s]});
          rest /= 3;
        }
        if (tried.fixed.size() == fixed) INDEXICAL_RETURN_IF_ERROR(add(tried));
      }
    return absl::OkStatus();
  }

  /// Adds the sizes that are still left and have a tile as numbers.
  absl::Status addNumbers() {
    const auto left = samples_;
    for (const auto &sample : left) {
      SizeCase tried;
      for (size_t s : symbols_) tried.fixed.push_back({s, sample[s]});
      INDEXICAL_RETURN_IF_ERROR(add(tried));
    }
    return absl::OkStatus();
  }

  absl::Status add(SizeCase tried) {
    RootTile root = root_;
    for (TileExtent &size : root.sizes)
      for (auto [s, value] : tried.fixed)
        if (size.name == names_[s]) size = TileExtent::of(value);
    INDEXICAL_ASSIGN_OR_RETURN(
        tried.tile, tileThrough(tile_.map, root, tile_.shape, tile_.isMapExact,
                                tile_.open));
    if (tried.tile.isExact() && drop(tried)) cases_.push_back(std::move(tried));
    return absl::OkStatus();
  }

  const InstructionTile &tile_;
  const RootTile &root_;
  const std::vector<std::string> names_;
  std::vector<int64_t> most_;
  llvm::SmallVector<size_t, 4> symbols_;
  std::vector<std::vector<int64_t>> samples_;  ///< that no case admits
  bool areAllSizes_ = false;
  std::vector<SizeCase> cases_;
};

}  // namespace

std::vector<std::string> SizeCase::texts(const RootTile &root) const {
  const auto names = root.symbols();
  std::vector<std::string> texts;
  for (auto [s, value] : fixed)
    texts.push_back(names[s] + " in " + Interval::point(value).str());
  for (const Constraint &condition : tile.conditions())
    texts.push_back(tile.str(condition));
  return texts;
}

bool SizeCase::holds(llvm::ArrayRef<int64_t> symbols) const {
  for (auto [s, value] : fixed)
    if (symbols[s] != value) return false;
  // The tile has the symbols that are left, in order.
  std::vector<int64_t> left;
  for (size_t s = 0; s < symbols.size(); ++s)
    if (llvm::none_of(fixed, [&](const auto &of) { return of.first == s; }))
      left.push_back(symbols[s]);
  return tile.isExactFor(left);
}

absl::StatusOr<std::vector<SizeCase>> alternativesOf(
    const InstructionTile &tile, const RootTile &root) {
  return Alternatives(tile, root).find();
}

}  // namespace indexical
