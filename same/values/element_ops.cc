// Elements of loops, branches and sorts, and integers that indices give.
//
//   c = pred[8] compare(iota, three), direction=LT
//   element (i)    true where i is in [0, 2], false where i is in [3, 7]
//
//   s = f32[4,6] sort(p), dimensions={1}
//   element (i, j)    place j of what sort makes of the line k -> p[i, k]
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/integers.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/moved_operands.h"
#include "indexical/same/values/regions.h"
#include "indexical/same/values/scalar_functions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// A loop with more trips, or more instructions in all of them, is not run.
constexpr int kMostTrips = 64;
constexpr size_t kMostRun = 4'000;
// Branches of more instructions are functions of whole arrays.
constexpr size_t kMostInBranch = 200;

bool haveOneDomain(const IndexingMap &a, const IndexingMap &b) {
  if (a.dimensions().size() != b.dimensions().size()) return false;
  const auto left = regionIn(a), right = regionIn(b);
  return left && right && *left == *right;
}

}  // namespace

//===-- Integers of indices -----------------------------------------------===//

std::optional<IndexingMap> ElementTerms::integerAt(ElementId id,
                                                   const IndexingMap &map) {
  if (!map.runtime().empty() || !map.ranges().empty()) return std::nullopt;
  const Element &element = table_[id];
  const ElementType type = element.type;
  if (classOf(type) != kIntegers) return std::nullopt;
  if (element.kind == Element::Kind::Index) {
    // An iota can wrap in its own type.
    if (!element.maps[0].runtime().empty() ||
        !haveOneDomain(element.maps[0], map) ||
        !valuesOf(type).contains(boundsOfResults(element.maps[0])[0]))
      return std::nullopt;
    return element.maps[0];
  }
  const Polynomial sum = table_.asPolynomial(id);
  const bool isSigned = elementTypeName(type).starts_with("s");
  // A coefficient is a number modulo 2 to the width: a signed one is near 0.
  const llvm::DynamicAPInt most(int64_t{1} << 31);
  llvm::DynamicAPInt modulus(1);
  for (int64_t k = 0; k < bitsOf(type); ++k) modulus *= llvm::DynamicAPInt(2);
  for (const auto &[factors, by] : sum.terms())
    if (factors.size() > 1 ||
        (factors.size() == 1 &&
         (table_[factors[0]].kind != Element::Kind::Index ||
          !table_[factors[0]].maps[0].runtime().empty() ||
          !haveOneDomain(table_[factors[0]].maps[0], map))))
      return std::nullopt;
  bool isSmall = true;
  auto made = withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
    Expr all = b.constant(0);
    auto same = [&](VariableId v) { return b.pool().variable(v); };
    for (const auto &[factors, by] : sum.terms()) {
      llvm::DynamicAPInt number = by.num;
      if (isSigned && number + number >= modulus) number -= modulus;
      if (number > most || number < -most) {
        isSmall = false;
        continue;
      }
      const int64_t times = static_cast<int64_t>(number);
      if (factors.empty()) {
        all = all + times;
        continue;
      }
      const IndexingMap &index = table_[factors[0]].maps[0];
      ExpressionImport import(index.expressions(), b.pool(), same);
      all = all + b.expression(import(index.results()[0])) * times;
    }
    body.results = {all};
  });
  if (!isSmall || !made.ok()) return std::nullopt;
  made = simplify(*made);
  if (!made.ok() || made->isKnownEmpty() ||
      !valuesOf(type).contains(boundsOfResults(*made)[0]))
    return std::nullopt;
  return *std::move(made);
}

