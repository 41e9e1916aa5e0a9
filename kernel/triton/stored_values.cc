#include "indexical/kernel/triton/stored_values.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/kernel/triton/dialect.h"
#include "indexical/kernel/triton/op_syntax.h"
#include "indexical/kernel/triton/value_ops.h"
#include "indexical/kernel/triton/value_types.h"
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

/// The bytes of a float, the least significant first.
std::string bytesOf(const llvm::APFloat &number) {
  const llvm::APInt bits = number.bitcastToAPInt();
  std::string bytes;
  for (unsigned at = 0; at < bits.getBitWidth(); at += 8)
    bytes.push_back(static_cast<char>(bits.extractBitsAsZExtValue(
        std::min(8U, bits.getBitWidth() - at), at)));
  return bytes;
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
      hasFastMath(inner))
    return std::nullopt;
  const Value a = inner.getOperand(0), b = inner.getOperand(1);
  const Value x = body.getArgument(0), y = body.getArgument(1);
  if (!(a == x && b == y) && !(a == y && b == x)) return std::nullopt;
  return valueOpOf(inner);
}

/// Whether the op is one of those whose order a reduction leaves open.
bool isFree(StringRef name) {
  for (StringRef free : {"add", "multiply", "maximum", "minimum", "and", "or"})
    if (name == free) return true;
  return name.starts_with("arith.maxnumf") || name.starts_with("arith.minnumf");
}

}  // namespace

StoredValues::StoredValues(Trace &trace, Operation *function,
                           PieceSpace programs,
                           std::function<int64_t(Operation *)> lineOf,
                           const Stop *stop)
    : trace_(trace),
      function_(function),
      programs_(std::move(programs)),
      lineOf_(std::move(lineOf)),
      stop_(stop) {
  for (const TracedAccess &access : trace_.accesses)
    accesses_[access.op] = &access;
}

int64_t StoredValues::storedBy(const TracedAccess &store) {
  if (store.op->getNumOperands() < 2) return -1;
  return of(store.op->getOperand(1));
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
  if (auto known = numbers_.find(value); known != numbers_.end())
    return known->second;
  ++depth_;
  const int64_t number = add(make(value));
  --depth_;
  numbers_[value] = number;
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
      space.loops.insert(space.loops.begin(), *outer);
    }
  const auto count = kernels::PieceMaker(trace_.terms, space, stop_)
                         .bounds(traced->second.trips);
  if (!count.ok() || !count->hasUpper()) return std::nullopt;
  return PieceSpace::LoopCount{traced->second.number, count->upper};
}

std::optional<StoredValues::Loops> StoredValues::loopsOf(Value value) {
  Loops loops;
  for (Operation *at = value.getParentBlock()->getParentOp();
       at && at != function_; at = at->getParentOp()) {
    if (llvm::isa<mlir::scf::IfOp>(at)) continue;
    if (!llvm::isa<mlir::scf::ForOp>(at)) return std::nullopt;
    const auto count = countOf(at);
    if (!count) return std::nullopt;
    loops.insert(loops.begin(), *count);
  }
  return loops;
}

bool StoredValues::isOfIndices(TermId term) const {
  const kernels::Terms &terms = trace_.terms;
  for (TermKind kind :
       {TermKind::Loaded, TermKind::Unknown, TermKind::Placeholder})
    if (terms.mentions(term, kind)) return false;
  for (int64_t argument : terms.valuesOf(term, TermKind::Argument))
    if (!programs_.values.count(argument)) return false;
  return true;
}

