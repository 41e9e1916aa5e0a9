#include "indexical/import/llvm/stored_values.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

#include "indexical/import/llvm/merged_pieces.h"
#include "indexical/import/llvm/packed_bits.h"
#include "indexical/import/llvm/undefined_values.h"
#include "indexical/indexing/deep_stack.h"

namespace indexical::compiled {

using kernels::KernelValue;
using kernels::PieceSpace;
using kernels::PointerMap;
using llvm::dyn_cast;
using llvm::isa;
using llvm::StringRef;
using llvm::Value;

namespace {

/// Returns the bytes of a number, the least significant first.
std::string bytesOf(const llvm::APInt &bits) {
  std::string bytes;
  for (unsigned at = 0; at < bits.getBitWidth(); at += 8)
    bytes.push_back(static_cast<char>(bits.extractBitsAsZExtValue(
        std::min(8U, bits.getBitWidth() - at), at)));
  return bytes;
}

}  // namespace

StoredValues::StoredValues(
    ValueTerms &terms, const ThreadTile &tile, llvm::Function &function,
    const kernels::TritonKernel &kernel, PieceSpace programs,
    const std::map<int64_t, std::string> &types,
    const std::vector<PlacedOp> &ops,
    std::function<int64_t(const llvm::Instruction &)> lineOf, const Stop *stop)
    : terms_(terms),
      tile_(tile),
      function_(function),
      kernel_(kernel),
      programs_(std::move(programs)),
      types_(types),
      ops_(ops),
      lineOf_(std::move(lineOf)),
      stop_(stop) {
  for (StringRef name : {"denormal-fp-math", "denormal-fp-math-f32"})
    if (const auto mode = function.getFnAttribute(name); mode.isValid())
      flushes_ |= mode.getValueAsString() != "ieee,ieee" &&
                  mode.getValueAsString() != "ieee";
}

int64_t StoredValues::add(KernelValue value) {
  values_.push_back(std::move(value));
  return static_cast<int64_t>(values_.size()) - 1;
}

KernelValue StoredValues::unknown(KernelValue value, std::string reason) const {
  value.kind = Kind::Unknown;
  value.operands.clear();
  value.maps.clear();
  value.text = std::move(reason);
  return value;
}

KernelValue StoredValues::failed(const KernelValue &value,
                                 StringRef why) const {
  return unknown(value, value.line > 0
                            ? absl::StrCat("line ", value.line, ": ", why.str())
                            : why.str());
}

KernelValue StoredValues::spaceAt(const Value *value,
                                  const std::string &type) const {
  KernelValue made;
  made.type = type;
  made.tile.assign(tile_.sides().begin(), tile_.sides().end());
  if (const auto *at = dyn_cast<llvm::Instruction>(value)) {
    made.line = lineOf_(*at);
    if (const auto *node = terms_.dominators().getNode(at->getParent()))
      made.depth = static_cast<int32_t>(node->getLevel());
  }
  return made;
}

std::optional<int64_t> StoredValues::countOf(const llvm::Loop *loop) {
  const auto [known, isNew] = counts_.try_emplace(loop, std::nullopt);
  if (!isNew) return known->second;
  PieceSpace space = programs_;
  if (const llvm::Loop *outer = loop->getParentLoop()) {
    auto around = loopsAround(outer->getHeader());
    if (!around) return std::nullopt;
    space.loops = *std::move(around);
  }
  space.tile.assign(tile_.sides().begin(), tile_.sides().end());
  const auto trips = terms_.trips(loop);
  if (!trips) return std::nullopt;
  const auto count =
      kernels::PieceMaker(terms_.terms(), space, stop_).bounds(*trips);
  if (!count.ok() || !count->isPoint() || count->lower < 1) return std::nullopt;
  return counts_[loop] = count->lower;
}

std::optional<StoredValues::Loops> StoredValues::loopsAround(
    const llvm::BasicBlock *block) {
  Loops loops;
  for (const llvm::Loop *loop = terms_.loopOf(block); loop;
       loop = loop->getParentLoop()) {
    const auto count = countOf(loop);
    if (!count) return std::nullopt;
    loops.insert(loops.begin(), {terms_.numberOf(loop), *count, 1});
  }
  return loops;
}

std::optional<KernelValue> StoredValues::index(KernelValue value, TermId term) {
  kernels::Terms &terms = terms_.terms();
  for (TermKind kind :
       {TermKind::Loaded, TermKind::Unknown, TermKind::Placeholder})
    if (terms.mentions(term, kind)) return std::nullopt;
  for (int64_t argument : terms.valuesOf(term, TermKind::Argument))
    if (!programs_.values.count(argument)) return std::nullopt;
  const TermId base = terms.leaf(TermKind::Pointer, 0, 64);
  PieceSpace space = programs_;
  space.loops = value.loops;
  space.tile = value.tile;
  auto addMaps = [&](TermId number, std::optional<TermId> mask) {
    kernels::PieceMaker maker(terms, space, stop_);
    auto maps = maker.elements(
        terms.make(TermKind::PointerAdd, 64, {base, number}), mask);
    if (!maps.ok() || maker.isCover()) return false;
    for (PointerMap &map : *maps) {
      if (!map.map.runtime().empty()) return false;
      value.maps.push_back(std::move(map));
    }
    return true;
  };
  value.kind = Kind::Index;
  if (value.type != "pred") {
    if (terms[term].bits < 64)
      term = terms.make(TermKind::SignExtend, 64, {term});
    if (!addMaps(term, std::nullopt)) return std::nullopt;
    value.maps = mergedPieces(std::move(value.maps));
    return value;
  }
  const TermId isNot =
      terms.make(TermKind::Xor, 1, {term, terms.constant(1, 1)});
  if (!addMaps(terms.constant(1, 64), term) ||
      !addMaps(terms.constant(0, 64), isNot))
    return std::nullopt;
  return value;
}

std::optional<IndexingMap> StoredValues::mapFrom(
    const KernelValue &value,
    llvm::function_ref<void(IndexingMapBuilder &, llvm::ArrayRef<Expr>,
                            llvm::SmallVectorImpl<Expr> &)>
        to) const {
  IndexingMapBuilder b;
  for (int64_t programs : programs_.grid)
    b.result(b.dimension({0, programs - 1}));
  for (const auto &loop : value.loops)
    b.result(b.dimension({0, loop.count - 1}));
  llvm::SmallVector<Expr, 6> tile, results;
  for (int64_t size : value.tile) tile.push_back(b.dimension({0, size - 1}));
  to(b, tile, results);
  for (const Expr &each : results) b.result(each);
  auto map = b.build();
  if (!map.ok()) return std::nullopt;
  return *std::move(map);
}

std::optional<IndexingMap> StoredValues::toElement(const KernelValue &value,
                                                   int64_t element) const {
  return mapFrom(value, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile,
                            llvm::SmallVectorImpl<Expr> &to) {
    to.append(tile.begin(), tile.end());
    to.push_back(b.constant(element));
  });
}

