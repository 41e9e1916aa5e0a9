#include "indexical/same/equality/module_equality.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/same/equality/entry_parameters.h"
#include "indexical/same/equality/hidden_effects.h"
#include "indexical/same/equality/joined_sizes.h"
#include "indexical/same/equality/meanings.h"
#include "indexical/same/equality/side.h"
#include "indexical/same/equality/term_readings.h"
#include "indexical/same/equality/trial_values.h"
#include "indexical/same/equality/witnesses.h"

namespace indexical {
namespace {

// Leaves that one way reaches and the other does not are given up, round by
// round.
constexpr int kMostRounds = 20;

/// The largest number of pairs for which those that neither module reads are
/// listed, too.
constexpr int64_t kMostUnreadPairs = 65'536;
/// A result whose term has more parameters is followed through loops by leaf.
constexpr size_t kManyParameters = 64;

class Comparison {
 public:
  Comparison(const Module &first, const Module &second,
             const EqualityOptions &options)
      : options_(options),
        modules_{&first, &second},
        sides_{Side(first, 0, table_, {}, options, keepOrder(first, second)),
               Side(second, 1, table_, numbersBy(options.parameters), options,
                    keepOrder(first, second))},
        meanings_(table_),
        effects_{HiddenEffects(first), HiddenEffects(second)},
        witnesses_(table_, sides_[0]),
        readings_(sides_, witnesses_, options) {}

  absl::StatusOr<ModuleEquality> run();

 private:
  using Reading = TermReadings::Reading;
  using TermReading = std::pair<const TermId, Reading>;
  struct Read {
    SharedLeaves leaves[2];
    std::map<TermId, Reading> readings;
  };

  void pairParameters();
  bool isByTerms(LeafId result) {
    return sides_[0].readsOf(result) == sides_[1].readsOf(result);
  }
  std::set<int64_t> parametersOf(LeafId result, const ModuleEquality &equality);
  std::vector<LeafEquality> pairsOf(LeafId result,
                                    const ModuleEquality &equality);
  absl::Status decide(LeafId result, const ModuleEquality &equality,
                      std::vector<LeafEquality> &pairs);
  bool isCovered(LeafId result, TermId term);
  void restOn(LeafEquality &leaf);
  void doubtIfHidden(LeafEquality &leaf) const;
  void addPaths(LeafEquality &leaf);
  absl::Status prepare(ModuleEquality &equality);
  absl::Status decideAll(const ModuleEquality &equality,
                         std::vector<std::vector<LeafEquality>> &pairs,
                         llvm::function_ref<void()> done);
  absl::Status compareByMaps(LeafId result,
                             llvm::MutableArrayRef<LeafEquality> leaves,
                             std::vector<bool> &isRead);
  std::map<TermId, std::vector<const TermReading *>> byParameters(
      const Read &read);
  std::set<TermId> sharedBy(LeafId result, bool coveredOnly,
                            llvm::ArrayRef<LeafEquality> leaves);
  absl::StatusOr<Read> readAt(LeafId result, std::set<TermId> terms);
  EqualityObstacle obstacleOf(LeafId result, const Read &read, Doubt doubt);
  TermId termOf(size_t parameter) const {
    return sides_[0].readsOf(sides_[0].parameters()[parameter]);
  }

