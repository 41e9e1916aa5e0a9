#include "indexical/import/triton/stored_values.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/value_ops.h"
#include "indexical/import/triton/value_types.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::triton {

using kernels::KernelValue;
using kernels::PieceSpace;
using kernels::PointerMap;
using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;
using Kind = KernelValue::Kind;

namespace {

// Values in values of more levels are not followed.
constexpr int kMostDeep = 2000;
/// What HLO has no one op for.
constexpr const char *kSeveralOps =
    ": what is reduced by several ops is not followed";

/// The bytes of a float, the least significant first.
std::string bytesOf(const llvm::APFloat &number) {
  const llvm::APInt bits = number.bitcastToAPInt();
  std::string bytes;
  for (unsigned at = 0; at < bits.getBitWidth(); at += 8)
    bytes.push_back(static_cast<char>(bits.extractBitsAsZExtValue(
        std::min(8U, bits.getBitWidth() - at), at)));
  return bytes;
}

std::string nameOfArgument(const PieceSpace &programs, unsigned number) {
  if (number < programs.argumentNames.size())
    return programs.argumentNames[number];
  return absl::StrCat("arg", number);
}

StringRef plainNameOf(Operation &op) {
  return op.getName().getStringRef().split('.').second;
}

bool isReduction(Operation &op) {
  return op.getName().getStringRef() == "tt.reduce";
}

/// Returns the value as the number, rounded to its type.
KernelValue literalOf(KernelValue value, mlir::Type type, double number) {
  llvm::APFloat rounded(number);
  bool isInexact = false;
  rounded.convert(llvm::cast<mlir::FloatType>(type).getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &isInexact);
  value.kind = Kind::Literal;
  value.text = bytesOf(rounded);
  return value;
}

/// Returns what a box has outside of its array: 1 if that is 0, 2 if it is NaN.
/// Returns nothing for another load, and if the descriptor comes from
/// elsewhere. An argument's is taken to be 0, as a host's descriptor has it.
std::optional<int64_t> paddingOfBox(Operation &op) {
  const StringRef name = op.getName().getStringRef();
  if (name != "tt.descriptor_load" && name != "tt.experimental_descriptor_load")
    return std::nullopt;
  const Value descriptor = op.getOperand(0);
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(descriptor)) {
    Operation *around = argument.getOwner()->getParentOp();
    if (!around->getName().getStringRef().ends_with(".func"))
      return std::nullopt;
    return 1;
  }
  Operation *made = descriptor.getDefiningOp();
  if (made->getName().getStringRef() != "tt.make_tensor_descriptor")
    return std::nullopt;
  return integerOf(made->getAttr("padding")).value_or(1);
}

/// Returns what the op stores, or adds, or nothing if it is not one of these.
std::optional<Value> storedOperand(Operation &op) {
  const StringRef name = op.getName().getStringRef();
  const unsigned count = op.getNumOperands();
  if (name == "tt.atomic_rmw" && count >= 2) {
    const auto by = op.getAttrOfType<mlir::StringAttr>(kOperationAttribute);
    if (by && (by.getValue() == "fadd" || by.getValue() == "add"))
      return op.getOperand(1);
  }
  if ((name == "tt.store" || name.ends_with(".insert")) && count >= 2)
    return op.getOperand(1);
  if (name == "amdg.buffer_store" && count >= 2) return op.getOperand(0);
  if ((name == "tt.descriptor_store" ||
       name == "tt.experimental_descriptor_store") &&
      count >= 2)
    return op.getOperand(count - 1);
  return std::nullopt;
}

/// Returns the op of a reduction with one operand, if its region is one op of
/// both arguments.
std::optional<ValueOp> reducerOf(Operation &op) {
  if (op.getNumRegions() != 1 || !op.getRegion(0).hasOneBlock())
    return std::nullopt;
  mlir::Block &body = op.getRegion(0).front();
  if (body.getNumArguments() != 2 || body.getOperations().size() != 2)
    return std::nullopt;
  Operation &inner = body.front();
  const auto yields = body.getTerminator()->getOperands();
  if (inner.getNumOperands() != 2 || inner.getNumResults() != 1 ||
      yields.size() != 1 || yields[0] != inner.getResult(0) ||
      hasFastMath(inner) || mayBePoison(inner))
    return std::nullopt;
  const Value a = inner.getOperand(0), b = inner.getOperand(1);
  const Value x = body.getArgument(0), y = body.getArgument(1);
  if (!(a == x && b == y) && !(a == y && b == x)) return std::nullopt;
  return valueOpOf(inner);
}

}  // namespace