KernelValue StoredValues::moved(KernelValue value, int64_t from,
                                IndexingMap map) const {
  value.kind = Kind::Move;
  value.operands = {from};
  value.maps = {{0, std::move(map)}};
  return value;
}

int64_t StoredValues::part(const Value *value, int64_t bit,
                           const std::string &type) {
  const auto key = std::tuple(value, bit, type);
  if (const auto known = known_.find(key); known != known_.end())
    return known->second;
  // A frozen number is any number where it was none.
  const auto *frozen = dyn_cast<llvm::FreezeInst>(value);
  const bool isAny = frozen && leftOut(frozen, [](const llvm::Instruction &) {
                       return Followed::No;
                     });
  const auto same = isAny ? std::nullopt : samePart(value, bit, type);
  if (same) return known_[key] = part(same->value, same->bit, type);
  const auto *phi = dyn_cast<llvm::PHINode>(value);
  const llvm::Loop *loop = phi ? terms_.loopOf(phi->getParent()) : nullptr;
  // What a loop carries is made of itself: it has a number first.
  const bool isCarried = loop && loop->getHeader() == phi->getParent();
  if (isCarried)
    known_[key] = add(unknown(spaceAt(value, type), "a loop is not followed"));
  ++depth_;
  KernelValue made = make(value, bit, type);
  --depth_;
  if (isCarried) {
    const int64_t number = known_[key];
    values_[number] = std::move(made);
    origins_[number] = value;
    return number;
  }
  const int64_t number = add(std::move(made));
  known_[key] = number;
  origins_[number] = value;
  return number;
}

