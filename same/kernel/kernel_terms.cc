#include "indexical/same/kernel/kernel_terms.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/same/kernel/ordered_stores.h"
#include "indexical/same/kernel/term_types.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

using llvm::StringRef;
using Kind = KernelValue::Kind;

namespace {

// The cost of a step, in operations of the meter.
constexpr int64_t kStep = 20;

bool isFloat(ElementType type) { return classOf(type) == kFloats; }

bool isDirection(StringRef op) {
  for (StringRef each : {"EQ", "NE", "LT", "LE", "GT", "GE"})
    if (op == each) return true;
  return false;
}

std::optional<std::string> floatTwo(ElementType type) {
  const std::string one = bytesOfNumber("2", type);
  if (one.empty()) return std::nullopt;
  return one;
}

}  // namespace

KernelTerms::KernelTerms(const TritonKernel &kernel, ElementTable &table,
                         llvm::ArrayRef<std::optional<ArgumentArray>> arrays,
                         Meter &meter, const ExactOptions &options)
    : kernel_(kernel),
      table_(table),
      arrays_(arrays.begin(), arrays.end()),
      meter_(meter),
      options_(options),
      inverses_(kernel) {
  findFailures();
  mayChangeAll_ = kernel.incomplete.has_value();
  for (const KernelAccess &access : kernel.accesses) {
    if (access.kind == AccessKind::Load) continue;
    mayChangeAll_ |= !access.reason.empty();
    for (const PointerMap &map : access.maps)
      changed_.insert(kernel.arrayOf(map.argument));
  }
}

void KernelTerms::note(const std::string &reason) {
  if (reason_.empty()) reason_ = reason;
}

ElementId KernelTerms::unknown(const std::string &reason) {
  note(reason);
  return table_.unknown();
}

std::optional<ElementId> KernelTerms::at(int64_t value,
                                         const IndexingMap &map) {
  parts_.clear();
  open_ = {{}};
  const ElementId id = elementAt(value, map);
  if (id == kParts) return std::nullopt;
  return id;
}

std::optional<ElementId> KernelTerms::storedBy(const KernelAccess &store,
                                               const IndexingMap &map) {
  const auto outer = inOuterLoops(map, store.loops.size(),
                                  kernel_.values[store.value].loops.size());
  return outer ? at(store.value, *outer)
               : unknown("what is stored is not followed");
}

ElementId KernelTerms::elementAt(int64_t value, const IndexingMap &map) {
  if (map.isKnownEmpty()) return ElementTable::kNothing;
  if (!meter_.spend(kStep) || !hasStack(kStackOfQuestion))
    return unknown("the budget is spent");
  Key key{value, map};
  const auto known = memo_.find(key);
  if (known != memo_.end()) {
    const std::set<Undefined> &undefined = known->second.undefined;
    open_.back().insert(undefined.begin(), undefined.end());
    return known->second.id;
  }
  open_.emplace_back();
  const ElementId id = compute(kernel_.values[value], map);
  std::set<Undefined> undefined = std::move(open_.back());
  open_.pop_back();
  if (id == kParts) return id;
  open_.back().insert(undefined.begin(), undefined.end());
  memo_.emplace(std::move(key), Known{id, std::move(undefined)});
  return id;
}

ElementId KernelTerms::compute(const KernelValue &value,
                               const IndexingMap &map) {
  switch (value.kind) {
    case Kind::Unknown:
      return unknown(value.text);
    case Kind::Index:
      return indexAt(value, map, typeOf(value));
    case Kind::Literal:
      return table_.literal(typeOf(value), value.text);
    case Kind::Load:
      return loadAt(value, map);
    case Kind::Apply:
      return value.text == "select" ? selectAt(value, map)
                                    : appliedAt(value, map);
    case Kind::Foreign:
      return appliedAt(value, map);
    case Kind::Move:
      return movedAt(value, map);
    case Kind::Reduce:
      return reducedAt(value, map);
    case Kind::Together:
      return togetherAt(value, map);
    case Kind::Pick:
    case Kind::LoopPick:
      return pickedAt(value, map);
    case Kind::Given: {
      Element parameter;
      parameter.kind = Element::Kind::Parameter;
      parameter.number = value.axis;
      return table_.read(table_.intern(std::move(parameter)), typeOf(value),
                         IndexingMap());
    }
    case Kind::Argument: {
      const auto argument = static_cast<size_t>(value.axis);
      if (!pair_ || argument >= arrays_.size() || !arrays_[argument])
        return unknown(value.text);
      Element parameter;
      parameter.kind = Element::Kind::Parameter;
      parameter.number = arrays_[argument]->parameter;
      return table_.read(table_.intern(std::move(parameter)), typeOf(value),
                         withoutResults(map));
    }
    case Kind::Scan:
      return scannedAt(value, map);
    case Kind::Loop:
    case Kind::SoFar:
      return loopAt(value, map);
    case Kind::Turned:
      return turnedAt(value, map);
    case Kind::Carried:
      return carriedAt(value, map);
    case Kind::Dot:
      return dotAt(value, map);
  }
  return unknown("a value is not followed");
}

