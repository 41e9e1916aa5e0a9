// Which reads may come too late for a value: those of its memory that nothing
// puts before it.
#include <set>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/hazards/node_answers.h"

namespace indexical {
namespace {

/// Reads of one memory that are looked at for one value.
constexpr size_t kMostMemoryReads = 4'000'000;

}  // namespace

const std::vector<int32_t> &NodeAnswers::membersOf(int32_t root) {
  if (members_.empty()) {
    members_.resize(flow_.nodes().size());
    for (size_t n = 0; n < flow_.nodes().size(); ++n)
      members_[flow_.rootOf(static_cast<int32_t>(n))].push_back(
          static_cast<int32_t>(n));
  }
  return members_[root];
}

/// Adds what the values between leave of a value, if they are written after
/// `node` for sure. Returns false if they leave nothing.
bool NodeAnswers::addKept(int32_t node, int32_t value,
                          std::vector<FramedAccess> &kept) {
  const auto &nodes = flow_.nodes();
  for (int32_t at = value; at >= 0 && at != node; at = nodes[at].parent) {
    if (flow_.isDerived(node, at)) break;
    const MemoryNode &between = nodes[at];
    if (between.isSame || between.isParameter || between.isConstant) continue;
    if (orders_.of(nodes[node].writer, between.writer) != EventOrder::Before)
      continue;
    if (!between.isUpdate || between.isMoved) return false;
    kept.push_back({&accesses_.keeps(leafOf(between)), between.frame});
  }
  return true;
}

/// Returns what makes all of a value's array anew, if nothing says whether it
/// or `node` is written first:
///
///   u = update(a, v)       over a
///   x = reverse(negate(a)) over a, a result: right if u runs before x
///
/// -1: there is no such value.
int32_t NodeAnswers::makerOf(int32_t node, int32_t value) {
  const auto &nodes = flow_.nodes();
  for (int32_t at = value; at >= 0 && at != node; at = nodes[at].parent) {
    if (flow_.isDerived(node, at)) break;
    const MemoryNode &between = nodes[at];
    if (between.isSame || between.isParameter || between.isConstant ||
        between.isUpdate || between.isMoved)
      continue;
    if (orders_.of(nodes[node].writer, between.writer) == EventOrder::Open &&
        orders_.meeting(nodes[node].writer, between.writer).first.last !=
            MemoryEvent::kEnd)
      return at;
  }
  return -1;
}

/// Returns the order in which a candidate that is open is right.
NeededOrder NodeAnswers::orderFor(int32_t node,
                                  const Candidate &candidate) const {
  const MemoryEvent &writer = flow_.nodes()[node].writer;
  const auto [first, then] =
      candidate.order == EventOrder::Open
          ? orders_.meeting(candidate.reader.event, writer)
          : orders_.meeting(writer, flow_.nodes()[candidate.maker].writer);
  return {first.frame, first.last, then.first};
}

void NodeAnswers::addKeptOfCopy(const MemoryReader &reader,
                                std::vector<FramedAccess> &kept) {
  if (!areCopiesFound_) {
    areCopiesFound_ = true;
    // A value of a branch may be the copy under another name.
    std::set<int32_t> inBranches;
    for (const MemoryNode &node : flow_.nodes())
      inBranches.insert(node.others.begin(), node.others.end());
    for (const MemoryCopy &copy : flow_.copies())
      if (copy.node >= 0 && !copy.isRemoved && copy.isSameLayout &&
          !inBranches.count(copy.node))
        copies_[{copy.frame, copy.instruction}] = copy.node;
  }
  const auto found = copies_.find({reader.event.frame, reader.event.first});
  if (found == copies_.end()) return;
  const auto &nodes = flow_.nodes();
  const int32_t copy = found->second;
  if (nodes[copy].readers.size() != 1) return;
  const MemoryReader &next = nodes[copy].readers.front();
  for (const int32_t n : membersOf(flow_.rootOf(copy))) {
    const MemoryNode &update = nodes[n];
    if (update.parent != copy || !update.isUpdate || update.isMoved ||
        !(update.writer == next.event) || next.operandLeaf != 0)
      continue;
    const KernelHero hero = accesses_.heroOf(leafOf(update), true);
    if (hero.form != KernelHero::Form::Window || hero.isFused) continue;
    // A loop that carries the copy has it as a value of its own.
    const bool isAlone =
        llvm::all_of(membersOf(flow_.rootOf(copy)), [&](int32_t other) {
          return other == copy || !flow_.isDerived(other, copy) ||
                 flow_.isDerived(other, n);
        });
    if (isAlone)
      kept.push_back({&accesses_.keeps(leafOf(update)), update.frame});
  }
}

/// Finds the quiet values, so that a chain of n updates takes n steps:
///
///   c1 = copy(p); d1 = update(c1, v); d2 = update(d1, v); …
///
/// c1 and d1 are quiet: no value but the next one has to know of them.
void NodeAnswers::findQuiet() {
  const auto &nodes = flow_.nodes();
  const auto &frames = flow_.frames();
  std::vector<int32_t> next(nodes.size(), -1);
  std::vector<bool> isChain(nodes.size(), true);  // by root
  for (size_t n = 0; n < nodes.size(); ++n) {
    const MemoryNode &of = nodes[n];
    const int32_t root = flow_.rootOf(static_cast<int32_t>(n));
    const bool isPlain =
        !of.isSame && !of.isMoved && of.others.empty() &&
        of.frame == nodes[root].frame && !frames[of.frame].isDead &&
        (of.parent < 0 || of.writer.frame == of.frame) &&
        (of.parent < 0 || next[of.parent] < 0);
    if (!isPlain) isChain[root] = false;
    if (of.parent >= 0) next[of.parent] = static_cast<int32_t>(n);
  }
  isQuiet_.assign(nodes.size(), false);
  quietUpTo_.assign(nodes.size(), 0);
  loud_.resize(nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].parent >= 0 || !isChain[n]) continue;
    int32_t count = 0;
    for (int32_t at = static_cast<int32_t>(n); at >= 0; at = next[at]) {
      isQuiet_[at] = next[at] >= 0 && !nodes[at].readers.empty() &&
                     llvm::all_of(nodes[at].readers, [&](const auto &reader) {
                       const MemoryEvent &writer = nodes[next[at]].writer;
                       return reader.event == writer &&
                              writer.first == writer.last;
                     });
      quietUpTo_[at] = count += isQuiet_[at];
    }
  }
  for (size_t n = 0; n < nodes.size(); ++n)
    if (!isQuiet_[n] && !nodes[n].readers.empty())
      loud_[flow_.rootOf(static_cast<int32_t>(n))].push_back(
          static_cast<int32_t>(n));
}

