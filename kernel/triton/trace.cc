#include "indexical/kernel/triton/trace.h"

#include <map>
#include <set>
#include <utility>
#include <variant>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/indexing/map_text.h"
#include "indexical/kernel/triton/dialect.h"
#include "indexical/kernel/triton/op_syntax.h"

namespace indexical::triton {

using kernels::AccessKind;
using kernels::TermKind;
using kernels::Terms;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;
using TermList = llvm::SmallVector<TermId, 4>;

namespace {

/// A block pointer, or a descriptor, which checks all its dimensions.
struct BlockPointer {
  TermId base = 0;
  TermList sizes, strides;  ///< 64 bits each
  TermList offsets;         ///< as they are given, 32 bits
  bool checksAll = false;
};

/// What is known of a value: nothing of floats.
using Meaning = std::variant<std::monostate, TermId, BlockPointer>;

llvm::SmallVector<int64_t, 4> shapeOf(mlir::Type type) {
  llvm::SmallVector<int64_t, 4> shape;
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
    shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return shape;
}

mlir::Type elementOf(mlir::Type type) {
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
    return tensor.getElementType();
  return type;
}

bool isInteger(mlir::Type type) { return elementOf(type).isIntOrIndex(); }

/// The pointee of `!tt.ptr<tensor<…>>`.
mlir::RankedTensorType blockOf(mlir::Type type) {
  const auto pointer = llvm::dyn_cast<NamedType>(type);
  if (!pointer || !pointer.pointee()) return {};
  return llvm::dyn_cast<mlir::RankedTensorType>(pointer.pointee());
}

int32_t termBits(mlir::Type type) {
  const mlir::Type element = elementOf(type);
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element))
    return integer.getWidth();
  return 64;
}

const llvm::StringMap<TermKind> &arithmetic() {
  static const auto *const table =
      new llvm::StringMap<TermKind>{{"arith.addi", TermKind::Add},
                                    {"arith.subi", TermKind::Sub},
                                    {"arith.muli", TermKind::Mul},
                                    {"arith.divsi", TermKind::DivS},
                                    {"arith.divui", TermKind::DivU},
                                    {"arith.floordivsi", TermKind::FloorDivS},
                                    {"arith.ceildivsi", TermKind::CeilDivS},
                                    {"arith.remsi", TermKind::RemS},
                                    {"arith.remui", TermKind::RemU},
                                    {"arith.minsi", TermKind::MinS},
                                    {"arith.maxsi", TermKind::MaxS},
                                    {"arith.minui", TermKind::MinU},
                                    {"arith.maxui", TermKind::MaxU},
                                    {"arith.andi", TermKind::And},
                                    {"arith.ori", TermKind::Or},
                                    {"arith.xori", TermKind::Xor},
                                    {"arith.shli", TermKind::Shl},
                                    {"arith.shrsi", TermKind::ShrS},
                                    {"arith.shrui", TermKind::ShrU},
                                    {"arith.extsi", TermKind::SignExtend},
                                    {"arith.extui", TermKind::ZeroExtend},
                                    {"arith.trunci", TermKind::Truncate}};
  return *table;
}

class Tracer {
 public:
  explicit Tracer(Operation *function) : function_(function) {
    symbols_ = function->getParentOfType<mlir::ModuleOp>();
  }

  Trace run() {
    joinWebs();
    mlir::Block &body = function_->getRegion(0).front();
    for (auto [number, argument] : llvm::enumerate(body.getArguments()))
      values_[argument] = argumentMeaning(argument, number);
    if (!function_->getRegion(0).hasOneBlock())
      note(function_, "branches between blocks");
    for (mlir::Block &block : function_->getRegion(0)) {
      trace(block);
      break;
    }
    return std::move(trace_);
  }

 private:
  Terms &terms() { return trace_.terms; }

  void note(Operation *op, std::string reason) {
    if (isDry_ || trace_.unknown) return;
    trace_.unknown = op;
    trace_.reason = std::move(reason);
  }

  // Values.

  Meaning argumentMeaning(Value argument, int64_t number) {
    const mlir::Type type = argument.getType();
    if (isPointer(type) && !blockOf(type))
      return terms().leaf(TermKind::Pointer, number, 64);
    if (isInteger(type))
      return terms().leaf(TermKind::Argument, number, termBits(type));
    return {};
  }

  TermList ownCoordinates(mlir::Type type) {
    TermList all;
    for (size_t k = 0; k < shapeOf(type).size(); ++k)
      all.push_back(terms().coordinate(k));
    return all;
  }

  /// An integer that nobody knows; it may differ from lane to lane.
  Meaning unknown(Value value) {
    if (!isInteger(value.getType())) return {};
    const int64_t number =
        numbers_.try_emplace(value.getAsOpaquePointer(), numbers_.size())
            .first->second;
    return terms().leaf(TermKind::Unknown, number, termBits(value.getType()),
                        ownCoordinates(value.getType()));
  }

  void setUnknown(Operation *op) {
    for (Value result : op->getResults()) values_[result] = unknown(result);
  }

  Meaning of(Value value) {
    const auto known = values_.find(value);
    return known == values_.end() ? Meaning() : known->second;
  }
  std::optional<TermId> term(Value value) {
    const Meaning meaning = of(value);
    if (const TermId *id = std::get_if<TermId>(&meaning)) return *id;
    return std::nullopt;
  }
  std::optional<BlockPointer> block(Value value) {
    Meaning meaning = of(value);
    if (auto *pointer = std::get_if<BlockPointer>(&meaning)) return *pointer;
    return std::nullopt;
  }