StoredValues::StoredValues(Trace &trace, Operation *function,
                           PieceSpace programs,
                           std::map<int64_t, double> numbers,
                           std::function<int64_t(Operation *)> lineOf,
                           const Stop *stop, kernels::SizedTerms *sized)
    : trace_(trace),
      function_(function),
      programs_(std::move(programs)),
      numbers_(std::move(numbers)),
      lineOf_(std::move(lineOf)),
      stop_(stop),
      sized_(sized) {
  for (const TracedAccess &access : trace_.accesses)
    accesses_[access.op] = &access;
}

int64_t StoredValues::storedBy(const TracedAccess &store) {
  if (plainNameOf(*store.op) == "async_tma_copy_local_to_global")
    for (Value operand : store.op->getOperands().drop_front())
      if (memoryOf(operand.getType())) return heldBy(operand, store.op);
  const auto value = storedOperand(*store.op);
  return value && !mayBeNowhere(store) ? of(*value) : -1;
}

int64_t StoredValues::add(KernelValue value) {
  values_.push_back(std::move(value));
  return static_cast<int64_t>(values_.size()) - 1;
}

KernelValue StoredValues::unknown(KernelValue value, std::string reason) {
  value.kind = Kind::Unknown;
  value.operands.clear();
  value.maps.clear();
  value.text = std::move(reason);
  return value;
}

int64_t StoredValues::of(Value value) {
  if (auto known = known_.find(value); known != known_.end())
    return known->second;
  // What a loop carries is made of itself: it has a number first.
  const bool isCarried =
      llvm::isa<mlir::BlockArgument>(value) &&
      llvm::isa<mlir::scf::ForOp>(value.getParentBlock()->getParentOp());
  if (isCarried) known_[value] = add(unknown({}, "a loop is not followed"));
  ++depth_;
  KernelValue made = make(value);
  --depth_;
  if (isCarried) {
    const int64_t number = known_[value];
    values_[number] = std::move(made);
    return number;
  }
  const int64_t number = add(std::move(made));
  known_[value] = number;
  return number;
}

std::optional<PieceSpace::LoopCount> StoredValues::countOf(Operation *loop) {
  const auto traced = trace_.loops.find(loop);
  if (traced == trace_.loops.end()) return std::nullopt;
  PieceSpace space = programs_;
  for (Operation *at = loop->getParentOp(); at && at != function_;
       at = at->getParentOp())
    if (llvm::isa<mlir::scf::ForOp>(at)) {
      const auto outer = countOf(at);
      if (!outer) return std::nullopt;
      space.loops.insert(space.loops.begin() + programs_.loops.size(), *outer);
    }
  TermId trips = traced->second.trips;
  if (sized_) {
    const auto wide = sized_->wide(trips);
    if (!wide.ok()) return std::nullopt;
    trips = *wide;
  }
  const auto count =
      kernels::PieceMaker(trace_.terms, space, stop_).bounds(trips);
  if (!count.ok() || !count->hasUpper()) return std::nullopt;
  return PieceSpace::LoopCount{traced->second.number, count->upper};
}

std::optional<StoredValues::Loops> StoredValues::loopsOf(Value value) {
  return loopsAround(&value.getParentBlock()->front());
}

std::optional<StoredValues::Loops> StoredValues::loopsAround(Operation *op) {
  Loops loops;
  for (Operation *at = op->getParentOp(); at && at != function_;
       at = at->getParentOp()) {
    if (llvm::isa<mlir::scf::IfOp>(at) || isReduction(*at)) continue;
    if (!llvm::isa<mlir::scf::ForOp>(at)) return std::nullopt;
    const auto count = countOf(at);
    if (!count) return std::nullopt;
    loops.insert(loops.begin(), *count);
  }
  loops.insert(loops.begin(), programs_.loops.begin(), programs_.loops.end());
  return loops;
}

