#include "indexical/cost/hazards/needless_copies.h"

#include <optional>
#include <tuple>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/hazards/node_answers.h"

namespace indexical {
namespace {

/// Values that are followed, in all, to try copies once more.
constexpr int64_t kMostFollowed = 4'000'000;
/// Orders are looked for in modules of at most so many values, and so often for
/// one copy.
constexpr size_t kMostReordered = 20'000;
constexpr int kMostRounds = 4;

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

/// A read that comes too late, and the write that it would have to precede.
struct LatePair {
  MemoryEvent reader, writer;
};

/// Says which copies are to blame for a read that comes too late, of those that
/// are left out. A chain of values is walked once.
class BlamedCopies {
 public:
  using Copies = std::vector<CopyKey>;

  /// `copiesOf`: each value, with the copies that were one with it.
  BlamedCopies(const MemoryFlow &flow,
               const std::map<int32_t, Copies> &copiesOf)
      : flow_(flow),
        copiesOf_(copiesOf),
        isForest_(llvm::all_of(flow.nodes(), [](const MemoryNode &node) {
          return node.others.empty();
        })) {}

  /// Returns the copies farthest up between a value and one that it is made of,
  /// which part most of what overwrites the latter. If there are none, those
  /// next above. `of` is -1: those nearest to the value. Null: there are none.
  const Copies *find(int32_t node, int32_t of) {
    if (of < 0) of = node;
    if (!isForest_ || !flow_.isDerived(node, of)) of = meeting(node, of);
    std::vector<int32_t> way;
    Found found;
    for (int32_t at = node;; at = flow_.nodes()[at].parent) {
      if (const auto known = known_.find({at, of}); known != known_.end()) {
        found = known->second;
        break;
      }
      if (at < 0) break;
      way.push_back(at);
      if (at == of) break;
    }
    for (size_t k = way.size(); k-- > 0;) {
      const Copies *own = copiesAt(way[k]);
      if (way[k] == of)
        found = own ? Found{own, true} : Found{nextAbove(of), false};
      else if (own && !found.isBetween)
        found = {own, true};
      known_[{way[k], of}] = found;
    }
    return found.copies;
  }

 private:
  struct Found {
    const Copies *copies = nullptr;
    bool isBetween = false;
  };

  const Copies *copiesAt(int32_t node) const {
    const auto found = copiesOf_.find(node);
    return found == copiesOf_.end() ? nullptr : &found->second;
  }
  const Copies *nextAbove(int32_t node) const {
    for (int32_t at = flow_.nodes()[node].parent; at >= 0;
         at = flow_.nodes()[at].parent)
      if (const Copies *copies = copiesAt(at)) return copies;
    return nullptr;
  }
  /// Returns the nearest value upstream that the other is made of, too; -1:
  /// none.
  int32_t meeting(int32_t node, int32_t of) const {
    while (node >= 0 && !flow_.isDerived(of, node))
      node = flow_.nodes()[node].parent;
    return node;
  }

  const MemoryFlow &flow_;
  const std::map<int32_t, Copies> &copiesOf_;
  const bool isForest_;  ///< whether all that is made of a value is below it
  std::map<std::pair<int32_t, int32_t>, Found> known_;
};

class CopySearch {
 public:
  CopySearch(const Module &module, const MemoryMarks &marks,
             ProgramIndexing &maps, ThreadAccesses &accesses,
             OverlapSamples &samples, MemoryWorld base)
      : module_(module),
        marks_(marks),
        maps_(maps),
        accesses_(accesses),
        samples_(samples),
        base_(std::move(base)) {}

  /// Returns the largest part of `wanted` that is found to be needless if the
  /// world gives these parameters away. Adds to `untried` what could not be
  /// tried once more.
  CopySet search(const CopySet &all, const MemoryWorld &world,
                 CopySet &untried) {
    CopySet wanted = all;
    while (!wanted.empty()) {
      const CopySet needed = neededOf(wanted, world);
      if (needed.empty()) break;
      for (const CopyKey &key : needed) wanted.erase(key);
    }
    CopySet back;
    for (const CopyKey &key : all)
      if (!wanted.count(key)) back.insert(key);
    const CopySet sure = wanted;
    while (!back.empty()) {
      if (isSpent()) {
        untried.insert(back.begin(), back.end());
        break;
      }
      const CopySet group = nextGroup(back, wanted, world);
      CopySet with = wanted;
      with.insert(group.begin(), group.end());
      const CopySet needed = neededOf(with, world);
      std::set<int32_t> memories;
      for (const CopyKey &key : needed)
        memories.insert(memories_[key].begin(), memories_[key].end());
      for (const CopyKey &key : group)
        if (!memories_[key].empty() &&
            llvm::none_of(memories_[key], [&](int32_t memory) {
              return memories.count(memory) != 0;
            }))
          wanted.insert(key);
    }
    return wanted.size() == sure.size() || neededOf(wanted, world).empty()
               ? wanted
               : sure;
  }

