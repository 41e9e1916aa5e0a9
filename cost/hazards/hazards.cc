#include "indexical/cost/hazards/hazards.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/cost/hazards/event_order.h"
#include "indexical/cost/hazards/memory_flow.h"
#include "indexical/cost/hazards/needless_copies.h"
#include "indexical/cost/hazards/node_answers.h"
#include "indexical/cost/hazards/shared_pair.h"
#include "indexical/cost/hazards/thread_access.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/updated_operand.h"
#include "indexical/same/values/sameness.h"

namespace indexical {

llvm::StringRef wordOf(HazardAnswer answer) {
  static constexpr llvm::StringLiteral kWords[] = {
      "safe in place", "needless copy", "safe if",
      "must copy",     "undecided",     "hazard"};
  static_assert(std::size(kWords) == size_t(HazardAnswer::Hazard) + 1);
  return kWords[size_t(answer)];
}

llvm::StringRef wordOf(HazardReason reason) {
  static constexpr llvm::StringLiteral kWords[] = {
      "not read", "same element", "apart", "read before", "unchanged"};
  static_assert(std::size(kWords) == size_t(HazardReason::Unchanged) + 1);
  return kWords[size_t(reason)];
}

llvm::StringRef nameOf(PlaceKind kind) {
  static constexpr llvm::StringLiteral kNames[] = {
      "update", "scatter", "fusion", "alias", "call",
      "carry",  "copy",    "async",  "share"};
  static_assert(std::size(kNames) == size_t(PlaceKind::Share) + 1);
  return kNames[size_t(kind)];
}

llvm::StringRef nameOf(PlaceMark mark) {
  static constexpr llvm::StringLiteral kNames[] = {"none", "may", "must"};
  static_assert(std::size(kNames) == size_t(PlaceMark::Must) + 1);
  return kNames[size_t(mark)];
}

namespace {

/// Operations for the proof that the module without copies is the same.
constexpr int64_t kConfirmOperations = 2'000'000;

/// Finds the places of one module.
class PlaceFinder {
 public:
  PlaceFinder(const Module &module, const HazardQuestion &question,
              ProgramIndexing &maps, ThreadAccesses &accesses,
              OverlapSamples &samples, const MemoryFlow &flow)
      : module_(module),
        question_(question),
        maps_(maps),
        accesses_(accesses),
        samples_(samples),
        flow_(flow),
        orders_(flow),
        answers_(flow, maps, accesses, orders_, samples) {}

  absl::Status find() {
    const auto &nodes = flow_.nodes();
    all_.resize(nodes.size());
    local_.resize(nodes.size());
    within_.assign(nodes.size(), -1);
    std::multimap<int32_t, const MemoryPassage *> passages;
    for (const MemoryPassage &passage : flow_.passages())
      passages.insert({passage.to, &passage});
    for (size_t n = 0; n < nodes.size(); ++n) {
      INDEXICAL_RETURN_IF_ERROR(question_.budget.check());
      answerNode(static_cast<int32_t>(n));
    }
    refuseCycles();
    return absl::OkStatus();
  }

  /// Returns the place of a pair that was asked for.
  HazardPlace shared(int32_t node, LeafId operand) {
    HazardPlace place = placeOf(node, PlaceKind::Share, all_[node], true);
    setOperand(place, operand);
    return place;
  }

  std::vector<HazardPlace> places() {
    std::vector<HazardPlace> places;
    for (size_t n = 0; n < flow_.nodes().size(); ++n)
      addNode(static_cast<int32_t>(n), places);
    for (const ConstantWrite &write : flow_.constantWrites())
      addConstant(write, places);
    for (const MemoryPassage &passage : flow_.passages())
      addPassage(passage, places);
    for (const MemoryAlias &alias : flow_.aliases()) addAlias(alias, places);
    addCopies(places);
    llvm::stable_sort(places, [&](const HazardPlace &a, const HazardPlace &b) {
      return lineOf(a) < lineOf(b);
    });
    return places;
  }

 private:
  std::pair<int64_t, int64_t> lineOf(const HazardPlace &place) const {
    return {int64_t{place.computation}, int64_t{place.instruction}};
  }

