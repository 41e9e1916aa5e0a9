// Ops that read no operand: parameter, constant, iota, partition-id…
//
//   iota() -> s32[4,8], iota_dimension=1      there is nothing to map
//
// Operands that are there all the same (of an after-all, say) are not read: no
// pieces, exact. An op that returns a size reads no element either, but it
// reads an operand that says which dimension:
//
//   tensor.dim %t, %c     %t  no pieces     %c  () -> ()
#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {

std::string ConstantOp::canonicalBits(llvm::StringRef bytes,
                                      size_t elementBytes) {
  const llvm::StringRef first = bytes.take_front(elementBytes);
  bool allEqual = true;
  for (size_t i = 0; allEqual && i < bytes.size(); i += elementBytes)
    allEqual = bytes.substr(i, elementBytes) == first;
  if (allEqual) bytes = first;
  if (bytes.size() <= kMostBytes) return bytes.str();
  const auto digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes));
  return std::string(digest.begin(), digest.end());
}

namespace families {

/// C1 of get_dimension_size.
absl::Status verify(const NullaryOp &op) {
  // All sizes are a list; of two operands the second one says the dimension.
  if (!op.sizeOf || op.operands.size() != 1 || !op.results[0].isScalar())
    return absl::OkStatus();
  return checkRange("C1", {"dimensions", "dimension"}, {*op.sizeOf},
                    op.operands[0].rank(), "rank(operand)");
}

Answer reads(const NullaryOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  return op.sizeOf && operand > 0 ? sides.everything() : sides.nothing();
}

absl::Status verify(const ConstantOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 0, 1));
  if (op.values.empty() || !isFixed(op.results[0])) return absl::OkStatus();
  const int64_t count = op.values.size();
  if (op.results[0].elementCount() == count) return absl::OkStatus();
  return invalid(absl::StrCat("a constant ", textOf(op.results[0]), " with ",
                              count, " values; it would have one an element"));
}

Answer reads(const ConstantOp &, const Sides &sides, int64_t, int64_t) {
  return sides.nothing();
}

/// C1: the dimension. Of dynamic_iota also C2.
absl::Status verify(const IotaOp &op) {
  const ArrayShape *given = op.operands.empty() ? nullptr : &op.operands[0];
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, given ? 1 : 0, 1));
  const int64_t rank = op.results[0].rank();
  if (auto s = checkRange("C1", "iota_dimension", {op.dimension}, rank,
                          "rank(result)");
      !s.ok() || !given)
    return s;
  return checkList("C2", {"the operand of sizes", "output_shape"}, *given, rank,
                   "the rank of the result");
}

Answer reads(const IotaOp &, const Sides &sides, int64_t, int64_t) {
  return sides.everything();
}

void addSizeRules(const IotaOp &op, SizeCollector &c) {
  if (!op.operands.empty()) c.given(0);
}

}  // namespace families
}  // namespace indexical
