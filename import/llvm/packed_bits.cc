#include "indexical/import/llvm/packed_bits.h"

#include <utility>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include "indexical/import/llvm/value_ops.h"

namespace indexical::compiled {

using llvm::dyn_cast;
using llvm::isa;
using llvm::StringRef;
using llvm::Value;

bool isIntegerName(StringRef type) {
  return type == "pred" || type.starts_with("s") || type.starts_with("u");
}

int64_t bitsIn(const llvm::Type *type) {
  if (const auto *all = dyn_cast<llvm::StructType>(type)) {
    int64_t bits = 0;
    for (const llvm::Type *each : all->elements()) bits += bitsIn(each);
    return bits;
  }
  const auto bits = type->getPrimitiveSizeInBits();
  return bits.isScalable() ? 0 : static_cast<int64_t>(bits.getFixedValue());
}

namespace {

/// Returns the first bit of the element of an aggregate, and its bits.
std::optional<std::pair<int64_t, int64_t>> placeIn(const llvm::Type *type,
                                                   unsigned index) {
  const auto *all = dyn_cast<llvm::StructType>(type);
  if (!all || index >= all->getNumElements()) return std::nullopt;
  int64_t first = 0;
  for (unsigned k = 0; k < index; ++k) first += bitsIn(all->getElementType(k));
  return std::pair(first, bitsIn(all->getElementType(index)));
}

/// Returns what an instruction that only packs, unpacks or renames bits has
/// there, or nothing.
std::optional<Part> repacked(const Value *value, int64_t bit, int64_t bits) {
  using namespace llvm::PatternMatch;
  const auto *at = dyn_cast<llvm::Instruction>(value);
  if (!at) return std::nullopt;
  if (isa<llvm::BitCastInst>(at) || isa<llvm::FreezeInst>(at)) {
    const Value *from = at->getOperand(0);
    if (from->getType()->isPtrOrPtrVectorTy() || bitsIn(from->getType()) == 0)
      return std::nullopt;
    return Part{from, bit};
  }
  if (const auto *extract = dyn_cast<llvm::ExtractElementInst>(at)) {
    const auto *index = dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
    const int64_t own = bitsIn(at->getType());
    const auto *from =
        dyn_cast<llvm::FixedVectorType>(extract->getVectorOperandType());
    if (!index || !from || index->getValue().uge(from->getNumElements()))
      return std::nullopt;
    return Part{extract->getVectorOperand(),
                static_cast<int64_t>(index->getZExtValue()) * own + bit};
  }
  if (const auto *insert = dyn_cast<llvm::InsertElementInst>(at)) {
    const auto *index = dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    const int64_t own = bitsIn(insert->getOperand(1)->getType());
    const auto *type = dyn_cast<llvm::FixedVectorType>(at->getType());
    if (!index || !type || index->getValue().uge(type->getNumElements()))
      return std::nullopt;
    const int64_t first = static_cast<int64_t>(index->getZExtValue()) * own;
    if (bit >= first && bit + bits <= first + own)
      return Part{insert->getOperand(1), bit - first};
    if (bit + bits <= first || bit >= first + own)
      return Part{insert->getOperand(0), bit};
    return std::nullopt;
  }
  if (const auto *shuffle = dyn_cast<llvm::ShuffleVectorInst>(at)) {
    const auto *type =
        dyn_cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType());
    if (!type || !isa<llvm::FixedVectorType>(at->getType()))
      return std::nullopt;
    const int64_t own = bitsIn(type->getElementType());
    if (own == 0 || bit / own != (bit + bits - 1) / own) return std::nullopt;
    const int from = shuffle->getMaskValue(static_cast<unsigned>(bit / own));
    const int count = static_cast<int>(type->getNumElements());
    if (from < 0) return std::nullopt;
    return Part{shuffle->getOperand(from < count ? 0 : 1),
                (from % count) * own + bit % own};
  }
  if (const auto *extract = dyn_cast<llvm::ExtractValueInst>(at)) {
    const Value *from = extract->getAggregateOperand();
    const auto place = extract->getNumIndices() == 1
                           ? placeIn(from->getType(), extract->getIndices()[0])
                           : std::nullopt;
    if (!place) return std::nullopt;
    return Part{from, place->first + bit};
  }
  if (const auto *insert = dyn_cast<llvm::InsertValueInst>(at)) {
    const auto place = insert->getNumIndices() == 1
                           ? placeIn(at->getType(), insert->getIndices()[0])
                           : std::nullopt;
    if (!place) return std::nullopt;
    const auto [first, own] = *place;
    if (bit >= first && bit + bits <= first + own)
      return Part{insert->getInsertedValueOperand(), bit - first};
    if (bit + bits <= first || bit >= first + own)
      return Part{insert->getAggregateOperand(), bit};
    return std::nullopt;
  }
  if (!at->getType()->isIntegerTy()) return std::nullopt;
  // Halves of an integer.
  Value *x = nullptr, *y = nullptr;
  const llvm::APInt *by = nullptr;
  auto isWithin = [&](const Value *from, int64_t first) {
    return first >= 0 && first + bits <= bitsIn(from->getType());
  };
  if (match(at, m_Trunc(m_Value(x))) && isWithin(x, bit)) return Part{x, bit};
  if (match(at, m_ZExt(m_Value(x))) && isWithin(x, bit)) return Part{x, bit};
  if (match(at, m_LShr(m_Value(x), m_APInt(by))) && by->ult(64) &&
      isWithin(x, bit + static_cast<int64_t>(by->getZExtValue())))
    return Part{x, bit + static_cast<int64_t>(by->getZExtValue())};
  if (match(at, m_Shl(m_Value(x), m_APInt(by))) && by->ult(64) &&
      isWithin(x, bit - static_cast<int64_t>(by->getZExtValue())))
    return Part{x, bit - static_cast<int64_t>(by->getZExtValue())};
  if (match(at, m_Or(m_Value(x), m_Value(y)))) {
    // What one side has no bits of is that of the other.
    auto isZero = [&](Value *side) {
      Value *inner = nullptr;
      const llvm::APInt *left = nullptr;
      if (match(side, m_ZExt(m_Value(inner))))
        return bit >= bitsIn(inner->getType());
      if (match(side, m_Shl(m_Value(inner), m_APInt(left))))
        return left->uge(bit + bits) ||
               (match(inner, m_ZExt(m_Value(inner))) && left->ult(64) &&
                bit >= static_cast<int64_t>(left->getZExtValue()) +
                           bitsIn(inner->getType()));
      return false;
    };
    if (isZero(x)) return Part{y, bit};
    if (isZero(y)) return Part{x, bit};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Part> samePart(const Value *value, int64_t bit, StringRef type) {
  const int64_t bits = bitsOfName(type);
  const auto *at = dyn_cast<llvm::Instruction>(value);
  if (!at || bits < 1) return std::nullopt;
  const bool isWhole = isIntegerName(type) && bit == 0 &&
                       at->getType()->isIntegerTy() &&
                       bitsIn(at->getType()) == bits;
  if (isWhole && !isa<llvm::BitCastInst>(at) && !isa<llvm::FreezeInst>(at) &&
      !isa<llvm::ExtractElementInst>(at) && !isa<llvm::ExtractValueInst>(at))
    return std::nullopt;
  return repacked(at, bit, bits);
}

}  // namespace indexical::compiled