  /// Answers for a value, and sets of what memory the values are that are made
  /// of it.
  void answerNode(int32_t n) {
    const auto &nodes = flow_.nodes();
    const MemoryNode &node = nodes[n];
    if (node.parent < 0) return;
    within_[n] = node.parent >= 0 ? within_[node.parent] : -1;
    if (node.isSame) {
      if (node.kind == PlaceKind::Carry &&
          flow_.instructionOf(node).parameterNumber >= 0) {
        // A body reads these elements of its own carries.
        within_[n] = n;
      } else if (node.kind == PlaceKind::Carry) {
        afterLoop(n);
      }
      return;
    }
    const int32_t body = bodyOf(n);
    all_[n] = answers_.of(n, detached(n));
    local_[n] =
        body >= 0 && body != detached(n) ? answers_.of(n, body) : all_[n];
    const bool isFree = node.kind == PlaceKind::Update ||
                        node.kind == PlaceKind::Scatter ||
                        node.kind == PlaceKind::Fusion;
    if (isFree && local_[n].kind == NodeAnswer::Kind::Bad) copied_.insert(n);
  }

  /// Returns the nearest value, upstream, that begins in memory of its own
  /// because it is copied; -1: none.
  int32_t detached(int32_t n) const {
    for (int32_t at = flow_.nodes()[n].parent; at >= 0;
         at = flow_.nodes()[at].parent)
      if (copied_.count(at)) return at;
    return -1;
  }
  /// Returns the nearest parameter of a loop's body upstream in the same body;
  /// -1: none.
  int32_t bodyOf(int32_t n) const {
    for (int32_t at = flow_.nodes()[n].parent; at >= 0;
         at = flow_.nodes()[at].parent) {
      const MemoryNode &node = flow_.nodes()[at];
      if (!node.isSame || node.kind != PlaceKind::Carry) continue;
      return flow_.instructionOf(node).parameterNumber >= 0 ? at : -1;
    }
    return -1;
  }

  /// A carry that must be copied begins in memory of its own.
  void afterLoop(int32_t n) {
    for (const MemoryPassage &passage : flow_.passages())
      if (passage.to == flow_.nodes()[n].parent &&
          passage.kind == PlaceKind::Carry &&
          worstOf(passage.to, passage.from, all_).kind == NodeAnswer::Kind::Bad)
        copied_.insert(passage.from);
  }

  /// Returns the answer of all values from `to` up to, and without, `from`.
  NodeAnswer worstOf(int32_t to, int32_t from,
                     const std::vector<NodeAnswer> &of) const {
    NodeAnswer worst;
    bool isFirst = true;
    for (int32_t at = to; at >= 0 && at != from;
         at = flow_.nodes()[at].parent) {
      if (flow_.nodes()[at].isSame || flow_.nodes()[at].parent < 0) continue;
      if (isFirst)
        worst = of[at];
      else
        worst.add(of[at]);
      isFirst = false;
    }
    return worst;
  }

  /// Orders that cannot all be are no answer.
  void refuseCycles() {
    std::map<int32_t, std::vector<std::pair<NeededOrder, int32_t>>> byFrame;
    for (size_t n = 0; n < all_.size(); ++n)
      for (const NeededOrder &order : all_[n].orders)
        byFrame[order.frame].push_back({order, static_cast<int32_t>(n)});
    for (auto &[frame, orders] : byFrame) {
      const ComputationId c = flow_.frames()[frame].computation;
      // An order is in a cycle if its end leads back to its begin, by needs
      // and by other orders.
      for (const auto &[order, node] : orders) {
        std::set<int32_t> reached = {order.then};
        std::vector<int32_t> open = {order.then};
        bool isCycle = false;
        while (!open.empty() && !isCycle) {
          const int32_t at = open.back();
          open.pop_back();
          if (orders_.needs(c, order.first, at)) {
            isCycle = true;
            break;
          }
          for (const auto &[other, ignored] : orders)
            if (!reached.count(other.then) &&
                orders_.needs(c, other.first, at)) {
              reached.insert(other.then);
              open.push_back(other.then);
            }
        }
        if (!isCycle) continue;
        for (std::vector<NodeAnswer> *of : {&all_, &local_}) {
          NodeAnswer &answer = (*of)[node];
          if (answer.orders.empty()) continue;
          answer.kind = NodeAnswer::Kind::Bad;
          answer.orders.clear();
          answer.conditions.clear();
        }
      }
    }
  }

