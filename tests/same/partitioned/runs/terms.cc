#include "tests/same/partitioned/runs/terms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include "indexical/ops/families.h"
#include "indexical/program/values/op_identity.h"
#include "tests/same/partitioned/runs/cell_values.h"

namespace indexical {
namespace {

using llvm::StringRef;
using Form = OpTerm::Form;
using Cells = llvm::ArrayRef<const DeviceCell *>;
using CellReads = llvm::ArrayRef<std::vector<const DeviceCell *>>;

/// Kinds of random functions.
enum Tag : uint64_t {
  kFunction,
  kIdentity,
  kConvert,
  kMeet,
  kFold,
  kProduct,
  kNegated,
};

/// Members of lattices' terms that are kept. What is not kept is an element of
/// the next one's as a whole, which can only make terms different.
constexpr int64_t kMostMembers = 20'000'000;

/// Operand leaves whose one element is the result's; others steer.
bool isMoved(const Op &op, size_t operand) {
  if (op.isOneOf<BroadcastOp, ReshapeOp, TransposeOp, SliceOp, ReverseOp,
                 ConcatenateOp>())
    return true;
  if (op.is<PadOp>()) return operand <= 1;
  if (op.isOneOf<DynamicSliceOp, GatherOp, DynamicReshapeOp>())
    return operand == 0;
  if (op.is<DynamicUpdateSliceOp>()) return operand <= 1;
  return op.is<BitcastOp>() &&
         op.descriptor().operands[0].type == op.descriptor().results[0].type;
}

bool hasTypes(const OpDescriptor &op, ElementType type) {
  return llvm::all_of(op.operands,
                      [&](const ArrayShape &s) { return s.type == type; });
}

Form formOf(const Op &op, StringRef fold) {
  const OpDescriptor &descriptor = op.descriptor();
  const size_t operands = descriptor.operands.size();
  if (operands > 0 && isMoved(op, 0) && isPlain(op)) return Form::Moved;
  if (op.isOneOf<ElementwiseOp, BroadcastingOp>()) return Form::Elementwise;
  if (fold.empty() || !isPlain(op) || descriptor.results.size() != 1)
    return Form::Function;
  const ElementType type = descriptor.results[0].type;
  if (op.isOneOf<ReduceOp, ReduceWindowOp>() && operands == 2 &&
      hasTypes(descriptor, type))
    return Form::Folded;
  if (op.is<ScatterOp>() && operands == 3 &&
      descriptor.operands[0].type == type &&
      descriptor.operands[2].type == type)
    return Form::Folded;
  return Form::Function;
}

/// Returns the dimensions of the result along which an op does the same thing
/// everywhere: it is a function of the elements that it reads, and of no place.
uint64_t batchOf(const Op &op) {
  constexpr uint64_t kAll = ~uint64_t(0);
  const OpDescriptor &descriptor = op.descriptor();
  const int64_t rank =
      descriptor.results.empty() ? 0 : descriptor.results[0].rank();
  auto allBut = [&](int64_t last) {
    if (rank > 63) return uint64_t(0);
    const int64_t first = std::max<int64_t>(rank - last, 0);
    return (uint64_t(1) << first) - 1;
  };
  if (op.isOneOf<ElementwiseOp, BroadcastingOp, ReduceOp>()) return kAll;
  if (const auto *sort = op.as<SortOp>())
    return rank > 63 ? 0 : allBut(0) & ~(uint64_t(1) << sort->dimension);
  if (op.is<TopKOp>()) return allBut(1);
  if (const auto *fft = op.as<FftOp>()) return allBut(fft->lengths.size());
  if (op.isOneOf<CholeskyOp, TriangularSolveOp>()) return allBut(2);
  if (op.is<BitcastConvertOp>())
    return rank > descriptor.operands[0].rank() ? allBut(1) : kAll;
  return 0;
}

bool isOfHlo(const Instruction &of) {
  return !of.opcode.contains('.') || of.opcode.starts_with("stablehlo.") ||
         of.opcode.starts_with("mhlo.");
}

bool isBatch(uint64_t batch, size_t dimension) {
  return dimension < 64 && (batch >> dimension & 1);
}

/// Whether two ops are one function of what they read.
bool isSameFunction(const OpTerm &a, const OpTerm &b) {
  const OpDescriptor &x = a.op.descriptor(), &y = b.op.descriptor();
  if (&a.op.family() != &b.op.family() || &a.op.kind() != &b.op.kind() ||
      x.configuration != y.configuration || a.batch != b.batch ||
      a.fold != b.fold || !a.op.family().equal(x, y))
    return false;
  auto isSame = [&](const ShapeList &mine, const ShapeList &its) {
    if (mine.size() != its.size()) return false;
    for (size_t k = 0; k < mine.size(); ++k) {
      if (mine[k].type != its[k].type || mine[k].rank() != its[k].rank())
        return false;
      for (int64_t d = 0; d < mine[k].rank(); ++d)
        if (!isBatch(a.batch, d) &&
            mine[k].dimensions[d] != its[k].dimensions[d])
          return false;
    }
    return true;
  };
  return isSame(x.operands, y.operands) && isSame(x.results, y.results);
}

/// The number of a cell in its ring: both zeros of a float are one.
TermNumber ringNumber(const DeviceCell &cell, ElementType type) {
  if (isReal(type) && cell.isKnown && cell.span.lower == 0) return {};
  return cell.number;
}

bool areFinite(Cells cells) {
  return llvm::all_of(cells, [](auto *c) { return c->isFinite; });
}

/// Whether a known cell is left out of a fold.
bool isNeutral(const DeviceCell &cell, StringRef fold, ElementType type) {
  if (!cell.isKnown) return false;
  if (isReal(type)) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float value = cell.span.lower;
    return fold == "maximum"   ? value == -kInfinity
           : fold == "minimum" ? value == kInfinity
           : fold == "add"     ? value == 0
                               : fold == "multiply" && value == 1;
  }
  const bool isSigned = elementTypeName(type).starts_with("s");
  const uint64_t top = uint64_t(1) << (std::max<int64_t>(bitsOf(type), 1) - 1);
  const int64_t lowest =
      isSigned ? wrapped(static_cast<int64_t>(top), type) : 0;
  const int64_t highest =
      wrapped(static_cast<int64_t>(isSigned ? top - 1 : ~uint64_t(0)), type);
  return cell.value == (fold == "maximum"    ? lowest
                        : fold == "minimum"  ? highest
                        : fold == "and"      ? wrapped(-1, type)
                        : fold == "multiply" ? 1
                                             : 0);
}

/// Whether it is the same real number in every execution.
bool isConstantNumber(const DeviceCell &cell, ElementType type) {
  return isReal(type) && cell.reads == 0 && cell.hasValue &&
         std::isfinite(cell.span.lower) && std::isfinite(cell.span.upper);
}

bool isPositive(const DeviceCell &cell, ElementType type) {
  return isConstantNumber(cell, type) && cell.span.lower > 0;
}

/// Whether the laws of division by it hold.
bool isDivisor(const DeviceCell &cell, ElementType type) {
  return isPositive(cell, type) ||
         (isConstantNumber(cell, type) && cell.span.upper < 0);
}

/// Whether an elementwise op makes a real number of all real numbers. Some do
/// not for some: a logarithm, a root, a quotient; an exponential is infinite
/// soon.
bool isTotal(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"abs", "add", "asinh", "atan", "cbrt", "ceil", "clamp", "complex",
              "copy", "cosine", "erf", "floor"},
             true)
      .Cases({"imag", "logistic", "maximum", "minimum", "multiply", "negate",
              "real", "round-nearest-afz", "round-nearest-even"},
             true)
      .Cases({"select", "sign", "sine", "square", "subtract", "tanh"}, true)
      .Default(false);
}