std::optional<ElementId> ElementTerms::comparedIndices(
    llvm::StringRef direction, llvm::ArrayRef<ElementId> operands,
    const IndexingMap &map) {
  const auto a = integerAt(operands[0], map), b = integerAt(operands[1], map);
  if (!a || !b) return std::nullopt;
  auto apart = withBody(*a, [&](IndexingMapBuilder &builder, MapBody &body) {
    auto same = [&](VariableId v) { return builder.pool().variable(v); };
    ExpressionImport import(b->expressions(), builder.pool(), same);
    body.results = {body.results[0] -
                    builder.expression(import(b->results()[0]))};
  });
  if (!apart.ok()) return std::nullopt;
  // Where the difference is negative, zero and positive.
  const Interval signs[] = {
      {Interval::all().lower, -1}, {0, 0}, {1, Interval::all().upper}};
  bool holds[3] = {};
  if (direction == "LT" || direction == "LE" || direction == "NE")
    holds[0] = true;
  if (direction == "GT" || direction == "GE" || direction == "NE")
    holds[2] = true;
  if (direction == "LE" || direction == "GE" || direction == "EQ")
    holds[1] = true;
  llvm::SmallVector<IndexingMap, 3> where;
  bool isTrue = false, isFalse = false;
  for (int k = 0; k < 3;) {
    // Neighbours of one answer are one part.
    const int end = k < 2 && holds[k] == holds[k + 1] ? k + 2 : k + 1;
    const Interval bounds = {signs[k].lower, signs[end - 1].upper};
    auto part = restricted(
        *apart, [&](IndexingMapBuilder &builder, llvm::ArrayRef<Expr> results) {
          builder.constraint(results[0], bounds);
        });
    SimplifyOptions options;
    if (part.ok()) part = simplify(*part, options);
    if (!part.ok()) return std::nullopt;
    if (!part->isKnownEmpty()) {
      (holds[k] ? isTrue : isFalse) = true;
      where.push_back(*std::move(part));
    }
    k = end;
  }
  if (where.empty()) return std::nullopt;
  if (isTrue && isFalse) return split(where);
  return table_.literal(
      ElementType::Pred,
      bytesOfNumber(isTrue ? "true" : "false", ElementType::Pred));
}

std::optional<ElementId> ElementTerms::ofIndices(
    const Op &op, llvm::ArrayRef<ElementId> operands, const IndexingMap &map) {
  const llvm::StringRef name = lawName(op);
  auto isIndex = [&](ElementId id) {
    const Element &element = table_[id];
    if (element.kind == Element::Kind::Index) return true;
    if (element.kind != Element::Kind::Sum) return false;
    const Polynomial sum = table_.asPolynomial(id);
    return llvm::all_of(sum.terms(), [&](const auto &term) {
      return llvm::all_of(term.monomial, [&](ElementId factor) {
        return table_[factor].kind == Element::Kind::Index;
      });
    });
  };
  if (name.empty() || llvm::none_of(operands, isIndex) ||
      !llvm::all_of(operands, [&](ElementId id) {
        return isIndex(id) || table_.integerOf(id);
      }))
    return std::nullopt;
  if (isDirection(name)) return comparedIndices(name, operands, map);
  if ((name == "maximum" || name == "minimum") && operands.size() == 2)
    return chosenIndex(name == "maximum" ? "GT" : "LT", operands[0],
                       operands[1], map);
  if (name == "clamp" && operands.size() == 3) {
    const auto low = chosenIndex("GT", operands[0], operands[1], map);
    if (!low || *low == kParts) return low;
    return chosenIndex("LT", *low, operands[2], map);
  }
  const ElementType type = shapesOf(op).results[0].type;
  if (classOf(type) != kIntegers) return std::nullopt;
  if (name == "convert" && operands.size() == 1) {
    const auto from = integerAt(operands[0], map);
    if (!from || !valuesOf(type).contains(boundsOfResults(*from)[0]))
      return std::nullopt;
    return table_.index(type, *from);
  }
  if (name == "divide" || name == "remainder") {
    const auto from = integerAt(operands[0], map);
    const auto by = table_.integerOf(operands[1]);
    if (!from || !by || *by < 1 || boundsOfResults(*from)[0].lower < 0)
      return std::nullopt;
    auto made = withBody(*from, [&](IndexingMapBuilder &, MapBody &body) {
      body.results = {name == "divide" ? floorDiv(body.results[0], *by)
                                       : mod(body.results[0], *by)};
    });
    if (made.ok()) made = simplify(*made);
    if (!made.ok()) return std::nullopt;
    return table_.index(type, *made);
  }
  if (name != "add" && name != "subtract" && name != "multiply" &&
      name != "negate")
    return std::nullopt;
  const ElementId sum = table_.apply(op, operands);
  if (const auto value = integerAt(sum, map)) return table_.index(type, *value);
  return sum;
}

//===-- Loops and branches ------------------------------------------------===//