  std::string nameOf(ComputationId computation, InstructionId i) const {
    return module_.computations[computation].instructions[i].name.str();
  }
  std::string nameIn(int32_t frame, int32_t instruction) const {
    return nameOf(flow_.frames()[frame].computation,
                  InstructionId(instruction));
  }

  /// Returns a place with the answer of a value.
  HazardPlace placeOf(int32_t node, PlaceKind kind, const NodeAnswer &answer,
                      bool isDemanded) {
    const MemoryNode &of = flow_.nodes()[node];
    HazardPlace place;
    place.computation = flow_.frames()[of.frame].computation;
    place.instruction = of.instruction;
    place.kind = kind;
    place.result = of.leaf;
    fill(place, answer, isDemanded);
    return place;
  }

  void fill(HazardPlace &place, const NodeAnswer &answer, bool isDemanded) {
    switch (answer.kind) {
      case NodeAnswer::Kind::Safe:
        place.answer = HazardAnswer::SafeInPlace;
        place.because = answer.because;
        return;
      case NodeAnswer::Kind::SafeIf:
        place.answer = HazardAnswer::SafeIf;
        place.because = answer.conditions.empty() ? HazardReason::ReadBefore
                                                  : HazardReason::Apart;
        place.conditions = answer.conditions;
        place.runtime = answer.runtime;
        for (const NeededOrder &order : answer.orders)
          place.order.push_back({nameIn(order.frame, order.first),
                                 nameIn(order.frame, order.then)});
        return;
      case NodeAnswer::Kind::Bad:
        place.answer =
            isDemanded || (answer.isOwn && place.kind == PlaceKind::Fusion)
                ? HazardAnswer::Hazard
                : HazardAnswer::MustCopy;
        place.witness = answer.witness;
        return;
      case NodeAnswer::Kind::Undecided:
        place.answer = HazardAnswer::Undecided;
        place.reason = answer.reason;
        return;
    }
  }

  /// Sets the operand of a place to a leaf of the operands.
  void setOperand(HazardPlace &place, LeafId operandLeaf) {
    const OperandLeaf leaf =
        module_.computations[place.computation].operandLeaf(place.instruction,
                                                            operandLeaf);
    place.operand = leaf.operand;
    place.operandResult = leaf.leaf;
  }

  void addNode(int32_t n, std::vector<HazardPlace> &places) {
    const MemoryNode &node = flow_.nodes()[n];
    if (node.parent < 0 || node.isSame || node.isMoved) return;
    const bool isAlias = node.kind == PlaceKind::Alias && node.isMarked;
    const bool isUpdate = node.kind == PlaceKind::Update ||
                          node.kind == PlaceKind::Scatter ||
                          node.kind == PlaceKind::Fusion;
    if (!isAlias && !isUpdate) return;
    HazardPlace place = placeOf(n, node.kind, local_[n], isAlias);
    if (isAlias) place.mark = PlaceMark::Must;
    int64_t operand =
        updatedOperand(module_, flow_.instructionOf(node), node.leaf);
    for (const MemoryMarks::Operand &mark : question_.marks.operands)
      if (isAlias && mark.computation == place.computation &&
          mark.instruction == node.instruction && mark.result == node.leaf)
        operand = mark.operandLeaf;
    setOperand(place, LeafId(operand));
    places.push_back(std::move(place));
  }

  /// Adds the place of a result that would lie in a constant.
  void addConstant(const ConstantWrite &write,
                   std::vector<HazardPlace> &places) {
    if (write.operandLeaf < 0) return;
    const bool isAlias = write.kind == PlaceKind::Alias;
    const NodeAnswer answer =
        answers_.overwriting(write.value, write.constant, !isAlias);
    HazardPlace place = placeOf(write.value, write.kind, answer, isAlias);
    if (isAlias) place.mark = PlaceMark::Must;
    if (place.witness) place.stays = constantStays(write.constant);
    setOperand(place, LeafId(write.operandLeaf));
    places.push_back(std::move(place));
  }

