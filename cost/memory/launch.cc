#include "indexical/cost/memory/launch.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/fold.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace lanes {
namespace {

// Numbers of an address, in bits, stay well inside 64 bits.
constexpr __int128 kMostBits = __int128{1} << 58;

// A block has at most 1024 threads on any device there is.
constexpr int64_t kMostThreads = 1 << 16;

__int128 magnitude(__int128 value) { return value < 0 ? -value : value; }

absl::Status unfollowed(const std::string &what) {
  return absl::UnimplementedError(what);
}

}  // namespace

//===-- Warps -------------------------------------------------------------===//

absl::StatusOr<std::vector<WarpKind>> warpKinds(std::array<int64_t, 3> block,
                                                int64_t warp) {
  auto plane = checkedMul(block[0], block[1]);
  auto threads = plane ? checkedMul(*plane, block[2]) : std::nullopt;
  if (!threads)
    return absl::InvalidArgumentError("the threads of a block leave 64 bits");
  auto coordinates = [&](int64_t t) {
    return std::array<int64_t, 3>{t % block[0], t / block[0] % block[1],
                                  t / *plane};
  };
  WarpKind kind;
  auto addLanes = [&](int64_t count) {
    for (int64_t t = 0; t < count; ++t) kind.lanes.push_back(coordinates(t));
  };
  // A whole number of warps along the first dimensions: all are of one kind.
  int64_t below = 1;  // threads below dimension k
  for (int64_t k = 0; k < 3; ++k) {
    const int64_t upTo = below * block[k];
    if (warp % below == 0 && upTo % warp == 0) {
      kind.steps[k] = warp / below;
      kind.extents[k] = block[k] / kind.steps[k];
      for (int64_t outer = k + 1; outer < 3; ++outer) {
        kind.steps[outer] = 1;
        kind.extents[outer] = block[outer];
      }
      addLanes(warp);
      return std::vector<WarpKind>{kind};
    }
    below = upTo;
  }
  std::vector<WarpKind> kinds;
  if (*threads == block[0]) {
    if (*threads >= warp) {
      kind.steps[0] = warp;
      kind.extents[0] = *threads / warp;
      addLanes(warp);
      kinds.push_back(kind);
    }
    kind = WarpKind();
    const int64_t whole = *threads / warp * warp;
    for (int64_t t = whole; t < *threads; ++t)
      kind.lanes.push_back(coordinates(t));
    kinds.push_back(kind);
    return kinds;
  }
  if (*threads > kMostThreads)
    return unfollowed("a block of " + std::to_string(*threads) +
                      " threads, rows of which are no whole warps");
  for (int64_t from = 0; from < *threads; from += warp) {
    WarpKind one;
    for (int64_t t = from; t < std::min(from + warp, *threads); ++t)
      one.lanes.push_back(coordinates(t));
    kinds.push_back(one);
  }
  return kinds;
}

namespace {

/// Whether the number of points fits 64 bits: what is summed over them is then
/// far inside 128.
bool hasFewPoints(llvm::ArrayRef<Variable> variables) {
  std::optional<int64_t> points = 1;
  for (const Variable &v : variables)
    if (points) points = checkedMul(*points, v.bounds.count());
  return points.has_value();
}

}  // namespace

absl::StatusOr<Launch> Launch::of(const IndexingMap &threads,
                                  const Device &device) {
  INDEXICAL_RETURN_IF_ERROR(checkThreadMap(threads));
  std::vector<WarpKind> kinds;
  if (!threads.isKnownEmpty()) {
    std::array<int64_t, 3> block;
    for (size_t i = 0; i < 3; ++i)
      block[i] = threads.dimensions()[i].bounds.count();
    INDEXICAL_ASSIGN_OR_RETURN(kinds, warpKinds(block, device.warp));
  }
  return Launch(threads, device, std::move(kinds));
}

//===-- Pieces ------------------------------------------------------------===//