/// Whether no number of a type is too large for another one, of floats.
bool holdsAllOf(ElementType to, ElementType from) {
  if (isComplex(from) || isComplex(to)) return false;
  const bool isWide = to == ElementType::F64 || to == ElementType::F32 ||
                      to == ElementType::BF16;
  if (from == ElementType::Pred) return isWide || to == ElementType::F16;
  if (isInteger(from)) {
    const bool isSigned = elementTypeName(from).starts_with("s");
    return isWide ||
           (to == ElementType::F16 && bitsOf(from) <= (isSigned ? 16 : 15));
  }
  if (from == to || to == ElementType::F64) return true;
  // The largest numbers of f32 are rounded to infinity in bf16.
  if (from == ElementType::F64 || (from == ElementType::F32 && isWide))
    return false;
  return isWide;
}

/// Whether an op that is a function of all that it reads moves them, or adds
/// their products.
bool isTotalFunction(const Op &op) {
  return isPlain(op) && (op.isOneOf<SortOp, TopKOp, FftOp>() ||
                         op.kind().name == "convolution");
}

/// Whether a fold of the cells is a real number.
bool isFiniteFold(Cells cells, StringRef fold, ElementType type) {
  if (areFinite(cells)) return true;
  // Infinity bounds no number.
  if (fold != "maximum" && fold != "minimum") return false;
  return llvm::any_of(cells, [](auto *c) { return c->isFinite; }) &&
         llvm::all_of(cells, [&](auto *c) {
           return c->isFinite || isNeutral(*c, fold, type);
         });
}

}  // namespace