  std::string constantStays(int32_t constant) const {
    return absl::StrCat("`", answers_.nameOf(constant),
                        "` is a constant, which may not change");
  }

  void addPassage(const MemoryPassage &passage,
                  std::vector<HazardPlace> &places) {
    HazardPlace place;
    place.computation = flow_.frames()[passage.frame].computation;
    place.instruction = passage.instruction;
    place.kind = passage.kind;
    const Instruction &instruction = module_.computations[place.computation]
                                         .instructions[passage.instruction];
    if (instruction.op.is<StartOp>()) place.kind = PlaceKind::Async;
    place.result = passage.result;
    setOperand(place, passage.operandLeaf);
    fill(place, worstOf(passage.to, passage.from, all_), false);
    if (passage.isTaken) {
      place.answer = HazardAnswer::MustCopy;
      HazardWitness witness;
      const OperandLeaf leaf =
          module_.computations[place.computation].operandLeaf(
              place.instruction, passage.operandLeaf);
      witness.array = nameIn(passage.frame, leaf.instruction);
      witness.element.assign(instruction.shape.leaves()[passage.result].rank(),
                             0);
      witness.writer = {instruction.name.str(), witness.element};
      witness.reader = witness.writer;
      place.witness = std::move(witness);
      place.stays = "two carries of a loop may not be one array";
    }
    places.push_back(std::move(place));
  }

  void addAlias(const MemoryAlias &alias, std::vector<HazardPlace> &places) {
    const MemoryNode &to = flow_.nodes()[alias.to];
    HazardPlace place;
    place.computation = flow_.frames()[to.frame].computation;
    place.instruction = to.instruction;
    place.kind = PlaceKind::Alias;
    place.mark = alias.mark.strength == MemoryMarks::Strength::Must
                     ? PlaceMark::Must
                     : PlaceMark::May;
    place.result = alias.mark.result;
    place.operand = alias.mark.parameter;
    place.operandResult = alias.mark.leaf;
    NodeAnswer answer = worstOf(alias.to, alias.from, all_);
    if (to.isMoved && !copied_.empty())
      if (const auto copied = ofCopied(alias.mark)) answer.add(*copied);
    fill(place, answer, true);
    places.push_back(std::move(place));
  }

  /// Returns the answer for an alias if each value that must be copied begins
  /// as a copy: that copy may then be made in the parameter's memory. Returns
  /// nothing if the result is in no memory of its own then, either.
  std::optional<NodeAnswer> ofCopied(const MemoryMarks::Result &mark) {
    if (!copiedFlow_) {
      MemoryWorld world = flow_.world();
      for (const int32_t n : copied_) {
        const MemoryNode &node = flow_.nodes()[n];
        world.copied.insert(
            {node.frame, int32_t{node.instruction}, int64_t{node.leaf}});
      }
      copiedFlow_ =
          std::make_unique<MemoryFlow>(module_, question_.marks, world);
      copiedFinder_ = std::make_unique<PlaceFinder>(
          module_, question_, maps_, accesses_, samples_, *copiedFlow_);
      if (!copiedFinder_->find().ok()) return std::nullopt;
    }
    for (const MemoryAlias &other : copiedFlow_->aliases())
      if (other.mark.result == mark.result &&
          !copiedFlow_->nodes()[other.to].isMoved)
        return copiedFinder_->worstOf(other.to, other.from,
                                      copiedFinder_->all_);
    return std::nullopt;
  }

  /// Whether a value is copied because what it is made of is read too late,
  /// and not because of the place that is demanded for it.
  bool isCopiedAnyway(int32_t n) const {
    if (flow_.nodes()[n].isSame) return false;
    for (int32_t at = flow_.nodes()[n].parent; at >= 0;
         at = flow_.nodes()[at].parent) {
      const MemoryNode &node = flow_.nodes()[at];
      if (at == local_[n].value) return true;
      if (!node.isSame && node.kind != PlaceKind::Update &&
          node.kind != PlaceKind::Scatter && node.kind != PlaceKind::Fusion)
        return false;
    }
    return false;
  }