  /// Takes copies from a set, so many that no two of them join one memory if
  /// those of `left` and they are left out, and at least one.
  CopySet nextGroup(CopySet &copies, const CopySet &left,
                    const MemoryWorld &world) {
    findMemories(left, world);
    std::set<int32_t> used;
    CopySet group;
    for (const CopyKey &key : copies) {
      const std::set<int32_t> &own = memories_[key];
      if (llvm::any_of(own, [&](int32_t memory) { return used.count(memory); }))
        continue;
      used.insert(own.begin(), own.end());
      group.insert(key);
    }
    for (const CopyKey &key : group) copies.erase(key);
    return group;
  }

  /// Whether the copies may go, all of them, in the orders of the world, and no
  /// other place becomes worse.
  bool areNeedless(const CopySet &copies, const MemoryWorld &world) {
    return neededOf(copies, world).empty() && !breaksOthers(copies, world);
  }

  /// Returns the world with orders in which the copies may go; nothing if none
  /// are found. Each order lets a read precede the write that it comes after.
  std::optional<MemoryWorld> ordersFor(const CopySet &with, MemoryWorld world) {
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<LatePair> late;
      if (neededOf(with, world, &late).empty() && !breaksOthers(with, world))
        return world;
      world.removedCopies = with;
      const MemoryFlow flow(module_, marks_, world);
      const EventOrders orders(flow);
      if (!orders.arePossible()) return std::nullopt;
      bool isNew = false;
      for (const LatePair &pair : late) {
        const auto [first, then] = orders.meeting(pair.reader, pair.writer);
        if (first.last == MemoryEvent::kEnd || first == then)
          return std::nullopt;
        auto &known =
            world.orders[int32_t{flow.frames()[first.frame].computation}];
        const std::pair<int32_t, int32_t> order{first.last, then.first};
        if (llvm::is_contained(known, order)) continue;
        known.push_back(order);
        isNew = true;
      }
      if (!isNew) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  /// Returns copies, of those that are left out, without which something is
  /// wrong; none if all may go.
  CopySet neededOf(const CopySet &left, MemoryWorld world,
                   std::vector<LatePair> *late = nullptr) {
    world.removedCopies = left;
    const MemoryFlow flow(module_, marks_, world);
    countFollowed(flow);
    CopySet needed;
    if (!flow.obstacle().empty()) return left;
    // Each value, with the copies that were one with it and are left out.
    std::map<int32_t, std::vector<CopyKey>> copiesOf;
    std::set<int32_t> memories;
    for (const MemoryCopy &copy : flow.copies())
      if (copy.isRemoved && copy.source >= 0) {
        copiesOf[copy.source].push_back(keyOf(flow, copy));
        memories.insert(flow.rootOf(copy.source));
      }
    EventOrders orders(flow);
    if (!orders.arePossible()) return left;
    NodeAnswers answers(flow, maps_, accesses_, orders, samples_);
    BlamedCopies copies(flow, copiesOf);
    auto blame = [&](int32_t node, int32_t of = -1) {
      const std::vector<CopyKey> *blamed = copies.find(node, of);
      if (blamed) needed.insert(blamed->begin(), blamed->end());
      return blamed != nullptr;
    };
    for (const int32_t memory : memories)
      for (const int32_t node : answers.membersOf(memory)) {
        const MemoryNode &of = flow.nodes()[node];
        if (of.parent < 0 || of.isSame) continue;
        // A value is moved where a copy was.
        if (of.isMoved) {
          blame(valueMoved(flow, node));
          continue;
        }
        for (const auto &[value, reader] : answers.readTooLate(node)) {
          if (!blame(of.parent, value) && !blame(value))
            addMakers(flow, node, copiesOf, needed);
          if (late) late->push_back({reader.value_or(of.writer), of.writer});
        }
      }
    const CopySet byOrder = needed;
    // Values that a loop or a branch has to move to another array, although
    // they were made there as it stands.
    for (size_t n = 0; n < flow.nodes().size(); ++n) {
      const auto node = static_cast<int32_t>(n);
      if (flow.nodes()[n].isMoved &&
          !movedAsItStands().count(keyOf(flow, flow.nodes()[n].parent)))
        blame(valueMoved(flow, node));
    }
    // Two carries that are one array for want of copies.
    for (const MemoryPassage &passage : flow.passages())
      if (passage.isTaken) blame(passage.taken);
    addResults(flow, copiesOf, needed);
    // Constants that nothing overwrites as it stands.
    for (const ConstantWrite &write : flow.constantWrites())
      if (!writesAsItStands().count(keyOf(flow, write.value)))
        blame(write.constant);
    // No order parts these.
    if (late && needed != byOrder) late->clear();
    return needed;
  }

  /// Finds the memories that each copy joins: that of its operand and its own,
  /// which are one if it is one of `left`, the copies that are left out.
  void findMemories(const CopySet &left, MemoryWorld world) {
    world.removedCopies = left;
    const MemoryFlow flow(module_, marks_, world);
    countFollowed(flow);
    memories_.clear();
    for (const MemoryCopy &copy : flow.copies()) {
      if (copy.source < 0) continue;
      std::set<int32_t> &own = memories_[keyOf(flow, copy)];
      own.insert(flow.rootOf(copy.source));
      if (copy.node >= 0) own.insert(flow.rootOf(copy.node));
    }
  }

  /// Whether the orders of a world break a place that no copy is about.
  bool breaksOthers(const CopySet &left, MemoryWorld world) {
    if (world.orders.empty()) return false;
    world.removedCopies = left;
    auto lateIn = [&](const MemoryWorld &of) {
      std::set<std::pair<ValueKey, ValueKey>> late;
      const MemoryFlow flow(module_, marks_, of);
      countFollowed(flow);
      EventOrders orders(flow);
      NodeAnswers answers(flow, maps_, accesses_, orders, samples_);
      for (size_t n = 0; n < flow.nodes().size(); ++n) {
        const auto node = static_cast<int32_t>(n);
        if (flow.nodes()[n].parent < 0 || flow.nodes()[n].isSame) continue;
        for (const auto &read : answers.readTooLate(node))
          late.insert({keyOf(flow, node), keyOf(flow, read.value)});
      }
      return late;
    };
    const auto with = lateIn(world);
    world.orders.clear();
    const auto without = lateIn(world);
    return !std::includes(without.begin(), without.end(), with.begin(),
                          with.end());
  }

  const MemoryFlow &asItStands() {
    if (!asItStands_) asItStands_.emplace(module_, marks_, base_);
    return *asItStands_;
  }

  /// Returns the arrays to which values are moved, without any change.
  const std::set<ValueKey> &movedAsItStands() {
    if (moved_) return *moved_;
    moved_.emplace();
    for (const MemoryNode &node : asItStands().nodes())
      if (node.isMoved) moved_->insert(keyOf(asItStands(), node.parent));
    return *moved_;
  }

  /// Returns what would lie in constants, without any change.
  const std::set<ValueKey> &writesAsItStands() {
    if (writes_) return *writes_;
    writes_.emplace();
    for (const ConstantWrite &write : asItStands().constantWrites())
      writes_->insert(keyOf(asItStands(), write.value));
    return *writes_;
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
    if (before >= 0 && memoryOf(asItStands(), before) == memoryOf(flow, node))
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
      if (result >= 0) byMemory[flow.rootOf(result)].push_back(result);
    for (const auto &[memory, results] : byMemory) {
      const MemoryNode &of = flow.nodes()[memory];
      bool isTaken = results.size() > 1;
      if (of.isParameter && of.frame == 0) {
        const int64_t number = flow.instructionOf(of).parameterNumber;
        isTaken |= !marks_.isGiven(number, of.leaf) &&
                   !flow.world().given.count({number, of.leaf});
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
  bool isSpent() const { return followed_ > kMostFollowed; }
  void countFollowed(const MemoryFlow &flow) {
    followed_ += flow.nodes().size();
  }

 private:
  std::map<CopyKey, std::set<int32_t>> memories_;
  int64_t followed_ = 0;  ///< values
  const Module &module_;
  const MemoryMarks &marks_;
  ProgramIndexing &maps_;
  ThreadAccesses &accesses_;
  OverlapSamples &samples_;
  const MemoryWorld base_;
  std::optional<MemoryFlow> asItStands_;
  std::optional<std::set<ValueKey>> moved_, writes_;
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
  MemoryWorld world;
  for (const int32_t node : copied) world.copied.insert(keyOf(flow, node));
  CopySearch search(flow.module(), marks, maps, accesses, samples, world);
  found.needless = search.search(all, world, found.untried);
  // Copies of parameters that the caller keeps.
  std::map<CopyKey, std::vector<std::pair<int64_t, LeafId>>> parameters;
  MemoryWorld without = world;
  without.removedCopies = all;
  const MemoryFlow left(flow.module(), marks, without);
  for (const MemoryCopy &copy : left.copies()) {
    if (!copy.isSameLayout || copy.source < 0) continue;
    const CopyKey key = keyOf(left, copy);
    if (found.needless.count(key)) continue;
    const MemoryNode &memory = left.nodes()[left.rootOf(copy.source)];
    if (!memory.isParameter || memory.frame != 0) continue;
    const int64_t number = left.instructionOf(memory).parameterNumber;
    if (marks.isGiven(number, memory.leaf)) continue;
    auto &own = parameters[key];
    const std::pair<int64_t, LeafId> parameter{number, memory.leaf};
    if (!llvm::is_contained(own, parameter)) own.push_back(parameter);
    world.given.insert({number, memory.leaf});
  }
  if (parameters.empty()) return found;
  CopySet wanted = found.needless;
  for (const auto &[key, own] : parameters) wanted.insert(key);
  CopySet ignored;
  const CopySet gone = search.search(wanted, world, ignored);
  for (const CopyKey &key : gone)
    if (const auto own = parameters.find(key); own != parameters.end())
      found.donated.insert({key, {own->second, {}}});
  // Others may go in another order, those that are found all together.
  if (flow.nodes().size() > kMostReordered) return found;
  CopySet together = gone;
  MemoryWorld ordered = world;
  for (const auto &[key, ofCopy] : parameters) {
    if (found.donated.count(key) || search.isSpent()) continue;
    CopySet with = gone;
    with.insert(key);
    const auto own = search.ordersFor(with, world);
    if (!own) continue;
    MemoryWorld all = ordered;
    for (const auto &[computation, orders] : own->orders)
      for (const auto &order : orders)
        if (!llvm::is_contained(all.orders[computation], order))
          all.orders[computation].push_back(order);
    with = together;
    with.insert(key);
    if (together != gone && !search.areNeedless(with, all)) continue;
    together = std::move(with);
    ordered = std::move(all);
    DonatedCopy &copy = found.donated[key];
    copy.parameters = ofCopy;
    for (const auto &[computation, orders] : own->orders)
      for (const auto &[first, then] : orders)
        copy.orders.push_back({ComputationId(computation), InstructionId(first),
                               InstructionId(then)});
  }
  return found;
}

std::map<CopyKey, HazardWitness> copyWitnesses(
    const MemoryFlow &flow, const std::set<int32_t> &copied,
    NeedlessCopies &found, const MemoryMarks &marks, ProgramIndexing &maps,
    ThreadAccesses &accesses, OverlapSamples &samples) {
  std::map<CopyKey, HazardWitness> witnesses;
  CopySet others;
  for (const MemoryCopy &copy : flow.copies()) {
    const CopyKey key = keyOf(flow, copy);
    if (copy.isSameLayout && copy.source >= 0 && !found.needless.count(key) &&
        !found.untried.count(key))
      others.insert(key);
  }
  if (others.empty()) return witnesses;
  MemoryWorld base;
  for (const int32_t node : copied) base.copied.insert(keyOf(flow, node));
  CopySearch search(flow.module(), marks, maps, accesses, samples, base);
  while (!others.empty()) {
    if (search.isSpent()) {
      found.untried.insert(others.begin(), others.end());
      break;
    }
    const CopySet group = search.nextGroup(others, found.needless, base);
    MemoryWorld world = base;
    world.removedCopies = found.needless;
    world.removedCopies.insert(group.begin(), group.end());
    const MemoryFlow without(flow.module(), marks, world);
    search.countFollowed(without);
    EventOrders orders(without);
    NodeAnswers answers(without, maps, accesses, orders, samples);
    std::map<int32_t, std::optional<HazardWitness>> byMemory;
    // An order or a value for which it is wrong will do if there is no more.
    auto witnessIn = [&](int32_t memory) -> std::optional<HazardWitness> & {
      auto [known, isNew] = byMemory.try_emplace(memory);
      if (!isNew) return known->second;
      for (const int32_t node : answers.membersOf(memory)) {
        const MemoryNode &of = without.nodes()[node];
        if (of.parent < 0 || of.isSame) continue;
        NodeAnswer answer = answers.of(node, -1);
        const bool isBad = answer.kind == NodeAnswer::Kind::Bad;
        if ((!isBad && answer.kind != NodeAnswer::Kind::SafeIf) ||
            !answer.witness || (known->second && !isBad))
          continue;
        known->second = std::move(answer.witness);
        if (isBad) break;
      }
      return known->second;
    };
    for (const MemoryCopy &copy : without.copies()) {
      const CopyKey key = keyOf(without, copy);
      if (!group.count(key) || copy.source < 0) continue;
      if (const auto &witness = witnessIn(without.rootOf(copy.source)))
        witnesses.emplace(key, *witness);
    }
  }
  return witnesses;
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