std::optional<int64_t> ElementTerms::scalarAt(Site site) {
  std::vector<IndexingMap> parts = std::move(parts_);
  const int level = std::exchange(level_, 0);
  const ElementId id = elementAt(site, IndexingMap());
  parts_ = std::move(parts);
  level_ = level;
  if (id == kParts) return std::nullopt;
  return table_.integerOf(id);
}

const std::optional<std::vector<ElementTerms::Site>> &ElementTerms::stateAfter(
    Site site) {
  auto [entry, isNew] =
      loops_.try_emplace({site.frame, site.instruction}, std::nullopt);
  if (!isNew) return entry->second;
  const Instruction &i = instruction(site);
  const auto condition = calleeOf(i, CallRole::Condition);
  const auto body = calleeOf(i, CallRole::Body);
  if (!condition || !body || !isPlain(i.op)) return entry->second;
  const size_t size =
      module_.computations[body->computation].instructions.size();
  const size_t count = shapesOf(i.op).results.size();
  std::vector<Site> state = operandSites(site);
  if (state.size() < count) return entry->second;
  for (int trip = 0; trip <= kMostTrips && trip * size <= kMostRun; ++trip) {
    const auto asked = newFrame(site, *condition, state);
    if (!asked) return entry->second;
    frames_[*asked].isTrip = true;
    const auto goesOn = scalarAt(
        {*asked, module_.computations[condition->computation].root, LeafId(0)});
    if (!goesOn) return entry->second;
    if (*goesOn == 0)
      return loops_[{site.frame, site.instruction}] = std::move(state);
    const auto next = newFrame(site, *body, state);
    if (!next) return entry->second;
    frames_[*next].isTrip = true;
    for (size_t leaf = 0; leaf < count; ++leaf)
      state[leaf] = {*next, module_.computations[body->computation].root,
                     LeafId(leaf)};
  }
  return loops_[{site.frame, site.instruction}];
}

ElementId ElementTerms::loopAt(Site site, const IndexingMap &map) {
  const auto &state = stateAfter(site);
  if (!state) return arrayAt(site, map);
  const Site last = (*state)[site.leaf];
  if (last.instruction < 0) return unknown();
  return elementAt(last, map);
}

std::optional<ElementId> ElementTerms::branchAt(Site site, int32_t branch,
                                                const IndexingMap &map) {
  const auto callee = calleeOf(instruction(site), CallRole::Branch, branch);
  if (!callee) return std::nullopt;
  const auto key =
      std::make_tuple(site.frame, site.instruction, callee->called);
  auto known = callees_.find(key);
  if (known == callees_.end()) {
    const auto frame = newFrame(site, *callee, operandSites(site));
    if (!frame) return std::nullopt;
    known = callees_.emplace(key, *frame).first;
  }
  const InstructionId root = module_.computations[callee->computation].root;
  return elementAt({known->second, root, site.leaf}, map);
}

ElementId ElementTerms::branchesAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const std::vector<Site> operands = operandSites(site);
  if (operands.empty() || operands[0].instruction < 0 || !isPlain(i.op) ||
      i.called.empty())
    return arrayAt(site, map);
  const ElementType type = shapesOf(i.op).operands[0].type;
  const auto choice = scalarAt(operands[0]);
  if (!choice) return selectedAt(site, map);
  const int64_t last = static_cast<int64_t>(i.called.size()) - 1;
  const bool isOutside = *choice < 0 || *choice > last;
  const int64_t branch = type == ElementType::Pred ? (*choice != 0 ? 0 : 1)
                         : isOutside               ? last
                                                   : *choice;
  if (branch > last) return arrayAt(site, map);
  const auto id = branchAt(site, static_cast<int32_t>(branch), map);
  return id ? *id : arrayAt(site, map);
}

ElementId ElementTerms::selectedAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const OpShapes &shapes = shapesOf(i.op);
  if (i.called.size() != 2 || !shapes.operands[0].isScalar() ||
      shapes.operands[0].type != ElementType::Pred ||
      llvm::any_of(i.called, [&](const CalledComputation &called) {
        return called.computation < 0 ||
               module_.computations[called.computation].instructions.size() >
                   kMostInBranch;
      }))
    return arrayAt(site, map);
  llvm::SmallVector<ElementId, 3> operands{
      operandAt(site, 0, withoutResults(map))};
  if (operands[0] == kParts) return kParts;
  for (int32_t branch : {0, 1}) {
    const auto id = branchAt(site, branch, map);
    if (!id) return arrayAt(site, map);
    if (*id == kParts) return kParts;
    operands.push_back(*id);
  }
  if (llvm::any_of(operands, [&](ElementId id) {
        return table_[id].kind == Element::Kind::Unknown;
      }))
    return arrayAt(site, map);
  const ElementType own = shapes.results[site.leaf].type;
  return table_.apply(
      elementwiseOp("select", {ElementType::Pred, own, own}, own), operands);
}