bool StoredValues::isOfIndices(TermId term) const {
  const kernels::Terms &terms = trace_.terms;
  for (TermKind kind :
       {TermKind::Loaded, TermKind::Unknown, TermKind::Placeholder})
    if (terms.mentions(term, kind)) return false;
  for (int64_t argument : terms.valuesOf(term, TermKind::Argument))
    if (!programs_.values.count(argument) &&
        !(sized_ && sized_->isSize(argument)))
      return false;
  return true;
}

absl::StatusOr<std::vector<PointerMap>> StoredValues::pieces(
    const KernelValue &of, TermId pointer, std::optional<TermId> mask,
    PiecesOf what) {
  PieceSpace space = programs_;
  space.loops = of.loops;
  space.tile = of.tile;
  if (sized_ && what == PiecesOf::Addresses)
    return sized_->elements(space, pointer, mask, stop_);
  if (sized_) {
    auto take = [&](TermId &term) {
      auto made =
          what == PiecesOf::Turns ? sized_->wide(term) : sized_->exact(term);
      if (made.ok()) term = *made;
      return made.status();
    };
    INDEXICAL_RETURN_IF_ERROR(take(pointer));
    if (mask) {
      INDEXICAL_RETURN_IF_ERROR(take(*mask));
    }
  }
  kernels::PieceMaker maker(trace_.terms, space, stop_);
  INDEXICAL_ASSIGN_OR_RETURN(auto maps, maker.elements(pointer, mask));
  if (maker.isCover())
    return absl::UnimplementedError("a part of a mask is not known");
  for (const PointerMap &map : maps)
    if (!map.map.runtime().empty())
      return absl::UnimplementedError("an index depends on values of memory");
  return maps;
}

std::optional<KernelValue> StoredValues::index(KernelValue value, TermId term) {
  kernels::Terms &terms = trace_.terms;
  if (!isOfIndices(term) || value.type.empty()) return std::nullopt;
  const TermId base = terms.leaf(TermKind::Pointer, 0, 64);
  auto add = [&](TermId number, std::optional<TermId> mask) {
    auto found = pieces(
        value, terms.make(TermKind::PointerAdd, 64, {base, number}), mask);
    if (!found.ok()) return false;
    value.maps.insert(value.maps.end(), found->begin(), found->end());
    return true;
  };
  value.kind = Kind::Index;
  if (value.type != "pred") {
    if (!add(terms.make(TermKind::SignExtend, 64, {term}), std::nullopt))
      return std::nullopt;
    return value;
  }
  const TermId isNot =
      terms.make(TermKind::Xor, 1, {term, terms.constant(1, 1)});
  if (!add(terms.constant(1, 64), term) || !add(terms.constant(0, 64), isNot))
    return std::nullopt;
  return value;
}

KernelValue StoredValues::spaceOf(Value value) const {
  KernelValue made;
  made.type = valueTypeOf(value.getType());
  made.tile = shapeOf(value.getType());
  Operation *around = value.getDefiningOp()
                          ? value.getDefiningOp()
                          : value.getParentBlock()->getParentOp();
  made.line = lineOf_(around);
  for (Operation *at = around; (at = at->getParentOfType<mlir::scf::IfOp>());)
    ++made.depth;
  return made;
}