  void addCopies(std::vector<HazardPlace> &places) {
    if (!question_.findsCopies || flow_.copies().empty()) return;
    std::set<int32_t> copied;
    for (const int32_t n : copied_)
      if (isCopiedAnyway(n)) copied.insert(n);
    NeedlessCopies found = findNeedlessCopies(flow_, copied, question_.marks,
                                              maps_, accesses_, samples_);
    const std::map<CopyKey, HazardWitness> witnesses = copyWitnesses(
        flow_, copied, found, question_.marks, maps_, accesses_, samples_);
    std::optional<bool> isConfirmed;
    if (question_.confirms && !found.needless.empty())
      isConfirmed = confirm(found.needless);
    CopySet seen;
    for (const MemoryCopy &copy : flow_.copies()) {
      const ComputationId c = flow_.frames()[copy.frame].computation;
      const CopyKey key{int32_t{c}, int32_t{copy.instruction}};
      if (!seen.insert(key).second) continue;
      HazardPlace place;
      place.computation = c;
      place.instruction = copy.instruction;
      place.kind = copy.isAsync ? PlaceKind::Async : PlaceKind::Copy;
      place.operand = 0;
      place.operandResult = 0;
      const Instruction &instruction =
          module_.computations[c].instructions[copy.instruction];
      const ArrayShape shape = instruction.shape.leaves()[0];
      if (const auto count = storedElements(shape))
        place.bytes = *count * storedBits(shape) / 8;
      if (found.needless.count(key)) {
        place.answer = HazardAnswer::NeedlessCopy;
        place.because = HazardReason::Apart;
        place.isConfirmed = isConfirmed;
      } else {
        place.answer = HazardAnswer::MustCopy;
        if (const auto donated = found.donated.find(key);
            donated != found.donated.end()) {
          const auto &parameters = donated->second.parameters;
          place.donate = parameters.front();
          place.donateToo.assign(parameters.begin() + 1, parameters.end());
          for (const auto &[computation, first, then] : donated->second.orders)
            place.order.push_back(
                {nameOf(computation, first), nameOf(computation, then)});
        }
        if (const auto witness = witnesses.find(key);
            witness != witnesses.end())
          place.witness = witness->second;
        else if (found.untried.count(key)) {
          place.answer = HazardAnswer::Undecided;
          place.reason = "there are too many copies to try each one";
        } else {
          place.witness = misplaced(copy);
          place.stays = whyItStays(copy);
        }
      }
      places.push_back(std::move(place));
    }
  }

  /// Whether the module without the copies is known to compute the same.
  bool confirm(const CopySet &copies) const {
    const Module without = withoutCopies(module_, copies);
    Budget budget = question_.budget;
    budget.operations = kConfirmOperations;
    SamenessOptions options(budget);
    options.values.emplace();
    options.namesDeciders = false;
    const auto same = compare(module_, without, options);
    return same.ok() && same->verdict.isSame();
  }

  /// Returns why a copy is needed, if nobody reads too late without it.
  std::string whyItStays(const MemoryCopy &copy) const {
    const Computation &own = flow_.computationOf(copy.frame);
    const ArrayShape made =
        own.instructions[copy.instruction].shape.leaves()[0];
    const OperandLeaf leaf = own.operandLeaf(copy.instruction, LeafId(0));
    if (!copy.isSameLayout && leaf.instruction >= 0) {
      const Instruction &maker = own.instructions[leaf.instruction];
      const ArrayShape from = maker.shape.leaves()[leaf.result];
      auto spaceOf = [](const ArrayShape &of) {
        return of.layout ? int64_t{of.layout->memorySpace} : 0;
      };
      if (spaceOf(made) != spaceOf(from))
        return absl::StrCat("it moves `", maker.name.str(),
                            "` from memory space ", spaceOf(from), " to ",
                            spaceOf(made));
      return absl::StrCat("it changes the layout of `", maker.name.str(), "`");
    }
    if (copy.source < 0) return "";
    const int32_t memory = flow_.rootOf(copy.source);
    const MemoryNode &of = flow_.nodes()[memory];
    if (of.isConstant) return constantStays(memory);
    if (of.isParameter && of.frame == 0 &&
        !question_.marks.isGiven(flow_.instructionOf(of).parameterNumber,
                                 of.leaf))
      return absl::StrCat("the caller keeps `", answers_.nameOf(memory), "`");
    return "two results of the module, or of a loop, may not be one array";
  }