std::optional<IndexingMap> KernelTerms::inOuterLoops(const IndexingMap &map,
                                                     size_t from,
                                                     size_t to) const {
  if (from == to) return map;
  if (from < to) return std::nullopt;
  auto outer = withBody(map, [&](IndexingMapBuilder &, MapBody &body) {
    body.results.erase(body.results.begin() + 3 + to,
                       body.results.begin() + 3 + from);
  });
  SimplifyOptions options;
  options.rename = true;
  if (outer.ok()) outer = simplify(*outer, options);
  if (!outer.ok()) return std::nullopt;
  return *std::move(outer);
}

ElementId KernelTerms::operandAt(const KernelValue &value, size_t k,
                                 const IndexingMap &map) {
  const KernelValue &operand = kernel_.values[value.operands[k]];
  const auto at = inOuterLoops(map, value.loops.size(), operand.loops.size());
  if (!at) return unknown("a value of a loop is used outside of it");
  return elementAt(value.operands[k], *at);
}

std::optional<std::vector<KernelTerms::Place>> KernelTerms::placesOf(
    const KernelValue &value, const IndexingMap &map, StringRef what) {
  std::vector<Place> places;
  for (const PointerMap &piece : value.maps) {
    if (!meter_.spend(kProduct)) {
      note("the budget is spent");
      return std::nullopt;
    }
    auto product = compose(map, piece.map);
    if (!product.ok()) {
      note(what.str() + " leaves 64 bits");
      return std::nullopt;
    }
    if (!product->isKnownEmpty())
      places.push_back({*std::move(product), &piece});
  }
  return places;
}

/// Sets `parts_` to the regions in which these maps hold.
ElementId KernelTerms::split(llvm::ArrayRef<IndexingMap> maps) {
  if (splitByRegions(maps, parts_)) return kParts;
  return unknown("a region leaves 64 bits");
}

ElementId KernelTerms::split(llvm::ArrayRef<Place> places) {
  std::vector<IndexingMap> maps;
  for (const Place &place : places) maps.push_back(place.product);
  return split(maps);
}

llvm::SmallVector<Expr, 8> KernelTerms::spaceOf(const KernelValue &value,
                                                IndexingMapBuilder &b) const {
  llvm::SmallVector<Expr, 8> space;
  for (int64_t size : kernel_.grid) space.push_back(b.dimension({0, size - 1}));
  for (const auto &loop : value.loops)
    space.push_back(b.dimension({0, loop.count - 1}));
  for (int64_t size : value.tile) space.push_back(b.dimension({0, size - 1}));
  return space;
}

ElementId KernelTerms::indexAt(const KernelValue &value, const IndexingMap &map,
                               ElementType type) {
  const auto found = placesOf(value, map, "an index");
  if (!found) return table_.unknown();
  if (found->empty()) return ElementTable::kNothing;
  // The pieces of a truth value may have one value all the same.
  if (found->size() > 1) return split(*found);
  const IndexingMap &only = found->front().product;
  const FormId form = only.results()[0];
  if (type == ElementType::Pred && only.expressions().isConstant(form))
    return table_.literal(
        type,
        std::string(1, static_cast<char>(only.expressions().constant(form))));
  return table_.index(type, only);
}