namespace {

/// (threads, blocks, loops, ranges) -> (index, ranges).
absl::StatusOr<IndexingMap> withRanges(const IndexingMap &threads,
                                       llvm::ArrayRef<Variable> ranges) {
  IndexingMapBuilder b;
  llvm::SmallVector<FormId, 12> variables;
  for (const Variable &v : threads.dimensions())
    variables.push_back(b.dimension(v.bounds).form());
  for (const Variable &v : threads.ranges())
    variables.push_back(b.dimension(v.bounds).form());
  llvm::SmallVector<Expr, 4> own;
  for (const Variable &v : ranges) own.push_back(b.dimension(v.bounds));
  auto replace = [&](VariableId id) {
    return variables[id.kind == VariableKind::Range
                         ? threads.dimensions().size() + id.index
                         : id.index];
  };
  ExpressionImport import(threads.expressions(), b.pool(), replace);
  for (FormId form : threads.results()) b.result(b.expression(import(form)));
  for (Expr range : own) b.result(range);
  for (const Constraint &constraint : threads.constraints())
    b.constraint(b.expression(import(constraint.form)), constraint.bounds);
  return b.build();
}

}  // namespace

int64_t Launch::threadsPerBlock() const {
  int64_t threads = 1;
  for (size_t i = 0; i < 3; ++i)
    threads *= threads_.dimensions()[i].bounds.count();
  return threads;
}

absl::StatusOr<std::vector<LaunchPiece>> Launch::pieces(
    llvm::ArrayRef<ReadPiece> read) const {
  std::vector<LaunchPiece> all;
  const size_t rank = threads_.results().size();
  for (const ReadPiece &piece : read) {
    const IndexingMap &address = piece.address;
    if (threads_.isKnownEmpty()) continue;
    INDEXICAL_ASSIGN_OR_RETURN(
        auto threads,
        withRanges(threads_, address.dimensions().drop_front(rank)));
    INDEXICAL_ASSIGN_OR_RETURN(auto composed, compose(threads, address));
    if (composed.isKnownEmpty()) continue;
    if (!hasFewPoints(threads.dimensions()))
      return absl::OutOfRangeError(
          "the threads of the launch times what each reads leave 64 bits");
    all.push_back({std::move(composed), piece.ranges});
  }
  return all;
}

//===-- Problems ----------------------------------------------------------===//

namespace {

/// The forms of one piece for one kind of warps.
class Translation {
 public:
  Translation(const IndexingMap &map, LaneAlgebra &algebra,
              llvm::ArrayRef<Form> variables)
      : map_(map),
        table_(map.expressions()),
        algebra_(algebra),
        variables_(variables) {}

  absl::StatusOr<Piece> run(int64_t bits) {
    const llvm::SmallVector<bool, 16> isUsed = usedAtoms();
    INDEXICAL_RETURN_IF_ERROR(checkAtoms(isUsed));
    INDEXICAL_RETURN_IF_ERROR(checkSizes(bits));
    Piece piece;
    addDigits(isUsed, piece);
    piece.address = linear(map_.results()[0], bits);
    for (const Constraint &constraint : map_.constraints()) {
      if (usesRuntime(constraint.form))
        return unfollowed("a runtime variable in a constraint");
      piece.constraints.push_back(
          {linear(constraint.form, 1), constraint.bounds});
    }
    for (const Term &term : table_.terms(map_.results()[0]))
      if (auto id = runtimeOf(term.atom))
        INDEXICAL_RETURN_IF_ERROR(
            addRuntime(*id, term.coefficient * bits, piece));
    // A lane may take part or not by an index that is no part of its address.
    for (uint32_t i = 0; i < map_.runtime().size(); ++i)
      if (decides(i) && !llvm::is_contained(terms_, i)) {
        int64_t elements = 1;
        addSource(i, piece.deciders, elements);
      }
    return piece;
  }

