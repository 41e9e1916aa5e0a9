#include "indexical/cost/hazards/thread_access.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/ops/identity.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

using Side = ThreadPiece::Side;

/// Tuples and bitcasts behind each other; more are no compiler's.
constexpr int kMostViews = 64;

/// Whether the op is a pad that pads with nothing.
bool padsNothing(const Op &op) {
  if (!op.is<PadOp>()) return false;
  const auto &pad = op.get<PadOp>();
  const auto isNone = [](int64_t count) { return count == 0; };
  return llvm::all_of(pad.low, isNone) && llvm::all_of(pad.high, isNone) &&
         llvm::all_of(pad.interior, isNone);
}

/// Returns the number of inputs of a scatter, which are its first operands.
int64_t inputsOf(const Op &scatter) { return shapesOf(scatter).results.size(); }

}  // namespace

KernelHero ThreadAccesses::heroOf(Leaf result, bool inPlace) const {
  const Computation *own = &module_.computations[result.computation];
  KernelHero hero;
  hero.computation = result.computation;
  hero.instruction = result.instruction;
  hero.leaf = result.leaf;
  const Instruction &kernel = own->instructions[result.instruction];
  if (isFusedKernel(kernel))
    if (const auto callee = calleeOfCall(kernel)) {
      hero.isFused = true;
      hero.site = {result.computation, result.instruction, callee->called};
      hero.computation = callee->computation;
      own = &module_.computations[callee->computation];
      const InstructionLeaf root = behindTuples(*own, {own->root, result.leaf});
      hero.instruction = root.instruction;
      hero.leaf = root.leaf;
    }
  if (!inPlace) return hero;
  InstructionLeaf at = {hero.instruction, hero.leaf};
  for (int steps = 0; steps < kMostViews; ++steps) {
    at = behindTuples(*own, at);
    const Instruction &of = own->instructions[at.instruction];
    if (!of.op.is<BitcastOp>() || of.operands.empty()) break;
    at = {of.operands[0], LeafId(0)};
  }
  const Op &op = own->instructions[at.instruction].op;
  if (!op.is<DynamicUpdateSliceOp>() && !op.is<ScatterOp>()) return hero;
  hero.instruction = at.instruction;
  hero.leaf = at.leaf;
  hero.form =
      op.is<ScatterOp>() ? KernelHero::Form::Scatter : KernelHero::Form::Window;
  return hero;
}

bool ThreadAccesses::isLibrary(const Instruction &instruction) {
  if (isFusedKernel(instruction)) return false;
  const Op &op = innermost(instruction.op);
  if (!op) return true;
  return instruction.opcode == "custom-call" ||
         !instruction.customCallTarget.empty() ||
         instruction.op.is<StartOp>() ||
         op.isOneOf<CoverOp, CustomOp, DotOp, ConvolutionOp, CholeskyOp,
                    TriangularSolveOp, FftOp, AllReduceOp, AllGatherOp,
                    AllToAllOp, CollectivePermuteOp, CollectiveBroadcastOp,
                    ReduceScatterOp, RaggedAllToAllOp>();
}

ThreadAccess ThreadAccesses::wholeOf(const ArrayShape &shape) {
  ThreadAccess whole;
  whole.shape = shape;
  whole.isAnytime = true;
  whole.pieces.push_back({identityOf(shape), Side::None, Side::Dimensions});
  return whole;
}

void ThreadAccesses::take(absl::StatusOr<IndexingRelation> relation,
                          ThreadAccess &to, Side thread, Side element) {
  if (relation.ok()) relation = maps_.withKnownValues(*relation);
  if (!relation.ok()) {
    to.obstacle = std::string(relation.status().message());
    return;
  }
  to.precision = std::min(to.precision, relation->precision());
  for (const IndexingMap &piece : relation->pieces())
    to.pieces.push_back({piece, thread, element});
}

const ThreadAccess &ThreadAccesses::writes(Leaf result, bool inPlace) {
  const Key key{result.computation, result.instruction, result.leaf, inPlace,
                -1};
  auto found = writes_.find(key);
  if (found == writes_.end())
    found = writes_.emplace(key, findWrites(result, inPlace)).first;
  return found->second;
}

