#include "indexical/cost/hazards/related_scalars.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/ops/families.h"
#include "indexical/program/values/integers.h"
#include "indexical/program/values/known_values.h"

namespace indexical {
namespace {

/// Scalars computed of each other that are followed.
constexpr int kMostScalarSteps = 32;

ArrayShape shapeOfScalar(const Module &module, const Value &of) {
  return instructionOf(module, of).shape.leaves()[of.result];
}

/// Returns the values of the scalar's type, narrowed to those that are followed
/// if it has 64 bits.
Interval valuesOfScalar(const Module &module, const Value &of) {
  return boundsOfScalar(module, of).intersect(kWideValues);
}

Interval truncatedBy(Interval values, int64_t by) {
  const int64_t a = values.lower / by, b = values.upper / by;
  return {std::min(a, b), std::max(a, b)};
}

/// Returns the values after a step, all of which are finite.
Interval after(const ScalarStep &step, Interval values) {
  switch (step.kind) {
    case ScalarStep::Kind::Add:
      return values + Interval::point(step.by);
    case ScalarStep::Kind::Multiply:
      return values * step.by;
    case ScalarStep::Kind::Divide:
      return truncatedBy(values, step.by);
    case ScalarStep::Kind::Remainder: {
      const int64_t most = std::abs(step.by) - 1;
      return {values.lower < 0 ? -most : 0, values.upper > 0 ? most : 0};
    }
    case ScalarStep::Kind::Min:
      return {std::min(values.lower, step.by), std::min(values.upper, step.by)};
    case ScalarStep::Kind::Max:
      return {std::max(values.lower, step.by), std::max(values.upper, step.by)};
    case ScalarStep::Kind::Wrap:
      return {step.by, step.by + step.count - 1};
  }
  return Interval::all();
}

/// Returns the step that an op is, of an operand and a number.
std::optional<std::pair<Value, ScalarStep>> stepOf(const Module &module,
                                                   const Value &scalar) {
  const Instruction &at = instructionOf(module, scalar);
  const auto *op = at.op.as<ElementwiseOp>();
  const llvm::StringRef kind = op && op->opKind ? op->opKind->name : "";
  if (!op || op->operands.size() != 2) return std::nullopt;
  const Value a = originOf(module, operandOf(module, scalar, LeafId(0)));
  const Value b = originOf(module, operandOf(module, scalar, LeafId(1)));
  const auto right = numberOf(module, b);
  const auto left = right ? std::nullopt : numberOf(module, a);
  const auto by = right ? right : left;
  // Larger numbers make no index, and products that leave 64 bits.
  if (!by || *by > (1 << 24) || *by < -(1 << 24)) return std::nullopt;
  using Kind = ScalarStep::Kind;
  ScalarStep step;
  step.by = *by;
  if (kind == "add") {
    step.kind = Kind::Add;
  } else if (kind == "subtract" && right) {
    step = {Kind::Add, -*by, 0};
  } else if (kind == "multiply") {
    step.kind = Kind::Multiply;
  } else if (kind == "divide" && right && *by != 0) {
    step.kind = Kind::Divide;
  } else if (kind == "remainder" && right && *by != 0) {
    step.kind = Kind::Remainder;
  } else if (kind == "minimum") {
    step.kind = Kind::Min;
  } else if (kind == "maximum") {
    step.kind = Kind::Max;
  } else {
    return std::nullopt;
  }
  return std::pair(right ? a : b, step);
}

}  // namespace

std::optional<int64_t> numberOf(const Module &module, const Value &of) {
  IndexingMapBuilder b;
  const auto none = [](VariableId) { return Interval::all(); };
  const auto known = knownElement(module, of, {}, b, none);
  return known ? b.valueOf(*known) : std::nullopt;
}

/// Returns bounds of a scalar: those of its type, of what it is converted from,
/// and of a remainder by a number.
Interval boundsOfScalar(const Module &module, Value value) {
  const Instruction *at = &instructionOf(module, value);
  auto typeOf = [&] { return at->shape.leaves()[value.result].type; };
  const ElementType type = typeOf();
  Interval bounds = valuesOf(type);
  for (int steps = 0; steps < kMostScalarSteps; ++steps) {
    const auto *op = at->op.as<ElementwiseOp>();
    const llvm::StringRef kind = op && op->opKind ? op->opKind->name : "";
    if (kind == "remainder" && bounds.isFinite()) {
      const auto by = numberOf(
          module, originOf(module, operandOf(module, value, LeafId(1))));
      if (by && *by != 0 && *by != INT64_MIN)
        bounds = bounds.intersect({1 - std::abs(*by), std::abs(*by) - 1});
    }
    if (kind != "convert") break;
    value = originOf(module, operandOf(module, value, LeafId(0)));
    at = &instructionOf(module, value);
    // A number that the type does not hold wraps.
    if (!isInteger(typeOf()) || !holdsAll(type, typeOf())) break;
    bounds = bounds.intersect(valuesOf(typeOf()));
  }
  return bounds;
}

DerivedScalar derivedScalar(const Module &module, const Value &scalar) {
  // From the scalar down, each with the step that makes it.
  std::vector<std::pair<Value, ScalarStep>> way;
  Value at = originOf(module, scalar);
  for (int steps = 0; steps < kMostScalarSteps; ++steps) {
    const ArrayShape shape = shapeOfScalar(module, at);
    if (!isInteger(shape.type) || shape.type == ElementType::Pred ||
        shape.elementCount() != 1)
      break;
    const auto step = stepOf(module, at);
    if (!step || shapeOfScalar(module, step->first).type != shape.type) break;
    way.push_back({at, step->second});
    at = step->first;
  }
  DerivedScalar found{at, valuesOfScalar(module, at), {}};
  Interval values = found.values;
  for (const auto &[made, step] : llvm::reverse(way)) {
    const Interval all = valuesOf(shapeOfScalar(module, made).type);
    const Interval type = all.intersect(kWideValues);
    const Interval next = after(step, values);
    const bool isInside =
        next.isFinite() && type.lower <= next.lower && next.upper <= type.upper;
    if (isInside || (next.isFinite() && all.isFinite())) {
      found.steps.push_back(step);
      values = next;
      if (isInside) continue;
      values = all;
      found.steps.push_back({ScalarStep::Kind::Wrap, all.lower, all.count()});
      continue;
    }
    found = {made, valuesOfScalar(module, made), {}};
    values = found.values;
  }
  return found;
}

FormId formOf(const DerivedScalar &scalar, FormId root, ExpressionPool &pool) {
  FormId form = root;
  // Quotients are rounded towards 0.
  const auto quotient = [&](FormId of, int64_t by) {
    const int64_t size = std::abs(by);
    const FormId up = pool.floorDivBy(pool.positivePart(of), size);
    const FormId down =
        pool.floorDivBy(pool.positivePart(pool.scale(of, -1)), size);
    return by < 0 ? pool.sub(down, up) : pool.sub(up, down);
  };
  for (const ScalarStep &step : scalar.steps) switch (step.kind) {
      case ScalarStep::Kind::Add:
        form = pool.shift(form, step.by);
        break;
      case ScalarStep::Kind::Multiply:
        form = pool.scale(form, step.by);
        break;
      case ScalarStep::Kind::Divide:
        form = quotient(form, step.by);
        break;
      case ScalarStep::Kind::Remainder:
        form = pool.linear({{form, 1}, {quotient(form, step.by), -step.by}}, 0);
        break;
      case ScalarStep::Kind::Min:
        form = pool.min(form, pool.constantForm(step.by));
        break;
      case ScalarStep::Kind::Max:
        form = pool.max(form, pool.constantForm(step.by));
        break;
      case ScalarStep::Kind::Wrap:
        form = pool.shift(pool.mod(pool.shift(form, -step.by), step.count),
                          step.by);
        break;
    }
  return form;
}

FormId clampedForm(FormId form, Interval bounds, ExpressionPool &pool) {
  if (bounds.hasLower()) form = pool.max(form, pool.constantForm(bounds.lower));
  if (bounds.hasUpper()) form = pool.min(form, pool.constantForm(bounds.upper));
  return form;
}

}  // namespace indexical
