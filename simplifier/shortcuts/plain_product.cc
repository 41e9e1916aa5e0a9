#include "indexical/simplifier/shortcuts/plain_product.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/plain_map.h"
#include "indexical/simplifier/shortcuts/plain_results.h"
#include "indexical/simplifier/simplified.h"

namespace indexical {
std::optional<IndexingMap> plainProduct(const IndexingMap &first,
                                        const IndexingMap &second) {
  if (first.results().size() != second.dimensions().size() ||
      !isPlainBox(first) || !isPlainBox(second))
    return std::nullopt;
  llvm::SmallVector<PlainResult, 6> inner, results;
  for (auto [form, v] : llvm::zip_equal(first.results(), second.dimensions())) {
    const auto result = plainResult(first, form);
    if (!result || !isInside(first, *result, v.bounds)) return std::nullopt;
    inner.push_back(*result);
  }
  llvm::SmallVector<bool, 6> isRead(first.ranges().size(), false);
  for (FormId form : second.results()) {
    const auto outer = plainResult(second, form);
    if (!outer) return std::nullopt;
    results.push_back(*outer);
    if (outer->coefficient == 0) continue;
    const VariableId id = VariableId::fromKey(outer->variable);
    if (id.kind != VariableKind::Dimension) continue;
    const auto product =
        scaled(inner[id.index], outer->coefficient, outer->constant);
    if (!product) return std::nullopt;
    results.back() = *product;
    if (product->coefficient == 0) continue;
    const VariableId read = VariableId::fromKey(product->variable);
    if (read.kind != VariableKind::Range) continue;
    if (isRead[read.index]) return std::nullopt;
    isRead[read.index] = true;
    // Told apart from the second's own below.
    results.back().variable =
        VariableId{VariableKind::Range,
                   static_cast<uint32_t>(second.ranges().size()) + read.index}
            .key();
  }
  llvm::SmallVector<Interval, 6> dimensions, ranges;
  for (const Variable &v : first.dimensions()) dimensions.push_back(v.bounds);
  for (const Variable &v : second.ranges()) ranges.push_back(v.bounds);
  llvm::SmallVector<uint32_t, 6> numbers;
  for (auto [v, read] : llvm::zip_equal(first.ranges(), isRead)) {
    numbers.push_back(ranges.size());
    if (read) ranges.push_back(v.bounds);
  }
  for (PlainResult &result : results) {
    if (result.coefficient == 0) continue;
    VariableId id = VariableId::fromKey(result.variable);
    if (id.kind != VariableKind::Range || id.index < second.ranges().size())
      continue;
    id.index = numbers[id.index - second.ranges().size()];
    result.variable = id.key();
  }
  auto product = plainMap(dimensions, ranges, results);
  if (!product || !isSimplified(*product)) return std::nullopt;
  return product;
}

}  // namespace indexical