ThreadAccess ThreadAccesses::findWrites(Leaf result, bool inPlace) {
  const KernelHero hero = heroOf(result, inPlace);
  const Instruction &of =
      module_.computations[hero.computation].instructions[hero.instruction];
  ThreadAccess access;
  access.shape = of.shape.leaves()[hero.leaf];
  if (hero.isFused) access.way.push_back(hero.site);
  if (isLibrary(module_.computations[result.computation]
                    .instructions[result.instruction]))
    return wholeOf(access.shape);
  const Leaf leaf = {hero.computation, hero.instruction, hero.leaf};
  switch (hero.form) {
    case KernelHero::Form::Plain:
      access.pieces.push_back(
          {identityOf(access.shape), Side::Dimensions, Side::Dimensions});
      break;
    case KernelHero::Form::Window:
      take(maps_.instruction(leaf, LeafId(1), Direction::OutputToInput), access,
           Side::Dimensions, Side::Dimensions);
      break;
    case KernelHero::Form::Scatter:
      take(maps_.instruction(leaf, LeafId(inputsOf(of.op) + 1 + hero.leaf),
                             Direction::OutputToInput),
           access, Side::Results, Side::Dimensions);
      break;
  }
  return access;
}

const ThreadAccess &ThreadAccesses::keeps(Leaf result) {
  const auto known = keeps_.find(result);
  if (known != keeps_.end()) return known->second;
  const KernelHero hero = heroOf(result, /*inPlace=*/true);
  const Instruction &of =
      module_.computations[hero.computation].instructions[hero.instruction];
  ThreadAccess access;
  access.shape = of.shape.leaves()[hero.leaf];
  if (hero.isFused) access.way.push_back(hero.site);
  if (hero.form == KernelHero::Form::Window)
    take(maps_.instruction({hero.computation, hero.instruction, hero.leaf},
                           LeafId(0), Direction::OutputToInput),
         access, Side::None, Side::Dimensions);
  else if (hero.form == KernelHero::Form::Scatter)
    access = wholeOf(access.shape);
  return keeps_[result] = std::move(access);
}

const ThreadAccess &ThreadAccesses::reads(Leaf result, bool inPlace,
                                          int64_t operandLeaf) {
  const Key key{result.computation, result.instruction, result.leaf, inPlace,
                operandLeaf};
  auto found = reads_.find(key);
  if (found == reads_.end())
    found = reads_.emplace(key, findReads(result, inPlace, operandLeaf)).first;
  return found->second;
}

/// Returns the parameter's leaf that an operand of the fusion is in its
/// computation.
std::optional<Leaf> ThreadAccesses::parameterOf(const KernelHero &hero,
                                                Leaf result,
                                                int64_t operandLeaf) const {
  const Computation &own = module_.computations[result.computation];
  const Computation &inside = module_.computations[hero.computation];
  const auto callee = calleeOfCall(own.instructions[result.instruction]);
  const OperandLeaf operand =
      own.operandLeaf(result.instruction, LeafId(operandLeaf));
  const int32_t parameter = callee->parameterOf(operand.operand);
  if (operand.instruction < 0 || parameter < 0 ||
      parameter >= static_cast<int32_t>(inside.parameters.size()))
    return std::nullopt;
  return Leaf{hero.computation, inside.parameters[parameter], operand.leaf};
}