 private:
  std::optional<uint32_t> runtimeOf(AtomId atom) const {
    const Atom &of = table_.atom(atom);
    if (of.kind != AtomKind::Variable ||
        of.variable().kind != VariableKind::Runtime)
      return std::nullopt;
    return of.variable().index;
  }
  /// Whether lanes have values of the variable that may leave them out.
  bool decides(uint32_t i) const {
    return i < map_.visibleRuntimeCount() && map_.runtime()[i].restricts() &&
           !isCommon(map_, i);
  }
  bool usesRuntime(FormId form) const {
    bool uses = false;
    table_.visitVariables({form}, [&](VariableId id) {
      uses |= id.kind == VariableKind::Runtime;
    });
    return uses;
  }

  /// Magnitudes: a domain (indexing/fold.h). Products of variables are not
  /// followed, and count as the largest number.
  struct Magnitudes {
    using Value = __int128;
    using AccessSum = ValuedSum<__int128>;
    const Translation &of;

    __int128 sum(const AccessSum &form) const {
      __int128 size = magnitude(form.constant());
      for (size_t i = 0; i < form.size(); ++i)
        size +=
            std::min(kMostBits, form.value(i)) * magnitude(form.coefficient(i));
      return std::min(size, kMostBits);
    }
    __int128 variable(VariableId id) const { return of.sizeOfVariable(id); }
    __int128 digit(const AccessSum &parent, int64_t stride,
                   int64_t modulus) const {
      const __int128 size = sum(parent);
      if (size >= kMostBits) return kMostBits;
      return modulus > 0 ? static_cast<__int128>(modulus) : size / stride + 1;
    }
    __int128 product(const AccessSum &, const AccessSum &) const {
      return kMostBits;
    }
    __int128 quotient(const AccessSum &, const AccessSum &) const {
      return kMostBits;
    }
    __int128 remainder(const AccessSum &, const AccessSum &) const {
      return kMostBits;
    }
    __int128 positivePart(const AccessSum &parent) const { return sum(parent); }
  };

  /// Checks the magnitude of every form: the sum of those of its terms.
  absl::Status checkSizes(int64_t bits) const {
    Fold<Magnitudes> size(table_, {*this});
    for (FormId form : map_.results())
      if (size(form) * bits >= kMostBits)
        return absl::OutOfRangeError("addresses leave 64 bits");
    for (const Constraint &constraint : map_.constraints())
      if (size(constraint.form) >= kMostBits)
        return absl::OutOfRangeError("a constraint leaves 64 bits");
    return absl::OkStatus();
  }

  __int128 sizeOfVariable(VariableId id) const {
    __int128 size = kMostBits;
    const Interval bounds = map_.variable(id).bounds;
    if (bounds.isFinite())
      size = std::max(magnitude(bounds.lower), magnitude(bounds.upper));
    // The launch may give a dimension larger values than its bounds.
    if (id.kind == VariableKind::Dimension)
      size = std::max(size, sizeOf(variables_[id.index]));
    return size;
  }

  /// The magnitude of a variable's form: its constant and lane numbers.
  __int128 sizeOf(const Form &form) const {
    __int128 size = 0;
    for (size_t slot = 0; slot < algebra_.numbers().slots(); ++slot) {
      __int128 at = algebra_.at(form, slot);
      size = std::max(size, at < 0 ? -at : at);
    }
    for (auto [x, coefficient] : llvm::enumerate(form.outer))
      size += static_cast<__int128>(coefficient) * (extents_[x] - 1);
    return size;
  }

  absl::Status checkAtoms(llvm::ArrayRef<bool> isUsed) const {
    for (AtomId i = 0; i < table_.atomCount(); ++i) {
      const Atom &atom = table_.atom(i);
      if (atom.kind == AtomKind::Variable || !isUsed[i]) continue;
      if (atom.kind == AtomKind::PositivePart)
        return unfollowed("a minimum or a maximum");
      if (atom.kind != AtomKind::Digit)
        return unfollowed("a product of variables");
      if (usesRuntime(atom.a))
        return unfollowed("a runtime variable in a digit");
    }
    return absl::OkStatus();
  }