  /// Returns what is wrong without a copy if nobody reads too late: a result
  /// would lie where it must not, or in another layout.
  HazardWitness misplaced(const MemoryCopy &copy) const {
    const Computation &own = flow_.computationOf(copy.frame);
    const Instruction &instruction = own.instructions[copy.instruction];
    HazardWitness witness;
    witness.array = own.instructions[instruction.operands[0]].name.str();
    for (const int64_t size : instruction.shape.leaves()[0].dimensions)
      witness.element.push_back(copy.isSameLayout ? 0 : size - 1);
    witness.writer = {instruction.name.str(), witness.element};
    witness.reader = {witness.array, witness.element};
    return witness;
  }

  const Module &module_;
  const HazardQuestion &question_;
  ProgramIndexing &maps_;
  ThreadAccesses &accesses_;
  OverlapSamples &samples_;
  const MemoryFlow &flow_;
  EventOrders orders_;
  NodeAnswers answers_;
  /// By value: of all that is read, and of what its loop's body reads.
  std::vector<NodeAnswer> all_, local_;
  std::vector<int32_t> within_;
  std::set<int32_t> copied_;  // values that begin in memory of their own
  std::unique_ptr<MemoryFlow> copiedFlow_;  // in which they do
  std::unique_ptr<PlaceFinder> copiedFinder_;
};

absl::StatusOr<HazardPlace> sharedPlace(const Module &module,
                                        const HazardQuestion &question,
                                        const HazardShare &share,
                                        ProgramIndexing &maps,
                                        ThreadAccesses &accesses) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto pair, sharedPair(module, share));
  MemoryWorld world;
  world.share = pair;
  // The operand is taken as given away, whichever parameter it lies in.
  if (module.entry >= 0)
    for (auto [p, i] : llvm::enumerate(module.entryComputation().parameters))
      for (int64_t l = 0;
           l < module.entryComputation().instructions[i].shape.leafCount(); ++l)
        world.given.insert({static_cast<int64_t>(p), l});
  const MemoryFlow flow(module, question.marks, world);
  if (!flow.obstacle().empty())
    return absl::InvalidArgumentError(flow.obstacle());
  OverlapSamples samples(question.budget);
  PlaceFinder finder(module, question, maps, accesses, samples, flow);
  INDEXICAL_RETURN_IF_ERROR(finder.find());
  for (size_t n = 0; n < flow.nodes().size(); ++n) {
    const MemoryNode &node = flow.nodes()[n];
    if (flow.frames()[node.frame].computation == pair.computation &&
        node.instruction == pair.instruction && node.leaf == pair.result &&
        node.isMarked)
      return finder.shared(static_cast<int32_t>(n), pair.operandLeaf);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "`", share.instruction,
      "` runs in no computation that the entry calls, or makes no array"));
}

}  // namespace

absl::StatusOr<std::vector<HazardPlace>> hazardsOf(
    const Module &module, const HazardQuestion &question) {
  ExactProver prover(ExactProver::ofProofs(question.budget));
  ProgramIndexing maps(module, &prover, question.budget);
  ThreadAccesses accesses(maps);
  std::vector<HazardPlace> places;
  for (const HazardShare &share : question.shares) {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto place, sharedPlace(module, question, share, maps, accesses));
    places.push_back(std::move(place));
  }
  if (!question.shares.empty()) return places;
  const MemoryFlow flow(module, question.marks, {});
  if (!flow.obstacle().empty())
    return absl::InvalidArgumentError(flow.obstacle());
  OverlapSamples samples(question.budget);
  PlaceFinder finder(module, question, maps, accesses, samples, flow);
  INDEXICAL_RETURN_IF_ERROR(finder.find());
  return finder.places();
}

}  // namespace indexical