KernelValue StoredValues::make(Value value) {
  KernelValue made = spaceOf(value);
  if (depth_ > kMostDeep || !hasStack(kStackOfQuestion))
    return unknown(made, "values are nested too deep");
  const auto loops = loopsOf(value);
  if (!loops)
    return unknown(made, absl::StrCat("line ", made.line,
                                      ": how often it is computed is not "
                                      "known"));
  made.loops = *loops;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
      argument && isReduction(*argument.getOwner()->getParentOp())) {
    made.kind = Kind::Given;
    made.axis = argument.getArgNumber();
    return made;
  }
  if (const auto known = trace_.known.find(value);
      isInteger(value.getType()) && known != trace_.known.end())
    if (auto found = index(made, known->second);
        found && !leavesOutUndefined(value, known->second))
      return *std::move(found);
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  if (!result) {
    auto argument = llvm::cast<mlir::BlockArgument>(value);
    Operation *parent = argument.getOwner()->getParentOp();
    const unsigned number = argument.getArgNumber();
    if (auto loop = llvm::dyn_cast<mlir::scf::ForOp>(parent);
        loop && number > 0)
      return carried(made, loop, number - 1);
    if (parent == function_ && argument.getOwner()->isEntryBlock()) {
      if (const auto given = numbers_.find(number); given != numbers_.end())
        return literalOf(made, value.getType(), given->second);
      made.kind = Kind::Argument;
      made.axis = number;
      made.text =
          absl::StrCat("the argument `", nameOfArgument(programs_, number),
                       "` has no value; --arg gives it one");
      return made;
    }
    return unknown(made, absl::StrCat("line ", made.line,
                                      ": what a block is given is not "
                                      "followed"));
  }
  Operation &op = *result.getOwner();
  const StringRef name = op.getName().getStringRef();
  const auto [space, plain] = name.split('.');
  if (made.type.empty())
    return unknown(made,
                   absl::StrCat("line ", made.line, ": HLO has no such type"));
  if (op.hasAttr(kUnknownAttribute))
    return unknown(made,
                   absl::StrCat("line ", made.line, ": the op is not known"));
  if (name == "arith.constant") return constant(made, op);
  if (accesses_.count(&op) && accesses_[&op]->kind == kernels::AccessKind::Load)
    return loaded(made, op);
  if (name == "tt.reduce") return reduced(made, op, result.getResultNumber());
  if (name == "tt.scan") return scanned(made, op);
  if (name == "tt.dot" || name == "ttng.warp_group_dot") {
    if (op.getNumOperands() < 3)
      return unknown(made, "a dot has too few operands");
    const auto isAsync = op.getAttrOfType<mlir::BoolAttr>("isAsync");
    if (op.hasAttr("isAsync") && (!isAsync || isAsync.getValue()))
      return unknown(made, absl::StrCat("line ", made.line,
                                        ": a product is not waited for"));
    made.kind = Kind::Dot;
    made.text = precisionOf(op);
    for (unsigned k : {0U, 1U, 2U}) made.operands.push_back(operandOf(op, k));
    if (op.getNumOperands() > 3)
      return unknown(made, absl::StrCat("line ", made.line,
                                        ": a dot may not "
                                        "add"));
    return made;
  }
  if (auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op))
    return looped(made, loop, result.getResultNumber());
  if (auto choice = llvm::dyn_cast<mlir::scf::IfOp>(op))
    return chosen(made, choice, result.getResultNumber());
  if (hasFastMath(op))
    return unknown(made,
                   absl::StrCat("line ", made.line,
                                ": the op lets its compiler use other laws"));
  if (const auto found = valueOpOf(op)) {
    made.kind = found->isForeign ? Kind::Foreign : Kind::Apply;
    made.text = found->name;
    made.excluding = excludingFlags(op);
    for (Value operand : op.getOperands())
      made.operands.push_back(spread(made, of(operand)));
    return made;
  }
  if (plain == "tmem_load" && op.getNumOperands() > 0) {
    made.kind = Kind::Move;
    made.operands = {tensorHeldBy(op.getOperand(0), &op)};
    const auto same =
        placed(made, [](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile,
                        llvm::SmallVectorImpl<Expr> &to) {
          to.append(tile.begin(), tile.end());
        });
    if (!same) return unknown(made, "tensor memory is not followed");
    made.maps = {{0, *same}};
    return made;
  }
  if (space == "tt" || space == "ttg" || space == "triton_gpu")
    return moved(made, result);
  return unknown(made, absl::StrCat("line ", made.line, ": what `", name.str(),
                                    "` computes is not followed"));
}