KernelValue StoredValues::constant(KernelValue made,
                                   const llvm::Constant &constant,
                                   int64_t bit) {
  const int64_t bits = bitsOfName(made.type);
  const llvm::Constant *at = &constant;
  if (const auto *type = dyn_cast<llvm::FixedVectorType>(at->getType())) {
    const int64_t own = bitsIn(type->getElementType());
    if (own == 0) return failed(made, "a constant is not followed");
    at = at->getAggregateElement(static_cast<unsigned>(bit / own));
    bit %= own;
  }
  std::optional<llvm::APInt> all;
  if (const auto *number = llvm::dyn_cast_or_null<llvm::ConstantInt>(at))
    all = number->getValue();
  if (const auto *number = llvm::dyn_cast_or_null<llvm::ConstantFP>(at))
    all = number->getValueAPF().bitcastToAPInt();
  // The compiler may take any value for one that is not defined.
  if (!all) return failed(made, "a constant is not followed");
  if (bit + bits > all->getBitWidth())
    return failed(made, "a constant is put together of others");
  const llvm::APInt own = all->extractBits(bits, bit);
  if (!isIntegerName(made.type)) {
    made.kind = Kind::Literal;
    made.text = bytesOf(own);
    return made;
  }
  const auto found =
      index(made, terms_.number(made.type == "pred" ? own.getZExtValue()
                                                    : own.getSExtValue(),
                                static_cast<int32_t>(bits)));
  return found ? *found : failed(made, "a constant is not followed");
}

KernelValue StoredValues::make(const Value *value, int64_t bit,
                               const std::string &type) {
  KernelValue made = spaceAt(value, type);
  const int64_t bits = bitsOfName(type);
  if (depth_ > kMostDeep || !hasStack(kStackOfQuestion))
    return unknown(made, "values are nested too deep");
  if (type.empty() || bits < 1) return failed(made, "HLO has no such type");
  if (const auto *at = dyn_cast<llvm::Constant>(value))
    return constant(made, *at, bit);
  if (const auto *argument = dyn_cast<llvm::Argument>(value)) {
    if (argument->getType()->isIntegerTy() && bit == 0 && isIntegerName(type) &&
        bitsIn(argument->getType()) == bits)
      if (auto found = index(made, terms_.integer(argument)))
        return *std::move(found);
    return unknown(
        made, absl::StrCat("the argument `",
                           kernel_.arguments[argument->getArgNo()].name,
                           "` has no value that is followed; --arg gives an "
                           "integer one"));
  }
  const auto *at = dyn_cast<llvm::Instruction>(value);
  if (!at) return failed(made, "a value is not followed");
  const auto loops = loopsAround(at->getParent());
  if (!loops)
    return failed(made, "how often a loop around it runs is not one number");
  made.loops = *loops;
  if (at->getType()->isIntegerTy() && bit == 0 && isIntegerName(type) &&
      bitsIn(at->getType()) == bits)
    if (auto found = index(made, terms_.integer(at));
        found &&
        !undefinedLeftOut(
            terms_, at, terms_.integer(at), Flags::Counted,
            [this](const llvm::Instruction &op) { return isDefined(op); }))
      return *std::move(found);
  return computed(std::move(made), *at, bit);
}