/// Adds what the hero reads of a parameter by way of one of its operands.
void ThreadAccesses::readThrough(const KernelHero &hero, int64_t operand,
                                 Leaf parameter, ThreadAccess &to) {
  const Computation &inside = module_.computations[hero.computation];
  const OperandLeaf from =
      inside.operandLeaf(hero.instruction, LeafId(operand));
  if (from.instruction < 0) return;
  auto below = maps_.between({hero.computation, from.instruction, from.result},
                             parameter, Direction::OutputToInput);
  if (!below.ok() || below->isEmpty())
    return take(std::move(below), to, Side::Dimensions, Side::Results);
  if (hero.form == KernelHero::Form::Scatter) {
    const int64_t inputs = inputsOf(inside.instructions[hero.instruction].op);
    return take(std::move(below), to,
                operand > inputs ? Side::Dimensions : Side::None,
                Side::Results);
  }
  auto own = maps_.instruction({hero.computation, hero.instruction, hero.leaf},
                               LeafId(operand), Direction::OutputToInput);
  take(own.ok() ? compose(*own, *below, ResultSide::First, maps_.budget())
                : std::move(own),
       to, Side::Dimensions, Side::Results);
}

ThreadAccess ThreadAccesses::findReads(Leaf result, bool inPlace,
                                       int64_t operandLeaf) {
  const KernelHero hero = heroOf(result, inPlace);
  const Computation &own = module_.computations[result.computation];
  const Instruction &kernel = own.instructions[result.instruction];
  const OperandLeaf operand =
      own.operandLeaf(result.instruction, LeafId(operandLeaf));
  ThreadAccess access;
  access.shape =
      own.instructions[operand.instruction].shape.leaves()[operand.result];
  if (hero.isFused) access.way.push_back(hero.site);
  if (isLibrary(kernel)) {
    const auto relation = maps_.instruction(result, LeafId(operandLeaf),
                                            Direction::OutputToInput);
    if (relation.ok() && relation->isEmpty()) return access;
    return wholeOf(access.shape);
  }
  const Instruction &of =
      module_.computations[hero.computation].instructions[hero.instruction];
  const int64_t operands = shapesOf(of.op).operands.size();
  if (hero.isFused) {
    const auto parameter = parameterOf(hero, result, operandLeaf);
    if (!parameter) return access;
    if (hero.form == KernelHero::Form::Plain) {
      const Leaf leaf = {hero.computation, hero.instruction, hero.leaf};
      if (leaf == *parameter)
        access.pieces.push_back(
            {identityOf(access.shape), Side::Dimensions, Side::Results});
      else
        take(maps_.between(leaf, *parameter, Direction::OutputToInput), access,
             Side::Dimensions, Side::Results);
      return access;
    }
    // Of its inputs a thread reads no element but the one that it writes.
    const int64_t inputs =
        hero.form == KernelHero::Form::Scatter ? inputsOf(of.op) : 1;
    for (int64_t k = inputs; k < operands; ++k)
      readThrough(hero, k, *parameter, access);
    return access;
  }
  if (hero.form == KernelHero::Form::Window && operandLeaf == 0) return access;
  if (hero.form == KernelHero::Form::Scatter) {
    if (operandLeaf < inputsOf(of.op)) return access;
    // A thread reads its own update; of what else it reads, any part.
    const bool isUpdate = operandLeaf > inputsOf(of.op);
    access.pieces.push_back({identityOf(access.shape),
                             isUpdate ? Side::Dimensions : Side::None,
                             Side::Dimensions});
    return access;
  }
  take(maps_.instruction(result, LeafId(operandLeaf), Direction::OutputToInput),
       access, Side::Dimensions, Side::Results);
  return access;
}