int64_t StoredValues::operandOf(Operation &op, unsigned k) {
  const Value operand = op.getOperand(k);
  return memoryOf(operand.getType()) ? heldBy(operand, &op) : of(operand);
}

KernelValue StoredValues::constant(KernelValue value, Operation &op) {
  const mlir::Attribute attribute = op.getAttr("value");
  std::optional<llvm::APFloat> number;
  if (auto scalar = llvm::dyn_cast_or_null<mlir::FloatAttr>(attribute))
    number = scalar.getValue();
  auto dense = llvm::dyn_cast_or_null<mlir::DenseElementsAttr>(attribute);
  if (dense && dense.isSplat() &&
      llvm::isa<mlir::FloatType>(dense.getElementType()))
    number = dense.getSplatValue<llvm::APFloat>();
  if (!number)
    return unknown(value, absl::StrCat("line ", value.line,
                                       ": a constant is not followed"));
  value.kind = Kind::Literal;
  value.text = bytesOf(*number);
  return value;
}

KernelValue StoredValues::loaded(KernelValue value, Operation &op) {
  const TracedAccess &access = *accesses_[&op];
  auto fail = [&](StringRef why) {
    return unknown(value, absl::StrCat("line ", value.line, ": ", why.str()));
  };
  if (!access.obstacle.empty() || !access.pointer)
    return fail("what is loaded is not known");
  if (mayBeNowhere(access))
    return fail("an op of the address has no result for some numbers");
  const auto isVolatile = op.getAttrOfType<mlir::BoolAttr>("isVolatile");
  if (isVolatile && isVolatile.getValue()) return fail("the load is volatile");
  value.kind = Kind::Load;
  value.axis = accesses_[&op] - trace_.accesses.data();
  const bool isPlain = op.getName().getStringRef() == "tt.load";
  const unsigned count = op.getNumOperands();
  const bool isCopy =
      op.getName().getStringRef().ends_with(".async_copy_global_to_local");
  if (isPlain && count > 2) value.operands.push_back(of(op.getOperand(2)));
  if (isPlain && count == 2) value.text = "any";
  if (isCopy && count > 3) value.operands.push_back(of(op.getOperand(3)));
  if (isPlain && count > 1 && access.mask && !isOfIndices(*access.mask)) {
    // A mask of values chooses, as a select does. It has to be the whole mask.
    const auto mask = trace_.known.find(op.getOperand(1));
    if (mask != trace_.known.end() && mask->second != *access.mask)
      return fail("a mask of values stands in a branch");
    if (op.getParentOp() != function_ && mask == trace_.known.end())
      return fail("a mask of values is not followed here");
    auto maps =
        pieces(value, *access.pointer, std::nullopt, PiecesOf::Addresses);
    if (!maps.ok()) return fail(std::string(maps.status().message()));
    KernelValue all = value;
    all.operands.clear();
    all.maps = *std::move(maps);
    KernelValue chosen = value;
    chosen.kind = Kind::Apply;
    chosen.text = "select";
    const bool hasOther = !value.operands.empty();
    const int64_t other =
        hasOther ? value.operands[0]
                 : add(unknown(value,
                               "what a load gives where its mask is "
                               "false"));
    chosen.operands = {of(op.getOperand(1)), add(std::move(all)), other};
    return chosen;
  }
  auto maps = pieces(value, *access.pointer, access.mask, PiecesOf::Addresses);
  if (!maps.ok()) return fail(std::string(maps.status().message()));
  value.maps = *std::move(maps);
  // What a block pointer has outside of its array is its padding.
  const auto padding = integerOf(op.getAttr("padding"));
  const auto check = op.getAttrOfType<mlir::DenseI32ArrayAttr>("boundaryCheck");
  if (isCopy) return value;
  const mlir::Type element = elementOf(op.getResult(0).getType());
  auto type = llvm::dyn_cast<mlir::FloatType>(element);
  if (op.getParentOfType<mlir::scf::IfOp>()) return value;
  std::optional<int64_t> pads = paddingOfBox(op);
  if (isPlain && count == 1 && check && !check.empty()) pads = padding;
  if (!pads || (*pads != 1 && (*pads != 2 || !type))) return value;
  KernelValue other = value;
  other.kind = Kind::Literal;
  other.axis = 0;
  other.maps.clear();
  other.operands.clear();
  other.text.assign(std::max<int64_t>(1, bitsOf(element) / 8), 0);
  if (*pads == 2)
    other.text = bytesOf(llvm::APFloat::getNaN(type.getFloatSemantics()));
  value.operands = {add(std::move(other))};
  return value;
}