StringRef Terms::foldOf(StringRef name, ElementType type) {
  const bool isRing = name == "add" || name == "multiply";
  const bool isOrder = name == "maximum" || name == "minimum";
  const bool isBits = name == "and" || name == "or";
  if (type == ElementType::Pred)
    return name == "maximum" || name == "or"    ? "or"
           : name == "minimum" || name == "and" ? "and"
                                                : "";
  if (isInteger(type)) return isRing || isOrder || isBits ? name : "";
  if (isReal(type)) return isRing || isOrder ? name : "";
  return isComplex(type) && isRing ? name : "";
}

bool Terms::takesFunctions(const Instruction &of, const Op &op,
                           StringRef fold) {
  const Form form = formOf(op, fold);
  return !of.called.empty() && form != Form::Folded && form != Form::Moved;
}

OpTerm Terms::prepare(const Instruction &of, const Op &op, int64_t result,
                      StringRef fold, llvm::ArrayRef<TermNumber> functions) {
  OpTerm term;
  term.op = op;
  term.form = formOf(op, fold);
  term.result = result;
  term.type = op.descriptor().results[result].type;
  term.isPlain = isPlain(op) && isOfHlo(of);
  term.fold = term.form == Form::Folded ? fold : "";
  term.batch = batchOf(op);
  term.identity = identityOf(of, term, functions);
  return term;
}

TermNumber Terms::identityOf(const Instruction &of, const OpTerm &term,
                             llvm::ArrayRef<TermNumber> functions) {
  const size_t hash = llvm::hash_combine(
      llvm::StringRef(term.op.kind().name),
      llvm::StringRef(term.op.descriptor().configuration),
      term.op.family().hash(term.op.descriptor()), term.batch);
  size_t number = known_.size();
  const auto [begin, end] = byHash_.equal_range(hash);
  for (auto at = begin; at != end; ++at)
    if (isSameFunction(known_[at->second], term)) number = at->second;
  if (number == known_.size()) {
    byHash_.emplace(hash, number);
    known_.push_back(term);
  }
  TermHash identity(kIdentity);
  identity.add(number).add(term.result).add(functions.size());
  for (const TermNumber &each : functions) identity.add(each);
  if (!of.customCallTarget.empty())
    identity.add(of.customCallTarget).add(of.backendConfig);
  if (!isOfHlo(of)) identity.add(of.opcode);
  return identity.number();
}