const ThreadAccess *ThreadAccesses::moves(Leaf result, bool inPlace,
                                          int64_t operandLeaf) {
  const KernelHero hero = heroOf(result, inPlace);
  if (hero.form == KernelHero::Form::Scatter) return nullptr;
  const Key key{result.computation, result.instruction, result.leaf, inPlace,
                operandLeaf};
  auto [known, isNew] = moves_.try_emplace(key);
  ThreadAccess &access = known->second;
  if (!isNew) return access.pieces.empty() ? nullptr : &access;
  const Computation &inside = module_.computations[hero.computation];
  const ArrayShape shape =
      inside.instructions[hero.instruction].shape.leaves()[hero.leaf];
  std::optional<Leaf> end;
  if (hero.isFused) {
    end = parameterOf(hero, result, operandLeaf);
  } else {
    const OperandLeaf operand =
        inside.operandLeaf(result.instruction, LeafId(operandLeaf));
    end = Leaf{hero.computation, operand.instruction, operand.result};
  }
  InstructionLeaf at = {hero.instruction, hero.leaf};
  if (hero.form == KernelHero::Form::Window) {
    const OperandLeaf update = inside.operandLeaf(hero.instruction, LeafId(1));
    at = {update.instruction, update.result};
  }
  // Down through ops that give each element of the result one of the operand's.
  for (int steps = 0; end && steps < kMostViews; ++steps) {
    at = originOf(inside, at);
    const Instruction &of = inside.instructions[at.instruction];
    if (at.instruction == end->instruction && at.leaf == end->leaf) break;
    const bool isMove =
        (of.op.isOneOf<SliceOp, DynamicSliceOp, ReshapeOp, BitcastOp,
                       TransposeOp, ReverseOp, BroadcastOp>() ||
         padsNothing(of.op)) &&
        shapesOf(of.op).operands[0].type == shape.type &&
        shapesOf(of.op).results[0].type == shape.type;
    if (!isMove || (!hero.isFused && steps > 0)) return nullptr;
    const OperandLeaf below = inside.operandLeaf(at.instruction, LeafId(0));
    at = {below.instruction, below.result};
  }
  if (!end || at.instruction != end->instruction || at.leaf != end->leaf)
    return nullptr;
  ThreadAccess found;
  found.shape = inside.instructions[end->instruction].shape.leaves()[end->leaf];
  if (hero.isFused) found.way.push_back(hero.site);
  if (hero.form == KernelHero::Form::Window) {
    // The update of a kernel of its own may be another kernel's slice.
    readThrough(hero, 1, *end, found);
  } else {
    found = reads(result, inPlace, operandLeaf);
  }
  if (!found.obstacle.empty() || found.precision != Precision::Exact)
    return nullptr;
  access = std::move(found);
  return access.pieces.empty() ? nullptr : &access;
}

const ReduceOp *ThreadAccesses::reductionOf(Leaf result) const {
  const KernelHero hero = heroOf(result, /*inPlace=*/false);
  if (!hero.isFused) return nullptr;
  return module_.computations[hero.computation]
      .instructions[hero.instruction]
      .op.as<ReduceOp>();
}

const ThreadAccess &ThreadAccesses::readsByElement(Leaf result,
                                                   int64_t operandLeaf) {
  auto [known, isNew] = byElement_.try_emplace({result, operandLeaf});
  ThreadAccess &access = known->second;
  if (!isNew) return access;
  const KernelHero hero = heroOf(result, /*inPlace=*/false);
  access.shape = reads(result, false, operandLeaf).shape;
  access.way.push_back(hero.site);
  const auto parameter = parameterOf(hero, result, operandLeaf);
  if (!parameter) return access;
  const Computation &inside = module_.computations[hero.computation];
  // Each result of a reduction of several arrays may depend on all of them.
  const int64_t inputs =
      shapesOf(inside.instructions[hero.instruction].op).results.size();
  for (LeafId k; k < inputs; ++k) {
    const OperandLeaf from = inside.operandLeaf(hero.instruction, k);
    const Leaf reduced = {hero.computation, from.instruction, from.result};
    if (reduced == *parameter)
      access.pieces.push_back(
          {identityOf(access.shape), Side::Dimensions, Side::Results});
    else
      take(maps_.between(reduced, *parameter, Direction::OutputToInput), access,
           Side::Dimensions, Side::Results);
  }
  return access;
}

bool ThreadAccesses::scattersInAnyOrder(const KernelHero &hero) const {
  const Instruction &of =
      module_.computations[hero.computation].instructions[hero.instruction];
  if (of.uniqueIndices) return true;
  const auto reducer = calleeOf(of, CallRole::ToApply);
  if (!reducer) return false;
  return opOfReducer(module_.computations[reducer->computation],
                     static_cast<size_t>(hero.leaf),
                     static_cast<size_t>(inputsOf(of.op)))
      .has_value();
}

}  // namespace indexical