ElementId KernelTerms::appliedAt(const KernelValue &value,
                                 const IndexingMap &map) {
  // Integers of indices take the type of those that are loaded.
  std::vector<ElementId> operands(value.operands.size(), 0);
  std::optional<ElementType> loaded;
  for (const bool isIndex : {false, true})
    for (size_t k = 0; k < operands.size(); ++k) {
      const KernelValue &operand = kernel_.values[value.operands[k]];
      if ((operand.kind == Kind::Index && operand.type != "pred") != isIndex)
        continue;
      operands[k] = operandAt(value, k, map);
      if (operands[k] == kParts) return kParts;
      if (operands[k] == ElementTable::kNothing) return operands[k];
      if (!isIndex && classOf(table_[operands[k]].type) == kIntegers)
        loaded = table_[operands[k]].type;
      if (isIndex && loaded && isUnsigned(*loaded) &&
          bitsOf(*loaded) == bitsOf(typeOf(operand))) {
        const auto number = table_.integerOf(operands[k]);
        if (!number || *number < 0)
          return unknown("line " + std::to_string(value.line) +
                         ": an index is taken for an unsigned number");
        operands[k] = table_.literal(*loaded, table_[operands[k]].text);
      }
    }
  noteExcluded(value, operands);
  if (value.kind == Kind::Foreign) return foreign(value, operands);
  return applied(value, std::move(operands));
}

ElementId KernelTerms::foreign(const KernelValue &value,
                               llvm::ArrayRef<ElementId> operands) {
  const ElementType type = typeOf(value);
  llvm::SmallVector<ElementType, 3> types;
  for (ElementId id : operands) types.push_back(table_[id].type);
  const StringRef text = value.text;
  if (text == "lowest bit") {
    // A byte that is 0 or 1 is the truth value.
    const Element &element = table_[operands[0]];
    if (element.kind == Element::Kind::Apply &&
        lawName(element.op) == "convert" &&
        table_[element.operands[0]].type == ElementType::Pred)
      return element.operands[0];
  }
  if (text == "clampf" && operands.size() == 3)
    return table_.apply(
        elementwiseOp("minimum", {type, type}, type),
        {table_.apply(elementwiseOp("maximum", {type, type}, type),
                      {operands[0], operands[1]}),
         operands[2]});
  for (const auto &[drops, passes] :
       {std::pair<StringRef, StringRef>{"arith.maxnumf", "maximum"},
        {"arith.minnumf", "minimum"}})
    if (text.starts_with(drops) && has(table_.floats(), FloatLaws::NoNan)) {
      table_.noteLaw("no-nan");
      return table_.apply(elementwiseOp(passes, {type, type}, type), operands);
    }
  if (const auto made = ofSign(value, operands)) return *made;
  if (pair_)
    if (const auto op = droppingNan(text, type); op && operands.size() == 2) {
      llvm::SmallVector<ElementId, 2> sorted(operands);
      llvm::sort(sorted);
      return table_.apply(*op, sorted);
    }
  // Any function of the operands, which equals itself alone.
  const ElementId made =
      table_.apply(functionOf("kernel " + value.text, types, type), operands);
  if (!isDefined(value, operands)) noteUndefined(value, made);
  return made;
}

/// Returns the op of integers that takes them by a sign which their types have,
/// or that is defined for these operands as HLO's is; nothing for another one.
std::optional<ElementId> KernelTerms::ofSign(
    const KernelValue &value, llvm::ArrayRef<ElementId> operands) {
  StringRef name = value.text;
  const bool isOfSigned = name.consume_front("signed ");
  const bool isOfUnsigned = name.consume_front("unsigned ");
  const bool shifts = name.starts_with("shift-");
  if (!isOfSigned && !isOfUnsigned && !shifts) return std::nullopt;
  llvm::SmallVector<ElementType, 2> types;
  for (ElementId id : operands) {
    types.push_back(table_[id].type);
    if (classOf(types.back()) != kIntegers || types.back() != types.front() ||
        (isOfUnsigned && !isUnsigned(types.back())) ||
        (isOfSigned && isUnsigned(types.back())))
      return std::nullopt;
  }
  const ElementType type = types[0];
  if (name == "convert")
    return table_.apply(elementwiseOp(name, types, typeOf(value)), operands);
  if (isDirection(name))
    return table_.apply(comparisonOp(name, type), operands);
  if (name == "divide" || name == "remainder" || shifts) {
    // By 0, the lowest by -1 and more than all bits are undefined here.
    const auto by = table_.integerOf(operands[1]);
    if (!by || (shifts ? *by < 0 || *by >= bitsOf(type)
                       : *by == 0 || (isOfSigned && *by == -1)))
      return std::nullopt;
  }
  return table_.apply(elementwiseOp(name, types, type), operands);
}

