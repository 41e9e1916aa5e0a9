#include "indexical/cost/hazards/node_answers.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/address.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

std::optional<int64_t> bitsOfArray(const ArrayShape &shape) {
  const auto count = storedElements(shape);
  const int64_t bits = storedBits(shape);
  int64_t all = 0;
  if (!count || bits == 0 || __builtin_mul_overflow(*count, bits, &all))
    return std::nullopt;
  return all;
}

bool isLoopFusion(const Instruction &instruction) {
  return instruction.fusionKind == "kLoop";
}

}  // namespace

FramedAccess NodeAnswers::writesOf(int32_t node) {
  const MemoryNode &own = flow_.nodes()[node];
  if (own.isMoved)
    return {&keep(ThreadAccesses::wholeOf(
                flow_.instructionOf(own).shape.leaves()[own.leaf])),
            own.frame};
  FramedAccess writes = {&accesses_.writes(leafOf(own), own.isUpdate),
                         own.frame, movedBy(node)};
  if (onlyChanged_)
    if (const ThreadAccess *changed = changedBy(node)) writes.access = changed;
  return writes;
}

/// Returns the elements of its parent whose values the threads of a value write
/// as they are; null if they are computed.
const ThreadAccess *NodeAnswers::movedBy(int32_t node) {
  const MemoryNode &own = flow_.nodes()[node];
  const Computation &computation = flow_.computationOf(own.frame);
  if (ThreadAccesses::isLibrary(flow_.instructionOf(own))) return nullptr;
  const auto leaves = computation.operandLeaves(own.instruction);
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (leaves[k].instruction < 0 ||
        flow_.nodeAt(own.frame, leaves[k].instruction, leaves[k].result) !=
            own.parent)
      continue;
    if (const ThreadAccess *moved =
            accesses_.moves(leafOf(own), own.isUpdate, static_cast<int64_t>(k)))
      return moved;
  }
  return nullptr;
}

std::vector<FramedAccess> NodeAnswers::readsOf(int32_t value,
                                               const MemoryReader &reader) {
  const MemoryNode &of = flow_.nodes()[value];
  const int32_t frame = reader.event.frame;
  auto whole = [&] {
    return std::vector<FramedAccess>{
        {&keep(ThreadAccesses::wholeOf(
             flow_.instructionOf(of).shape.leaves()[of.leaf])),
         of.frame}};
  };
  if (reader.operandLeaf < 0) return whole();
  const Computation &own = flow_.computationOf(frame);
  const InstructionId i(reader.event.first);
  const Instruction &instruction = own.instructions[i];
  if (instruction.op.is<ConditionalOp>()) return whole();
  const OperandLeaf operand = own.operandLeaf(i, LeafId(reader.operandLeaf));
  const ArrayShape shape =
      own.instructions[operand.instruction].shape.leaves()[operand.result];
  const int64_t results = instruction.shape.leafCount();
  if (results == 0 || instruction.op.isOneOf<ForwardOp, StartOp>())
    return {{&keep(ThreadAccesses::wholeOf(shape)), frame}};
  std::vector<FramedAccess> all;
  for (LeafId l; l < results; ++l) {
    const int32_t node = flow_.nodeAt(frame, i, l);
    const bool inPlace = node >= 0 && flow_.nodes()[node].isUpdate;
    const Leaf leaf = {flow_.frames()[frame].computation, i, l};
    all.push_back({&accesses_.reads(leaf, inPlace, reader.operandLeaf), frame});
  }
  return all;
}

/// Returns how the threads of another result of the kernel are related to those
/// of the value's.
std::optional<ThreadRule> NodeAnswers::ruleOf(int32_t node, LeafId other) {
  const MemoryNode &own = flow_.nodes()[node];
  if (other == own.leaf) return ThreadRule::Distinct;
  const Instruction &kernel = flow_.instructionOf(own);
  const auto shapes = kernel.shape.leaves();
  const int32_t theirs = flow_.nodeAt(own.frame, own.instruction, other);
  const bool areUpdates =
      own.isUpdate || (theirs >= 0 && flow_.nodes()[theirs].isUpdate);
  if (kernel.op.is<ScatterOp>()) return ThreadRule::Distinct;
  if (areUpdates) return ThreadRule::Any;
  if (isLoopFusion(kernel) &&
      shapes[own.leaf].dimensions == shapes[other].dimensions)
    return ThreadRule::Distinct;
  return ThreadRule::Any;
}