  void addDigits(llvm::ArrayRef<bool> isUsed, Piece &piece) {
    digitOf_.assign(table_.atomCount(), 0);
    for (AtomId i = 0; i < table_.atomCount(); ++i) {
      const Atom &atom = table_.atom(i);
      if (atom.kind != AtomKind::Digit || !isUsed[i]) continue;
      digitOf_[i] = piece.digits.size();
      piece.digits.push_back({linear(atom.a, 1), atom.stride, atom.modulus});
    }
  }

  /// Returns which atoms the results, the constraints, and the sources of their
  /// runtime variables are made of.
  llvm::SmallVector<bool, 16> usedAtoms() const {
    llvm::SmallVector<bool, 16> used(table_.atomCount(), false);
    llvm::SmallVector<bool, 4> runtime;
    for (uint32_t i = 0; i < map_.runtime().size(); ++i)
      runtime.push_back(decides(i));
    auto useForm = [&](FormId form) {
      for (const Term &term : table_.terms(form)) used[term.atom] = true;
    };
    auto spread = [&] {
      for (AtomId i = table_.atomCount(); i-- > 0;) {
        const Atom &atom = table_.atom(i);
        if (!used[i]) continue;
        const auto id = atom.asVariable();
        if (id && id->kind == VariableKind::Runtime) runtime[id->index] = true;
        for (const FormId operand : atom.operands()) useForm(operand);
      }
    };
    for (FormId form : map_.results()) useForm(form);
    for (const Constraint &constraint : map_.constraints())
      useForm(constraint.form);
    // Sources can name further runtime variables.
    for (size_t round = 0; round <= runtime.size(); ++round) {
      spread();
      for (auto [i, isUsed] : llvm::enumerate(runtime))
        if (isUsed)
          for (FormId form : map_.runtime()[i].index) useForm(form);
    }
    spread();
    return used;
  }

  Form linear(FormId form, int64_t factor) {
    Form made;
    made.outer.assign(extents_.size(), 0);
    made.constant = table_.constant(form) * factor;
    for (const Term &term : table_.terms(form)) {
      const Atom &atom = table_.atom(term.atom);
      const int64_t coefficient = term.coefficient * factor;
      if (atom.kind != AtomKind::Variable)
        made.digits.push_back({digitOf_[term.atom], coefficient});
      else if (atom.variable().kind != VariableKind::Runtime)
        algebra_.add(made, variables_[atom.variable().index], coefficient);
    }
    return made;
  }

  /// The term, and the index of its element as far as lanes determine it.
  absl::Status addRuntime(uint32_t i, int64_t coefficient, Piece &piece) {
    const RuntimeVariable &variable = map_.runtime()[i];
    if (isCommon(map_, i)) return absl::OkStatus();  // one shift of all
    if (!variable.bounds.isFinite())
      return unfollowed("a runtime variable without bounds");
    RuntimeTerm term{coefficient, variable.bounds, 1};
    terms_.push_back(i);
    addSource(i, piece.sources, term.elements);
    piece.runtime.push_back(term);
    return absl::OkStatus();
  }

  void addSource(uint32_t i, std::vector<Form> &sources, int64_t &elements) {
    auto boundsOf = [&](VariableId id) { return map_.variable(id).bounds; };
    FormBounds bounds(table_, boundsOf);
    for (FormId form : map_.runtime()[i].index) {
      const auto product = checkedMul(elements, bounds(form).count());
      elements = product ? *product : Interval::kInfinity;
      sources.push_back(linear(form, 1));
      table_.visitVariables({form}, [&](VariableId id) {
        if (id.kind != VariableKind::Runtime) return;
        elements = Interval::kInfinity;
        if (llvm::is_contained(visited_, id.index)) return;
        visited_.push_back(id.index);
        addSource(id.index, sources, elements);
      });
    }
  }

