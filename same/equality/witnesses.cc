#include "indexical/same/equality/witnesses.h"

#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/values/known_values.h"
#include "indexical/same/equality/parameter_names.h"

namespace indexical {
namespace {

/// Whether a value of the element type can make the variable what the witness
/// says.
bool canBe(int64_t value, const RuntimeVariable &variable, ElementType type) {
  const Interval values = valuesOf(type);
  if (values.contains(Interval::point(value))) return true;
  if (!variable.clamped) return false;
  return (value == variable.bounds.lower && values.lower <= value) ||
         (value == variable.bounds.upper && values.upper >= value);
}

/// Returns the values of an element that make the variable this value.
Interval elementsOf(const RuntimeVariable &variable, int64_t value) {
  Interval elements = Interval::point(value);
  if (!variable.clamped) return elements;
  if (value == variable.bounds.lower) elements.lower = Interval::kMinusInfinity;
  if (value == variable.bounds.upper) elements.upper = Interval::kInfinity;
  return elements;
}

/// Returns the variable of that name, with the piece that has it.
std::pair<const IndexingMap *, uint32_t> variableOf(
    llvm::ArrayRef<const IndexingRelation *> relations,
    const std::string &name) {
  for (const IndexingRelation *relation : relations)
    for (const IndexingMap &piece : relation->pieces())
      for (uint32_t i = 0; i < piece.runtime().size(); ++i)
        if (piece.nameOf({VariableKind::Runtime, i}) == name)
          return {&piece, i};
  return {nullptr, 0};
}

}  // namespace

const EntryLeaf *Witnesses::parameterOf(const RuntimeVariable &variable) const {
  using Kind = RuntimeSource::Kind;
  if ((variable.source.kind != Kind::Element &&
       variable.source.kind != Kind::Size) ||
      !variable.collectives.empty())
    return nullptr;
  const ValueTerm &source = table_[variable.source.tensor];
  if (source.kind != ValueTerm::Kind::Parameter) return nullptr;
  for (const EntryLeaf &leaf : first_.parameters())
    if (leaf.parameter == source.number && leaf.leaf == source.leaf)
      return &leaf;
  return nullptr;
}

/// Returns the name of a variable, or "" if it is not one of a parameter. What
/// is clamped has its bounds behind it: with other bounds it is another value.
std::string Witnesses::nameOf(const IndexingMap &piece,
                              uint32_t runtime) const {
  const RuntimeVariable &variable = piece.runtime()[runtime];
  const EntryLeaf *leaf = parameterOf(variable);
  if (!leaf) return "";
  if (variable.source.kind == RuntimeSource::Kind::Size)
    return sizeName(first_.entry(), leaf->parameter, leaf->leaf,
                    variable.source.dimension);
  std::vector<std::string> index;
  for (FormId form : variable.elementIndex()) index.push_back(piece.str(form));
  const std::string element =
      elementName(leafName(first_.entry(), leaf->parameter, leaf->leaf), index);
  return variable.clamped ? element + " clamped to " + variable.bounds.str()
                          : element;
}

IndexingRelation Witnesses::named(const IndexingRelation &relation) const {
  IndexingRelation all;
  for (const IndexingMap &piece : relation.pieces()) {
    uint32_t next = 0;
    auto name = [&](IndexingMapBuilder &, RuntimeVariable &variable) {
      const std::string known = nameOf(piece, next++);
      if (!known.empty()) variable.name = known;
    };
    if (piece.runtime().empty()) {
      all.add(piece);
      continue;
    }
    const auto made = withRuntime(piece, name);
    all.add(made.ok() ? *made : piece);
  }
  all.weaken(relation.precision());
  return all;
}

bool Witnesses::isPossible(const PairWitness &witness,
                           const IndexingRelation &relation) const {
  for (const IndexingMap &piece : relation.pieces())
    for (uint32_t i = 0; i < piece.runtime().size(); ++i) {
      const RuntimeVariable &v = piece.runtime()[i];
      if (v.source.kind != RuntimeSource::Kind::Element) continue;
      const EntryLeaf *leaf = parameterOf(v);
      if (!leaf) continue;
      const std::string name = piece.nameOf({VariableKind::Runtime, i});
      for (const auto &[of, value] : witness.runtime)
        if (of == name && !canBe(value, v, leaf->shape.type)) return false;
    }
  return true;
}

void Witnesses::tell(PairWitness &witness,
                     llvm::ArrayRef<const IndexingRelation *> relations) const {
  struct Told {
    std::string name;
    Interval values;
    std::vector<int64_t> seen;
  };
  std::vector<Told> told;
  for (const auto &[name, value] : witness.runtime) {
    const auto [piece, number] = variableOf(relations, name);
    std::string own = name;
    Interval values = Interval::point(value);
    const EntryLeaf *leaf =
        piece ? parameterOf(piece->runtime()[number]) : nullptr;
    if (leaf &&
        piece->runtime()[number].source.kind == RuntimeSource::Kind::Element) {
      const RuntimeVariable &variable = piece->runtime()[number];
      bool isKnown = true;
      auto valueOf = [&](VariableId id) -> int64_t {
        const bool isIndex = id.kind == VariableKind::Dimension &&
                             id.index < witness.index.size();
        isKnown = isKnown && isIndex;
        return isIndex ? witness.index[id.index] : 0;
      };
      Evaluation evaluate(piece->expressions(), valueOf);
      std::vector<std::string> index;
      for (FormId form : variable.elementIndex()) {
        const auto at = evaluate(form);
        isKnown = isKnown && at;
        index.push_back(at ? std::to_string(*at) : "");
      }
      if (isKnown) {
        own = elementName(leafName(first_.entry(), leaf->parameter, leaf->leaf),
                          index);
        values = elementsOf(variable, value);
      }
    }
    auto known =
        llvm::find_if(told, [&](const Told &t) { return t.name == own; });
    if (known == told.end())
      known = told.insert(told.end(), {own, Interval::all(), {}});
    known->values = known->values.intersect(values);
    known->seen.push_back(value);
  }
  witness.runtime.clear();
  for (const Told &of : told) {
    const auto seen = llvm::find_if(of.seen, [&](int64_t value) {
      return of.values.contains(Interval::point(value));
    });
    witness.runtime.push_back(
        {of.name, seen != of.seen.end() ? *seen : of.values.lower});
  }
}

}  // namespace indexical