KernelValue StoredValues::reduced(KernelValue value, Operation &op,
                                  unsigned number) {
  const auto axis = integerOf(op.getAttr("axis"));
  const auto reducer = reducerOf(op);
  if (op.getNumOperands() == 2 && axis && op.getNumRegions() == 1 &&
      op.getRegion(0).hasOneBlock() &&
      op.getRegion(0).front().getNumArguments() == 4 &&
      op.getRegion(0).front().getTerminator()->getNumOperands() == 2) {
    value.kind = Kind::Pick;
    value.axis = *axis;
    value.text = std::to_string(number);
    Operation *end = op.getRegion(0).front().getTerminator();
    value.operands = {of(op.getOperand(0)), of(op.getOperand(1)),
                      of(end->getOperand(0)), of(end->getOperand(1))};
    return value;
  }
  if (op.getNumOperands() != 1 || !axis || !reducer || !isFree(reducer->name)) {
    if (auto made = reducedTogether(value, op, number)) return *std::move(made);
    return unknown(value, absl::StrCat("line ", value.line, kSeveralOps));
  }
  value.kind = Kind::Reduce;
  value.axis = *axis;
  value.text = reducer->name;
  value.operands = {of(op.getOperand(0))};
  return value;
}

/// A reduction of several values at once, or by a function of its own.
std::optional<KernelValue> StoredValues::reducedTogether(
    const KernelValue &value, Operation &op, unsigned number) {
  const auto axis = integerOf(op.getAttr("axis"));
  const unsigned count = op.getNumOperands();
  if (!axis || op.getNumRegions() != 1 || !op.getRegion(0).hasOneBlock() ||
      op.getRegion(0).front().getNumArguments() != 2 * count)
    return std::nullopt;
  Operation *end = op.getRegion(0).front().getTerminator();
  if (end->getNumOperands() != count) return std::nullopt;
  KernelValue made = value;
  made.kind = Kind::Together;
  made.axis = *axis;
  made.text = std::to_string(number);
  for (Value operand : op.getOperands()) made.operands.push_back(of(operand));
  for (Value result : end->getOperands()) made.operands.push_back(of(result));
  return made;
}

KernelValue StoredValues::scanned(KernelValue value, Operation &op) {
  const auto axis = integerOf(op.getAttr("axis"));
  const auto reducer = reducerOf(op);
  if (op.getNumOperands() != 1 || !axis || !reducer || !isFree(reducer->name))
    return unknown(value, absl::StrCat("line ", value.line,
                                       ": a scan by several ops is not "
                                       "followed"));
  const auto reverse = op.getAttrOfType<mlir::BoolAttr>("reverse");
  const bool isBackward = reverse && reverse.getValue();
  int64_t from = of(op.getOperand(0));
  if (isBackward) from = add(turnedAround(value, from, *axis));
  KernelValue scan = value;
  scan.kind = Kind::Scan;
  scan.axis = *axis;
  scan.text = reducer->name;
  scan.operands = {from};
  if (!isBackward) return scan;
  return turnedAround(value, add(std::move(scan)), *axis);
}

KernelValue StoredValues::chosen(KernelValue value, mlir::scf::IfOp choice,
                                 unsigned k) {
  value.kind = Kind::Apply;
  value.text = "select";
  value.isBranch = true;
  if (choice.getElseRegion().empty())
    return unknown(value, "a branch has no other side");
  value.operands = {
      spread(value, of(choice.getCondition())),
      of(choice.getThenRegion().front().getTerminator()->getOperand(k)),
      of(choice.getElseRegion().front().getTerminator()->getOperand(k))};
  return value;
}

}  // namespace indexical::triton