 public:
  void setExtents(llvm::ArrayRef<int64_t> extents) { extents_ = extents; }

 private:
  const IndexingMap &map_;
  const ExpressionTable &table_;
  LaneAlgebra &algebra_;
  llvm::ArrayRef<Form> variables_;
  llvm::ArrayRef<int64_t> extents_;
  llvm::SmallVector<uint32_t, 16> digitOf_;
  llvm::SmallVector<uint32_t, 4> visited_, terms_;
};

}  // namespace

bool isCommon(const IndexingMap &map, uint32_t i) {
  for (FormId form : map.runtime()[i].index)
    if (!map.expressions().isConstant(form)) return false;
  return true;
}

bool dependsOnLanes(const IndexingMap &map) {
  for (uint32_t i = 0; i < map.runtime().size(); ++i)
    if (!isCommon(map, i)) return true;
  return false;
}

absl::StatusOr<Problem> pointProblem(const IndexingMap &map, int64_t bits,
                                     LaneNumbers &numbers) {
  Problem problem;
  for (const Variable &v : map.dimensions()) {
    if (!v.bounds.isFinite()) return unfollowed("a dimension without an end");
    problem.extents.push_back(v.bounds.count());
  }
  if (!hasFewPoints(map.dimensions()))
    return absl::OutOfRangeError("the number of points leaves 64 bits");
  LaneAlgebra algebra(numbers);
  std::vector<Form> variables;
  for (auto [x, v] : llvm::enumerate(map.dimensions())) {
    Form form = LaneAlgebra::zero(problem);
    form.constant = v.bounds.lower;
    form.outer[x] = problem.extents[x] == 1 ? 0 : 1;
    variables.push_back(std::move(form));
  }
  Translation translation(map, algebra, variables);
  translation.setExtents(problem.extents);
  INDEXICAL_ASSIGN_OR_RETURN(auto piece, translation.run(bits));
  piece.runtime.clear();
  piece.sources.clear();
  piece.deciders.clear();
  piece.alive.push_back(0);
  problem.pieces.push_back(std::move(piece));
  LaneAlgebra::mergeVariables(problem);
  return problem;
}