TermNumber Terms::meet(StringRef fold, ElementType type, Cells cells) {
  std::vector<TermNumber> members;
  for (const DeviceCell *cell : cells) {
    if (isNeutral(*cell, fold, type)) continue;
    const auto known = lattices_.find(cell->number.first);
    if (known != lattices_.end() && known->second.number == cell->number &&
        known->second.fold == fold && known->second.type == type)
      llvm::append_range(members, known->second.members);
    else
      members.push_back(cell->number);
  }
  llvm::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (members.empty()) return cells.front()->number;
  if (members.size() == 1) return members.front();
  TermHash hash(kMeet);
  hash.add(fold).add(elementTypeName(type));
  for (const TermNumber &member : members) hash.add(member);
  const TermNumber number = hash.number();
  if (keptMembers_ < kMostMembers) {
    const int64_t count = members.size();
    if (lattices_
            .try_emplace(number.first,
                         Lattice{number, fold, type, std::move(members)})
            .second)
      keptMembers_ += count;
  }
  return number;
}

TermNumber Terms::foldedNumber(StringRef fold, ElementType type, Cells cells) {
  if (fold != "add" && fold != "multiply") return meet(fold, type, cells);
  if (fold == "multiply") return productNumber(type, cells);
  const TermRing ring = ringOf(type);
  TermNumber number = numberOf(0, ring);
  for (const DeviceCell *cell : cells)
    number = sum(number, ringNumber(*cell, type), ring);
  return number;
}

// What may be no real number is added and multiplied in any order, for infinity
// and NaN are, too. It does not cancel: a sum of it has no negative and no zero
// coefficients, as its negative and its products are numbers of their own.
// Positive constants are coefficients.
TermNumber Terms::productNumber(ElementType type, Cells cells) {
  const TermRing ring = ringOf(type);
  const bool isFinite = areFinite(cells);
  TermNumber scale = numberOf(1, ring);
  std::vector<TermNumber> rest;
  for (const DeviceCell *cell : cells) {
    const TermNumber number = ringNumber(*cell, type);
    if (isFinite || isPositive(*cell, type))
      scale = product(scale, number, ring);
    else
      rest.push_back(number);
  }
  if (rest.empty()) return scale;
  if (rest.size() == 1) return product(scale, rest[0], ring);
  TermNumber all = numberOf(1, ring);
  for (const TermNumber &number : rest) {
    auto known = products_.find(number.first);
    const bool isProduct =
        known != products_.end() && known->second.first == number;
    all = product(all, isProduct ? known->second.second : number, ring);
  }
  if (all.first == 0 || all.second == 0 || isComplex(type)) {
    // Zero times infinity is no number, and complex infinities are many.
    llvm::sort(rest);
    TermHash hash(kFold);
    hash.add("multiply").add(elementTypeName(type));
    for (const TermNumber &number : rest) hash.add(number);
    return product(scale, hash.number(), ring);
  }
  const TermNumber number =
      TermHash(kProduct).add(elementTypeName(type)).add(all).number();
  if (static_cast<int64_t>(products_.size()) < kMostMembers)
    products_.try_emplace(number.first, number, all);
  return product(scale, number, ring);
}

TermNumber Terms::negatedNumber(const DeviceCell &cell, ElementType type) {
  const TermNumber number = ringNumber(cell, type);
  if (cell.isFinite) return negated(number, ringOf(type));
  return TermHash(kNegated).add(elementTypeName(type)).add(number).number();
}