  TermId wide(TermId id) {
    return terms().make(TermKind::SignExtend, 64, {id});
  }
  TermId number(int64_t value, int32_t bits = 64) {
    return terms().constant(value, bits);
  }
  TermId conjunction(TermId a, TermId b) {
    return terms().make(TermKind::And, 1, {a, b});
  }

  // Blocks and ops.

  void trace(mlir::Block &block) {
    for (Operation &op : block) traceOp(op);
  }

  void traceOp(Operation &op) {
    const StringRef name = op.getName().getStringRef();
    if (op.hasAttr(kUnknownAttribute)) {
      note(&op, ("the op `" + name + "` is not known").str());
      return setUnknown(&op);
    }
    if (const auto known = arithmetic().find(name); known != arithmetic().end())
      return traceArithmetic(op, known->second);
    if (name.starts_with("arith.")) return traceOtherArith(op);
    if (name.starts_with("math.") || name == "ub.poison")
      return setUnknown(&op);
    if (auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op)) return traceFor(loop);
    if (auto choice = llvm::dyn_cast<mlir::scf::IfOp>(op))
      return traceIf(choice);
    if (name == "scf.yield") return;
    if (name.ends_with(".apply_indexing")) return traceIndexing(op);
    const auto [space, plain] = name.split('.');
    if (space == "tt") return traceTriton(op, plain);
    if (space == "ttg" || space == "triton_gpu") return traceGpu(op, plain);
    if (space == "ttng" || space == "triton_nvidia_gpu") {
      if (plain == "warp_group_dot" || plain == "warp_group_dot_wait")
        return setUnknown(&op);
    }
    note(&op, ("the op `" + name + "` is not understood").str());
    setUnknown(&op);
  }

  void traceArithmetic(Operation &op, TermKind kind) {
    TermList operands;
    for (Value operand : op.getOperands()) {
      const auto id = term(operand);
      if (!id) return setUnknown(&op);
      operands.push_back(*id);
    }
    values_[op.getResult(0)] =
        terms().make(kind, termBits(op.getResult(0).getType()), operands);
  }

  void traceOtherArith(Operation &op) {
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op))
      return traceConstant(constant);
    if (auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op))
      return traceCompare(compare);
    const StringRef name = op.getName().getStringRef();
    const auto first =
        op.getNumOperands() ? term(op.getOperand(0)) : std::nullopt;
    if (name == "arith.index_cast" && first) {
      const int32_t bits = termBits(op.getResult(0).getType());
      const bool isWider = bits >= terms()[*first].bits;
      values_[op.getResult(0)] = terms().make(
          isWider ? TermKind::SignExtend : TermKind::Truncate, bits, {*first});
      return;
    }
    if (name == "arith.index_castui" && first) {
      const int32_t bits = termBits(op.getResult(0).getType());
      const bool isWider = bits >= terms()[*first].bits;
      values_[op.getResult(0)] = terms().make(
          isWider ? TermKind::ZeroExtend : TermKind::Truncate, bits, {*first});
      return;
    }
    if (name == "arith.select") {
      values_[op.getResult(0)] =
          chosen(op.getOperand(0), of(op.getOperand(1)), of(op.getOperand(2)));
      if (std::holds_alternative<std::monostate>(values_[op.getResult(0)]))
        setUnknown(&op);
      return;
    }
    setUnknown(&op);
  }

  Meaning chosen(Value condition, const Meaning &yes, const Meaning &no) {
    const auto when = term(condition);
    if (!when) return {};
    return chosen(*when, yes, no);
  }
  Meaning chosen(TermId when, const Meaning &yes, const Meaning &no) {
    auto pick = [&](TermId a, TermId b) {
      return terms().make(TermKind::Select, terms()[a].bits, {when, a, b});
    };
    if (auto *a = std::get_if<TermId>(&yes))
      if (auto *b = std::get_if<TermId>(&no)) return pick(*a, *b);
    const auto *a = std::get_if<BlockPointer>(&yes);
    const auto *b = std::get_if<BlockPointer>(&no);
    if (!a || !b || a->offsets.size() != b->offsets.size() ||
        a->checksAll != b->checksAll)
      return {};
    BlockPointer both = *a;
    both.base = pick(a->base, b->base);
    for (size_t k = 0; k < both.offsets.size(); ++k) {
      both.sizes[k] = pick(a->sizes[k], b->sizes[k]);
      both.strides[k] = pick(a->strides[k], b->strides[k]);
      both.offsets[k] = pick(a->offsets[k], b->offsets[k]);
    }
    return both;
  }

  void traceConstant(mlir::arith::ConstantOp op) {
    mlir::Attribute value = op.getValue();
    if (auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(value)) {
      if (!dense.isSplat()) return setUnknown(op);
      value = dense.getSplatValue<mlir::Attribute>();
    }
    const auto integer = llvm::dyn_cast<mlir::IntegerAttr>(value);
    if (!integer || integer.getValue().getBitWidth() > 64)
      return setUnknown(op);
    values_[op.getResult()] =
        number(integer.getValue().getSExtValue(), termBits(op.getType()));
  }

  void traceCompare(mlir::arith::CmpIOp op) {
    using P = mlir::arith::CmpIPredicate;
    const auto a = term(op.getLhs()), b = term(op.getRhs());
    if (!a || !b) return setUnknown(op);
    auto less = [&](TermKind kind, TermId x, TermId y) {
      values_[op.getResult()] = terms().make(kind, 1, {x, y});
    };
    switch (op.getPredicate()) {
      case P::eq:
        return less(TermKind::Equal, *a, *b);
      case P::ne:
        return less(TermKind::NotEqual, *a, *b);
      case P::slt:
        return less(TermKind::LessS, *a, *b);
      case P::sle:
        return less(TermKind::LessEqualS, *a, *b);
      case P::sgt:
        return less(TermKind::LessS, *b, *a);
      case P::sge:
        return less(TermKind::LessEqualS, *b, *a);
      case P::ult:
        return less(TermKind::LessU, *a, *b);
      case P::ule:
        return less(TermKind::LessEqualU, *a, *b);
      case P::ugt:
        return less(TermKind::LessU, *b, *a);
      case P::uge:
        return less(TermKind::LessEqualU, *b, *a);
    }
  }

  // Control flow.

  struct Carried {
    TermId start = 0, placeholder = 0, next = 0;
    std::optional<TermId> closed;  ///< in the loop's count
  };

  void traceFor(mlir::scf::ForOp loop) {
    const auto lower = term(loop.getLowerBound());
    const auto upper = term(loop.getUpperBound());
    const auto step = term(loop.getStep());
    if (!lower || !upper || !step || !isPositive(*step)) {
      note(loop, "the bounds of a loop are not known");
      return setUnknown(loop);
    }
    const int64_t number = loopNumber(loop);
    const TermId count = terms().leaf(TermKind::Loop, number, 64);
    const int32_t bits = termBits(loop.getLowerBound().getType());
    const TermId narrow = terms().make(TermKind::Truncate, bits, {count});
    values_[loop.getInductionVar()] = terms().make(
        TermKind::Add, bits,
        {*lower, terms().make(TermKind::Mul, bits, {*step, narrow})});
    const TermId distance =
        terms().make(TermKind::Sub, 64, {wide(*upper), wide(*lower)});
    const TermId trips = terms().make(
        TermKind::MaxS, 64,
        {terms().make(TermKind::CeilDivS, 64, {distance, wide(*step)}),
         this->number(0)});

    // First with placeholders, to see what each iteration adds.
    std::vector<Carried> all;
    for (auto [argument, start] :
         llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      values_[argument] = placeholders(of(start), argument.getType(), all);
    {
      const bool wasDry = std::exchange(isDry_, true);
      trace(*loop.getBody());
      isDry_ = wasDry;
    }
    size_t at = 0;
    Operation *yield = loop.getBody()->getTerminator();
    for (auto [argument, next] :
         llvm::zip(loop.getRegionIterArgs(), yield->getOperands()))
      takeNext(of(argument), of(next), all, at);
    solve(all, number);

    at = 0;
    for (auto [argument, start] :
         llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      values_[argument] = closedForm(of(start), argument, all, at, count);
    loops_.push_back({number, trips});
    trace(*loop.getBody());
    loops_.pop_back();
    at = 0;
    for (auto [result, start] :
         llvm::zip(loop.getResults(), loop.getInitArgs()))
      values_[result] = closedForm(of(start), result, all, at, trips);
  }

  bool isPositive(TermId id) {
    return terms()[id].kind == TermKind::Constant && terms()[id].value > 0;
  }

  int64_t loopNumber(Operation *op) {
    return loopNumbers_.try_emplace(op, loopNumbers_.size()).first->second;
  }

  Meaning placeholders(const Meaning &start, mlir::Type type,
                       std::vector<Carried> &all) {
    const TermList coordinates = ownCoordinates(type);
    auto make = [&](TermId from) {
      Carried carried;
      carried.start = from;
      carried.placeholder = terms().leaf(TermKind::Placeholder, nextCarried_++,
                                         terms()[from].bits, coordinates);
      all.push_back(carried);
      return carried.placeholder;
    };
    if (auto *id = std::get_if<TermId>(&start)) return make(*id);
    if (auto *pointer = std::get_if<BlockPointer>(&start)) {
      BlockPointer carried = *pointer;
      carried.base = make(pointer->base);
      for (size_t k = 0; k < carried.offsets.size(); ++k) {
        carried.sizes[k] = make(pointer->sizes[k]);
        carried.strides[k] = make(pointer->strides[k]);
        carried.offsets[k] = make(pointer->offsets[k]);
      }
      return carried;
    }
    return {};
  }

  /// Notes what stands for each placeholder after one more iteration.
  void takeNext(const Meaning &carried, const Meaning &next,
                std::vector<Carried> &all, size_t &at) {
    if (std::holds_alternative<TermId>(carried)) {
      auto *id = std::get_if<TermId>(&next);
      all[at].next = id ? *id : all[at].placeholder;
      if (!id) unsolved_.insert(all[at].placeholder);
      ++at;
    } else if (auto *from = std::get_if<BlockPointer>(&carried)) {
      auto *to = std::get_if<BlockPointer>(&next);
      auto take = [&](TermId id) {
        all[at].next = id;
        if (!to) unsolved_.insert(all[at].placeholder);
        ++at;
      };
      const BlockPointer &found =
          to && to->offsets.size() == from->offsets.size() ? *to : *from;
      take(found.base);
      for (size_t k = 0; k < from->offsets.size(); ++k) {
        take(found.sizes[k]);
        take(found.strides[k]);
        take(found.offsets[k]);
      }
    }
  }

  /// What an iteration adds; nothing if it does something else.
  std::optional<TermId> addedBy(TermId next, TermId placeholder) {
    if (next == placeholder) return number(0, stepBits(placeholder));
    const kernels::Term term = terms()[next];
    if (term.kind != TermKind::Add && term.kind != TermKind::Sub &&
        term.kind != TermKind::PointerAdd)
      return std::nullopt;
    const int64_t value = terms()[placeholder].value;
    auto has = [&](TermId id) {
      return terms().mentions(id, TermKind::Placeholder, value);
    };
    const bool isLeft = has(term.operands[0]), isRight = has(term.operands[1]);
    if (isLeft == isRight) return std::nullopt;
    if (isRight && term.kind != TermKind::Add) return std::nullopt;
    const auto inner = addedBy(term.operands[isLeft ? 0 : 1], placeholder);
    if (!inner) return std::nullopt;
    const TermId other = term.operands[isLeft ? 1 : 0];
    const TermKind kind =
        term.kind == TermKind::Sub ? TermKind::Sub : TermKind::Add;
    return terms().make(kind, terms()[*inner].bits, {*inner, other});
  }

  int32_t stepBits(TermId id) { return terms()[id].bits; }

  /// Closed forms: start + count * step, where the step is the same each time.
  void solve(std::vector<Carried> &all, int64_t loop) {
    std::map<int64_t, TermId> solved;  // placeholders that stay as they began
    bool changed = true;
    while (changed) {
      changed = false;
      for (Carried &carried : all) {
        if (carried.closed || unsolved_.count(carried.placeholder)) continue;
        const TermId next = terms().replace(carried.next, solved);
        const auto step = addedBy(next, carried.placeholder);
        if (!step || !isSteady(*step, loop)) continue;
        carried.closed = *step;
        changed = true;
        if (terms()[*step].kind == TermKind::Constant &&
            terms()[*step].value == 0)
          solved[terms()[carried.placeholder].value] = carried.start;
      }
    }
  }

  /// Whether it is the same in each iteration of the loop.
  bool isSteady(TermId id, int64_t loop) {
    return !terms().mentions(id, TermKind::Loop, loop) &&
           !terms().mentions(id, TermKind::Placeholder) &&
           !terms().mentions(id, TermKind::Unknown) &&
           !terms().mentions(id, TermKind::Loaded);
  }

  Meaning closedForm(const Meaning &start, Value value,
                     std::vector<Carried> &all, size_t &at, TermId count) {
    auto next = [&]() -> std::optional<TermId> {
      const Carried &carried = all[at++];
      if (!carried.closed) return std::nullopt;
      const bool isPointerTerm = isPointerValue(carried.start);
      const int32_t bits = terms()[*carried.closed].bits;
      const TermId times = terms().make(
          TermKind::Mul, bits,
          {terms().make(TermKind::Truncate, bits, {count}), *carried.closed});
      if (isPointerTerm)
        return terms().make(TermKind::PointerAdd, 64, {carried.start, times});
      return terms().make(TermKind::Add, bits, {carried.start, times});
    };
    if (std::holds_alternative<TermId>(start)) {
      const auto id = next();
      return id ? Meaning(*id) : unknown(value);
    }
    if (auto *pointer = std::get_if<BlockPointer>(&start)) {
      BlockPointer closed = *pointer;
      bool isKnown = true;
      auto put = [&](TermId &to) {
        const auto id = next();
        isKnown &= id.has_value();
        if (id) to = *id;
      };
      put(closed.base);
      for (size_t k = 0; k < closed.offsets.size(); ++k) {
        put(closed.sizes[k]);
        put(closed.strides[k]);
        put(closed.offsets[k]);
      }
      return isKnown ? Meaning(closed) : Meaning();
    }
    return unknown(value);
  }

  bool isPointerValue(TermId id) {
    return terms().mentions(id, TermKind::Pointer) &&
           terms()[id].kind != TermKind::Loaded;
  }

  void traceIf(mlir::scf::IfOp choice) {
    const auto condition = term(choice.getCondition());
    if (!condition) {
      note(choice, "the condition of a branch is not known");
      return setUnknown(choice);
    }
    const TermId isNot =
        terms().make(TermKind::Xor, 1, {*condition, number(1, 1)});
    auto inside = [&](mlir::Region &region, TermId when) {
      std::vector<Meaning> results;
      if (region.empty()) return results;
      conditions_.push_back(when);
      trace(region.front());
      conditions_.pop_back();
      for (Value value : region.front().getTerminator()->getOperands())
        results.push_back(of(value));
      return results;
    };
    const auto yes = inside(choice.getThenRegion(), *condition);
    const auto no = inside(choice.getElseRegion(), isNot);
    for (auto [k, result] : llvm::enumerate(choice.getResults())) {
      values_[result] = chosen(*condition, yes[k], no[k]);
      if (std::holds_alternative<std::monostate>(values_[result]))
        values_[result] = unknown(result);
    }
  }

  void traceCall(Operation &op) {
    const auto callee = op.getAttrOfType<mlir::SymbolRefAttr>("callee");
    Operation *target = nullptr;
    if (callee && symbols_)
      for (Operation &other : symbols_.getBody()->getOperations())
        if (auto name = other.getAttrOfType<mlir::StringAttr>("sym_name"))
          if (name.getValue() == callee.getRootReference().getValue())
            target = &other;
    if (!target || target->getNumRegions() != 1 ||
        !target->getRegion(0).hasOneBlock() || depth_ >= kMostCalls ||
        target->getRegion(0).front().getNumArguments() != op.getNumOperands()) {
      note(&op, "a function that is called is not understood");
      return setUnknown(&op);
    }
    mlir::Block &body = target->getRegion(0).front();
    for (auto [argument, operand] :
         llvm::zip(body.getArguments(), op.getOperands()))
      values_[argument] = of(operand);
    ++depth_;
    trace(body);
    --depth_;
    Operation *end = body.empty() ? nullptr : &body.back();
    for (auto [k, result] : llvm::enumerate(op.getResults()))
      values_[result] = end && k < end->getNumOperands()
                            ? of(end->getOperand(k))
                            : unknown(result);
  }

  /// `#xla.indexing_map<"…">` of its operands.
  void traceIndexing(Operation &op) {
    const auto attribute = op.getAttrOfType<NamedAttr>("map");
    const auto map = attribute ? parseMap(attribute.body())
                               : absl::InvalidArgumentError("no map");
    TermList operands;
    for (Value operand : op.getOperands())
      if (const auto id = term(operand)) operands.push_back(*id);
    if (!map.ok() || operands.size() != op.getNumOperands() ||
        operands.size() != map->dimensions().size() + map->ranges().size() ||
        map->results().size() != op.getNumResults()) {
      note(&op, "an indexing map is not understood");
      return setUnknown(&op);
    }
    if (!trace_.mapPrograms && operands.size() == 1 &&
        map->dimensions().size() == 1 && onlyProgram(operands[0]) &&
        map->dimensions()[0].bounds.isFinite())
      trace_.mapPrograms = map->dimensions()[0].bounds.upper + 1;
    for (auto [k, form] : llvm::enumerate(map->results())) {
      const auto id = ofForm(*map, form, operands);
      if (!id) {
        note(&op, "an indexing map is not understood");
        return setUnknown(&op);
      }
      values_[op.getResult(k)] = *id;
    }
  }

  bool onlyProgram(TermId id) {
    while (!terms()[id].operands.empty()) {
      if (terms()[id].operands.size() != 1) return false;
      id = terms()[id].operands[0];
    }
    return terms()[id].kind == TermKind::Program && terms()[id].value == 0;
  }

  std::optional<TermId> ofForm(const IndexingMap &map, FormId form,
                               const TermList &operands) {
    const ExpressionTable &table = map.expressions();
    TermId sum = number(table.constant(form));
    for (const indexical::Term &part : table.terms(form)) {
      const Atom &atom = table.atom(part.atom);
      std::optional<TermId> value;
      if (atom.kind == AtomKind::Variable) {
        const VariableId id = atom.variable();
        const size_t at = id.kind == VariableKind::Dimension
                              ? id.index
                              : map.dimensions().size() + id.index;
        if (id.kind != VariableKind::Runtime) value = operands[at];
      } else if (atom.kind == AtomKind::Digit) {
        value = ofForm(map, atom.a, operands);
        if (value && atom.stride != 1)
          value = terms().make(TermKind::FloorDivS, 64,
                               {*value, number(atom.stride)});
        // In [0, modulus - 1]: value - floor(value / modulus) * modulus.
        if (value && atom.modulus != 0) {
          const TermId modulus = number(atom.modulus);
          const TermId whole =
              terms().make(TermKind::FloorDivS, 64, {*value, modulus});
          value = terms().make(
              TermKind::Sub, 64,
              {*value, terms().make(TermKind::Mul, 64, {whole, modulus})});
        }
      }
      if (!value) return std::nullopt;
      sum = terms().make(
          TermKind::Add, 64,
          {terms().make(TermKind::Mul, 64, {*value, number(part.coefficient)}),
           sum});
    }
    return sum;
  }

  // The ops of Triton.

  void traceTriton(Operation &op, StringRef name) {
    if (name == "get_program_id" || name == "get_num_programs") {
      const auto axis = op.getAttrOfType<mlir::IntegerAttr>("axis");
      const int64_t number = axis ? axis.getInt() : 0;
      values_[op.getResult(0)] = terms().leaf(
          name == "get_program_id" ? TermKind::Program : TermKind::Programs,
          number, termBits(op.getResult(0).getType()));
      return;
    }
    if (name == "make_range") {
      const auto start = op.getAttrOfType<mlir::IntegerAttr>("start");
      const TermId at =
          terms().make(TermKind::Truncate, 32, {terms().coordinate(0)});
      values_[op.getResult(0)] = terms().make(
          TermKind::Add, 32,
          {at, number(start ? start.getValue().getSExtValue() : 0, 32)});
      return;
    }
    if (name == "splat") {
      values_[op.getResult(0)] = of(op.getOperand(0));
      return;
    }
    if (name == "expand_dims" || name == "broadcast" || name == "trans" ||
        name == "reshape" || name == "bitcast" || name == "unsplat")
      return traceMoved(op, name);
    if (name == "join") return traceJoin(op);
    if (name == "addptr") {
      const auto pointer = term(op.getOperand(0));
      const auto offset = term(op.getOperand(1));
      if (pointer && offset)
        values_[op.getResult(0)] =
            terms().make(TermKind::PointerAdd, 64, {*pointer, wide(*offset)});
      return;
    }
    if (name == "make_tensor_ptr" || name == "make_tensor_descriptor")
      return traceBlock(op, name == "make_tensor_descriptor");
    if (name == "advance") return traceAdvance(op);
    if (name == "load") return traceLoad(op);
    if (name == "store") return traceStore(op);
    if (name == "atomic_rmw" || name == "atomic_cas")
      return traceAtomic(op, name);
    if (name.ends_with("descriptor_load") || name.ends_with("descriptor_store"))
      return traceDescriptor(op);
    if (name == "call") return traceCall(op);
    static constexpr StringRef kHarmless[] = {"return",
                                              "reduce",
                                              "reduce.return",
                                              "scan",
                                              "scan.return",
                                              "dot",
                                              "fp_to_fp",
                                              "extern_elementwise",
                                              "clampf",
                                              "mulhiui",
                                              "precise_sqrt",
                                              "precise_divf",
                                              "cat",
                                              "split",
                                              "histogram",
                                              "gather",
                                              "print",
                                              "assert",
                                              "elementwise_inline_asm",
                                              "ptr_to_int",
                                              "int_to_ptr"};
    if (!llvm::is_contained(kHarmless, name))
      note(&op, ("the op `tt." + name + "` is not understood").str());
    setUnknown(&op);
  }

  void traceGpu(Operation &op, StringRef name) {
    if (name == "convert_layout") {
      values_[op.getResult(0)] = of(op.getOperand(0));
      return;
    }
    if (name == "async_copy_global_to_local") {
      TracedAccess access = accessOf(op, AccessKind::Load);
      access.pointer = term(op.getOperand(0));
      access.type = pointeeOf(op.getOperand(0).getType());
      if (op.getNumOperands() > 2)
        addMask(access, term(op.getOperand(2)), op.getOperand(2));
      record(std::move(access));
      return;
    }
    static constexpr StringRef kHarmless[] = {
        "local_alloc",         "local_load",         "local_store",
        "local_dealloc",       "memdesc_subview",    "memdesc_subslice",
        "memdesc_index",       "memdesc_trans",      "memdesc_reshape",
        "memdesc_reinterpret", "async_commit_group", "async_wait"};
    if (!llvm::is_contained(kHarmless, name))
      note(&op, ("the op `ttg." + name + "` is not understood").str());
    setUnknown(&op);
  }

  /// Ops that give elements other places.
  void traceMoved(Operation &op, StringRef name) {
    const mlir::Type from = op.getOperand(0).getType();
    const mlir::Type to = op.getResult(0).getType();
    const auto id = term(op.getOperand(0));
    if (name == "bitcast") {
      if (id && bitsOf(from) == bitsOf(to) && isPointer(from) == isPointer(to))
        values_[op.getResult(0)] = *id;
      else
        setUnknown(&op);
      return;
    }
    if (!id) return setUnknown(&op);
    const auto sides = shapeOf(from), result = shapeOf(to);
    TermList by;
    if (name == "expand_dims") {
      const auto axis = op.getAttrOfType<mlir::IntegerAttr>("axis");
      for (size_t k = 0; k < sides.size(); ++k)
        by.push_back(terms().coordinate(
            static_cast<int64_t>(k) < axis.getInt() ? k : k + 1));
    } else if (name == "broadcast") {
      for (size_t k = 0; k < sides.size(); ++k)
        by.push_back(sides[k] == 1 ? number(0) : terms().coordinate(k));
    } else if (name == "trans") {
      const auto order = op.getAttrOfType<mlir::DenseI32ArrayAttr>("order");
      by.assign(sides.size(), 0);
      for (size_t k = 0; k < sides.size(); ++k)
        by[order ? order.asArrayRef()[k] : sides.size() - 1 - k] =
            terms().coordinate(k);
    } else if (name == "reshape") {
      if (op.hasAttr("allow_reorder")) return setUnknown(&op);
      by = reshaped(sides, result);
    } else {
      by.assign(sides.size(), number(0));
    }
    values_[op.getResult(0)] = terms().substitute(*id, by);
  }

  /// The coordinates along `from` of the element at the tile's coordinates.
  TermList reshaped(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
    TermId at = number(0);
    for (size_t k = 0; k < to.size(); ++k)
      at = terms().make(TermKind::Add, 64,
                        {terms().make(TermKind::Mul, 64, {at, number(to[k])}),
                         terms().coordinate(k)});
    TermList by(from.size(), number(0));
    // Sides of 1 do not count; equal sides in front or behind stay.
    llvm::SmallVector<int64_t, 4> inner, outer;
    for (size_t k = 0; k < from.size(); ++k)
      if (from[k] != 1) inner.push_back(k);
    for (size_t k = 0; k < to.size(); ++k)
      if (to[k] != 1) outer.push_back(k);
    bool isPlain = inner.size() == outer.size();
    for (size_t k = 0; isPlain && k < inner.size(); ++k)
      isPlain = from[inner[k]] == to[outer[k]];
    if (isPlain) {
      for (size_t k = 0; k < inner.size(); ++k)
        by[inner[k]] = terms().coordinate(outer[k]);
      return by;
    }
    int64_t below = 1;
    for (size_t k = from.size(); k-- > 0; below *= from[k]) {
      const TermId digit =
          terms().make(TermKind::FloorDivS, 64, {at, number(below)});
      by[k] = terms().make(TermKind::RemS, 64, {digit, number(from[k])});
    }
    return by;
  }

  void traceJoin(Operation &op) {
    const auto a = term(op.getOperand(0)), b = term(op.getOperand(1));
    if (!a || !b) return setUnknown(&op);
    const int64_t last = shapeOf(op.getResult(0).getType()).size() - 1;
    const TermId isFirst =
        terms().make(TermKind::Equal, 1, {terms().coordinate(last), number(0)});
    values_[op.getResult(0)] =
        terms().make(TermKind::Select, terms()[*a].bits, {isFirst, *a, *b});
  }

  void traceBlock(Operation &op, bool isDescriptor) {
    BlockPointer block;
    const auto base = term(op.getOperand(0));
    const auto lists =
        op.getAttrOfType<mlir::DenseI32ArrayAttr>(kListsAttribute);
    TermList parts;
    for (Value operand : op.getOperands().drop_front())
      if (const auto id = term(operand)) parts.push_back(*id);
    // In generic form there is no list of lists: all are equally long.
    const size_t groups = isDescriptor ? 2 : 3;
    const size_t rank = parts.size() / groups;
    if (!base || parts.size() + 1 != op.getNumOperands() ||
        parts.size() != rank * groups ||
        (lists && lists.size() != static_cast<int64_t>(groups)))
      return;
    block.base = *base;
    block.checksAll = isDescriptor;
    const llvm::ArrayRef<TermId> all = parts;
    for (TermId size : all.take_front(rank)) block.sizes.push_back(wide(size));
    for (TermId stride : all.slice(rank, rank))
      block.strides.push_back(wide(stride));
    if (isDescriptor)
      block.offsets.assign(rank, number(0, 32));
    else
      block.offsets.append(all.begin() + 2 * rank, all.end());
    values_[op.getResult(0)] = block;
  }

  void traceAdvance(Operation &op) {
    auto pointer = block(op.getOperand(0));
    if (!pointer || op.getNumOperands() != pointer->offsets.size() + 1) return;
    for (size_t k = 0; k < pointer->offsets.size(); ++k) {
      const auto by = term(op.getOperand(k + 1));
      if (!by) return;
      // Offsets are 32-bit integers, which wrap.
      pointer->offsets[k] =
          terms().make(TermKind::Add, 32, {pointer->offsets[k], *by});
    }
    values_[op.getResult(0)] = *pointer;
  }

  // Accesses.

  mlir::Type pointeeOf(mlir::Type type) {
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type)) {
      if (auto pointer = llvm::dyn_cast<NamedType>(tensor.getElementType()))
        if (pointer.pointee())
          return mlir::RankedTensorType::get(
              tensor.getShape(), pointer.pointee(), tensor.getEncoding());
      return type;
    }
    if (auto pointer = llvm::dyn_cast<NamedType>(type))
      if (pointer.pointee()) return pointer.pointee();
    return type;
  }

  TracedAccess accessOf(Operation &op, AccessKind kind) {
    TracedAccess access;
    access.op = &op;
    access.kind = kind;
    access.loops = loops_;
    access.web = webOf(op);
    for (TermId condition : conditions_) {
      access.mask =
          access.mask ? conjunction(*access.mask, condition) : condition;
      access.isMasked = true;
    }
    return access;
  }

  void addMask(TracedAccess &access, std::optional<TermId> mask, Value value) {
    if (!mask)
      if (Meaning any = unknown(value); std::holds_alternative<TermId>(any))
        mask = std::get<TermId>(any);
    if (!mask) return;
    access.mask = access.mask ? conjunction(*access.mask, *mask) : *mask;
    access.isMasked = true;
  }

  void record(TracedAccess access) {
    if (isDry_) return;
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(access.type))
      access.encoding = tensor.getEncoding();
    trace_.accesses.push_back(std::move(access));
  }

  /// The pointer of each element of a block, and which are checked.
  void pointInto(TracedAccess &access, const BlockPointer &block,
                 llvm::ArrayRef<int32_t> checked) {
    TermId offset = number(0);
    for (size_t k = 0; k < block.offsets.size(); ++k) {
      const TermId at = terms().make(
          TermKind::Add, 64, {wide(block.offsets[k]), terms().coordinate(k)});
      const TermId step =
          terms().make(TermKind::Mul, 64, {at, block.strides[k]});
      offset = terms().make(TermKind::Add, 64, {offset, step});
      if (!block.checksAll && !llvm::is_contained(checked, k)) continue;
      const TermId inside =
          conjunction(terms().make(TermKind::LessEqualS, 1, {number(0), at}),
                      terms().make(TermKind::LessS, 1, {at, block.sizes[k]}));
      access.mask = access.mask ? conjunction(*access.mask, inside) : inside;
      access.isMasked = true;
    }
    access.pointer =
        terms().make(TermKind::PointerAdd, 64, {block.base, offset});
  }

  llvm::ArrayRef<int32_t> checkedOf(Operation &op) {
    const auto check =
        op.getAttrOfType<mlir::DenseI32ArrayAttr>("boundaryCheck");
    return check ? check.asArrayRef() : llvm::ArrayRef<int32_t>();
  }

  void pointAt(TracedAccess &access, Value pointer) {
    if (const auto of = block(pointer))
      pointInto(access, *of, checkedOf(*access.op));
    else
      access.pointer = term(pointer);
  }

  void traceLoad(Operation &op) {
    TracedAccess access = accessOf(op, AccessKind::Load);
    access.type = op.getResult(0).getType();
    pointAt(access, op.getOperand(0));
    std::optional<TermId> mask, other;
    if (op.getNumOperands() > 1) {
      mask = term(op.getOperand(1));
      addMask(access, mask, op.getOperand(1));
    }
    if (op.getNumOperands() > 2) other = term(op.getOperand(2));
    setLoaded(op, access.pointer, mask, other);
    record(std::move(access));
  }

  void setLoaded(Operation &op, std::optional<TermId> pointer,
                 std::optional<TermId> mask, std::optional<TermId> other) {
    const Value result = op.getResult(0);
    if (!isInteger(result.getType()) || !pointer ||
        terms().mentions(*pointer, TermKind::Placeholder))
      return setUnknown(&op);
    const int64_t number =
        numbers_.try_emplace(result.getAsOpaquePointer(), numbers_.size())
            .first->second;
    const int32_t bits = termBits(result.getType());
    TermId loaded = terms().leaf(TermKind::Loaded, number, bits, {*pointer});
    if (mask && other)
      loaded = terms().make(TermKind::Select, bits, {*mask, loaded, *other});
    values_[result] = loaded;
  }

  void traceStore(Operation &op) {
    TracedAccess access = accessOf(op, AccessKind::Store);
    access.type = op.getOperand(1).getType();
    pointAt(access, op.getOperand(0));
    if (op.getNumOperands() > 2)
      addMask(access, term(op.getOperand(2)), op.getOperand(2));
    record(std::move(access));
  }

  void traceAtomic(Operation &op, StringRef name) {
    TracedAccess access = accessOf(op, AccessKind::Atomic);
    access.pointer = term(op.getOperand(0));
    access.type = op.getOperand(1).getType();
    if (name == "atomic_rmw" && op.getNumOperands() > 2)
      addMask(access, term(op.getOperand(2)), op.getOperand(2));
    record(std::move(access));
    setUnknown(&op);
  }

  void traceDescriptor(Operation &op) {
    const bool isLoad = op.getNumResults() == 1;
    TracedAccess access =
        accessOf(op, isLoad ? AccessKind::Load : AccessKind::Store);
    const size_t last = op.getNumOperands() - (isLoad ? 0 : 1);
    access.type =
        isLoad ? op.getResult(0).getType() : op.getOperand(last).getType();
    auto of = block(op.getOperand(0));
    const size_t rank = shapeOf(access.type).size();
    if (of && of->offsets.size() == rank && last == rank + 1) {
      bool isKnown = true;
      for (size_t k = 0; k < rank; ++k) {
        const auto at = term(op.getOperand(k + 1));
        isKnown &= at.has_value();
        if (at) of->offsets[k] = *at;
      }
      if (isKnown) pointInto(access, *of, {});
    } else {
      note(&op, "the shape of a descriptor is not known");
    }
    record(std::move(access));
    setUnknown(&op);
  }

  // Which accesses values join: what a use or a definition leads to.

  void joinWebs() {
    function_->walk([&](Operation *op) {
      const void *self = op;
      webs_.insert(self);
      for (Value result : op->getResults())
        webs_.unionSets(self, result.getAsOpaquePointer());
      for (Value operand : op->getOperands()) {
        const auto argument = llvm::dyn_cast<mlir::BlockArgument>(operand);
        const bool isOfKernel =
            argument && argument.getOwner()->getParentOp() == function_;
        if (!isOfKernel) webs_.unionSets(self, operand.getAsOpaquePointer());
      }
      for (mlir::Region &region : op->getRegions()) {
        if (op == function_ || op->getName().getStringRef() == "tt.func")
          continue;
        for (mlir::Block &inner : region)
          for (Value argument : inner.getArguments())
            webs_.unionSets(self, argument.getAsOpaquePointer());
      }
    });
  }

  int64_t webOf(Operation &op) {
    const void *self = &op;
    if (webs_.findLeader(self) == webs_.member_end()) return -1;
    const void *leader = webs_.getLeaderValue(self);
    return webNumbers_.try_emplace(leader, webNumbers_.size()).first->second;
  }

  static constexpr int kMostCalls = 16;

  Operation *function_;
  mlir::ModuleOp symbols_;
  Trace trace_;
  llvm::DenseMap<Value, Meaning> values_;
  std::map<const void *, int64_t> numbers_;
  std::map<Operation *, int64_t> loopNumbers_;
  std::vector<TracedLoop> loops_;
  std::vector<TermId> conditions_;
  std::set<TermId> unsolved_;
  llvm::EquivalenceClasses<const void *> webs_;
  std::map<const void *, int64_t> webNumbers_;
  int64_t nextCarried_ = 0;
  int depth_ = 0;
  bool isDry_ = false;
};

}  // namespace

int64_t bitsOf(mlir::Type type) {
  mlir::Type element = elementOf(type);
  if (auto pointer = llvm::dyn_cast<NamedType>(element)) {
    if (!pointer.pointee()) return 0;
    element = elementOf(pointer.pointee());
  }
  if (element.isIndex()) return 64;
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

Trace traceFunction(Operation *function) { return Tracer(function).run(); }

}  // namespace indexical::triton
