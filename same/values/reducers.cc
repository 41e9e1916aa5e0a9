#include "indexical/same/values/reducers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/module/callees.h"
#include "indexical/program/values/integers.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/typed_numbers.h"

namespace indexical {
namespace {

using llvm::StringRef;

// Larger functions are not looked into.
constexpr size_t kMostInstructions = 200;
// The bits of a tuple of which all values are tried, three at a time.
constexpr int64_t kMostBitsOfTuple = 5;
// The most triples of tuples that are tried.
constexpr size_t kMostTriples = 20'000;

/// Computes the elements of a function of scalars.
class ScalarRun {
 public:
  ScalarRun(const Computation &function, ElementTable &table,
            llvm::function_ref<std::optional<ElementId>(size_t)> argument)
      : function_(function), table_(table), argument_(argument) {}

  std::optional<ElementId> at(InstructionLeaf asked) {
    const InstructionLeaf leaf = originOf(function_, asked);
    if (leaf.instruction < 0) return std::nullopt;
    const auto known = known_.find(leaf.instruction);
    if (known != known_.end()) return known->second;
    const auto made = compute(leaf);
    if (made) known_[leaf.instruction] = *made;
    return made;
  }

 private:
  std::optional<ElementId> compute(InstructionLeaf leaf) {
    const Instruction &i = function_.instructions[leaf.instruction];
    const OpShapes &shapes = shapesOf(i.op);
    if (shapes.results.size() != 1 || !shapes.results[0].isScalar() ||
        !i.called.empty() || hasEffects(i.op))
      return std::nullopt;
    const ElementType type = shapes.results[0].type;
    if (i.parameterNumber >= 0) {
      const auto made = argument_(i.parameterNumber);
      if (!made || table_[*made].type != type) return std::nullopt;
      return made;
    }
    if (const auto *literal = i.op.as<ConstantOp>()) {
      const size_t bytes = (bitsOf(type) + 7) / 8;
      if (literal->bits.size() != bytes || bytes == 0 || !isPlain(i.op))
        return std::nullopt;
      return table_.literal(type, literal->bits);
    }
    if (!i.op.is<ElementwiseOp>()) return std::nullopt;
    llvm::SmallVector<ElementId, 4> operands;
    for (auto [k, shape] : llvm::enumerate(shapes.operands)) {
      const OperandLeaf operand =
          function_.operandLeaf(leaf.instruction, LeafId(k));
      if (!shape.isScalar() || operand.instruction < 0) return std::nullopt;
      const auto made =
          at(InstructionLeaf{operand.instruction, operand.result});
      if (!made || table_[*made].type != shape.type) return std::nullopt;
      operands.push_back(*made);
    }
    return table_.apply(scalarOp(i.op), operands);
  }

