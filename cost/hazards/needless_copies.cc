#include "indexical/cost/hazards/needless_copies.h"

#include <optional>
#include <tuple>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/hazards/node_answers.h"

namespace indexical {
namespace {

/// Copies that came back are tried once more if there are not more of them.
constexpr size_t kMostTriedAgain = 24;

using CopyKey = std::pair<int32_t, int32_t>;

CopyKey keyOf(const MemoryFlow &flow, const MemoryCopy &copy) {
  return {int32_t{flow.frames()[copy.frame].computation},
          int32_t{copy.instruction}};
}

/// A value, in every flow of a module.
using ValueKey = std::tuple<int32_t, int32_t, int64_t>;

ValueKey keyOf(const MemoryFlow &flow, int32_t node) {
  const MemoryNode &of = flow.nodes()[node];
  return {of.frame, int32_t{of.instruction}, int64_t{of.leaf}};
}

class CopySearch {
 public:
  CopySearch(const Module &module, const MemoryMarks &marks,
             ProgramIndexing &maps, ThreadAccesses &accesses,
             OverlapSamples &samples)
      : module_(module),
        marks_(marks),
        maps_(maps),
        accesses_(accesses),
        samples_(samples) {}

  /// Returns the largest part of `wanted` that is found to be needless if the
  /// world gives these parameters away.
  CopySet search(CopySet wanted, MemoryWorld world) {
    const CopySet all = wanted;
    while (!wanted.empty()) {
      const CopySet needed = neededOf(wanted, world);
      if (needed.empty()) break;
      for (const CopyKey &key : needed) wanted.erase(key);
    }
    CopySet back;
    for (const CopyKey &key : all)
      if (!wanted.count(key)) back.insert(key);
    if (back.size() > kMostTriedAgain) return wanted;
    for (const CopyKey &key : back) {
      CopySet with = wanted;
      with.insert(key);
      if (neededOf(with, world).empty()) wanted = std::move(with);
    }
    return wanted;
  }

 private:
  /// A copy that was left out, as a step from what is made of it to what it
  /// copied. It joins two memories.
  struct LeftOut {
    CopyKey key;
    int32_t source = -1;
  };

  /// Returns copies, of those that are left out, without which something is
  /// wrong; none if all may go.
  CopySet neededOf(const CopySet &left, MemoryWorld world) {
    world.removedCopies = left;
    const MemoryFlow flow(module_, marks_, world);
    CopySet needed;
    if (!flow.obstacle().empty()) return left;
    findCopied(flow);
    // Each value, with the copies that were one with it and are left out.
    std::map<int32_t, std::vector<CopyKey>> copiesOf;
    std::set<int32_t> memories;
    for (const MemoryCopy &copy : flow.copies())
      if (copy.isRemoved && copy.source >= 0) {
        copiesOf[copy.source].push_back(keyOf(flow, copy));
        memories.insert(flow.rootOf(copy.source));
      }
    EventOrders orders(flow);
    NodeAnswers answers(flow, maps_, accesses_, orders, samples_);
    auto blame = [&](int32_t node) {
      bool isBlamed = false;
      for (int32_t at = node; at >= 0; at = flow.nodes()[at].parent)
        if (const auto found = copiesOf.find(at); found != copiesOf.end()) {
          needed.insert(found->second.begin(), found->second.end());
          isBlamed = true;
          break;
        }
      return isBlamed;
    };
    for (const int32_t memory : memories)
      for (const int32_t node : answers.membersOf(memory)) {
        const MemoryNode &of = flow.nodes()[node];
        if (of.parent < 0 || of.isSame) continue;
        if (copiedHere_.count(node)) continue;
        // A value is moved where a copy was.
        if (of.isMoved) {
          blame(valueMoved(flow, node));
          continue;
        }
        const int32_t begin = detached(flow, node);
        const auto late = answers.readTooLate(node, [&](int32_t value) {
          return detached(flow, value) == begin;
        });
        for (const int32_t value : late)
          if (!blame(of.parent) && !blame(value))
            addMakers(flow, node, copiesOf, needed);
      }
    // Two carries that are one array for want of copies.
    for (const MemoryPassage &passage : flow.passages())
      if (passage.isTaken) blame(passage.taken);
    addResults(flow, copiesOf, needed);
    return needed;
  }