/// Whether a quiet value that is made of `within` (-1: any) was read before a
/// value, and not by its own kernel.
bool NodeAnswers::hasQuietBefore(int32_t node, int32_t within) const {
  const auto &nodes = flow_.nodes();
  const int32_t parent = nodes[node].parent;
  if (parent < 0 || nodes[parent].parent < 0) return false;
  int32_t before = quietUpTo_[nodes[parent].parent];
  if (within >= 0) {
    if (!flow_.isDerived(parent, within)) return false;
    if (nodes[within].parent >= 0)
      before -= quietUpTo_[nodes[within].parent];
  }
  return before > 0;
}

NodeAnswers::Candidates NodeAnswers::candidatesOf(int32_t node,
                                                  int32_t within) {
  Candidates candidates;
  const auto &nodes = flow_.nodes();
  const MemoryNode &own = nodes[node];
  const auto &frames = flow_.frames();
  if (frames[own.frame].isDead || frames[own.writer.frame].isDead)
    return candidates;
  if (isQuiet_.empty()) findQuiet();
  candidates.areBefore = hasQuietBefore(node, within);
  std::vector<int32_t> values = loud_[flow_.rootOf(node)];
  if (own.parent >= 0 && isQuiet_[own.parent])
    values.insert(llvm::upper_bound(values, own.parent), own.parent);
  size_t steps = 0;
  for (const int32_t value : values) {
    if (value == node) continue;
    if (within >= 0 && !flow_.isDerived(value, within)) continue;
    if (flow_.isDerived(value, node)) continue;
    for (const MemoryReader &reader : nodes[value].readers) {
      if (++steps > kMostMemoryReads) {
        candidates.areUnknown = true;
        return candidates;
      }
      if (frames[reader.event.frame].isDead) continue;
      if (reader.event == own.writer && !own.isMoved) {
        candidates.own.push_back({value, reader});
        continue;
      }
      const EventOrder order = orders_.of(reader.event, own.writer);
      if (order == EventOrder::Before) candidates.areBefore = true;
      if (order == EventOrder::Unknown) candidates.areUnknown = true;
      if (order == EventOrder::Before || order == EventOrder::Exclusive ||
          order == EventOrder::Unknown)
        continue;
      Candidate candidate{value, reader, order, {}, -1};
      if (!addKept(node, value, candidate.kept)) continue;
      addKeptOfCopy(reader, candidate.kept);
      if (order != EventOrder::Open) candidate.maker = makerOf(node, value);
      candidates.later.push_back(std::move(candidate));
    }
  }
  return candidates;
}

}  // namespace indexical