ElementId KernelTerms::applied(const KernelValue &value,
                               std::vector<ElementId> operands) {
  const StringRef name = value.text;
  ElementType type = typeOf(value);
  llvm::SmallVector<ElementType, 3> types;
  bool isOfUnsigned = false;
  for (ElementId id : operands) {
    if (isUnknown(id)) return id;
    types.push_back(table_[id].type);
    isOfUnsigned |= isUnsigned(types.back());
  }
  auto fail = [&](const char *why) {
    return unknown("line " + std::to_string(value.line) + ": " + why);
  };
  // The sign is HLO's, by the type of what is loaded.
  if (isOfUnsigned && !isOfBits(name))
    return fail("an op takes unsigned numbers for signed ones");
  if (name == "exp2") {
    const auto two = floatTwo(type);
    if (!two) return fail("a power of two of such numbers is not followed");
    return table_.apply(elementwiseOp("power", {type, type}, type),
                        {table_.literal(type, *two), operands[0]});
  }
  if (name == "convert") {
    if (types[0] == type) return operands[0];
    if (products_ == Products::Narrow && isFloat(type) && isFloat(types[0]) &&
        bitsOf(type) < bitsOf(types[0]))
      if (const ElementId sum = narrowed(operands[0], type);
          sum != ElementTable::kNothing)
        return sum;
    return table_.apply(elementwiseOp("convert", types, type), operands);
  }
  if (isDirection(name)) {
    if (types[0] != types[1]) return fail("numbers of two types are compared");
    // A byte that is 0 or 1 is not 0: the truth value.
    for (int side : {0, 1}) {
      const Element &element = table_[operands[side]];
      if (name == "NE" && table_.integerOf(operands[1 - side]) == 0 &&
          element.kind == Element::Kind::Apply &&
          lawName(element.op) == "convert" &&
          table_[element.operands[0]].type == ElementType::Pred)
        return element.operands[0];
    }
    return table_.apply(comparisonOp(name, types[0]), operands);
  }
  // A mask leaves zeros, and 0 * 0 is 0.
  const bool isZero = llvm::all_of(operands, [&](ElementId id) {
    return table_[id].kind == Element::Kind::Literal &&
           StringRef(table_[id].text).find_first_not_of(char{0}) ==
               StringRef::npos;
  });
  if (name == "multiply" && isZero && isFloat(type) && types[0] == types[1])
    return operands[0];
  const size_t first = name == "select" ? 1 : 0;
  for (size_t k = first; k < types.size(); ++k)
    if (types[k] != types[first]) return fail("an op has numbers of two types");
  type = types[first];
  return table_.apply(elementwiseOp(name, types, type), operands);
}

ElementId KernelTerms::asStored(ElementId id, ElementType type) {
  const Element &element = table_[id];
  if (element.type == type || isUnknown(id)) return id;
  if (type == ElementType::Pred && element.kind == Element::Kind::Apply &&
      lawName(element.op) == "convert" &&
      table_[element.operands[0]].type == ElementType::Pred)
    return element.operands[0];
  // Indices are signed where nothing says otherwise.
  if (isUnsigned(type) && bitsOf(type) == bitsOf(element.type)) {
    const auto number = table_.integerOf(id);
    if (number && element.kind == Element::Kind::Literal)
      return table_.literal(type, element.text);
  }
  // A truth value as the byte that it is in memory.
  if (type == ElementType::Pred && bitsOf(element.type) == 8 &&
      element.kind == Element::Kind::Literal)
    if (const auto number = table_.integerOf(id);
        number && (*number == 0 || *number == 1))
      return table_.literal(type, std::string(1, static_cast<char>(*number)));
  return unknown("what is stored has another type");
}

ElementId KernelTerms::movedAt(const KernelValue &value,
                               const IndexingMap &map) {
  const auto found = placesOf(value, map, "an index");
  if (!found) return table_.unknown();
  if (!value.text.empty()) {
    // Where none of the maps holds, the value is not known.
    if (found->empty()) return unknown(value.text);
    const auto whole = regionIn(map);
    const auto first = regionIn(found->front().product);
    if (!whole || !first) return unknown("a region leaves 64 bits");
    if (found->size() > 1 || *first != *whole)
      return splitWithRest(*found, *whole);
  }
  if (found->empty()) return ElementTable::kNothing;
  if (found->size() > 1) return split(*found);
  return operandAt(value, found->front().piece->argument,
                   found->front().product);
}

}  // namespace indexical::kernels