/// Whether the value's kernel is one of reductions that has results of the
/// reduced array's sizes, `sizes`, besides, and no others. Then the thread that
/// reads an element of the reduced array writes that of these results, and the
/// reductions come last.
bool NodeAnswers::reducesLast(int32_t node,
                              llvm::ArrayRef<int64_t> sizes) const {
  const MemoryNode &own = flow_.nodes()[node];
  const Instruction &kernel = flow_.instructionOf(own);
  if (kernel.fusionKind != "kInput") return false;
  const Leaf mine = leafOf(own);
  const auto shapes = kernel.shape.leaves();
  bool hasReductions = false, hasOthers = false;
  for (LeafId l; l < static_cast<int64_t>(shapes.size()); ++l) {
    const ReduceOp *reduction =
        accesses_.reductionOf({mine.computation, mine.instruction, l});
    if (sizes != llvm::ArrayRef<int64_t>(reduction
                                             ? reduction->operands[0].dimensions
                                             : shapes[l].dimensions))
      return false;
    (reduction ? hasReductions : hasOthers) = true;
  }
  return hasReductions && hasOthers;
}

/// Adds what the value's own kernel reads of another value.
void NodeAnswers::addOwn(int32_t node,
                         const std::pair<int32_t, MemoryReader> &own,
                         bool isForReason, OverlapQuestion &question,
                         std::vector<int32_t> &values) {
  const MemoryNode &of = flow_.nodes()[node];
  const Instruction &kernel = flow_.instructionOf(of);
  const FramedAccess writes = writesOf(node);
  const int64_t operandLeaf = own.second.operandLeaf;
  const int64_t results = kernel.shape.leafCount();
  const Leaf mine = leafOf(of);
  // An attribute of a call makes its own overwriting of that operand right, and
  // not of another one that is the same array.
  if (of.isMarked && !of.isAsked && ThreadAccesses::isLibrary(kernel) &&
      operandLeaf == of.markedOperand && !isForReason &&
      of.writer.first == of.writer.last)
    return;
  // A thread that changes nothing needs no other element.
  const ThreadAccess *counted = nullptr;
  auto add = [&](const ThreadAccess &reads, ThreadRule rule,
                 const ReduceOp *folded = nullptr) {
    question.add(writes, {&reads, of.frame, nullptr, counted},
                 isForReason ? ThreadRule::Any : rule);
    values.push_back(own.first);
    if (!isForReason) folded_.push_back(folded);
  };
  if (kernel.op.isOneOf<ForwardOp, StartOp>()) {
    for (const FramedAccess &reads : readsOf(own.first, own.second))
      add(*reads.access, ThreadRule::Any);
    return;
  }
  const ReduceOp *reduction = accesses_.reductionOf(mine);
  const auto shapes = kernel.shape.leaves();
  const bool isLast =
      reducesLast(node, reduction ? reduction->operands[0].dimensions
                                  : shapes[of.leaf].dimensions);
  if (reduction && !isForReason && isLast) return;
  for (LeafId l; l < results; ++l) {
    const int32_t theirs = flow_.nodeAt(of.frame, of.instruction, l);
    const bool inPlace = theirs >= 0 && flow_.nodes()[theirs].isUpdate;
    const Leaf other = {mine.computation, mine.instruction, l};
    const ReduceOp *theirReduction = accesses_.reductionOf(other);
    // A scatter in other memory than its input's begins with a copy of it.
    if (!inPlace &&
        accesses_.heroOf(other, true).form == KernelHero::Form::Scatter)
      add(accesses_.reads(other, /*inPlace=*/true, operandLeaf),
          ThreadRule::Any);
    const bool isElement = isLast && !reduction && !of.isUpdate && !inPlace;
    counted = onlyChanged_ && l == of.leaf ? changedBy(node) : nullptr;
    if (isElement && theirReduction)
      add(accesses_.readsByElement(other, operandLeaf), ThreadRule::Distinct,
          theirReduction);
    else if (isElement)
      add(accesses_.reads(other, inPlace, operandLeaf), ThreadRule::Distinct);
    else
      add(accesses_.reads(other, inPlace, operandLeaf), *ruleOf(node, l));
  }
}