KernelValue StoredValues::computed(KernelValue made,
                                   const llvm::Instruction &at, int64_t bit) {
  const std::string type = made.type;
  const int64_t bits = bitsOfName(type);
  if (const PlacedOp *load = loadOf(&at)) return loaded(made, *load, bit);
  if (const auto *phi = dyn_cast<llvm::PHINode>(&at)) {
    const llvm::Loop *loop = terms_.loopOf(phi->getParent());
    if (loop && loop->getHeader() == phi->getParent())
      return carried(std::move(made), *phi, bit, type);
    if (phi->getNumIncomingValues() == 1)
      return left(std::move(made), *phi, bit);
    return merged(std::move(made), *phi, bit);
  }
  if (const auto *call = dyn_cast<llvm::CallInst>(&at))
    if (auto found = exchanged(made, *call, bit)) return *std::move(found);
  if (const auto *select = dyn_cast<llvm::SelectInst>(&at);
      select && obstacleOf(at).empty()) {
    // A choice of bits, whatever they are taken for.
    const bool isVector = select->getCondition()->getType()->isVectorTy();
    const int64_t own = bitsIn(at.getType()->getScalarType());
    if (!isVector || (own > 0 && bit / own == (bit + bits - 1) / own)) {
      made.kind = Kind::Apply;
      made.text = "select";
      made.operands = {
          part(select->getCondition(), isVector ? bit / own : 0, "pred"),
          part(select->getTrueValue(), bit, type),
          part(select->getFalseValue(), bit, type)};
      return made;
    }
  }
  if (const auto op = valueOpOf(at, bit)) return applied(made, at, *op);
  std::string name = at.getOpcodeName();
  if (const auto *call = dyn_cast<llvm::CallInst>(&at))
    if (const llvm::Function *callee = call->getCalledFunction())
      name = callee->getName().str();
  return failed(made,
                absl::StrCat("what `", name, "` computes is not followed"));
}

KernelValue StoredValues::applied(KernelValue made, const llvm::Instruction &at,
                                  const ValueOp &op) {
  if (const std::string why = obstacleOfFloats(at); !why.empty())
    return failed(made, why);
  KernelValue own = made;
  own.type = op.type;
  const bool isOfFloats =
      op.type == "f32" ||
      (llvm::isa<llvm::FCmpInst>(at) &&
       at.getOperand(0)->getType()->getScalarType()->isFloatTy());
  if (flushes_ && isOfFloats)
    return failed(made, "the kernel takes numbers that are too small for 0");
  if (auto sum = reducedByLanes(own, at, op))
    return taken(made, op.type, *std::move(sum));
  own.kind = op.isForeign ? Kind::Foreign : Kind::Apply;
  own.text = op.name;
  if (!isDefined(at)) own.excluding = excludingFlags(at);
  for (const ValueOp::Operand &operand : op.operands)
    own.operands.push_back(part(operand.value, operand.bit, operand.type));
  if (op.isNegated) {
    KernelValue opposite = own;
    opposite.kind = Kind::Apply;
    opposite.text = "not";
    opposite.operands = {add(std::move(own))};
    own = std::move(opposite);
  }
  return taken(made, op.type, std::move(own));
}

KernelValue StoredValues::taken(const KernelValue &made, const std::string &own,
                                KernelValue value) {
  if (own == made.type) return value;
  KernelValue other = made;
  other.kind = Kind::Foreign;
  other.text = absl::StrCat("bits of ", own, " as ", made.type);
  other.loops = value.loops;
  other.operands = {add(std::move(value))};
  return other;
}

KernelValue StoredValues::merged(KernelValue made, const llvm::PHINode &phi,
                                 int64_t bit) {
  const std::string type = made.type;
  const auto ways = terms_.meeting(phi);
  if (!ways) return failed(made, "which exit of a loop is taken decides");
  if (phi.getType()->isFPOrFPVectorTy() && !obstacleOf(phi).empty())
    return failed(made, obstacleOf(phi));
  std::vector<int64_t> numbers, conditions = {-1};
  for (const auto &way : *ways) numbers.push_back(part(way.value, bit, type));
  bool isOfIndices = true;
  for (size_t k = 1; k < ways->size() && isOfIndices; ++k) {
    KernelValue truth = made;
    truth.type = "pred";
    const auto found = index(truth, (*ways)[k].when);
    isOfIndices = found.has_value();
    if (found) conditions.push_back(add(*found));
  }
  // The branch from where the ways part.
  const llvm::DominatorTree &tree = terms_.dominators();
  const auto *from = tree.getNode(phi.getParent())->getIDom();
  made.isBranch = true;
  made.depth = static_cast<int32_t>(from->getLevel());
  if (!isOfIndices) {
    // Values decide.
    const llvm::BasicBlock *above = from->getBlock();
    const auto *branch = dyn_cast<llvm::BranchInst>(above->getTerminator());
    if (ways->size() != 2 || !branch || !branch->isConditional() ||
        branch->getSuccessor(0) == branch->getSuccessor(1) ||
        terms_.loopOf(above) != terms_.loopOf(phi.getParent()))
      return failed(made, "on which way a thread comes is not followed");
    auto comesBy = [&](unsigned successor, const llvm::BasicBlock *from) {
      const llvm::BasicBlockEdge edge(above, branch->getSuccessor(successor));
      if (from == above)
        return branch->getSuccessor(successor) == phi.getParent();
      return tree.dominates(edge, from);
    };
    const llvm::BasicBlock *a = (*ways)[0].from, *b = (*ways)[1].from;
    const bool isStraight = comesBy(0, a) && comesBy(1, b);
    if (!isStraight && !(comesBy(1, a) && comesBy(0, b)))
      return failed(made, "on which way a thread comes is not followed");
    made.kind = Kind::Apply;
    made.text = "select";
    branches_[branch->getCondition()] = branch;
    made.operands = {part(branch->getCondition(), 0, "pred"),
                     numbers[isStraight ? 0 : 1], numbers[isStraight ? 1 : 0]};
    return made;
  }
  int64_t all = numbers[0];
  KernelValue last = values_[all];
  for (size_t k = 1; k < numbers.size(); ++k) {
    last = made;
    last.kind = Kind::Apply;
    last.text = "select";
    last.operands = {conditions[k], numbers[k], all};
    if (k + 1 < numbers.size()) all = add(last);
  }
  return last;
}