DeviceCell Terms::folded(StringRef fold, ElementType type, Cells cells) {
  DeviceCell cell;
  llvm::SmallVector<SetId, 16> sets;
  ValueFold value(fold, type);
  for (const DeviceCell *each : cells) {
    sets.push_back(each->reads);
    value.add(*each);
  }
  value.set(cell);
  cell.reads = sets_.unite(sets);
  cell.isFinite = isFiniteFold(cells, fold, type) ||
                  (cell.reads == 0 && isConstantNumber(cell, type));
  cell.number = cell.isKnown ? integerNumber(cell.value, type)
                             : foldedNumber(fold, type, cells);
  return cell;
}

DeviceCell Terms::converted(const DeviceCell &cell, ElementType from,
                            ElementType to) {
  if (from == to) return cell;
  DeviceCell result;
  result.reads = cell.reads;
  result.isFinite = isInteger(to) || (cell.isFinite && holdsAllOf(to, from));
  const bool integers = isInteger(from) && isInteger(to);
  if (cell.hasValue && integers) {
    result.value = wrapped(cell.value, to);
    result.hasValue = true;
    result.isKnown = cell.isKnown;
    if (cell.isKnown) {
      result.number = integerNumber(result.value, to);
      return result;
    }
  } else if (cell.hasValue && isReal(from) && isReal(to)) {
    ValueFold value("add", to);
    DeviceCell zero = constantCell(0, to);
    value.add(cell);
    value.add(zero);
    value.set(result);
  } else if (cell.hasValue && isInteger(from) && isReal(to) &&
             (cell.value >= 0 || elementTypeName(from).starts_with("s"))) {
    setValueOf(result, cell.value, to);
  }
  result.isFinite |= isConstantNumber(result, to);
  // The lowest bits of a polynomial are those of its variables' lowest bits.
  const bool isCut = integers && from != ElementType::Pred &&
                     to != ElementType::Pred && bitsOf(to) <= bitsOf(from);
  result.number = isCut ? cell.number
                        : TermHash(kConvert)
                              .add(elementTypeName(from))
                              .add(elementTypeName(to))
                              .add(cell.number)
                              .number();
  return result;
}

DeviceCell Terms::sumOfProducts(
    ElementType type,
    llvm::ArrayRef<std::pair<const DeviceCell *, const DeviceCell *>> pairs) {
  DeviceCell cell;
  llvm::SmallVector<SetId, 64> sets;
  ValueFold value("add", type);
  const TermRing ring = ringOf(type);
  for (auto [a, b] : pairs) {
    sets.push_back(a->reads);
    sets.push_back(b->reads);
    cell.isFinite &= a->isFinite && b->isFinite;
    value.addProduct(*a, *b);
    cell.number = sum(cell.number, productNumber(type, {a, b}), ring);
  }
  value.set(cell);
  cell.reads = sets_.unite(sets);
  if (pairs.empty()) {
    cell = constantCell(0, type);
  } else if (cell.isKnown) {
    cell.number = integerNumber(cell.value, type);
  }
  return cell;
}