HazardWitness NodeAnswers::witnessOf(int32_t node, int32_t value,
                                     const MemoryReader *reader,
                                     const FoundOverlap &found) const {
  const MemoryNode &own = flow_.nodes()[node];
  HazardWitness witness;
  witness.array = nameOf(value);
  witness.element = found.read;
  witness.writer.instruction = nameOf(node);
  witness.writer.index = found.writer.empty() ? found.written : found.writer;
  witness.runtime = found.runtime;
  witness.turn = found.turn;
  if (!reader) {
    witness.reader.instruction = nameOf(node);
  } else if (reader->operandLeaf < 0) {
    witness.reader.instruction =
        nameOf(reader->named >= 0 ? reader->named : value);
  } else {
    witness.reader.instruction = flow_.computationOf(reader->event.frame)
                                     .instructions[reader->event.first]
                                     .name.str();
  }
  witness.reader.index = found.reader.empty() ? found.read : found.reader;
  (void)own;
  return witness;
}

bool NodeAnswers::isTooLarge(int32_t node) const {
  const MemoryNode &own = flow_.nodes()[node];
  const MemoryNode &memory = flow_.nodes()[flow_.rootOf(own.parent)];
  const auto needed =
      bitsOfArray(flow_.instructionOf(own).shape.leaves()[own.leaf]);
  const auto there =
      bitsOfArray(flow_.instructionOf(memory).shape.leaves()[memory.leaf]);
  return needed && there && *needed > *there;
}

NodeAnswer NodeAnswers::tooLarge(int32_t node) const {
  const MemoryNode &own = flow_.nodes()[node];
  const ArrayShape shape = flow_.instructionOf(own).shape.leaves()[own.leaf];
  NodeAnswer answer;
  answer.kind = NodeAnswer::Kind::Bad;
  answer.isOwn = true;
  answer.value = own.parent;
  HazardWitness witness;
  witness.array = nameOf(own.parent);
  for (const int64_t size : shape.dimensions)
    witness.element.push_back(size - 1);
  witness.writer = {nameOf(node), witness.element};
  witness.reader = witness.writer;
  answer.witness = std::move(witness);
  return answer;
}

/// Whether two threads of a scatter in place are known to write one element, in
/// an order that counts.
bool NodeAnswers::writesTwice(int32_t node, NodeAnswer &answer) {
  const MemoryNode &own = flow_.nodes()[node];
  if (!own.isUpdate) return false;
  const KernelHero hero = accesses_.heroOf(leafOf(own), true);
  if (hero.form != KernelHero::Form::Scatter ||
      accesses_.scattersInAnyOrder(hero))
    return false;
  const FramedAccess writes = writesOf(node);
  // Where the indices are not known, they are taken to be different.
  for (const ThreadPiece &piece : writes.access->pieces)
    if (!piece.map.runtime().empty()) return false;
  OverlapQuestion question(flow_, maps_, samples_);
  question.add(writes, writes, ThreadRule::Distinct);
  const Overlaps overlaps = question.answer();
  if (overlaps.kind != Overlaps::Kind::Always) return false;
  answer.kind = NodeAnswer::Kind::Bad;
  answer.isOwn = true;
  answer.value = own.parent;
  answer.witness = witnessOf(node, own.parent, nullptr, *overlaps.found);
  return true;
}

/// Returns the answer of a question if only elements count that the value may
/// change; Unknown if these are all that it writes.
Overlaps NodeAnswers::withChanges(int32_t node,
                                  llvm::function_ref<Overlaps()> ask) {
  Overlaps overlaps;
  overlaps.kind = Overlaps::Kind::Unknown;
  if (!changedBy(node)) return overlaps;
  onlyChanged_ = true;
  overlaps = ask();
  onlyChanged_ = false;
  return overlaps;
}

