#include "indexical/cost/hazards/overlap.h"

#include <algorithm>
#include <utility>

#include "indexical/exact/regions.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/ops/address.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/loop_trips.h"
#include "indexical/program/values/known_values.h"

namespace indexical {
namespace {

using Side = ThreadPiece::Side;

/// Sums behind each other that are followed.
constexpr int kMostSums = 32;
/// A pair of pieces for which the budget does not suffice leaves each pair
/// behind it this part of the operations, and some at least.
constexpr int64_t kPartLeft = 8, kLeastOperations = 2'000;
/// Systems that are kept with their sets.
constexpr size_t kMostSets = 4096;

bool isSameSpace(const ArrayShape &a, const ArrayShape &b) {
  const auto hasTiles = [](const ArrayShape &of) {
    return of.layout && !of.layout->tiles.empty();
  };
  return a.dimensions == b.dimensions && storedBits(a) == storedBits(b) &&
         storedBits(a) > 0 && !hasTiles(a) && !hasTiles(b) &&
         a.minorToMajor() == b.minorToMajor();
}

/// Returns all of a system as numbers.
std::vector<int64_t> wordsOf(const System &system) {
  std::vector<int64_t> words;
  const auto take = [&](const Interval &bounds) {
    words.push_back(bounds.lower);
    words.push_back(bounds.upper);
  };
  words.push_back(static_cast<int64_t>(system.box.size()));
  for (const Interval &bounds : system.box) take(bounds);
  words.push_back(static_cast<int64_t>(system.constraints.size()));
  for (const Constraint &constraint : system.constraints) {
    words.push_back(constraint.form);
    take(constraint.bounds);
  }
  words.push_back(static_cast<int64_t>(system.outputs.size()));
  words.insert(words.end(), system.outputs.begin(), system.outputs.end());
  const ExpressionPool &pool = system.pool;
  words.push_back(pool.overflowed());
  words.push_back(pool.atomCount());
  for (AtomId k = 0; k < pool.atomCount(); ++k) {
    const Atom &atom = pool.atom(k);
    words.insert(words.end(), {static_cast<int64_t>(atom.kind), atom.a, atom.b,
                               atom.stride, atom.modulus});
  }
  for (FormId k = 0; k < pool.formCount(); ++k) {
    const auto terms = pool.terms(k);
    words.push_back(pool.constant(k));
    words.push_back(static_cast<int64_t>(terms.size()));
    for (const Term &term : terms)
      words.insert(words.end(), {int64_t{term.atom}, term.coefficient});
  }
  return words;
}

bool isConstantIndex(const IndexingMap &map, const RuntimeVariable &variable) {
  return llvm::all_of(variable.index, [&](FormId form) {
    return map.expressions().isConstant(form);
  });
}

}  // namespace

Sample OverlapSamples::resultsIn(const IndexingMap &set) {
  const auto [known, isNew] = known_.try_emplace(set.str());
  Sample &sample = known->second;
  if (!isNew) return sample;
  ExactOptions options(budget_);
  options.operations = operations_;
  Engines engines(options);
  sample = engines.sample(set);
  if (sample.found == Sample::Found::Point) {
    if (const auto results = resultsAt(set, sample.point))
      sample.point = *results;
    else
      sample = Sample();
  }
  if (sample.found != Sample::Found::Unknown) return sample;
  operations_ = std::max(std::min(operations_, kLeastOperations),
                         operations_ / kPartLeft);
  return sample;
}

absl::StatusOr<IndexingMap> OverlapSamples::setOf(System &system) {
  if (sets_.size() >= kMostSets) sets_.clear();
  std::vector<int64_t> key = wordsOf(system);
  if (const auto known = sets_.find(key); known != sets_.end())
    return known->second;
  auto set = system.simplified();
  if (set.ok()) sets_.emplace(std::move(key), *set);
  return set;
}

void OverlapQuestion::add(FramedAccess writes, FramedAccess reads,
                          ThreadRule rule, std::vector<FramedAccess> kept) {
  pairs_.push_back({writes, reads, rule, std::move(kept)});
}

bool OverlapQuestion::isInLoop(const Value &value) const {
  const Module &module = flow_.module();
  return llvm::any_of(value.calls, [&](const CallSite &site) {
    return module.computations[site.computation]
        .instructions[site.instruction]
        .op.is<WhileOp>();
  });
}

/// Follows sums with numbers, and what only gives a scalar another shape.
OverlapQuestion::Scalar OverlapQuestion::behindSums(Value value) {
  const Module &module = flow_.module();
  Scalar scalar;
  scalar.base = originOf(module, std::move(value));
  scalar.known = numberOf(module, scalar.base);
  const ElementType type = instructionOf(module, scalar.base)
                               .shape.leaves()[scalar.base.result]
                               .type;
  scalar.type = valuesOf(type);
  for (int steps = 0; steps < kMostSums && !scalar.known; ++steps) {
    const Instruction &at = instructionOf(module, scalar.base);
    const auto *sum = at.op.as<ElementwiseOp>();
    const std::string kind = sum && sum->opKind ? sum->opKind->name.str() : "";
    if (sum && (kind == "add" || kind == "subtract") &&
        sum->operands.size() == 2) {
      const Value a =
          originOf(module, operandOf(module, scalar.base, LeafId(0)));
      const Value b =
          originOf(module, operandOf(module, scalar.base, LeafId(1)));
      const auto right = numberOf(module, b);
      const auto left = kind == "add" ? numberOf(module, a) : std::nullopt;
      if (!right && !left) break;
      const int64_t by = right ? (kind == "add" ? *right : -*right) : *left;
      if (by == INT64_MIN ||
          __builtin_add_overflow(scalar.offset, by, &scalar.offset))
        break;
      scalar.base = right ? a : b;
      scalar.wraps = true;
      continue;
    }
    if (at.op.isOneOf<ReshapeOp, BitcastOp>() &&
        shapesOf(at.op).operands[0].elementCount() == 1 &&
        shapesOf(at.op).operands[0].type == type) {
      scalar.base = originOf(module, operandOf(module, scalar.base, LeafId(0)));
      continue;
    }
    break;
  }
  return scalar;
}

std::optional<OverlapQuestion::Scalar> OverlapQuestion::scalarOf(
    const FramedAccess &access, const IndexingMap &map,
    const RuntimeVariable &variable) {
  if (variable.source.kind != RuntimeSource::Kind::Element) return std::nullopt;
  const Value &own = maps_.value(variable.source.tensor);
  Value value = own;
  value.calls = flow_.frames()[access.frame].calls;
  value.calls.append(access.access->way.begin(), access.access->way.end());
  value.calls.append(own.calls.begin(), own.calls.end());
  const Module &module = flow_.module();
  value = originOf(module, std::move(value));
  const ArrayShape shape =
      instructionOf(module, value).shape.leaves()[value.result];
  if (shape.elementCount() == 1) return behindSums(std::move(value));
  Scalar element;
  element.base = std::move(value);
  element.type = valuesOf(shape.type);
  for (const FormId index : variable.index)
    element.index.push_back(map.expressions().constant(index));
  return element;
}

void OverlapQuestion::collect(const FramedAccess &access) {
  for (const ThreadPiece &piece : access.access->pieces)
    for (const RuntimeVariable &variable : piece.map.runtime()) {
      if (!isConstantIndex(piece.map, variable)) continue;
      const auto scalar = scalarOf(access, piece.map, variable);
      if (!scalar || scalar->known) continue;
      auto [known, isNew] = numbers_.try_emplace({scalar->base, scalar->index},
                                                 parameters_.size());
      if (isNew) {
        Parameter parameter;
        parameter.base = scalar->base;
        parameter.isNamed = scalar->index.empty() && !isInLoop(scalar->base);
        parameter.type = boundsOfScalar(flow_.module(), scalar->base);
        parameter.only = variable;
        parameter.only->index.clear();
        parameters_.push_back(std::move(parameter));
      }
      Parameter &parameter = parameters_[known->second];
      const bool isSame = parameter.only && scalar->offset == 0 &&
                          parameter.only->clamped == variable.clamped &&
                          parameter.only->bounds == variable.bounds;
      if (!isSame) parameter.only.reset();
    }
}

FormId OverlapQuestion::variableForm(System &system, const FramedAccess &access,
                                     const IndexingMap &map,
                                     const RuntimeVariable &variable,
                                     llvm::ArrayRef<FormId> parameters) {
  ExpressionPool &pool = system.pool;
  auto clamped = [&](FormId form) {
    if (!variable.clamped) return form;
    const Interval &bounds = variable.bounds;
    if (bounds.hasLower())
      form = pool.max(form, pool.constantForm(bounds.lower));
    if (bounds.hasUpper())
      form = pool.min(form, pool.constantForm(bounds.upper));
    return form;
  };
  const auto scalar = scalarOf(access, map, variable);
  if (!scalar) return system.add(variable.bounds);
  if (scalar->known) {
    int64_t value = *scalar->known;
    if (variable.clamped)
      value = std::clamp(value, variable.bounds.lower, variable.bounds.upper);
    return pool.constantForm(value);
  }
  const auto number = numbers_.find({scalar->base, scalar->index});
  if (number == numbers_.end()) return system.add(variable.bounds);
  const Parameter &parameter = parameters_[number->second];
  FormId form = parameters[number->second];
  if (parameter.only) return form;
  Interval values = parameter.values;
  if (parameter.isCounter) {
    form = pool.linear({{form, parameter.step}}, parameter.first);
    values =
        parameter.values * parameter.step + Interval::point(parameter.first);
  }
  form = pool.shift(form, scalar->offset);
  const Interval sum = values + Interval::point(scalar->offset);
  // Where the sum leaves its type by one turn around it, that is taken off.
  const Interval &type = scalar->type;
  auto isBeyond = [&](FormId distance) {  // 1 if it is positive, else 0
    return pool.sub(pool.positivePart(distance),
                    pool.positivePart(pool.shift(distance, -1)));
  };
  if (type.isFinite() && sum.upper > type.upper)
    form = pool.linear(
        {{form, 1}, {isBeyond(pool.shift(form, -type.upper)), -type.count()}},
        0);
  else if (type.isFinite() && sum.lower < type.lower)
    form = pool.linear(
        {{form, 1},
         {isBeyond(pool.linear({{form, -1}}, type.lower)), type.count()}},
        0);
  return clamped(form);
}

OverlapQuestion::Placed OverlapQuestion::place(
    System &system, const FramedAccess &access, const ThreadPiece &piece,
    llvm::ArrayRef<FormId> parameters) {
  const IndexingMap &map = piece.map;
  System::Forms values;
  for (const Variable &v : map.dimensions())
    values.push_back(system.add(v.bounds));
  const System::Forms dimensions = values;
  for (const Variable &v : map.ranges()) values.push_back(system.add(v.bounds));
  for (const RuntimeVariable &v : map.runtime())
    values.push_back(isConstantIndex(map, v)
                         ? variableForm(system, access, map, v, parameters)
                         : system.add(v.bounds));
  const System::Forms results = system.addMap(map, values);
  Placed placed;
  auto of = [&](Side side) {
    return side == Side::Dimensions ? dimensions
           : side == Side::Results  ? results
                                    : System::Forms();
  };
  placed.thread = of(piece.thread);
  placed.element = of(piece.element);
  placed.hasThread = piece.thread != Side::None;
  return placed;
}

/// Requires that the elements overlap. Returns false if their bytes are not
/// known.
bool OverlapQuestion::meet(System &system, const ThreadAccess &a,
                           const Placed &x, const ThreadAccess &b,
                           const Placed &y) {
  ExpressionPool &pool = system.pool;
  if (isSameSpace(a.shape, b.shape)) {
    for (auto [p, q] : llvm::zip(x.element, y.element))
      system.require(pool.sub(p, q), Interval::point(0));
    return true;
  }
  const int64_t bits[] = {storedBits(a.shape), storedBits(b.shape)};
  const auto first = addressMap(a.shape), second = addressMap(b.shape);
  if (!first.ok() || !second.ok() || bits[0] == 0 || bits[1] == 0) return false;
  const FormId p = system.addMap(*first, x.element)[0];
  const FormId q = system.addMap(*second, y.element)[0];
  if (bits[0] == bits[1]) {
    system.require(pool.sub(p, q), Interval::point(0));
    return true;
  }
  // The bits from p * size on, and those from q * size on, meet.
  const FormId distance = pool.linear({{p, bits[0]}, {q, -bits[1]}}, 0);
  system.require(distance, {1 - bits[0], bits[1] - 1});
  return true;
}

bool OverlapQuestion::requireChange(const Pair &pair, const Placed &write,
                                    llvm::ArrayRef<FormId> parameters,
                                    std::vector<System> &systems) {
  const ThreadAccess &moved = *pair.writes.moved;
  const ThreadAccess &written = *pair.writes.access;
  const bool isSame = isSameSpace(moved.shape, written.shape);
  const auto first = addressMap(moved.shape),
             second = addressMap(written.shape);
  if (!isSame && (!first.ok() || !second.ok())) return false;
  std::vector<System> changed;
  for (const System &each : systems)
    for (const ThreadPiece &piece : moved.pieces) {
      System system = each;
      const Placed source = place(system, {&moved, pair.writes.frame, nullptr},
                                  piece, parameters);
      if (source.thread.size() != write.thread.size()) return false;
      for (auto [p, q] : llvm::zip(source.thread, write.thread))
        system.require(system.pool.sub(p, q), Interval::point(0));
      std::vector<std::pair<FormId, FormId>> places;
      if (isSame) {
        for (auto [p, q] : llvm::zip(source.element, write.element))
          places.push_back({p, q});
      } else {
        places.push_back({system.addMap(*first, source.element)[0],
                          system.addMap(*second, write.element)[0]});
      }
      for (const auto &[p, q] : places) {
        const FormId distance = system.pool.sub(p, q);
        for (const Interval side : {Interval{1, Interval::kInfinity},
                                    Interval{Interval::kMinusInfinity, -1}}) {
          changed.push_back(system);
          changed.back().require(distance, side);
        }
        system.require(distance, Interval::point(0));
      }
    }
  systems = std::move(changed);
  return true;
}

/// Replaces the systems by those in which the thread that reads is one that
/// counts.
void OverlapQuestion::requireThreads(const Pair &pair, const Placed &read,
                                     llvm::ArrayRef<FormId> parameters,
                                     std::vector<System> &systems) {
  std::vector<System> counted;
  for (const System &each : systems)
    for (const ThreadPiece &piece : pair.reads.only->pieces) {
      System system = each;
      const Placed own =
          place(system, {pair.reads.only, pair.reads.frame, nullptr}, piece,
                parameters);
      if (own.thread.size() != read.thread.size()) return;
      for (auto [p, q] : llvm::zip(own.thread, read.thread))
        system.require(system.pool.sub(p, q), Interval::point(0));
      counted.push_back(std::move(system));
    }
  systems = std::move(counted);
}

void OverlapQuestion::askPieces(const Pair &pair, size_t number,
                                const ThreadPiece &write,
                                const ThreadPiece &read) {
  System system;
  System::Forms parameters;
  for (const Parameter &parameter : parameters_)
    parameters.push_back(system.add(parameter.values));
  const Placed x = place(system, pair.writes, write, parameters);
  const Placed y = place(system, pair.reads, read, parameters);
  bool isKnown = meet(system, *pair.writes.access, x, *pair.reads.access, y);
  std::vector<System> systems = {system};
  for (const FramedAccess &kept : pair.kept) {
    std::vector<System> next;
    for (const System &each : systems)
      for (const ThreadPiece &piece : kept.access->pieces) {
        System with = each;
        const Placed z = place(with, kept, piece, parameters);
        isKnown &= meet(with, *pair.reads.access, y, *kept.access, z);
        next.push_back(std::move(with));
      }
    systems = std::move(next);
  }
  if (pair.writes.moved) isKnown &= requireChange(pair, x, parameters, systems);
  if (pair.reads.only && y.hasThread)
    requireThreads(pair, y, parameters, systems);
  if (!isKnown) {
    isUncertain_ = true;
    reason_ = "the bytes of an array are not known: a size or a layout is open";
    return;
  }
  const bool areDistinct = pair.rule == ThreadRule::Distinct && x.hasThread &&
                           y.hasThread && x.thread.size() == y.thread.size();
  for (System &each : systems) {
    if (!areDistinct) {
      askSystem(each, x, y, parameters, number);
      continue;
    }
    for (auto [p, q] : llvm::zip(x.thread, y.thread)) {
      const FormId distance = each.pool.sub(p, q);
      for (const Interval side : {Interval{1, Interval::kInfinity},
                                  Interval{Interval::kMinusInfinity, -1}}) {
        System split = each;
        split.require(distance, side);
        askSystem(split, x, y, parameters, number);
      }
      each.require(distance, Interval::point(0));
    }
  }
}

void OverlapQuestion::askSystem(const System &given, const Placed &write,
                                const Placed &read,
                                llvm::ArrayRef<FormId> parameters,
                                size_t number) {
  if (isAlways_) return;
  if (llvm::any_of(given.box, [](const Interval &b) { return b.isEmpty(); }))
    return;
  System system = given;
  relate(system, parameters);
  system.outputs.clear();
  for (const System::Forms *forms :
       {&write.thread, &read.thread, &write.element, &read.element})
    system.outputs.append(*forms);
  system.outputs.append(parameters.begin(), parameters.end());
  const auto set = samples_.setOf(system);
  Sample sample;
  if (set.ok()) sample = samples_.resultsIn(*set);
  if (sample.found == Sample::Found::Nothing) return;
  if (sample.found != Sample::Found::Point) {
    isUncertain_ = true;
    reason_ =
        "the budget does not suffice to compare what is written with what "
        "is read";
    return;
  }
  FoundOverlap found;
  found.pair = number;
  size_t at = 0;
  auto take = [&](size_t count) {
    std::vector<int64_t> part(sample.point.begin() + at,
                              sample.point.begin() + at + count);
    at += count;
    return part;
  };
  found.writer = take(write.thread.size());
  found.reader = take(read.thread.size());
  found.written = take(write.element.size());
  found.read = take(read.element.size());
  bool areNamed = false;
  for (size_t k = 0; k < parameters_.size(); ++k) {
    const int64_t value = sample.point[at + k];
    if (parameters_[k].isNamed) {
      areNamed = true;
      found.runtime.push_back({nameOf(k), value});
    } else if (parameters_[k].isCounter) {
      found.turn = value;
    }
  }
  const bool isExact =
      pairs_[number].writes.access->precision == Precision::Exact &&
      pairs_[number].reads.access->precision == Precision::Exact;
  if (!isExact) {
    isUncertain_ = true;
    reason_ = "what is read is known only as more than the truth";
    return;
  }
  if (!found_) found_ = std::move(found);
  if (!areNamed) {
    isAlways_ = true;
    return;
  }
  // Conditions are about any values of the variables, whether one is computed
  // of another or not.
  System any = given;
  any.outputs.assign(parameters.begin(), parameters.end());
  auto projected = samples_.setOf(any);
  if (projected.ok())
    sets_.push_back(*std::move(projected));
  else
    isUncertain_ = true;
}

void OverlapQuestion::ask(const Pair &pair, size_t number) {
  for (const FramedAccess *each : {&pair.writes, &pair.reads})
    if (!each->access->obstacle.empty()) {
      isUncertain_ = true;
      reason_ = each->access->obstacle;
      return;
    }
  for (const ThreadPiece &write : pair.writes.access->pieces)
    for (const ThreadPiece &read : pair.reads.access->pieces)
      if (!isAlways_) askPieces(pair, number, write, read);
}

Overlaps OverlapQuestion::answer() {
  for (const Pair &pair : pairs_) {
    collect(pair.writes);
    if (pair.writes.moved)
      collect({pair.writes.moved, pair.writes.frame, nullptr});
    collect(pair.reads);
    for (const FramedAccess &kept : pair.kept) collect(kept);
  }
  for (Parameter &parameter : parameters_) {
    parameter.values = parameter.type.isFinite() ? parameter.type : kWideValues;
    if (parameter.only) {
      const Interval &bounds = parameter.only->bounds;
      const Interval clamped = {
          std::clamp(parameter.values.lower, bounds.lower, bounds.upper),
          std::clamp(parameter.values.upper, bounds.lower, bounds.upper)};
      parameter.values = parameter.only->clamped
                             ? clamped
                             : parameter.values.intersect(bounds);
      if (!parameter.only->clamped) parameter.only.reset();
    }
    if (parameter.isNamed || parameter.base.calls.empty()) continue;
    const CallSite &site = parameter.base.calls.back();
    const Module &module = flow_.module();
    const Instruction &at = instructionOf(module, parameter.base);
    const auto counter =
        at.parameterNumber == 0
            ? counterOf(module, site.computation, site.instruction)
            : std::nullopt;
    if (!counter || counter->leaf != parameter.base.result ||
        counter->trips <= 0)
      continue;
    parameter.isCounter = true;
    parameter.first = counter->first;
    parameter.step = counter->step;
    parameter.values = {0, counter->trips - 1};
    parameter.only.reset();
  }
  findRelations();
  for (size_t k = 0; k < pairs_.size(); ++k) ask(pairs_[k], k);
  Overlaps overlaps;
  overlaps.found = std::move(found_);
  overlaps.reason = reason_;
  if (isAlways_)
    overlaps.kind = Overlaps::Kind::Always;
  else if (isUncertain_)
    overlaps.kind = Overlaps::Kind::Unknown;
  else if (!sets_.empty())
    findConditions(overlaps);
  return overlaps;
}

}  // namespace indexical