DeviceCell Terms::elementwise(const OpTerm &term, Cells cells) {
  const StringRef name = term.op.kind().name;
  const OpDescriptor &descriptor = term.op.descriptor();
  const bool isOfType = term.isPlain && hasTypes(descriptor, term.type);
  const bool isOfRing = isOfType && term.type != ElementType::Pred;
  DeviceCell cell;
  // A true i1 of other dialects is -1.
  auto isFollowed = [&](const ArrayShape &s) {
    return term.isPlain || s.type != ElementType::Pred;
  };
  if (isPlain(term.op) && llvm::all_of(descriptor.operands, isFollowed))
    setComputedValue(cell, term.op, term.type, cells);
  const TermRing ring = ringOf(term.type);
  auto numberAt = [&](size_t k) { return ringNumber(*cells[k], term.type); };
  const bool isDivided = isOfRing && name == "divide" && cells.size() == 2 &&
                         isDivisor(*cells[1], term.type) &&
                         numberAt(1) != TermNumber();
  auto areConstant = [](const DeviceCell *c) { return c->reads == 0; };
  cell.isFinite =
      isInteger(term.type) ||
      (term.isPlain && areFinite(cells) && (isTotal(name) || isDivided)) ||
      (llvm::all_of(cells, areConstant) && isConstantNumber(cell, term.type));
  if (cell.isKnown) {
    cell.number = integerNumber(cell.value, term.type);
  } else if (term.isPlain && name == "convert" && cells.size() == 1) {
    const DeviceCell same =
        converted(*cells[0], descriptor.operands[0].type, term.type);
    cell.number = same.number;
    cell.isFinite |= same.isFinite;
  } else if (isOfType && name == "copy" && cells.size() == 1) {
    cell.number = cells[0]->number;
  } else if (const StringRef fold = foldOf(name, term.type);
             !fold.empty() && cells.size() == 2 && isOfType) {
    cell.number = foldedNumber(fold, term.type, cells);
  } else if (isOfRing && name == "subtract" && cells.size() == 2) {
    cell.number = sum(numberAt(0), negatedNumber(*cells[1], term.type), ring);
  } else if (isOfRing && name == "negate" && cells.size() == 1) {
    cell.number = negatedNumber(*cells[0], term.type);
  } else if (isDivided) {
    DeviceCell inverse = constantCell(1, term.type);
    inverse.number = *quotient(inverse.number, numberAt(1));
    if (cells[1]->span.upper < 0) inverse.span = {-1, -1};
    cell.number = productNumber(term.type, {cells[0], &inverse});
  } else {
    TermHash hash(kFunction);
    hash.add(term.identity);
    for (const DeviceCell *each : cells) hash.add(each->number);
    cell.number = hash.number();
  }
  return cell;
}

DeviceCell Terms::function(const OpTerm &term, llvm::ArrayRef<int64_t> index,
                           CellReads reads) {
  DeviceCell cell;
  cell.isFinite = isInteger(term.type) || isTotalFunction(term.op);
  TermHash hash(kFunction);
  hash.add(term.identity);
  for (auto [k, at] : llvm::enumerate(index))
    if (!isBatch(term.batch, k)) hash.add(at);
  for (const auto &cells : reads) {
    hash.add(cells.size());
    for (const DeviceCell *each : cells) {
      hash.add(each->number);
      cell.isFinite &= each->isFinite || isInteger(term.type);
    }
  }
  cell.number = hash.number();
  return cell;
}

DeviceCell Terms::of(const OpTerm &term, llvm::ArrayRef<int64_t> index,
                     CellReads reads) {
  llvm::SmallVector<SetId, 16> sets;
  llvm::SmallVector<const DeviceCell *, 16> cells;
  for (auto [k, each] : llvm::enumerate(reads))
    for (const DeviceCell *cell : each) {
      sets.push_back(cell->reads);
      const bool counts = term.form == Form::Moved  ? isMoved(term.op, k)
                          : term.op.is<ScatterOp>() ? k != 1
                                                    : true;
      if (counts) cells.push_back(cell);
    }
  DeviceCell result;
  if (term.form == Form::Moved && cells.size() == 1) {
    result = *cells[0];
  } else if (term.form == Form::Elementwise && !cells.empty() &&
             llvm::all_of(reads, [](auto &each) { return each.size() == 1; })) {
    if (term.op.kind().name == "select" && term.isPlain && cells.size() == 3 &&
        cells[0]->isKnown && cells[0]->reads == 0)
      return *cells[cells[0]->value ? 1 : 2];
    result = elementwise(term, cells);
  } else if (term.form == Form::Folded && !cells.empty() &&
             (!term.op.is<ReduceWindowOp>() ||
              llvm::all_of(reads.back(), [&](const DeviceCell *init) {
                return isNeutral(*init, term.fold, term.type);
              }))) {
    // Around a window stand numbers that change nothing.
    result = folded(term.fold, term.type, cells);
  } else {
    result = function(term, index, reads);
  }
  result.reads = sets_.unite(sets);
  return result;
}

}  // namespace indexical