NodeAnswer NodeAnswers::of(int32_t node, int32_t within) {
  NodeAnswer answer;
  if (isTooLarge(node)) return tooLarge(node);
  const bool isBack = writesBack(node);
  if (!isBack && writesTwice(node, answer)) return answer;
  const Candidates candidates = candidatesOf(node, within);
  const int32_t parent = flow_.nodes()[node].parent;
  const bool areOlder =
      llvm::all_of(candidates.later, [&](const Candidate &candidate) {
        return flow_.isDerived(parent, candidate.value);
      });
  if (areOlder && (isBack || isCopyOfParent(node))) {
    answer.because = HazardReason::Unchanged;
    return answer;
  }
  const FramedAccess all = writesOf(node);
  // What is there already is the parent's value, and no other's.
  auto writesFor = [&](int32_t value, const MemoryReader &reader) {
    if (flow_.isDerived(parent, value) && !isReadWith(node, reader))
      return writesOf(node);
    FramedAccess of = all;
    of.moved = nullptr;
    return of;
  };
  std::vector<int32_t> values;
  std::vector<const MemoryReader *> readers;
  bool hasOwn = false, hasUnchanged = false;
  folded_.clear();
  for (const Candidate &candidate : candidates.later) {
    if (!candidate.isOpen()) continue;
    // Another order would do.
    auto askOpen = [&] {
      OverlapQuestion open(flow_, maps_, samples_);
      for (const FramedAccess &each :
           readsOf(candidate.value, candidate.reader))
        open.add(writesFor(candidate.value, candidate.reader), each,
                 ThreadRule::Any, candidate.kept);
      return open.answer();
    };
    const Overlaps overlaps = askOpen();
    if (overlaps.kind == Overlaps::Kind::None) continue;
    if (isUnchanged(node, candidate.value, candidate.reader) ||
        withChanges(node, askOpen).kind == Overlaps::Kind::None) {
      hasUnchanged = true;
      continue;
    }
    const NeededOrder order = orderFor(node, candidate);
    if (!llvm::is_contained(answer.orders, order))
      answer.orders.push_back(order);
    if (!answer.witness && overlaps.found) {
      answer.value = candidate.value;
      answer.witness =
          witnessOf(node, candidate.value, &candidate.reader, *overlaps.found);
    }
  }
  // The reads that must not meet what is written, with or without those whose
  // value is there already.
  auto ask = [&](bool skipsUnchanged) {
    OverlapQuestion question(flow_, maps_, samples_);
    values.clear();
    folded_.clear();
    for (const auto &own : candidates.own) {
      addOwn(node, own, /*isForReason=*/false, question, values);
      hasOwn = true;
    }
    readers.assign(values.size(), nullptr);
    for (const Candidate &candidate : candidates.later) {
      if (candidate.isOpen()) continue;
      if (skipsUnchanged &&
          isUnchanged(node, candidate.value, candidate.reader))
        continue;
      for (const FramedAccess &each :
           readsOf(candidate.value, candidate.reader)) {
        question.add(writesFor(candidate.value, candidate.reader), each,
                     ThreadRule::Any, candidate.kept);
        values.push_back(candidate.value);
        readers.push_back(&candidate.reader);
      }
    }
    return question.answer();
  };
  auto isWrong = [](const Overlaps &of) {
    return of.kind == Overlaps::Kind::Always ||
           of.kind == Overlaps::Kind::Sometimes;
  };
  Overlaps overlaps = ask(false);
  if (isWrong(overlaps) &&
      llvm::any_of(llvm::zip(values, readers), [&](const auto &each) {
        return std::get<1>(each) &&
               isUnchanged(node, std::get<0>(each), *std::get<1>(each));
      })) {
    hasUnchanged = true;
    overlaps = ask(true);
  }
  if (isWrong(overlaps) && changedBy(node)) {
    overlaps = withChanges(node, [&] { return ask(hasUnchanged); });
    hasUnchanged |= !isWrong(overlaps);
  }
  const bool isBad = isWrong(overlaps);
  if (isBad) {
    const size_t pair = overlaps.found->pair;
    answer.kind = overlaps.kind == Overlaps::Kind::Always
                      ? NodeAnswer::Kind::Bad
                      : NodeAnswer::Kind::SafeIf;
    answer.isOwn = readers[pair] == nullptr;
    answer.value = values[pair];
    answer.witness =
        witnessOf(node, values[pair], readers[pair], *overlaps.found);
    // The thread of an element that is reduced computes a result of fewer.
    if (pair < folded_.size() && folded_[pair]) {
      std::vector<int64_t> index;
      for (auto [k, at] : llvm::enumerate(answer.witness->reader.index))
        if (!llvm::is_contained(folded_[pair]->dimensions, int64_t(k)))
          index.push_back(at);
      answer.witness->reader.index = std::move(index);
    }
    answer.conditions = overlaps.conditions;
    answer.runtime = overlaps.runtime;
    return answer;
  }
  if (overlaps.kind == Overlaps::Kind::Unknown || candidates.areUnknown) {
    answer.kind = NodeAnswer::Kind::Undecided;
    answer.reason = overlaps.kind == Overlaps::Kind::Unknown
                        ? overlaps.reason
                        : "the order of too many instructions is not known";
    return answer;
  }
  if (!answer.orders.empty()) {
    answer.kind = NodeAnswer::Kind::SafeIf;
    return answer;
  }
  if (hasUnchanged) {
    answer.because = HazardReason::Unchanged;
  } else if (hasOwn) {
    OverlapQuestion any(flow_, maps_, samples_);
    std::vector<int32_t> ignored;
    for (const auto &own : candidates.own)
      addOwn(node, own, /*isForReason=*/true, any, ignored);
    const Overlaps::Kind kind = any.answer().kind;
    answer.because = kind != Overlaps::Kind::None ? HazardReason::SameElement
                     : candidates.areBefore       ? HazardReason::ReadBefore
                     : ignored.empty()            ? HazardReason::NotRead
                                                  : HazardReason::Apart;
  } else if (!values.empty()) {
    answer.because = HazardReason::Apart;
  } else if (candidates.areBefore) {
    answer.because = HazardReason::ReadBefore;
  }
  return answer;
}