const PlacedOp *StoredValues::loadOf(const Value *value) const {
  const PlacedOp *found = nullptr;
  for (const PlacedOp &each : ops_) {
    if (each.op->at != value || each.op->kind != kernels::AccessKind::Load)
      continue;
    if (found) return nullptr;
    found = &each;
  }
  return found;
}

int64_t StoredValues::vectorOf(const MemoryOp &op, llvm::ArrayRef<int64_t> tile,
                               int64_t bits, const std::string &type) {
  // An integer of a part of a byte leaves zeros in the rest of it.
  if (op.stored) {
    const llvm::Type *stored = op.stored->getType()->getScalarType();
    if (stored->isIntegerTy() && stored->getIntegerBitWidth() % 8 != 0)
      return -1;
  }
  auto partAt = [&](int64_t bit) -> int64_t {
    const int64_t own = op.elementBytes * 8;
    const auto k = static_cast<size_t>(bit / own);
    if (!op.stored && (k >= op.parts.size() || bit % own + bits > own))
      return -1;
    const Value *from = op.stored ? op.stored : op.parts[k];
    return whole(op, from, part(from, op.stored ? bit : bit % own, type));
  };
  const size_t sides = tile_.sides().size();
  if (tile.size() == sides) return partAt(0);
  KernelValue vector = spaceAt(op.at, type);
  const auto loops = loopsAround(op.at->getParent());
  if (!loops) return -1;
  vector.loops = *loops;
  vector.tile.assign(tile.begin(), tile.end());
  vector.kind = Kind::Move;
  for (int64_t k = 0; k < tile.back(); ++k) {
    const int64_t number = partAt(k * bits);
    if (number < 0) return -1;
    const auto map =
        mapFrom(vector, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> at,
                            llvm::SmallVectorImpl<Expr> &to) {
          b.constraint(at.back(), Interval::point(k));
          to.append(at.begin(), at.end() - 1);
        });
    if (!map) return -1;
    vector.operands.push_back(number);
    vector.maps.push_back({k, *map});
  }
  return add(std::move(vector));
}

int64_t StoredValues::storedBy(const PlacedOp &store) {
  if (store.access < 0) return -1;
  const kernels::KernelAccess &access = kernel_.accesses[store.access];
  if (access.kind != kernels::AccessKind::Store || !access.reason.empty())
    return -1;
  const auto *instruction = dyn_cast<llvm::StoreInst>(store.op->at);
  if (instruction ? !instruction->isSimple() : store.op->parts.empty())
    return -1;
  std::string type;
  for (const PointerMap &map : access.maps) {
    const auto own = types_.find(map.argument);
    if (own == types_.end() || (!type.empty() && own->second != type))
      return -1;
    type = own->second;
  }
  // Memory holds a truth value as a byte, and integers without a sign.
  if (type == "pred") type = "s8";
  if (StringRef(type).starts_with("u")) type[0] = 's';
  if (bitsOfName(type) != access.elementBits) return -1;
  return vectorOf(*store.op, access.tile, access.elementBits, type);
}

}  // namespace indexical::compiled