  const EqualityOptions &options_;
  const Module *const modules_[2];
  TermTable table_;
  Side sides_[2];
  Meanings meanings_;
  const HiddenEffects effects_[2];
  const Witnesses witnesses_;
  const TermReadings readings_;
  std::vector<EntryLeaf> others_;  // parameters of the second, in first's order
  std::map<TermId, int64_t> parameters_;  // leaves of the first, by their terms
};

void Comparison::pairParameters() {
  const auto &order = options_.parameters;
  const size_t count = sides_[1].entry().parameters.size();
  std::vector<std::vector<const EntryLeaf *>> leavesOf(count);
  for (const EntryLeaf &leaf : sides_[1].parameters())
    leavesOf[leaf.parameter].push_back(&leaf);
  for (size_t p = 0; p < count; ++p)
    for (const EntryLeaf *leaf : leavesOf[order.empty() ? p : order[p]])
      others_.push_back(*leaf);
}

/// Whether one of the leaves that read the term is known only as a cover.
bool Comparison::isCovered(LeafId result, TermId term) {
  if (!table_[term].canBeCovered()) return false;
  if (table_[term].isOpaque()) return true;
  return llvm::any_of(sides_, [&](Side &side) {
    const SharedLeaves leaves = side.frontier(result, {term});
    return llvm::any_of(leaves, [&](const auto &same) {
      return llvm::any_of(
          same.second, [&](const Leaf &leaf) { return !side.isExact(leaf); });
    });
  });
}

/// Returns the terms of leaves that the result depends on in both modules, and
/// those of the parameters that are asked about.
std::set<TermId> Comparison::sharedBy(LeafId result, bool coveredOnly,
                                      llvm::ArrayRef<LeafEquality> leaves) {
  const std::set<TermId> first = sides_[0].below(result);
  std::set<TermId> shared;
  for (TermId term : sides_[1].below(result))
    if (first.count(term) && (!coveredOnly || isCovered(result, term)))
      shared.insert(term);
  for (const LeafEquality &leaf : leaves) shared.insert(termOf(leaf.parameter));
  return shared;
}

/// Compares what the result reads of the terms that it meets first on its ways.
/// Drops terms from `terms` until both sides meet the same ones first.
absl::StatusOr<Comparison::Read> Comparison::readAt(LeafId result,
                                                    std::set<TermId> terms) {
  auto isParameter = [&](TermId term) {
    return table_[term].kind == ValueTerm::Kind::Parameter;
  };
  Read read;
  for (int round = 0;; ++round) {
    for (int side : {0, 1})
      read.leaves[side] = sides_[side].frontier(result, terms);
    bool same = true;
    for (int side : {0, 1})
      for (const auto &[term, leaves] : read.leaves[side])
        if (!isParameter(term) && !read.leaves[1 - side].count(term)) {
          terms.erase(term);
          same = false;
        }
    if (same) break;
    if (round == kMostRounds)
      for (auto at = terms.begin(); at != terms.end();)
        at = isParameter(*at) ? std::next(at) : terms.erase(at);
  }
  std::map<TermId, IndexingRelation> relations[2];
  for (int side : {0, 1}) {
    INDEXICAL_ASSIGN_OR_RETURN(relations[side],
                               sides_[side].reads(result, read.leaves[side]));
  }
  for (int side : {0, 1})
    for (const auto &[term, leaves] : read.leaves[side]) {
      if (read.readings.count(term)) continue;
      INDEXICAL_ASSIGN_OR_RETURN(
          read.readings[term],
          readings_.compare(relations[0][term], relations[1][term]));
      INDEXICAL_RETURN_IF_ERROR(options_.check());
    }
  return read;
}

/// Returns the readings of terms that contain a parameter, by parameters: terms
/// are many where a result is made of many, and most contain few.
std::map<TermId, std::vector<const Comparison::TermReading *>>
Comparison::byParameters(const Read &read) {
  std::map<TermId, std::vector<const TermReading *>> all;
  for (const TermReading &reading : read.readings)
    for (TermId parameter : meanings_.parametersOf(reading.first))
      all[parameter].push_back(&reading);
  return all;
}

/// Decides the pairs that terms leave open, and whether either module reads the
/// parameter of each.
absl::Status Comparison::compareByMaps(
    LeafId result, llvm::MutableArrayRef<LeafEquality> leaves,
    std::vector<bool> &isRead) {
  // Down to what both have.
  INDEXICAL_ASSIGN_OR_RETURN(
      auto near,
      readAt(result, sharedBy(result, /*coveredOnly=*/false, leaves)));
  std::vector<LeafEquality *> open;
  auto nearReadings = byParameters(near);
  for (LeafEquality &leaf : leaves) {
    bool same = true;
    const auto of = nearReadings.find(termOf(leaf.parameter));
    isRead.push_back(false);
    if (of != nearReadings.end())
      for (const TermReading *known : of->second) {
        isRead.back() = isRead.back() || known->second.isRead;
        const Decision &decision = known->second.decision;
        leaf.decision.engine = std::max(leaf.decision.engine, decision.engine);
        same &= decision.answer == Answer::Yes;
      }
    if (same)
      leaf.decision.answer = Answer::Yes;
    else
      open.push_back(&leaf);
  }
  if (open.empty()) return absl::OkStatus();
  // Down to the parameters, past all terms that are known exactly.
  INDEXICAL_ASSIGN_OR_RETURN(
      auto far, readAt(result, sharedBy(result, /*coveredOnly=*/true, leaves)));
  auto farReadings = byParameters(far);
  std::map<Doubt, EqualityObstacle> obstacles;  // the same for all parameters
  for (LeafEquality *leaf : open) {
    const TermId parameter = termOf(leaf->parameter);
    const Reading &own = far.readings[parameter];
    leaf->decision = own.decision;
    leaf->doubt = own.doubt;
    leaf->isFewer = own.isFewer;
    if (!far.leaves[0].count(parameter) && !far.leaves[1].count(parameter)) {
      leaf->decision.answer = Answer::Yes;
      leaf->doubt = Doubt::None;
    }
    for (const TermReading *known : farReadings[parameter]) {
      const auto &[term, reading] = *known;
      if (term == parameter) continue;
      const bool opaque = table_[term].isOpaque();
      if (leaf->decision.answer == Answer::No &&
          reading.decision.answer == Answer::Yes && opaque) {
        leaf->forSome.push_back(meanings_.nameOf(term));
        continue;
      }
      if (leaf->decision.answer == Answer::Yes &&
          reading.decision.answer == Answer::Yes)
        continue;
      // The reads behind the term may compensate for a difference, or be one.
      leaf->decision = Decision();
      leaf->decision.reason = reading.decision.reason;
      leaf->doubt = reading.doubt != Doubt::None ? reading.doubt
                    : opaque                     ? Doubt::UnknownOp
                                                 : Doubt::Cover;
      leaf->forSome.clear();
      break;
    }
    if (leaf->decision.answer == Answer::Undecided) {
      auto [known, isNew] = obstacles.try_emplace(leaf->doubt);
      if (isNew) known->second = obstacleOf(result, far, leaf->doubt);
      leaf->because = known->second;
      if (leaf->because->reason.empty())
        leaf->because->reason = !leaf->decision.reason.empty()
                                    ? leaf->decision.reason
                                    : "what it reads is known only as a cover";
    }
  }
  return absl::OkStatus();
}

/// Returns the instruction because of which it is not known what the result
/// reads: the first module's, unless the second's alone has a reason.
EqualityObstacle Comparison::obstacleOf(LeafId result, const Read &read,
                                        Doubt doubt) {
  EqualityObstacle found[2];
  for (int side : {0, 1}) {
    found[side] = sides_[side].because(result, read.leaves[side], doubt);
    if (!found[side].reason.empty()) return std::move(found[side]);
    SharedLeaves ends;
    for (const auto &[term, same] : read.leaves[side])
      if (table_[term].kind == ValueTerm::Kind::Parameter) ends[term] = same;
    found[side] = sides_[side].because(result, ends, doubt);
    if (!found[side].reason.empty()) return std::move(found[side]);
  }
  return std::move(found[0]);
}

/// Returns the parameters of which the terms of a result are made.
std::set<int64_t> Comparison::parametersOf(LeafId result,
                                           const ModuleEquality &equality) {
  std::set<int64_t> read;
  for (int side : {0, 1}) {
    const std::vector<TermId> &parameters =
        meanings_.parametersOf(sides_[side].readsOf(result));
    auto addRead = [&](TermId parameter) {
      if (auto found = parameters_.find(parameter); found != parameters_.end())
        read.insert(found->second);
    };
    if (equality.listsAll() || parameters.size() <= kManyParameters) {
      llvm::for_each(parameters, addRead);
      continue;
    }
    // A term of a loop is made of all that the loop carries. Where few pairs
    // are listed, it is seen which of them the result depends on.
    for (TermId parameter : sides_[side].parametersBelow(result))
      if (llvm::binary_search(parameters, parameter)) addRead(parameter);
  }
  return read;
}

/// Returns the pairs of a result that are listed. Pairs that neither module
/// reads are equal.
std::vector<LeafEquality> Comparison::pairsOf(LeafId result,
                                              const ModuleEquality &equality) {
  const bool areEqual = isByTerms(result);
  const std::set<int64_t> read = parametersOf(result, equality);
  std::vector<LeafEquality> pairs;
  pairs.reserve(equality.listsAll() ? equality.parameters : read.size());
  auto add = [&](int64_t parameter, bool isRead) {
    LeafEquality &leaf = pairs.emplace_back();
    leaf.result = result;
    leaf.parameter = parameter;
    leaf.byTerms = !isRead || areEqual;
    if (leaf.byTerms) leaf.decision.answer = Answer::Yes;
  };
  if (equality.listsAll())
    for (int64_t p = 0; p < equality.parameters; ++p) add(p, read.count(p));
  else
    for (int64_t p : read) add(p, true);
  return pairs;
}

/// Decides those that are open, and drops those that neither module reads
/// unless all are listed.
absl::Status Comparison::decide(LeafId result, const ModuleEquality &equality,
                                std::vector<LeafEquality> &pairs) {
  auto byTerms = [](const LeafEquality &leaf) { return leaf.byTerms; };
  for (LeafEquality &leaf : pairs)
    if (leaf.byTerms) restOn(leaf);
  if (llvm::all_of(pairs, byTerms)) return options_.check();
  for (Side &side : sides_) side.forgetSources();
  std::vector<LeafEquality> open;
  for (const LeafEquality &leaf : pairs)
    if (!leaf.byTerms) open.push_back(leaf);
  std::vector<bool> isRead;
  INDEXICAL_RETURN_IF_ERROR(compareByMaps(result, open, isRead));
  std::vector<LeafEquality> decided;
  size_t next = 0;
  for (LeafEquality &leaf : pairs) {
    if (!leaf.byTerms) {
      leaf = std::move(open[next]);
      if (!isRead[next++] && !equality.listsAll() &&
          leaf.decision.answer == Answer::Yes)
        continue;
      doubtIfHidden(leaf);
      restOn(leaf);
      addPaths(leaf);
    }
    decided.push_back(std::move(leaf));
  }
  pairs = std::move(decided);
  return options_.check();
}

/// Makes a difference undecided that an op with effects may explain.
void Comparison::doubtIfHidden(LeafEquality &leaf) const {
  for (int32_t side : {0, 1}) {
    const EntryLeaf &of =
        side ? others_[leaf.parameter] : sides_[0].parameters()[leaf.parameter];
    const auto op = effects_[side].between(
        leaf.result, sides_[side].entry().parameters[of.parameter]);
    if (op && leaf.decision.answer == Answer::No)
      leaf = undecidedFor(*modules_[side], side, *op, std::move(leaf));
  }
}

/// Adds to `forAny` the names on which an equality rests: those that both
/// modules have. A name that only one module has is not equated with anything.
void Comparison::restOn(LeafEquality &leaf) {
  if (leaf.decision.answer != Answer::Yes) return;
  const TermId reads[] = {sides_[0].readsOf(leaf.result),
                          sides_[1].readsOf(leaf.result)};
  const std::vector<std::string> &first = meanings_.under(reads[0]);
  const std::vector<std::string> &second = meanings_.under(reads[1]);
  std::vector<std::string> both;
  std::set_intersection(first.begin(), first.end(), second.begin(),
                        second.end(), std::back_inserter(both));
  // meanings_.depends() looks at every term, and mostly there are no names:
  // with thousands of parameters it is asked only if there are some.
  if (!both.empty() && meanings_.depends(reads[0], termOf(leaf.parameter)))
    leaf.forAny = std::move(both);
}

/// The ways of a difference.
void Comparison::addPaths(LeafEquality &leaf) {
  const auto &witness = leaf.decision.witness;
  if (!witness) return;
  for (int side = 0; side < 2; ++side) {
    const bool has = (witness->onlyIn == PairWitness::Side::Second) == side;
    leaf.paths[side] = sides_[side].way(
        leaf.result,
        side ? others_[leaf.parameter] : sides_[0].parameters()[leaf.parameter],
        has ? &*witness : nullptr);
  }
}

absl::Status Comparison::prepare(ModuleEquality &equality) {
  pairParameters();
  equality.where = joinSizes(sides_, others_);
  equality.byTerms = true;
  equality.results = sides_[0].results().size();
  equality.parameters = sides_[0].parameters().size();
  for (int64_t p = 0; p < equality.parameters; ++p) parameters_[termOf(p)] = p;
  return absl::OkStatus();
}

/// Decides the results that terms leave open, on several threads. Each thread
/// has maps and terms of its own, and no result's answer depends on that of
/// another: so the answer is the same for every number of threads.
absl::Status Comparison::decideAll(
    const ModuleEquality &equality,
    std::vector<std::vector<LeafEquality>> &pairs,
    llvm::function_ref<void()> done) {
  std::vector<size_t> open;
  for (LeafId r; r < equality.results; ++r)
    if (isByTerms(r))
      done();
    else
      open.push_back(static_cast<size_t>(int64_t{r}));
  std::vector<absl::Status> ends(open.size());
  const size_t workers = std::min(options_.jobs, open.size());
  std::vector<std::unique_ptr<Comparison>> others(workers);
  std::mutex mutex;
  auto decideOne = [&](size_t worker, size_t i) {
    Comparison *own = this;
    if (worker > 0) {
      if (!others[worker]) {
        others[worker] =
            std::make_unique<Comparison>(*modules_[0], *modules_[1], options_);
        ModuleEquality same;
        ends[i] = others[worker]->prepare(same);
      }
      own = others[worker].get();
    }
    if (ends[i].ok()) {
      const LeafId result(static_cast<int64_t>(open[i]));
      pairs[open[i]] = own->pairsOf(result, equality);
      ends[i] = own->decide(result, equality, pairs[open[i]]);
    }
    const std::lock_guard<std::mutex> lock(mutex);
    done();
  };
  if (workers > 1)
    inParallel(workers, open.size(), decideOne);
  else
    for (size_t i = 0; i < open.size() && (i == 0 || ends[i - 1].ok()); ++i)
      decideOne(0, i);
  for (const absl::Status &end : ends)
    if (!end.ok()) return end;
  return absl::OkStatus();
}

/// Sets the answer of the modules: different if a pair is, else undecided if
/// one is, else equal.
void summarize(ModuleEquality &equality) {
  equality.answer = Answer::Yes;
  for (const LeafEquality &leaf : equality.leaves) {
    equality.byTerms &= leaf.byTerms;
    equality.engine = std::max(equality.engine, leaf.decision.engine);
    if (leaf.decision.answer == Answer::No)
      equality.answer = Answer::No;
    else if (leaf.decision.answer == Answer::Undecided &&
             equality.answer == Answer::Yes)
      equality.answer = Answer::Undecided;
  }
}

absl::StatusOr<ModuleEquality> Comparison::run() {
  ModuleEquality equality;
  INDEXICAL_RETURN_IF_ERROR(prepare(equality));
  int64_t ready = 0;
  auto done = [&] {
    if (options_.progress) options_.progress(++ready, equality.results);
  };
  // A pair takes hundreds of bytes, and there may be a million: only those that
  // are listed are kept.
  std::vector<std::vector<LeafEquality>> pairs(equality.results);
  INDEXICAL_RETURN_IF_ERROR(decideAll(equality, pairs, done));
  size_t count = 0;
  for (LeafId r; r < equality.results; ++r)
    count += !isByTerms(r)         ? pairs[r].size()
             : equality.listsAll() ? equality.parameters
                                   : parametersOf(r, equality).size();
  equality.leaves.reserve(count);
  for (LeafId r; r < equality.results; ++r) {
    std::vector<LeafEquality> own = std::move(pairs[r]);
    if (isByTerms(r)) {
      own = pairsOf(r, equality);
      for (LeafEquality &leaf : own) restOn(leaf);
      INDEXICAL_RETURN_IF_ERROR(options_.check());
    }
    std::move(own.begin(), own.end(), std::back_inserter(equality.leaves));
  }
  summarize(equality);
  return equality;
}

}  // namespace

bool ModuleEquality::listsAll() const {
  return parameters == 0 || results <= kMostUnreadPairs / parameters;
}

Witness witnessOf(const LeafEquality &leaf) {
  const PairWitness &at = *leaf.decision.witness;
  Witness witness;
  witness.result = int64_t{leaf.result};
  witness.array = leaf.parameter;
  witness.element.assign(at.element.begin(), at.element.end());
  witness.first.index.assign(at.index.begin(), at.index.end());
  witness.second.index = witness.first.index;
  witness.onlyIn = at.onlyIn == PairWitness::Side::First
                       ? Witness::Side::First
                       : Witness::Side::Second;
  witness.runtime = at.runtime;
  return witness;
}

absl::StatusOr<ModuleEquality> compareReads(const Module &first,
                                            const Module &second,
                                            const EqualityOptions &options) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return compareReads(first, second, options); });
  for (const Module *module : {&first, &second})
    if (module->entry < 0 || module->computations[module->entry].root < 0)
      return absl::InvalidArgumentError("a module has no entry computation");
  INDEXICAL_RETURN_IF_ERROR(checkEntries(first, second, options.parameters));
  auto equality = Comparison(first, second, options).run();
  if (!equality.ok() || equality->answer == Answer::Yes) return equality;
  EqualityOptions quiet = options;
  quiet.progress = nullptr;
  auto compare = [&](const Module &a, const Module &b) {
    return Comparison(a, b, quiet).run();
  };
  INDEXICAL_RETURN_IF_ERROR(
      refuteByTrials(first, second, options, compare, *equality));
  INDEXICAL_RETURN_IF_ERROR(
      confirmBySizes(first, second, options, compare, *equality));
  summarize(*equality);
  return equality;
}

}  // namespace indexical