//===-- Maps
//---------------------------------------------------------------===//

ElementId ElementTerms::bitsAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const OpShapes &shapes = shapesOf(i.op);
  // Between numbers of one width it moves nothing.
  const int64_t bits = bitsOf(shapes.results[0].type);
  if (!isPlain(i.op) || bits < 8 || bits != bitsOf(shapes.operands[0].type))
    return movedOperands(module_, i).empty() ? arrayAt(site, map)
                                             : movedAt(site, map);
  const ElementId operand = operandAt(site, 0, map);
  return operand == kParts ? kParts : table_.apply(scalarOp(i.op), {operand});
}

ElementId ElementTerms::mappedAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  // Its dimensions are those of the operands, all of them and in order.
  llvm::StringRef text = i.op.descriptor().configuration;
  if (text.consume_front("dimensions="))
    text = text.drop_until([](char c) { return c == ';'; });
  if (i.called.size() != 1 || i.called[0].computation < 0 || i.captured > 0 ||
      shapesOf(i.op).results.size() != 1 || !text.empty())
    return arrayAt(site, map);
  bool isInParts = false;
  const auto made =
      resultOfScalars(module_.computations[i.called[0].computation], LeafId(0),
                      table_, [&](size_t p) -> std::optional<ElementId> {
                        const ElementId id = operandAt(site, p, map);
                        isInParts |= id == kParts;
                        return id == kParts ? std::nullopt : std::optional(id);
                      });
  if (isInParts) return kParts;
  return made && table_[*made].type == shapeOf(site).type ? *made
                                                          : arrayAt(site, map);
}

//===-- Sorts -------------------------------------------------------------===//

ElementId ElementTerms::sortedAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const auto &op = i.op.get<SortOp>();
  const ArrayShape &shape = op.results[site.leaf];
  if (i.captured > 0 || op.operands.size() != op.results.size() ||
      op.operands.size() > 8 || !map.runtime().empty() || op.dimension < 0 ||
      op.dimension >= shape.rank())
    return arrayAt(site, map);
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> index;
  for (int64_t size : shape.dimensions)
    index.push_back(b.dimension({0, size - 1}));
  index[op.dimension] = b.range({0, shape.dimensions[op.dimension] - 1});
  for (Expr each : index) b.result(each);
  auto line = b.build();
  if (line.ok()) line = compose(map, *line);
  const auto place =
      picked(shape.dimensions, {static_cast<size_t>(op.dimension)});
  auto at = place.ok() ? compose(map, *place) : place;
  if (!line.ok() || !at.ok() || line->isKnownEmpty()) return arrayAt(site, map);
  const size_t outer = map.dimensions().size();
  IndexingMap inner = rangesToDimensions(*line);
  if (shape.dimensions[op.dimension] == 1)
    return operandAt(site, site.leaf, map);
  const auto region = regionIn(inner);
  if (!region || inner.dimensions().size() != outer + 1)
    return arrayAt(site, map);
  Element made;
  made.kind = Element::Kind::Along;
  made.type = shape.type;
  made.op = placelessOp(i.op);
  made.leaf = site.leaf;
  made.functions = terms().functionsOf(i);
  made.maps = {*std::move(at), *region};
  for (size_t k = 0; k < op.operands.size(); ++k) {
    const ElementId operand = operandAt(site, k, inner);
    if (operand == kParts) {
      const auto parts = std::exchange(parts_, {});
      auto outside = partsOfFirst(parts, *region, outer);
      if (!outside) return arrayAt(site, map);
      parts_ = *std::move(outside);
      return kParts;
    }
    made.operands.push_back(operand);
  }
  if (i.called.size() == 1 && i.called[0].computation >= 0)
    table_.functions().define(ScalarFunctions::nameOf(made),
                              module_.computations[i.called[0].computation],
                              {0}, [](size_t p) { return std::optional(p); });
  return table_.intern(std::move(made));
}

}  // namespace indexical