  /// Returns the nearest value, upstream of a value or the value itself, that
  /// begins in memory of its own because it is copied; -1: none.
  int32_t detached(const MemoryFlow &flow, int32_t node) const {
    for (int32_t at = node; at >= 0; at = flow.nodes()[at].parent)
      if (copiedHere_.count(at)) return at;
    return -1;
  }

  const MemoryFlow &asItStands() {
    if (!asItStands_) asItStands_.emplace(module_, marks_, noCopies_);
    return *asItStands_;
  }

  /// Sets which values of the flow begin in memory of their own. What is made
  /// of such a value may have a place that is demanded, for want of a copy
  /// between: the value is then made there.
  void findCopied(const MemoryFlow &flow) {
    copiedHere_.clear();
    if (copied_.empty()) return;
    const MemoryFlow &before = asItStands();
    std::vector<std::pair<int32_t, int32_t>> ends;  // here, and as it stands
    auto add = [&](auto here, auto there) {
      for (size_t k = 0; k < here.size(); ++k)
        ends.push_back({here[k].to, k < there.size() ? there[k].to : -1});
    };
    add(llvm::ArrayRef(flow.aliases()), llvm::ArrayRef(before.aliases()));
    add(llvm::ArrayRef(flow.passages()), llvm::ArrayRef(before.passages()));
    for (size_t n = 0; n < flow.nodes().size(); ++n) {
      const auto node = static_cast<int32_t>(n);
      const MemoryNode &of = flow.nodes()[n];
      if (of.isMoved || !copied_.count(keyOf(flow, node))) continue;
      const int32_t there = before.nodeAt(of.frame, of.instruction, of.leaf);
      const bool isPlaced = llvm::any_of(ends, [&](const auto &end) {
        return end.first >= 0 && flow.isDerived(end.first, node) &&
               (there < 0 || end.second < 0 ||
                !before.isDerived(end.second, there));
      });
      if (!isPlaced) copiedHere_.insert(node);
    }
  }

  /// Adds copies that are left out behind a node, if the node lies in its
  /// memory for want of them:
  ///
  ///   r = reverse(p)      c = copy(r)      c is aliased with p
  ///
  /// Without c, r is made in the memory of p.
  void addMakers(const MemoryFlow &flow, int32_t node,
                 const std::map<int32_t, std::vector<CopyKey>> &copiesOf,
                 CopySet &needed) {
    auto memoryOf = [](const MemoryFlow &of, int32_t value) {
      return keyOf(of, of.rootOf(value));
    };
    const MemoryNode &of = flow.nodes()[node];
    const int32_t before =
        asItStands().nodeAt(of.frame, of.instruction, of.leaf);
    // What is copied as it stands has memory of its own there.
    if (before >= 0 && !copied_.count(keyOf(flow, node)) &&
        memoryOf(asItStands(), before) == memoryOf(flow, node))
      return;
    for (const auto &[source, copies] : copiesOf)
      if (source == node || flow.isDerived(source, node))
        needed.insert(copies.begin(), copies.end());
  }

  /// Returns the value that is moved to the memory of a node.
  static int32_t valueMoved(const MemoryFlow &flow, int32_t node) {
    const MemoryNode &of = flow.nodes()[node];
    const int32_t value = flow.nodeAt(of.frame, of.instruction, of.leaf);
    return value >= 0 ? value : of.parent;
  }

