// Integers that are loaded from a table in the module.
//
//   @table = constant [4 x i32] [i32 3, i32 5, i32 7, i32 1]
//   load i32 of @table at byte 4 * i     3 + 2 * i for i below 3, else 1
//
// A load behind the end of a table, or of an address that is not aligned as the
// load says, is not defined, so that no such index counts.
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

#include "indexical/import/llvm/value_terms.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical::compiled {

namespace {

/// Numbers of a table that is written as cases. A value of a larger one is not
/// known, unless its index is a number.
constexpr int64_t kMostEntries = 64;

/// Numbers of a table whose distances are equal.
struct Run {
  int64_t from = 0;  ///< the index of the first
  int64_t first = 0, step = 0;
};

}  // namespace

std::optional<TermId> ValueTerms::inTable(const llvm::LoadInst &load,
                                          const llvm::Value *memory,
                                          TermId offset, int32_t bits) {
  const auto *table = llvm::dyn_cast<llvm::GlobalVariable>(memory);
  if (!table || !table->isConstant() || !table->hasDefinitiveInitializer())
    return std::nullopt;
  const llvm::TypeSize size = layout_.getTypeAllocSize(table->getValueType());
  if (size.isScalable()) return std::nullopt;
  const int64_t bytes = bits / 8;
  const int64_t last = static_cast<int64_t>(size.getFixedValue()) - bytes;
  auto at = [&](int64_t byte) -> std::optional<int64_t> {
    if (byte < 0 || byte > last) return std::nullopt;
    const auto *value = llvm::dyn_cast_or_null<llvm::ConstantInt>(
        llvm::ConstantFoldLoadFromConst(
            const_cast<llvm::Constant *>(table->getInitializer()),
            load.getType(),
            llvm::APInt(layout_.getIndexTypeSizeInBits(table->getType()), byte),
            layout_));
    if (!value) return std::nullopt;
    return value->getSExtValue();
  };
  if (terms_[offset].kind == TermKind::Constant) {
    const auto value = at(terms_[offset].value);
    if (!value) return std::nullopt;
    return number(*value, bits);
  }
  const auto step = static_cast<int64_t>(load.getAlign().value());
  if (last < 0 || last / step >= kMostEntries) return std::nullopt;
  std::vector<Run> runs;
  for (int64_t k = 0; k <= last / step; ++k) {
    const auto value = at(k * step);
    if (!value) return std::nullopt;
    if (!runs.empty()) {
      Run &run = runs.back();
      const auto distance = checkedSub(*value, run.first);
      if (distance && k == run.from + 1) {
        run.step = *distance;
        continue;
      }
      if (distance && k > run.from + 1 &&
          *distance / (k - run.from) == run.step &&
          *distance % (k - run.from) == 0)
        continue;
    }
    runs.push_back({k, *value, 0});
  }
  const TermId index = make(TermKind::FloorDivS, 64, {offset, number(step)});
  std::optional<TermId> all;
  for (size_t k = runs.size(); k-- > 0;) {
    const Run &run = runs[k];
    const TermId moves = make(
        TermKind::Mul, 64,
        {make(TermKind::Sub, 64, {index, number(run.from)}), number(run.step)});
    const TermId value = resized(
        make(TermKind::Add, 64, {number(run.first), moves}), bits, false);
    all =
        all ? make(TermKind::Select, bits,
                   {make(TermKind::LessS, 1, {index, number(runs[k + 1].from)}),
                    value, *all})
            : value;
  }
  return all;
}

}  // namespace indexical::compiled