absl::StatusOr<std::vector<PointerMap>> StoredValues::pieces(
    const KernelValue &of, TermId pointer, std::optional<TermId> mask) {
  PieceSpace space = programs_;
  space.loops = of.loops;
  space.tile = of.tile;
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

KernelValue StoredValues::make(Value value) {
  KernelValue made;
  made.type = valueTypeOf(value.getType());
  made.tile = shapeOf(value.getType());
  Operation *around = value.getDefiningOp()
                          ? value.getDefiningOp()
                          : value.getParentBlock()->getParentOp();
  made.line = lineOf_(around);
  if (depth_ > kMostDeep || !hasStack(kStackOfQuestion))
    return unknown(made, "values are nested too deep");
  const auto loops = loopsOf(value);
  if (!loops)
    return unknown(made, absl::StrCat("line ", made.line,
                                      ": how often it is computed is not "
                                      "known"));
  made.loops = *loops;
  if (const auto known = trace_.known.find(value);
      isInteger(value.getType()) && known != trace_.known.end())
    if (auto found = index(made, known->second)) return *std::move(found);
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  if (!result) {
    auto argument = llvm::cast<mlir::BlockArgument>(value);
    if (argument.getOwner()->getParentOp() == function_)
      return unknown(made, absl::StrCat("argument ", argument.getArgNumber(),
                                        " has no value"));
    return unknown(made, absl::StrCat("line ", made.line,
                                      ": a loop carries a value that is no "
                                      "sum"));
  }
  Operation &op = *result.getOwner();
  const StringRef name = op.getName().getStringRef();
  const auto [space, plain] = name.split('.');
  if (made.type.empty() && name != "ttg.local_alloc" &&
      name != "ttg.memdesc_trans" && name != "ttg.local_load")
    return unknown(made,
                   absl::StrCat("line ", made.line, ": HLO has no such type"));
  if (op.hasAttr(kUnknownAttribute))
    return unknown(made,
                   absl::StrCat("line ", made.line, ": the op is not known"));
  if (name == "arith.constant") return constant(made, op);
  if (accesses_.count(&op) && accesses_[&op]->kind == kernels::AccessKind::Load)
    return loaded(made, op);
  if (name == "tt.reduce") return reduced(made, op);
  if (name == "tt.dot" || name == "ttng.warp_group_dot") {
    if (op.getNumOperands() < 3)
      return unknown(made, "a dot has too few operands");
    made.kind = Kind::Dot;
    for (unsigned k : {0U, 1U, 2U})
      made.operands.push_back(of(op.getOperand(k)));
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
    for (Value operand : op.getOperands()) made.operands.push_back(of(operand));
    return made;
  }
  if (space == "tt" || space == "ttg" || space == "triton_gpu")
    return moved(made, result);
  return unknown(made, absl::StrCat("line ", made.line, ": what `", name.str(),
                                    "` computes is not followed"));
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
  const auto isVolatile = op.getAttrOfType<mlir::BoolAttr>("isVolatile");
  if (isVolatile && isVolatile.getValue()) return fail("the load is volatile");
  value.kind = Kind::Load;
  const bool isPlain = op.getName().getStringRef() == "tt.load";
  const unsigned count = op.getNumOperands();
  if (isPlain && count > 2) value.operands.push_back(of(op.getOperand(2)));
  if (isPlain && count > 1 && access.mask && !isOfIndices(*access.mask)) {
    // A mask of values chooses, as a select does. It has to be the whole mask.
    const auto mask = trace_.known.find(op.getOperand(1));
    if (mask != trace_.known.end() && mask->second != *access.mask)
      return fail("a mask of values stands in a branch");
    if (op.getParentOp() != function_ && mask == trace_.known.end())
      return fail("a mask of values is not followed here");
    auto maps = pieces(value, *access.pointer, std::nullopt);
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
  auto maps = pieces(value, *access.pointer, access.mask);
  if (!maps.ok()) return fail(std::string(maps.status().message()));
  value.maps = *std::move(maps);
  // What a block pointer has outside of its array is its padding.
  const auto padding = integerOf(op.getAttr("padding"));
  const auto check = op.getAttrOfType<mlir::DenseI32ArrayAttr>("boundaryCheck");
  const mlir::Type element = elementOf(op.getResult(0).getType());
  if (isPlain && count == 1 && check && !check.empty() && padding &&
      op.getParentOfType<mlir::scf::IfOp>() == nullptr) {
    if (auto type = llvm::dyn_cast<mlir::FloatType>(element)) {
      KernelValue other = value;
      other.kind = Kind::Literal;
      other.maps.clear();
      const auto &semantics = type.getFloatSemantics();
      other.text = bytesOf(*padding == 2 ? llvm::APFloat::getNaN(semantics)
                                         : llvm::APFloat::getZero(semantics));
      if (*padding == 1 || *padding == 2) value.operands = {add(other)};
    }
  }
  return value;
}

std::optional<IndexingMap> StoredValues::placed(
    const KernelValue &value,
    llvm::function_ref<void(IndexingMapBuilder &, llvm::ArrayRef<Expr>,
                            llvm::SmallVectorImpl<Expr> &)>
        source) const {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> outer, tile, inner;
  for (int64_t size : programs_.grid)
    outer.push_back(b.dimension({0, size - 1}));
  for (const auto &loop : value.loops)
    outer.push_back(b.dimension({0, loop.count - 1}));
  for (int64_t size : value.tile) tile.push_back(b.dimension({0, size - 1}));
  source(b, tile, inner);
  for (Expr each : outer) b.result(each);
  for (Expr each : inner) b.result(each);
  auto map = b.build();
  if (map.ok()) map = simplify(*map);
  if (!map.ok()) return std::nullopt;
  return *std::move(map);
}

KernelValue StoredValues::moved(KernelValue value, mlir::OpResult result) {
  Operation &op = *result.getOwner();
  const StringRef name = op.getName().getStringRef().split('.').second;
  auto fail = [&] {
    return unknown(value, absl::StrCat("line ", value.line, ": what `",
                                       op.getName().getStringRef().str(),
                                       "` computes is not followed"));
  };
  if (op.getNumOperands() == 0) return fail();
  const auto from = shapeOf(op.getOperand(0).getType());
  using Exprs = llvm::SmallVectorImpl<Expr>;
  std::optional<IndexingMap> map;
  auto place = [&](llvm::function_ref<void(IndexingMapBuilder &,
                                           llvm::ArrayRef<Expr>, Exprs &)>
                       source) { map = placed(value, source); };
  const bool isShared = name == "local_alloc" || name == "local_load";
  if (name == "convert_layout" || isShared) {
    // Memory that is stored to once holds what it was made with.
    if (name == "local_load" && op.getOperand(0).getDefiningOp() == nullptr)
      return fail();
    if (name == "local_alloc") {
      value.tile.assign(from.begin(), from.end());
      value.type = valueTypeOf(op.getOperand(0).getType());
      for (Operation *user : result.getUsers()) {
        const StringRef use = user->getName().getStringRef();
        if (use != "ttg.local_load" && use != "ttg.memdesc_trans" &&
            use != "ttg.local_dealloc" && use != "tt.dot" &&
            use != "ttng.warp_group_dot")
          return fail();
      }
    }
    place([](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile, Exprs &to) {
      to.append(tile.begin(), tile.end());
    });
  } else if (name == "splat" || name == "unsplat") {
    place([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>, Exprs &to) {
      to.append(from.size(), b.constant(0));
    });
  } else if (name == "expand_dims") {
    const auto axis = integerOf(op.getAttr("axis"));
    if (!axis) return fail();
    place([&](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile, Exprs &to) {
      for (size_t k = 0; k < tile.size(); ++k)
        if (static_cast<int64_t>(k) != *axis) to.push_back(tile[k]);
    });
  } else if (name == "broadcast") {
    place([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile, Exprs &to) {
      for (size_t k = 0; k < from.size(); ++k)
        to.push_back(from[k] == 1 ? b.constant(0) : tile[k]);
    });
  } else if (name == "trans" || name == "memdesc_trans") {
    const auto order = op.getAttrOfType<mlir::DenseI32ArrayAttr>("order");
    const size_t rank = from.empty() ? value.tile.size() : from.size();
    if (rank == 0 || value.tile.size() != rank) return fail();
    place([&](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile, Exprs &to) {
      to.assign(tile.begin(), tile.end());
      for (size_t k = 0; k < rank; ++k)
        to[order ? order.asArrayRef()[k] : rank - 1 - k] = tile[k];
    });
  } else if (name == "reshape") {
    const auto reorders = op.getAttrOfType<mlir::BoolAttr>("allow_reorder");
    if (reorders ? reorders.getValue() : op.hasAttr("allow_reorder"))
      return fail();
    place([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile, Exprs &to) {
      Expr at = b.constant(0);
      for (size_t k = 0; k < tile.size(); ++k)
        at = at * value.tile[k] + tile[k];
      to.append(from.size(), b.constant(0));
      int64_t below = 1;
      for (size_t k = from.size(); k-- > 0; below *= from[k])
        to[k] = mod(floorDiv(at, below), from[k]);
    });
  } else if (name == "split") {
    place([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile, Exprs &to) {
      to.append(tile.begin(), tile.end());
      to.push_back(b.constant(result.getResultNumber()));
    });
  } else if (name == "join" && op.getNumOperands() == 2) {
    value.kind = Kind::Move;
    for (int64_t side : {0, 1}) {
      place([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile, Exprs &to) {
        to.append(tile.begin(), tile.end() - 1);
        b.constraint(tile.back(), Interval::point(side));
      });
      if (!map) return fail();
      value.operands.push_back(of(op.getOperand(side)));
      value.maps.push_back({side, *map});
    }
    return value;
  }
  if (!map) return fail();
  value.kind = Kind::Move;
  value.operands = {of(op.getOperand(0))};
  value.maps = {{0, *map}};
  return value;
}

KernelValue StoredValues::reduced(KernelValue value, Operation &op) {
  const auto axis = integerOf(op.getAttr("axis"));
  const auto reducer = reducerOf(op);
  if (op.getNumOperands() != 1 || !axis || !reducer || !isFree(reducer->name))
    return unknown(value, absl::StrCat("line ", value.line,
                                       ": what is reduced by several ops is "
                                       "not followed"));
  value.kind = Kind::Reduce;
  value.axis = *axis;
  value.text = reducer->name;
  value.operands = {of(op.getOperand(0))};
  return value;
}

KernelValue StoredValues::looped(KernelValue value, mlir::scf::ForOp loop,
                                 unsigned k) {
  const Value carried = loop.getRegionIterArgs()[k];
  const Value next = loop.getBody()->getTerminator()->getOperand(k);
  if (next == carried) {
    value.kind = Kind::Move;
    value.operands = {of(loop.getInitArgs()[k])};
    const auto map =
        placed(value, [](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile,
                         llvm::SmallVectorImpl<Expr> &to) {
          to.append(tile.begin(), tile.end());
        });
    if (!map) return unknown(value, "a loop is not followed");
    value.maps = {{0, *map}};
    return value;
  }
  auto fail = [&] {
    return unknown(value, absl::StrCat("line ", value.line,
                                       ": a loop carries a value that is no "
                                       "sum"));
  };
  Operation *op = next.getDefiningOp();
  const auto count = countOf(loop);
  if (!op || !carried.hasOneUse() || op->getBlock() != loop.getBody() ||
      !count || hasFastMath(*op))
    return fail();
  const StringRef name = op->getName().getStringRef();
  std::string by;
  KernelValue inner;
  std::optional<int64_t> added;
  if ((name == "tt.dot" || name == "ttng.warp_group_dot") &&
      op->getNumOperands() == 3 && op->getOperand(2) == carried) {
    by = "dot";
    // The products of one iteration, without what it adds them to.
    inner.kind = Kind::Dot;
    inner.type = value.type;
    inner.tile = value.tile;
    inner.line = lineOf_(op);
    const auto loops = loopsOf(next);
    if (!loops) return fail();
    inner.loops = *loops;
    inner.operands = {of(op->getOperand(0)), of(op->getOperand(1))};
    added = add(std::move(inner));
  } else if (op->getNumOperands() == 2) {
    const auto found = valueOpOf(*op);
    if (!found || !isFree(found->name)) return fail();
    by = found->name;
    const bool isLeft = op->getOperand(0) == carried;
    if (!isLeft && op->getOperand(1) != carried) return fail();
    added = of(op->getOperand(isLeft ? 1 : 0));
  } else {
    return fail();
  }
  const int64_t start = of(loop.getInitArgs()[k]);
  // In which iterations it runs, in the space of the body.
  KernelValue body = value;
  body.loops.push_back(*count);
  kernels::Terms &terms = trace_.terms;
  const TermId runs = terms.make(
      TermKind::LessS, 1,
      {terms.leaf(TermKind::Loop, count->loop, 64), trace_.loops[loop].trips});
  auto maps = pieces(body, terms.leaf(TermKind::Pointer, 0, 64), runs);
  if (!maps.ok()) return fail();
  value.kind = Kind::Loop;
  value.text = by;
  value.operands = {start, *added};
  value.maps = *std::move(maps);
  value.axis = count->count;
  return value;
}

KernelValue StoredValues::chosen(KernelValue value, mlir::scf::IfOp choice,
                                 unsigned k) {
  value.kind = Kind::Apply;
  value.text = "select";
  if (choice.getElseRegion().empty())
    return unknown(value, "a branch has no other side");
  value.operands = {
      of(choice.getCondition()),
      of(choice.getThenRegion().front().getTerminator()->getOperand(k)),
      of(choice.getElseRegion().front().getTerminator()->getOperand(k))};
  return value;
}

}  // namespace indexical::triton