  const Computation &function_;
  ElementTable &table_;
  llvm::function_ref<std::optional<ElementId>(size_t)> argument_;
  std::map<InstructionId, ElementId> known_;
};

/// Returns all elements of which these are made, and these, each behind its
/// operands.
std::vector<ElementId> allBehind(const ElementTable &table,
                                 llvm::ArrayRef<ElementId> ids) {
  std::set<ElementId> seen;
  std::vector<ElementId> stack(ids.begin(), ids.end());
  while (!stack.empty()) {
    const ElementId id = stack.back();
    stack.pop_back();
    const Element &element = table[id];
    if (!seen.insert(id).second || element.kind == Element::Kind::Read)
      continue;
    stack.insert(stack.end(), element.operands.begin(), element.operands.end());
  }
  // An element has a larger number than its operands.
  return std::vector<ElementId>(seen.begin(), seen.end());
}

/// Returns the parameter that the element is, or -1.
int64_t parameterOf(const ElementTable &table, ElementId id) {
  const Element &element = table[id];
  return element.kind == Element::Kind::Read ? table[element.operands[0]].number
                                             : -1;
}

/// Computes elements of integers for given parameters.
std::optional<TypedNumber> integerOf(const ElementTable &table, ElementId id,
                                     std::map<ElementId, TypedNumber> &known,
                                     llvm::ArrayRef<TypedNumber> parameters) {
  const Element &element = table[id];
  switch (element.kind) {
    case Element::Kind::Literal:
      return numberOfBytes(element.type, element.text);
    case Element::Kind::Read:
      return parameters[parameterOf(table, id)];
    case Element::Kind::Apply: {
      llvm::SmallVector<TypedNumber, 4> operands;
      for (ElementId operand : element.operands)
        operands.push_back(known.at(operand));
      return computedNumber(element.op, operands);
    }
    case Element::Kind::Sum: {
      uint64_t sum = 0;
      for (const auto &[factors, by] : table.polynomialOf(id)->terms()) {
        auto product = static_cast<uint64_t>(static_cast<int64_t>(by.num));
        for (ElementId factor : factors) product *= known.at(factor).word;
        sum += product;
      }
      return integerNumber(element.type, sum);
    }
    default:
      return std::nullopt;
  }
}

/// A value of a function that compares and chooses.
struct Chosen {
  size_t value = 0;  ///< the number of the value in its tuple
  double number = 0;
  bool isTruth = false, truth = false;
};

/// Computes an element of comparisons and choices; nothing if it is none.
std::optional<Chosen> chosenOf(const ElementTable &table, ElementId id,
                               std::map<ElementId, Chosen> &known,
                               llvm::ArrayRef<Chosen> parameters) {
  const Element &element = table[id];
  if (element.kind == Element::Kind::Read)
    return parameters[parameterOf(table, id)];
  auto truth = [](bool is) { return Chosen{0, 0, true, is}; };
  if (element.kind == Element::Kind::Literal &&
      element.type == ElementType::Pred)
    return truth(element.text != std::string(1, '\0'));
  if (element.kind != Element::Kind::Apply) return std::nullopt;
  llvm::SmallVector<Chosen, 3> x;
  for (ElementId operand : element.operands) x.push_back(known.at(operand));
  const StringRef name = lawName(element.op);
  if (name == "select" && x.size() == 3 && x[0].isTruth) {
    // What is not chosen may be of another value.
    return x[0].truth ? x[1] : x[2];
  }
  if (name == "not" && x.size() == 1 && x[0].isTruth) return truth(!x[0].truth);
  if (x.size() != 2 || x[0].isTruth != x[1].isTruth) return std::nullopt;
  if (x[0].isTruth) {
    const bool a = x[0].truth, b = x[1].truth;
    if (name == "and") return truth(a && b);
    if (name == "or") return truth(a || b);
    if (name == "xor" || name == "NE") return truth(a != b);
    if (name == "EQ") return truth(a == b);
    return std::nullopt;
  }
  if (x[0].value != x[1].value) return std::nullopt;
  const double a = x[0].number, b = x[1].number;
  if (name == "EQ") return truth(a == b);
  if (name == "NE") return truth(a != b);
  if (name == "LT") return truth(a < b);
  if (name == "LE") return truth(a <= b);
  if (name == "GT") return truth(a > b);
  if (name == "GE") return truth(a >= b);
  if (!isInteger(element.type)) return std::nullopt;
  if (name == "maximum") return a < b ? x[1] : x[0];
  if (name == "minimum") return b < a ? x[1] : x[0];
  return std::nullopt;
}

bool areOne(const Chosen &a, const Chosen &b) {
  if (a.isTruth || b.isTruth || a.value != b.value) return false;
  if (std::isnan(a.number) || std::isnan(b.number))
    return std::isnan(a.number) && std::isnan(b.number);
  return a.number == b.number &&
         std::signbit(a.number) == std::signbit(b.number);
}

bool areOne(const TypedNumber &a, const TypedNumber &b) {
  return a.word == b.word;
}

/// Whether the function, given on all tuples, is commutative and associative,
/// and idempotent. Nothing if it is not known for some of them.
template <typename T>
std::optional<Reducer::Laws> lawsOnAll(
    llvm::ArrayRef<std::vector<T>> tuples,
    llvm::function_ref<std::optional<std::vector<T>>(const std::vector<T> &,
                                                     const std::vector<T> &)>
        f) {
  if (tuples.size() * tuples.size() * tuples.size() > 2 * kMostTriples)
    return std::nullopt;
  auto same = [](const std::vector<T> &x, const std::vector<T> &y) {
    return llvm::all_of(llvm::zip(x, y), [](const auto &both) {
      return areOne(std::get<0>(both), std::get<1>(both));
    });
  };
  Reducer::Laws laws;
  laws.isIdempotent = true;
  std::vector<std::vector<T>> of;
  for (const auto &x : tuples)
    for (const auto &y : tuples) {
      auto both = f(x, y);
      if (!both) return std::nullopt;
      of.push_back(*std::move(both));
    }
  const size_t count = tuples.size();
  for (size_t x = 0; x < count; ++x) {
    laws.isIdempotent &= same(of[x * count + x], tuples[x]);
    for (size_t y = 0; y < x; ++y)
      if (!same(of[x * count + y], of[y * count + x])) return std::nullopt;
  }
  for (size_t x = 0; x < count; ++x)
    for (size_t y = 0; y < count; ++y)
      for (size_t z = 0; z < count; ++z) {
        const auto left = f(of[x * count + y], tuples[z]),
                   right = f(tuples[x], of[y * count + z]);
        if (!left || !right || !same(*left, *right)) return std::nullopt;
      }
  laws.isAnyOrder = true;
  return laws;
}

/// Returns all tuples of one number of each list.
template <typename T>
std::vector<std::vector<T>> tuplesOf(llvm::ArrayRef<std::vector<T>> numbers) {
  std::vector<std::vector<T>> tuples(1);
  for (const std::vector<T> &own : numbers) {
    std::vector<std::vector<T>> next;
    for (const auto &tuple : tuples)
      for (const T &number : own) {
        next.push_back(tuple);
        next.back().push_back(number);
      }
    tuples = std::move(next);
    if (tuples.size() > kMostTriples) break;
  }
  return tuples;
}

}  // namespace

std::optional<ElementId> resultOfScalars(
    const Computation &function, LeafId result, ElementTable &table,
    llvm::function_ref<std::optional<ElementId>(size_t)> argument) {
  if (function.root < 0 || function.captured > 0 ||
      function.instructions.size() > kMostInstructions)
    return std::nullopt;
  return ScalarRun(function, table, argument)
      .at(InstructionLeaf{function.root, result});
}

Reducer::Reducer(const Computation &function, size_t count)
    : function_(&function),
      count_(count),
      table_(std::make_unique<ElementTable>(FloatLaws::None)) {
  const IndexingMap scalar =
      ElementTerms::regionOf(ArrayShape(ElementType::Pred, {}));
  for (size_t k = 0; k < 3 * count; ++k) {
    Element parameter;
    parameter.kind = Element::Kind::Parameter;
    parameter.number = static_cast<int64_t>(k);
    parameter.leaf = 0;
    parameters_.push_back(table_->read(table_->intern(std::move(parameter)),
                                       typeOf(k % count), scalar));
  }
}

ElementType Reducer::typeOf(size_t value) const {
  return shapesOf(function_->instructions[function_->parameters[value]].op)
      .results[0]
      .type;
}

std::optional<Reducer> Reducer::of(const Computation &function, size_t count) {
  if (function.root < 0 || count == 0 ||
      function.parameters.size() != 2 * count)
    return std::nullopt;
  for (InstructionId p : function.parameters) {
    const auto &results = shapesOf(function.instructions[p].op).results;
    if (results.size() != 1 || !results[0].isScalar()) return std::nullopt;
  }
  Reducer made(function, count);
  std::vector<std::set<size_t>> needs(count);
  for (size_t k = 0; k < count; ++k) {
    const auto id = resultOfScalars(
        function, LeafId(k), *made.table_,
        [&](size_t p) { return std::optional(made.parameters_[p]); });
    if (!id || made.typeOf(k) != (*made.table_)[*id].type ||
        made.typeOf(k) != made.typeOf(count + k))
      return std::nullopt;
    needs[k].insert(k);
    for (const ParameterLeaf &read : made.table_->parametersOf({*id}))
      needs[k].insert(read.parameter % count);
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (auto &own : needs) {
      const size_t before = own.size();
      const std::set<size_t> all = own;
      for (size_t k : all) own.insert(needs[k].begin(), needs[k].end());
      grows |= own.size() > before;
    }
  }
  for (const auto &own : needs)
    made.values_.emplace_back(own.begin(), own.end());
  std::vector<std::set<size_t>> groups = needs;
  for (size_t round = 0; round < count; ++round)
    for (auto &own : groups)
      for (const auto &other : groups)
        if (llvm::any_of(other, [&](size_t k) { return own.count(k) > 0; }))
          own.insert(other.begin(), other.end());
  for (const auto &own : groups)
    made.groups_.emplace_back(own.begin(), own.end());
  return made;
}

Reducer::Ids Reducer::tuple(size_t number) const {
  const auto first =
      parameters_.begin() + static_cast<std::ptrdiff_t>(number * count_);
  return Ids(first, first + static_cast<std::ptrdiff_t>(count_));
}

std::optional<Reducer::Ids> Reducer::applied(Values values, const Ids &first,
                                             const Ids &second) {
  Ids made = first;
  for (size_t k : values) {
    const auto id =
        resultOfScalars(*function_, LeafId(k), *table_, [&](size_t p) {
          return std::optional(p < count_ ? first[p] : second[p - count_]);
        });
    if (!id) return std::nullopt;
    made[k] = *id;
  }
  return made;
}

bool Reducer::isNeutral(Values values, llvm::ArrayRef<std::string> bytes) {
  Ids first = tuple(0);
  for (auto [k, own] : llvm::zip(values, bytes))
    first[k] = table_->literal(typeOf(k), own);
  const auto made = applied(values, first, tuple(1));
  return made && llvm::all_of(values, [&](size_t k) {
           return (*made)[k] == parameters_[count_ + k];
         });
}

std::optional<Reducer::Laws> Reducer::byForms(Values values) {
  auto same = [&](const std::optional<Ids> &a, const std::optional<Ids> &b) {
    return a && b &&
           llvm::all_of(values, [&](size_t k) { return (*a)[k] == (*b)[k]; });
  };
  const Ids x = tuple(0), y = tuple(1), z = tuple(2);
  const auto xy = applied(values, x, y), yz = applied(values, y, z);
  if (!xy || !yz || !same(xy, applied(values, y, x)) ||
      !same(applied(values, *xy, z), applied(values, x, *yz)))
    return std::nullopt;
  Laws laws;
  laws.isAnyOrder = true;
  laws.isIdempotent = same(applied(values, x, x), x);
  return laws;
}

std::optional<Reducer::Laws> Reducer::byAllValues(Values values) {
  int64_t bits = 0;
  std::vector<std::vector<TypedNumber>> numbers;
  for (size_t k : values) {
    const ElementType type = typeOf(k);
    const int64_t own = type == ElementType::Pred ? 1 : bitsOf(type);
    bits += own;
    if (!isInteger(type) || own < 1 || bits > kMostBitsOfTuple)
      return std::nullopt;
    auto &all = numbers.emplace_back();
    for (uint64_t word = 0; word < uint64_t{1} << own; ++word)
      all.push_back(integerNumber(type, word));
  }
  const auto results = applied(values, tuple(0), tuple(1));
  if (!results) return std::nullopt;
  Ids roots;
  for (size_t k : values) roots.push_back((*results)[k]);
  const auto all = allBehind(*table_, roots);
  using Tuple = std::vector<TypedNumber>;
  auto f = [&](const Tuple &a, const Tuple &b) -> std::optional<Tuple> {
    std::vector<TypedNumber> parameters(2 * count_);
    for (auto [at, k] : llvm::enumerate(values)) {
      parameters[k] = a[at];
      parameters[count_ + k] = b[at];
    }
    std::map<ElementId, TypedNumber> known;
    for (ElementId id : all) {
      const auto number = integerOf(*table_, id, known, parameters);
      if (!number) return std::nullopt;
      known[id] = *number;
    }
    Tuple made;
    for (ElementId id : roots) made.push_back(known.at(id));
    return made;
  };
  return lawsOnAll<TypedNumber>(tuplesOf<TypedNumber>(numbers), f);
}

std::optional<Reducer::Laws> Reducer::byAllOrders(Values values, bool hasNan,
                                                  bool hasZeros) {
  std::vector<std::vector<Chosen>> numbers;
  for (size_t k : values) {
    const OfTypes of = classOf(typeOf(k));
    if (of != kFloats && of != kIntegers) return std::nullopt;
    auto &own = numbers.emplace_back();
    for (double number : {-1.0, 0.0, 1.0}) own.push_back({k, number});
    if (of == kFloats && hasZeros) own.push_back({k, -0.0});
    if (of == kFloats && hasNan)
      own.push_back({k, std::numeric_limits<double>::quiet_NaN()});
  }
  const auto results = applied(values, tuple(0), tuple(1));
  if (!results) return std::nullopt;
  Ids roots;
  for (size_t k : values) roots.push_back((*results)[k]);
  const auto all = allBehind(*table_, roots);
  using Tuple = std::vector<Chosen>;
  auto f = [&](const Tuple &a, const Tuple &b) -> std::optional<Tuple> {
    std::vector<Chosen> parameters(2 * count_);
    for (auto [at, k] : llvm::enumerate(values)) {
      parameters[k] = a[at];
      parameters[count_ + k] = b[at];
    }
    std::map<ElementId, Chosen> known;
    for (ElementId id : all) {
      const auto made = chosenOf(*table_, id, known, parameters);
      if (!made) return std::nullopt;
      known[id] = *made;
    }
    Tuple made;
    for (auto [k, id] : llvm::zip(values, roots)) {
      made.push_back(known.at(id));
      if (made.back().isTruth || made.back().value != k) return std::nullopt;
    }
    return made;
  };
  return lawsOnAll<Chosen>(tuplesOf<Chosen>(numbers), f);
}

Reducer::Laws Reducer::lawsOf(Values values, FloatLaws floats) {
  const std::vector<size_t> key(values.begin(), values.end());
  if (const auto known = laws_.find(key); known != laws_.end())
    return known->second;
  std::optional<Laws> laws = byForms(values);
  if (!laws) laws = byAllValues(values);
  // Laws of floats only if nothing is shown without them.
  for (const bool isNoNan : {false, true})
    for (const bool isZeroSign : {false, true}) {
      if (laws || (isNoNan && !has(floats, FloatLaws::NoNan)) ||
          (isZeroSign && !has(floats, FloatLaws::ZeroSign)))
        continue;
      laws = byAllOrders(values, !isNoNan, !isZeroSign);
      if (!laws) continue;
      laws->needsNoNan = isNoNan;
      laws->needsZeroSign = isZeroSign;
    }
  return laws_[key] = laws.value_or(Laws());
}

}  // namespace indexical