  /// Adds copies for results that lie in a parameter that is not given away, or
  /// in the memory of another result.
  void addResults(const MemoryFlow &flow,
                  const std::map<int32_t, std::vector<CopyKey>> &copiesOf,
                  CopySet &needed) const {
    std::map<int32_t, std::vector<int32_t>> byMemory;
    for (const int32_t result : flow.results())
      if (result >= 0 && detached(flow, result) < 0)
        byMemory[flow.rootOf(result)].push_back(result);
    for (const auto &[memory, results] : byMemory) {
      const MemoryNode &of = flow.nodes()[memory];
      bool isTaken = results.size() > 1;
      if (of.isParameter && of.frame == 0) {
        const int64_t number = flow.instructionOf(of).parameterNumber;
        isTaken |= !marks_.isGiven(number, of.leaf) &&
                   !given_.count({number, of.leaf});
      }
      isTaken |= of.isConstant;
      if (!isTaken) continue;
      for (const int32_t result : results)
        for (int32_t at = result; at >= 0; at = flow.nodes()[at].parent)
          if (const auto found = copiesOf.find(at); found != copiesOf.end()) {
            needed.insert(found->second.begin(), found->second.end());
            break;
          }
    }
  }

 public:
  std::set<std::pair<int64_t, int64_t>> given_;
  std::set<ValueKey> copied_;

 private:
  std::set<int32_t> copiedHere_;
  const Module &module_;
  const MemoryMarks &marks_;
  ProgramIndexing &maps_;
  ThreadAccesses &accesses_;
  OverlapSamples &samples_;
  const MemoryWorld noCopies_;
  std::optional<MemoryFlow> asItStands_;
};

}  // namespace

NeedlessCopies findNeedlessCopies(const MemoryFlow &flow,
                                  const std::set<int32_t> &copied,
                                  const MemoryMarks &marks,
                                  ProgramIndexing &maps,
                                  ThreadAccesses &accesses,
                                  OverlapSamples &samples) {
  NeedlessCopies found;
  CopySet all;
  for (const MemoryCopy &copy : flow.copies())
    if (copy.isSameLayout && copy.source >= 0) all.insert(keyOf(flow, copy));
  if (all.empty()) return found;
  CopySearch search(flow.module(), marks, maps, accesses, samples);
  for (const int32_t node : copied) search.copied_.insert(keyOf(flow, node));
  found.needless = search.search(all, {});
  // Copies of parameters that the caller keeps.
  MemoryWorld world;
  std::map<CopyKey, std::pair<int64_t, LeafId>> parameters;
  const MemoryFlow left(flow.module(), marks, [&] {
    MemoryWorld without;
    without.removedCopies = all;
    return without;
  }());
  for (const MemoryCopy &copy : left.copies()) {
    if (!copy.isSameLayout || copy.source < 0) continue;
    const CopyKey key = keyOf(left, copy);
    if (found.needless.count(key)) continue;
    const MemoryNode &memory = left.nodes()[left.rootOf(copy.source)];
    if (!memory.isParameter || memory.frame != 0) continue;
    const int64_t number = left.instructionOf(memory).parameterNumber;
    if (marks.isGiven(number, memory.leaf)) continue;
    parameters[key] = {number, memory.leaf};
    world.given.insert({number, memory.leaf});
  }
  if (parameters.empty()) return found;
  CopySet wanted = found.needless;
  for (const auto &[key, parameter] : parameters) wanted.insert(key);
  search.given_ = world.given;
  for (const CopyKey &key : search.search(wanted, world))
    if (const auto parameter = parameters.find(key);
        parameter != parameters.end())
      found.donated.insert(*parameter);
  return found;
}

Module withoutCopies(const Module &module, const CopySet &copies) {
  Module without = module;
  for (size_t c = 0; c < without.computations.size(); ++c) {
    Computation &own = without.computations[c];
    auto behind = [&](InstructionId i) {
      while (copies.count({static_cast<int32_t>(c), int32_t{i}}))
        i = own.instructions[i].operands[0];
      return i;
    };
    own.root = behind(own.root);
    for (Instruction &instruction : own.instructions)
      for (InstructionId &operand : instruction.operands)
        operand = behind(operand);
  }
  return without;
}

}  // namespace indexical