absl::StatusOr<std::vector<Launch::Warps>> Launch::problems(
    llvm::ArrayRef<LaunchPiece> pieces, int64_t bits, int64_t vector,
    bool allSlots) const {
  const size_t fixed = kThreadDimensions + loops();
  size_t ranges = 0;
  for (const LaunchPiece &piece : pieces)
    ranges = std::max(ranges, piece.ranges);
  // The bounds of the launch's variables, and for each range the hull of those
  // of the pieces.
  llvm::SmallVector<Interval, 12> bounds;
  for (const Variable &v : threads_.dimensions()) bounds.push_back(v.bounds);
  for (const Variable &v : threads_.ranges()) bounds.push_back(v.bounds);
  for (size_t k = 0; k < ranges; ++k) {
    Interval hull = Interval::none();
    // A piece without such a range exists for its value 0.
    for (const LaunchPiece &piece : pieces)
      hull = hull.hull(k < piece.ranges ? piece.boundsOf(fixed + k)
                                        : Interval::point(0));
    bounds.push_back(hull);
  }
  std::vector<Warps> all;
  for (const WarpKind &kind : kinds_) {
    const size_t perLane = allSlots ? vector : 1;
    Warps warps{kind.lanes.size() * perLane,
                {},
                LaneNumbers(kind.lanes.size() * perLane)};
    LaneAlgebra algebra(warps.numbers);
    Problem &problem = warps.problem;
    for (auto [v, of] : llvm::enumerate(bounds)) {
      int64_t extent = v < 3 ? kind.extents[v] : of.count();
      if (v + 1 == fixed && loops() > 0) extent /= vector;
      problem.extents.push_back(extent);
    }
    std::vector<Form> variables;
    for (auto [v, of] : llvm::enumerate(bounds)) {
      Form form = LaneAlgebra::zero(problem);
      form.constant = v < 3 ? 0 : of.lower;
      form.outer[v] = v < 3 ? kind.steps[v] : 1;
      const bool isVector = v + 1 == fixed && loops() > 0;
      if (isVector) form.outer[v] = vector;
      if (problem.extents[v] == 1) form.outer[v] = 0;
      if (v < 3 || (isVector && perLane > 1)) {
        form.numbers = warps.numbers.add();
        int64_t *to = warps.numbers.of(form.numbers);
        for (size_t slot = 0; slot < warps.slots; ++slot)
          to[slot] = v < 3 ? kind.lanes[slot / perLane][v] : slot % perLane;
      }
      variables.push_back(std::move(form));
    }
    for (const LaunchPiece &of : pieces) {
      Translation translation(of.map, algebra, variables);
      translation.setExtents(problem.extents);
      INDEXICAL_ASSIGN_OR_RETURN(auto piece, translation.run(bits));
      for (size_t v = 0; v < bounds.size(); ++v) {
        const Interval own =
            v < fixed + of.ranges ? of.boundsOf(v) : Interval::point(0);
        if (!own.contains(bounds[v]))
          piece.constraints.push_back({variables[v], own});
      }
      for (uint32_t slot = 0; slot < warps.slots; ++slot)
        piece.alive.push_back(slot);
      problem.pieces.push_back(std::move(piece));
    }
    LaneAlgebra::mergeVariables(problem);
    all.push_back(std::move(warps));
  }
  return all;
}

namespace {

// The most boxes of warps in which a warp that reads is searched.
constexpr int kMostBoxes = 128;

/// Returns a piece of the problem at one value of the outer variables, the
/// first that is found at which two lanes read or more.
std::optional<Piece> firstReading(LaneAlgebra &algebra,
                                  const Problem &problem) {
  std::vector<Problem> boxes = {problem};
  for (int i = 0; i < kMostBoxes && !boxes.empty(); ++i) {
    Problem box = std::move(boxes.back());
    boxes.pop_back();
    // Mostly it is the first warp.
    Problem first = box;
    for (size_t x = 0; x < first.extents.size(); ++x)
      LaneAlgebra::restrict(first, x, 0, 1);
    algebra.settle(first);
    for (Piece &piece : first.pieces)
      if (piece.alive.size() >= 2) return std::move(piece);
    const auto longest = llvm::max_element(box.extents);
    if (longest == box.extents.end() || *longest == 1) continue;
    algebra.settle(box);  // no pieces: no lane reads there
    if (box.pieces.empty()) continue;
    const size_t x = longest - box.extents.begin();
    const int64_t extent = *longest, half = extent / 2;
    for (const bool isUpper : {true, false}) {
      boxes.push_back(box);
      LaneAlgebra::restrict(boxes.back(), x, isUpper ? half : 0,
                            isUpper ? extent - half : half);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<LaneSteps> laneSteps(const Launch::Warps &warps) {
  LaneNumbers numbers = warps.numbers;
  LaneAlgebra algebra(numbers);
  const auto found = firstReading(algebra, warps.problem);
  if (!found) return std::nullopt;
  const Piece &piece = *found;
  std::map<int64_t, size_t> times;
  for (size_t k = 1; k < piece.alive.size(); ++k)
    ++times[algebra.at(piece.address, piece.alive[k]) -
            algebra.at(piece.address, piece.alive[k - 1])];
  const auto most = std::max_element(
      times.begin(), times.end(),
      [](const auto &a, const auto &b) { return a.second < b.second; });
  return LaneSteps{most->first,
                   static_cast<int64_t>(piece.alive.size() - most->second)};
}

}  // namespace lanes
}  // namespace indexical
