// What loops of a kernel make: reductions over their iterations, and values of
// one turn after the other.
#include <utility>

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/same/kernel/kernel_terms.h"
#include "indexical/same/kernel/term_types.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

using Kind = KernelValue::Kind;

namespace {

// The most turns of a loop that are followed one by one.
constexpr int64_t kMostTurns = 32;

}  // namespace

ElementId KernelTerms::loopAt(const KernelValue &value,
                              const IndexingMap &map) {
  if (sums_ == Sums::ByTurns && value.operands.size() > 2)
    return operandAt(value, 2, map);
  auto op = reducerOf(value, typeOf(value));
  if (op && sums_ == Sums::InOrder && classOf(typeOf(value)) == kFloats &&
      (op->kind().name == "add" || op->kind().name == "multiply"))
    op = keepingOrder(*op);
  if (!op)
    return unknown("line " + std::to_string(value.line) +
                   ": a loop drops NaN, which HLO's reductions pass on; "
                   "--float-laws=no-nan says that there is none");
  const ElementId init = operandAt(value, 0, map);
  if (init == kParts) return kParts;
  if (isUnknown(init)) return init;
  const bool isSoFar = value.kind == Kind::SoFar;
  // The space of the body is that of the loop, with its iteration.
  KernelValue body = value;
  if (!isSoFar) body.loops.push_back({-1, value.axis});
  const size_t outer = 2 + body.loops.size();
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> all = spaceOf(value, b);
  const Expr count =
      value.axis == 1 ? b.constant(0) : b.range({0, value.axis - 1});
  if (isSoFar) {
    b.constraint(all[outer] - count, {1, value.axis});
    all[outer] = count;
  } else {
    all.insert(all.begin() + outer, count);
  }
  for (Expr each : all) b.result(each);
  auto whole = b.build();
  if (whole.ok()) whole = simplify(*whole);
  if (!whole.ok()) return unknown("a loop leaves 64 bits");
  std::vector<IndexingMap> added;
  if (isSoFar) added.push_back(*whole);
  for (const PointerMap &runs : value.maps) {
    const auto region = regionIn(runs.map);
    auto part = region ? compose(*whole, *region) : whole;
    if (!region || !part.ok()) return unknown("a loop is not followed");
    added.push_back(*std::move(part));
  }
  return reduceThrough(*op, added, map, init, [&](const IndexingMap &at) {
    return operandAt(body, 1, at);
  });
}

std::optional<int64_t> KernelTerms::turnOf(const IndexingMap &map,
                                           size_t result) {
  parts_.clear();
  const Interval bounds = boundsOfResults(map)[result];
  if (bounds.isPoint()) return bounds.lower;
  if (!bounds.isFinite() || bounds.lower < 0 || bounds.upper > kMostTurns)
    return std::nullopt;
  std::vector<IndexingMap> parts;
  for (int64_t turn = bounds.lower; turn <= bounds.upper; ++turn) {
    auto part = withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
      b.constraint(body.results[result], Interval::point(turn));
    });
    if (part.ok()) part = simplify(*part);
    if (!part.ok()) return std::nullopt;
    parts.push_back(*std::move(part));
  }
  split(parts);
  return std::nullopt;
}

ElementId KernelTerms::turnedAt(const KernelValue &value,
                                const IndexingMap &map) {
  const auto found = placesOf(value, map, "an index");
  if (!found) return table_.unknown();
  if (found->empty()) return ElementTable::kNothing;
  if (found->size() > 1) return split(*found);
  const auto turns = turnOf(found->front().product, 0);
  if (!turns) {
    if (!parts_.empty()) return kParts;
    return unknown(value.text);
  }
  if (*turns <= 0) return operandAt(value, 0, map);
  if (*turns > kMostTurns) return unknown(value.text);
  KernelValue body = value;
  body.loops.push_back({-1, *turns});
  auto last = withBody(map, [&](IndexingMapBuilder &b, MapBody &to) {
    to.results.insert(to.results.begin() + 2 + body.loops.size(),
                      b.constant(*turns - 1));
  });
  if (!last.ok()) return unknown("an index leaves 64 bits");
  return operandAt(body, 1, *last);
}

ElementId KernelTerms::carriedAt(const KernelValue &value,
                                 const IndexingMap &map) {
  const size_t result = 2 + value.loops.size();
  const auto turn = turnOf(map, result);
  if (!turn) {
    if (!parts_.empty()) return kParts;
    return unknown(value.text);
  }
  if (*turn <= 0) return operandAt(value, 0, map);
  if (*turn > kMostTurns) return unknown(value.text);
  auto before = withBody(map, [&](IndexingMapBuilder &b, MapBody &to) {
    to.results[result] = b.constant(*turn - 1);
  });
  if (!before.ok()) return unknown("an index leaves 64 bits");
  return operandAt(value, 1, *before);
}

}  // namespace indexical::kernels