NodeAnswer NodeAnswers::overwriting(int32_t node, int32_t array,
                                    bool isUpdate) {
  const MemoryNode &own = flow_.nodes()[node];
  const MemoryNode &there = flow_.nodes()[array];
  const ThreadAccess &whole = keep(ThreadAccesses::wholeOf(
      flow_.instructionOf(there).shape.leaves()[there.leaf]));
  OverlapQuestion question(flow_, maps_, samples_);
  question.add({&accesses_.writes(leafOf(own), isUpdate), own.frame},
               {&whole, there.frame}, ThreadRule::Any);
  const Overlaps overlaps = question.answer();
  NodeAnswer answer;
  if (overlaps.found) {
    MemoryReader reader;
    reader.named = array;
    answer.kind = NodeAnswer::Kind::Bad;
    answer.value = array;
    answer.witness = witnessOf(node, array, &reader, *overlaps.found);
  } else if (overlaps.kind != Overlaps::Kind::None) {
    answer.kind = NodeAnswer::Kind::Undecided;
    answer.reason = overlaps.reason;
  }
  return answer;
}

std::vector<NodeAnswers::LateRead> NodeAnswers::readTooLate(int32_t node) {
  std::vector<LateRead> late;
  if (isTooLarge(node)) return {{flow_.nodes()[node].parent, std::nullopt}};
  const Candidates candidates = candidatesOf(node, -1);
  const bool isBack = writesBack(node);
  for (const auto &own : candidates.own) {
    if (isBack) break;
    auto ask = [&] {
      OverlapQuestion question(flow_, maps_, samples_);
      std::vector<int32_t> ignored;
      addOwn(node, own, /*isForReason=*/false, question, ignored);
      return question.answer();
    };
    if (ask().kind != Overlaps::Kind::None &&
        withChanges(node, ask).kind != Overlaps::Kind::None)
      late.push_back({own.first, std::nullopt});
  }
  const int32_t parent = flow_.nodes()[node].parent;
  const bool isCopy = isBack || isCopyOfParent(node);
  const FramedAccess all = writesOf(node);
  for (const Candidate &candidate : candidates.later) {
    const bool isOlder = flow_.isDerived(parent, candidate.value);
    if (isCopy && isOlder) continue;
    auto ask = [&] {
      OverlapQuestion question(flow_, maps_, samples_);
      for (const FramedAccess &each :
           readsOf(candidate.value, candidate.reader))
        question.add(isOlder ? writesOf(node) : all, each, ThreadRule::Any,
                     candidate.kept);
      return question.answer();
    };
    if (ask().kind != Overlaps::Kind::None &&
        !isUnchanged(node, candidate.value, candidate.reader) &&
        withChanges(node, ask).kind != Overlaps::Kind::None)
      late.push_back({candidate.value, candidate.reader.event});
  }
  return late;
}

}  // namespace indexical
