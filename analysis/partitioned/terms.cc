// Cells as terms of the cells that they read.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/analysis/partitioned/all_devices.h"

namespace indexical {
namespace {

using llvm::StringRef;
using CellReads = llvm::ArrayRef<std::vector<const DeviceCell *>>;

uint64_t hashOf(StringRef text) {
  uint64_t hash = text.size();
  for (char c : text) hash = field::random(hash, static_cast<uint8_t>(c));
  return hash;
}

/// A random function of the op and of all that is read, in order.
uint64_t functionOf(const Op &op, int64_t result, llvm::ArrayRef<int64_t> index,
                    uint64_t usedDimensions, CellReads reads) {
  uint64_t number = hashOf(op.kind().name);
  number = field::random(number, hashOf(op.descriptor().configuration));
  number = field::random(number, result);
  for (auto [k, at] : llvm::enumerate(index))
    if (k >= 64 || !(usedDimensions >> k & 1))
      number = field::random(number, at);
  for (const auto &cells : reads) {
    number = field::random(number, cells.size());
    for (const DeviceCell *cell : cells)
      number = field::random(number, cell->number);
  }
  return number;
}

/// The integer that an elementwise op makes of integers.
std::optional<int64_t> integerOf(const Op &op,
                                 llvm::ArrayRef<const DeviceCell *> in) {
  if (!llvm::all_of(in, [](const DeviceCell *c) { return c->isKnown; }))
    return std::nullopt;
  const OpDescriptor &descriptor = op.descriptor();
  const ElementType type = descriptor.results[0].type;
  if (!isInteger(type)) return std::nullopt;
  for (const ArrayShape &operand : descriptor.operands)
    if (!isInteger(operand.type)) return std::nullopt;
  auto at = [&](size_t k) { return in[k]->value; };
  auto uAt = [&](size_t k) { return static_cast<uint64_t>(in[k]->value); };
  const StringRef name = op.kind().name;
  const bool isUnsigned =
      !elementTypeName(descriptor.operands[0].type).starts_with("s");
  if (in.size() == 1) {
    if (name == "convert" || name == "copy") return wrapped(at(0), type);
    if (name == "negate") return wrapped(0 - uAt(0), type);
    if (name == "not")
      return type == ElementType::Pred ? at(0) == 0 : wrapped(~at(0), type);
    if (name == "abs" && at(0) != INT64_MIN)
      return wrapped(std::abs(at(0)), type);
    return std::nullopt;
  }
  if (in.size() == 2) {
    if (name == "add") return wrapped(uAt(0) + uAt(1), type);
    if (name == "subtract") return wrapped(uAt(0) - uAt(1), type);
    if (name == "multiply") return wrapped(uAt(0) * uAt(1), type);
    if (name == "and") return at(0) & at(1);
    if (name == "or") return at(0) | at(1);
    if (name == "xor") return at(0) ^ at(1);
    if (name == "maximum")
      return isUnsigned ? (uAt(0) < uAt(1) ? at(1) : at(0))
                        : std::max(at(0), at(1));
    if (name == "minimum")
      return isUnsigned ? (uAt(0) < uAt(1) ? at(0) : at(1))
                        : std::min(at(0), at(1));
    if (name == "divide" || name == "remainder") {
      if (at(1) == 0 || (at(0) < 0 && isUnsigned) ||
          (at(1) == -1 && at(0) == INT64_MIN))
        return std::nullopt;
      return wrapped(name == "divide" ? at(0) / at(1) : at(0) % at(1), type);
    }
    if (name == "shift-right-logical" && at(0) >= 0 && at(1) >= 0 && at(1) < 63)
      return at(0) >> at(1);
    if (name == "shift-left" && at(1) >= 0 && at(1) < 63)
      return wrapped(uAt(0) << at(1), type);
    if (name == "compare") {
      const StringRef how = descriptor.configuration;
      const bool less = isUnsigned ? uAt(0) < uAt(1) : at(0) < at(1);
      auto says = [&](StringRef word) {
        return how.contains(("direction=" + word).str()) ||
               how.contains(("comparison_direction " + word + ">").str());
      };
      if (says("LT")) return less;
      if (says("LE")) return less || at(0) == at(1);
      if (says("GT")) return !less && at(0) != at(1);
      if (says("GE")) return !less;
      if (says("EQ")) return at(0) == at(1);
      if (says("NE")) return at(0) != at(1);
    }
    return std::nullopt;
  }
  if (in.size() == 3 && name == "clamp" && !isUnsigned)
    return std::min(std::max(at(1), at(0)), at(2));
  return std::nullopt;
}

/// Operand leaves whose one element is the result's; others steer.
bool isMoved(const Op &op, size_t operand) {
  if (op.isOneOf<BroadcastOp, ReshapeOp, TransposeOp, SliceOp, ReverseOp,
                 ConcatenateOp, ForwardOp, StartOp>())
    return true;
  if (op.is<PadOp>()) return operand <= 1;
  if (op.is<DynamicSliceOp>() || op.is<GatherOp>()) return operand == 0;
  if (op.is<DynamicUpdateSliceOp>()) return operand <= 1;
  if (op.is<BitcastOp>())
    return op.descriptor().operands[0].type == op.descriptor().results[0].type;
  return op.kind().name == "copy";
}

}  // namespace

DeviceCell termOf(const Op &op, StringRef reducer, int64_t result,
                  llvm::ArrayRef<int64_t> index, uint64_t usedDimensions,
                  CellReads reads, ElementSets &sets) {
  DeviceCell cell;
  llvm::SmallVector<SetId, 16> all;
  llvm::SmallVector<const DeviceCell *, 4> flat, moved;
  for (auto [k, cells] : llvm::enumerate(reads))
    for (const DeviceCell *each : cells) {
      all.push_back(each->reads);
      cell.isFree &= each->isFree;
      if (flat.size() < 4) flat.push_back(each);
      if (isMoved(op, k)) moved.push_back(each);
    }
  const StringRef name = op.kind().name;
  const bool elementwise = op.is<ElementwiseOp>() || op.is<BroadcastingOp>();
  if (name == "select" && flat.size() == 3 && flat[0]->isKnown &&
      flat[0]->reads == 0)
    return *flat[flat[0]->value ? 1 : 2];
  cell.reads = sets.unite(all);
  if (moved.size() == 1) {
    DeviceCell same = *moved[0];
    same.reads = cell.reads;
    return same;
  }
  if (elementwise && flat.size() == all.size())
    if (auto value = integerOf(op, flat)) {
      cell.isKnown = true;
      cell.value = *value;
      cell.number = field::of(*value);
      return cell;
    }
  const bool isFloat = !isInteger(op.descriptor().results[result].type) &&
                       !isComplex(op.descriptor().results[result].type);
  if (elementwise && flat.size() == all.size()) {
    if (flat.size() == 2 && name == "add")
      return cell.number = field::add(flat[0]->number, flat[1]->number), cell;
    if (flat.size() == 2 && name == "subtract")
      return cell.number =
                 field::add(flat[0]->number, field::negate(flat[1]->number)),
             cell;
    if (flat.size() == 2 && name == "multiply")
      return cell.number = field::multiply(flat[0]->number, flat[1]->number),
             cell;
    if (flat.size() == 2 && name == "divide" && isFloat && flat[1]->number != 0)
      return cell.number = field::multiply(flat[0]->number,
                                           field::inverse(flat[1]->number)),
             cell;
    if (flat.size() == 1 && name == "negate")
      return cell.number = field::negate(flat[0]->number), cell;
    if (flat.size() == 1 && name == "convert" && isFloat)
      return cell.number = flat[0]->number, cell;
  }
  if (op.is<DotOp>() && reads.size() == 2 &&
      reads[0].size() == reads[1].size()) {
    for (auto [a, b] : llvm::zip(reads[0], reads[1]))
      cell.number =
          field::add(cell.number, field::multiply(a->number, b->number));
    return cell;
  }
  if (op.is<ReduceOp>() && reads.size() == 2 && !reducer.empty()) {
    bool first = true;
    for (const auto &cells : reads)
      for (const DeviceCell *each : cells) {
        const uint64_t b = each->number, a = cell.number;
        cell.number = first                   ? b
                      : reducer == "add"      ? field::add(a, b)
                      : reducer == "multiply" ? field::multiply(a, b)
                      : reducer == "maximum" || reducer == "or"
                          ? std::max(a, b)
                          : std::min(a, b);
        first = false;
      }
    if (reducer != "add" && reducer != "multiply") cell.isFree = false;
    return cell;
  }
  cell.isFree = false;
  cell.number = functionOf(op, result, index, usedDimensions, reads);
  return cell;
}

}  // namespace indexical
