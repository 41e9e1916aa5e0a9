// The number of an element, if the parameters have drawn ones.
//
//   element   a + b of s8, at index (1)
//   drawn     a[1] = 3, b[1] = 127
//   number    -126
//
// A parameter's element is drawn when it is first read, from a seed and the
// element's place: the same in both modules, in any order. An op that is not
// computed here (a sort, a library call) has no number.
#ifndef INDEXICAL_SAME_VALUES_ELEMENT_EVALUATION_H
#define INDEXICAL_SAME_VALUES_ELEMENT_EVALUATION_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_numbers.h"
#include "indexical/same/values/mixed.h"
#include "indexical/same/values/numbered_elements.h"
#include "indexical/same/values/regions.h"
#include "indexical/same/values/rounded_numbers.h"
#include "indexical/same/values/special_numbers.h"

namespace indexical {

class ElementEvaluation {
 public:
  using Maybe = std::optional<TypedNumber>;
  using Point = std::vector<int64_t>;

  /// The families of what overflows, of infinities and NaN, and of what formats
  /// of 8 bits round to different numbers.
  static constexpr int kLargeFamily = TrialNumbers::kFamilies,
                       kSpecialFamily = kLargeFamily + 1,
                       kNarrowFamily = kLargeFamily + 2;

  ElementEvaluation(const ElementTable &table, int family, uint64_t seed,
                    int64_t &steps)
      : table_(table), family_(family), seed_(seed), steps_(steps) {}

  Maybe at(ElementId id, const Point &point) {
    if (--steps_ < 0 || !hasStack(kStackOfQuestion)) return std::nullopt;
    const auto key = std::make_pair(id, point);
    if (const auto known = known_.find(key); known != known_.end())
      return known->second;
    const Maybe number = compute(id, point);
    return known_[key] = number;
  }

  /// Takes these for the parameters, in order: the element is one of a function
  /// of scalars.
  void setArguments(llvm::ArrayRef<TypedNumber> arguments) {
    arguments_ = arguments;
    areArguments_ = true;
  }

  /// A parameter, its leaf and an index; the elements that are read.
  using Key = std::tuple<int64_t, int64_t, Point>;
  struct Reads {
    std::set<Key> elements;
    std::map<Key, int64_t> steering;  ///< those that decide what is read
    bool hasAny = false;              ///< any numbers
  };
  /// Returns what one element reads at a point, with the numbers so far.
  Reads readsOf(ElementId id, const Point &point) {
    known_.clear();
    tuples_.clear();
    Reads reads;
    reads_ = &reads;
    at(id, point);
    reads_ = nullptr;
    return reads;
  }

  /// Takes library calls for any functions of what they read.
  void takeUnknown() { takesUnknown_ = true; }
  /// Draws another number for the element, or without an index for all elements
  /// of the parameter, and for all of which it is not known that they do not
  /// depend on the parameter.
  void change(const NamedNumber &on, bool all) {
    changed_ = on;
    changesAll_ = all;
  }

  /// Takes infinities and NaN for numbers.
  void takeSpecials(Specials specials) { specials_ = specials; }
  /// Draws coordinates of this index, in the family of these.
  void drawAround(Point index) { around_ = std::move(index); }
  /// Draws no more numbers than a witness can name: all others are this one.
  void takeOthers(int number) { others_ = number; }
  /// Draws a number for each of these, whatever is read before it.
  void keepRoomFor(std::set<Key> keys) { kept_ = std::move(keys); }
  /// Returns that number if one was taken.
  std::optional<int> othersTaken() const {
    return tookOthers_ ? others_ : std::nullopt;
  }

  std::vector<NamedNumber> inputs() const {
    std::vector<NamedNumber> given;
    for (const auto &[key, number] : inputs_) {
      given.push_back(
          {std::get<0>(key), std::get<1>(key), std::get<2>(key), number});
    }
    return given;
  }

  /// Returns whether the array may depend on the parameter that is changed.
  bool mayDepend(ElementId id) {
    if (!changed_) return false;
    auto [known, isNew] = depends_.try_emplace(id, false);
    if (!isNew) return known->second;
    const Element &element = table_[id];
    bool depends = element.kind == Element::Kind::Known ||
                   element.kind == Element::Kind::Unknown ||
                   (element.kind == Element::Kind::Parameter &&
                    element.number == changed_->parameter &&
                    element.leaf == changed_->leaf);
    for (ElementId operand : element.operands) depends |= mayDepend(operand);
    for (const IndexingMap &map : element.maps)
      for (const RuntimeVariable &v : map.runtime())
        if (v.source.tensor >= 0)
          depends |= mayDepend(ElementId(v.source.tensor));
    return depends_[id] = depends;
  }

  std::optional<int64_t> valueOf(const RuntimeVariable &v, const Point &point) {
    if (v.source.kind != RuntimeSource::Kind::Element || v.source.tensor < 0)
      return std::nullopt;
    const auto before = reads_ ? reads_->elements : std::set<Key>();
    // Variables of a reduction around the read come behind those of its source.
    const auto source = ElementId(v.source.tensor);
    const auto count = variablesOf(source);
    Point own = point;
    if (count && *count < own.size()) own.resize(*count);
    const Maybe value = this->at(source, own);
    if (!value || value->isFloat()) return std::nullopt;
    if (reads_)
      for (const Key &key : reads_->elements)
        if (const auto input = inputs_.find(key);
            !before.count(key) && input != inputs_.end())
          reads_->steering[key] = input->second.integer();
    int64_t number = value->integer();
    // A u64 from 2^63 on is larger than all.
    if (value->type == ElementType::U64 && number < 0) number = INT64_MAX;
    if (v.clamped) number = std::clamp(number, v.bounds.lower, v.bounds.upper);
    return number;
  }

  Maybe listed(const Element &list, const Point &index) const {
    const auto *literal = list.op.as<ConstantOp>();
    const auto bytes = literal ? bytesAt(*literal, index) : std::nullopt;
    if (!bytes) return std::nullopt;
    return numberOfBytes(literal->results[0].type, *bytes);
  }

  /// Returns the op without what a dot says of its products and their sum:
  /// small numbers are exact, whatever that is.
  static Op plainOf(const Op &ordered) {
    const Op op = withoutOrder(ordered);
    const llvm::StringRef says = op.descriptor().configuration;
    // No number is NaN here.
    if (says == "arith.maxnumf" || says == "arith.minnumf") {
      const ElementType type = shapesOf(op).results[0].type;
      return elementwiseOp(says == "arith.maxnumf" ? "maximum" : "minimum",
                           {type, type}, type);
    }
    if (!says.starts_with("dot ")) return op;
    return op.changed([](OpDraft &draft) { draft->configuration.clear(); });
  }

 private:
  static constexpr size_t kMostInputs = 16;  // that a witness names
  static constexpr uint64_t kChanged = 0x5bd1e995;
  /// A fraction's constants and the products by them are rounded so often.
  static constexpr double kMostRoundings = 16;

  /// Returns the number of variables that the element is a function of; nothing
  /// if it is one of any number.
  std::optional<size_t> variablesOf(ElementId id) {
    auto [known, isNew] = variables_.try_emplace(id, std::nullopt);
    if (!isNew) return known->second;
    const Element &element = table_[id];
    std::optional<size_t> count;
    switch (element.kind) {
      case Element::Kind::Read:
      case Element::Kind::Index:
      case Element::Kind::Cases:
      case Element::Kind::Along:
        count = element.maps[0].dimensions().size();
        break;
      case Element::Kind::Reduced:
        if (!element.maps.empty())
          count = element.maps[0].dimensions().size() - element.number;
        break;
      case Element::Kind::Apply:
      case Element::Kind::Sum:
        for (ElementId operand : element.operands)
          if (!count) count = variablesOf(operand);
        break;
      default:
        break;
    }
    return variables_[id] = count;
  }
  std::optional<IndexingMap::Point> pointOf(const IndexingMap &map,
                                            const Point &point) {
    return pointIn(map, point,
                   [&](const RuntimeVariable &v) { return valueOf(v, point); });
  }
  std::optional<Point> resultsOf(const IndexingMap &map, const Point &point) {
    return resultsAt(map, point, [&](const RuntimeVariable &v) {
      return valueOf(v, point);
    });
  }

  /// Returns what an op gives for numbers.
  Maybe computed(const Op &op, llvm::ArrayRef<TypedNumber> operands) const {
    const bool takes = specials_ == Specials::Numbers;
    if (!takes || !llvm::any_of(operands, isSpecial) || lawName(op) == "select")
      if (const Maybe number = computedNumber(op, operands, roundings());
          number || !takes)
        return number;
    return specialNumber(op, operands);
  }

  /// Returns a sum of floats in any order.
  Maybe summed(ElementType type, llvm::ArrayRef<TypedNumber> numbers) const {
    if (specials_ == Specials::Numbers && llvm::any_of(numbers, isSpecial))
      return specialSum(type, numbers);
    return sumInAnyOrder(type, numbers);
  }

  /// Returns a number of the family (drawn_numbers.cc).
  Maybe drawn(ElementType type, uint64_t word) const;

  /// Whether a conversion rounds.
  Roundings roundings() const {
    return has(table_.floats(), FloatLaws::ExcessPrecision) ? Roundings::MayLack
                                                            : Roundings::Each;
  }

  Maybe parameterAt(const Element &array, ElementType type,
                    const Point &index) {
    if (areArguments_) {
      const auto k = static_cast<size_t>(array.number);
      if (k >= arguments_.size() || arguments_[k].type != type)
        return std::nullopt;
      return arguments_[k];
    }
    const auto key = std::make_tuple(array.number, array.leaf, index);
    if (reads_) reads_->elements.insert(key);
    if (const auto known = inputs_.find(key); known != inputs_.end())
      return known->second;
    if (others_ && !kept_.count(key) &&
        inputs_.size() >= kMostInputs - kept_.size()) {
      tookOthers_ = true;
      return formatOf(type) ? floatNumber(type, *others_)
             : classOf(type) == kIntegers || classOf(type) == kPredicates
                 ? Maybe(integerNumber(type, *others_))
                 : std::nullopt;
    }
    uint64_t word = mixed(seed_ ^ mixed(array.number * 64 + array.leaf));
    for (int64_t i : index) word = mixed(word ^ static_cast<uint64_t>(i));
    if (changed_ && changed_->parameter == array.number &&
        changed_->leaf == array.leaf &&
        (changesAll_ || changed_->index == index))
      word = mixed(word ^ kChanged);
    const Maybe number = drawn(type, word);
    if (number) inputs_.emplace(key, *number);
    return number;
  }

  /// Returns whether the op's meaning is unknown: a library call. A known op
  /// that is only not computed here, such as a sort, is not any function of its
  /// reads: its first place is never more than its second.
  static bool mayBeAnything(const Op &op) {
    const auto *cover = op ? innermost(op).as<CoverOp>() : nullptr;
    return cover && cover->precision == Precision::Opaque;
  }

  /// Returns a number of an array that may be anything.
  Maybe unknownAt(ElementId id, ElementType type, const Point &index) {
    const Op &op = table_[id].op;
    if (!mayBeAnything(op)) return std::nullopt;
    const bool isOfAnyNumbers =
        llvm::StringRef(innermost(op).descriptor().configuration)
            .starts_with(kAnyNumbers);
    if (!takesUnknown_ && !isOfAnyNumbers) return std::nullopt;
    if (reads_) reads_->hasAny |= isOfAnyNumbers;
    uint64_t word = mixed(seed_ ^ mixed(id + 1'000'000));
    for (int64_t i : index) word = mixed(word ^ static_cast<uint64_t>(i));
    if (mayDepend(id)) word = mixed(word ^ kChanged);
    return drawn(type, word);
  }

  Maybe readAt(const Element &read, const Point &point) {
    const Element &array = table_[read.operands[0]];
    const auto index = resultsOf(read.maps[0], point);
    if (!index) return std::nullopt;
    switch (array.kind) {
      case Element::Kind::Parameter:
        return parameterAt(array, read.type, *index);
      case Element::Kind::List:
        return listed(array, *index);
      case Element::Kind::Computed:
      case Element::Kind::Known:
        return unknownAt(read.operands[0], read.type, *index);
      default:
        return at(read.operands[0], *index);
    }
  }

  /// Returns a sum of the ring of integers, modulo 2 to the width.
  Maybe sumAt(ElementId id, const Point &point) {
    const ElementType type = table_[id].type;
    const Polynomial sum = table_.asPolynomial(id);
    if (classOf(type) != kIntegers) return realSumAt(type, sum, point);
    const llvm::DynamicAPInt half(int64_t{1} << 32);
    uint64_t all = 0;
    for (const auto &[factors, by] : sum.terms()) {
      // In two halves, for a coefficient may have 64 bits.
      const auto high =
          static_cast<uint64_t>(static_cast<int64_t>(by.num / half));
      const auto low =
          static_cast<uint64_t>(static_cast<int64_t>(by.num % half));
      uint64_t product = (high << 32) + low;
      for (ElementId factor : factors) {
        const Maybe number = at(factor, point);
        if (!number) return std::nullopt;
        product *= static_cast<uint64_t>(number->integer());
      }
      all += product;
    }
    return integerNumber(type, all);
  }

  /// Returns the number by a power of 2, so that a double has it or nearly has.
  static std::pair<double, int> scaled(llvm::DynamicAPInt number) {
    const llvm::DynamicAPInt most(int64_t{1} << 53), two(2);
    int halved = 0;
    for (; abs(number) > most; ++halved) number = number / two;
    return {static_cast<double>(static_cast<int64_t>(number)), halved};
  }

  /// Returns a whole number, if a double has it. For a fraction, returns the
  /// value that a program that computes it, and multiplies by it, may have in
  /// its place.
  static Maybe factorOf(ElementType type, const Coefficient &by) {
    const auto [over, halved] = scaled(by.num);
    if (halved > 64) return std::nullopt;
    if (by.den == 1) {
      llvm::DynamicAPInt again(static_cast<int64_t>(over));
      for (int k = 0; k < halved; ++k) again *= llvm::DynamicAPInt(2);
      if (again != by.num) return std::nullopt;
      return floatNumber(type, std::ldexp(over, halved));
    }
    const auto [under, lowered] = scaled(by.den);
    return nearNumber(type, std::ldexp(over / under, halved - lowered),
                      kMostRoundings);
  }

  Maybe realSumAt(ElementType type, const Polynomial &sum, const Point &point) {
    std::vector<TypedNumber> numbers;
    const Op times = elementwiseOp("multiply", {type, type}, type);
    for (const auto &[factors, by] : sum.terms()) {
      Maybe product = factorOf(type, by);
      for (ElementId factor : factors) {
        const Maybe number = at(factor, point);
        if (!number || !product) return std::nullopt;
        product = computedNumber(times, {*product, *number});
      }
      if (!product) return std::nullopt;
      numbers.push_back(*product);
    }
    return sumInAnyOrder(type, numbers);
  }

  // Functions of several values (tuple_numbers.cc).
  using Tuple = std::vector<TypedNumber>;
  using MaybeTuple = std::optional<Tuple>;
  /// Returns the results of a function of scalars, or nothing if one of them is
  /// not known.
  MaybeTuple called(const std::string &name,
                    llvm::ArrayRef<TypedNumber> arguments);
  MaybeTuple tupleAt(ElementId id, const Point &point);
  MaybeTuple reducedTupleAt(const Element &reduced, const Point &point);
  /// Returns the lines of which an op along lines is a function, place by
  /// place.
  std::optional<std::vector<Tuple>> linesAt(const Element &along, size_t count,
                                            const Point &point);
  Maybe alongAt(const Element &along, const Point &point);
  Maybe sortedAt(const Element &along, const Point &point);
  /// Returns a value of a tuple, if the op stands for one.
  std::optional<Maybe> partAt(const Element &element, const Point &point);
  /// Returns the number of an op bit by bit (computed_bytes.h).
  static Maybe byBytes(const Element &element, llvm::ArrayRef<TypedNumber> x);
  static Maybe literalOf(const Element &literal);

  Maybe reducedAt(const Element &reduced, const Point &point) {
    std::vector<TypedNumber> numbers;
    for (auto [k, region] : llvm::enumerate(reduced.maps)) {
      const ElementId body = reduced.operands[k];
      const bool areKnown = forPointsBehind(
          point, region, reduced.number, steps_, [&](const Point &inner) {
            const Maybe number = at(body, inner);
            if (number) numbers.push_back(*number);
            return number.has_value();
          });
      if (!areKnown) return std::nullopt;
    }
    // An infinity that changes nothing is not a number.
    const bool hasInit =
        reduced.operands.size() > reduced.maps.size() &&
        (numbers.empty() ||
         !table_.isNeutral(plainOf(reduced.op), reduced.operands.back()));
    if (hasInit) {
      const Maybe init = at(reduced.operands.back(), point);
      if (!init) return std::nullopt;
      numbers.push_back(*init);
    }
    // The number that begins it is left out if it changes nothing.
    if (numbers.empty())
      return numberOfBytes(
          reduced.type,
          ElementTable::neutralOf(plainOf(reduced.op), reduced.type));
    const Op op = plainOf(reduced.op);
    const bool isPlainOp = isPlain(withoutOrder(reduced.op));
    if (numbers[0].isFloat() && lawName(op) == "add") {
      const Maybe sum = summed(reduced.type, numbers);
      double size = 0;
      for (const TypedNumber &x : numbers) size += std::fabs(x.low);
      const bool isExact = sum && isSmall(*sum) && size <= 256;
      return isPlainOp || isExact ? sum : std::nullopt;
    }
    // A reducer that does not commute has no order.
    if (!commutes(op) && lawName(op) != "maximum" && lawName(op) != "minimum")
      return std::nullopt;
    // The points are in no order, nor is what a reduction begins with.
    if (numbers[0].isFloat() && lawName(op) == "multiply" &&
        !multipliesInAnyOrder(reduced.type, numbers))
      return std::nullopt;
    TypedNumber all = numbers[0];
    for (size_t k = 1; k < numbers.size(); ++k) {
      // The maximum that drops NaN is not known of one.
      const bool dropsNan = reduced.op.descriptor().configuration != "" &&
                            (isNan(all) || isNan(numbers[k]));
      const Maybe next =
          dropsNan ? std::nullopt : computed(op, {all, numbers[k]});
      if (!next) return std::nullopt;
      all = *next;
    }
    return all;
  }

  /// Returns the product of numbers that are widened first.
  static Maybe wideProduct(std::vector<TypedNumber> numbers, ElementType type) {
    for (TypedNumber &number : numbers) {
      const Maybe wide = computedNumber(
          elementwiseOp("convert", {number.type}, type), {number});
      if (!wide) return std::nullopt;
      number = *wide;
    }
    return computedNumber(elementwiseOp("multiply", {type, type}, type),
                          numbers);
  }

  Maybe casesAt(const Element &cases, const Point &point) {
    for (auto [k, region] : llvm::enumerate(cases.maps)) {
      const auto in = pointOf(region, point);
      if (!in) return std::nullopt;
      if (region.contains(*in)) return at(cases.operands[k], point);
    }
    return std::nullopt;
  }

  Maybe compute(ElementId id, const Point &point) {
    const Element &element = table_[id];
    switch (element.kind) {
      case Element::Kind::Literal:
        if (const Maybe number = literalOf(element);
            number || specials_ == Specials::None)
          return number;
        return specialLiteral(element.type, element.text);
      case Element::Kind::Read:
        return readAt(element, point);
      case Element::Kind::Index: {
        const auto index = resultsOf(element.maps[0], point);
        if (!index) return std::nullopt;
        if (classOf(element.type) == kIntegers)
          return integerNumber(element.type,
                               static_cast<uint64_t>((*index)[0]));
        return classOf(element.type) == kFloats
                   ? floatNumber(element.type, static_cast<double>((*index)[0]))
                   : std::nullopt;
      }
      case Element::Kind::Apply: {
        // An operand that is not chosen need not have a number.
        if (lawName(element.op) == "select" && element.operands.size() == 3) {
          const Maybe choice = at(element.operands[0], point);
          if (!choice) return std::nullopt;
          return at(element.operands[choice->word != 0 ? 1 : 2], point);
        }
        if (const auto part = partAt(element, point)) return *part;
        std::vector<TypedNumber> operands;
        for (ElementId operand : element.operands) {
          const Maybe number = at(operand, point);
          if (!number) return std::nullopt;
          operands.push_back(*number);
        }
        const Op plain = plainOf(element.op);
        // A product of matrices of bf16 multiplies wider numbers.
        if (lawName(plain) == "multiply" && operands.size() == 2 &&
            operands[0].type == operands[1].type &&
            operands[0].type != element.type) {
          const Maybe product = wideProduct(operands, element.type);
          return product && isSmall(*product) ? product : std::nullopt;
        }
        if (plain != element.op && llvm::any_of(operands, isNan))
          return std::nullopt;
        if (const Maybe number = computed(plain, operands))
          if (isPlain(element.op) || isSmall(*number) ||
              lawName(plain) == "maximum" || lawName(plain) == "minimum")
            return number;
        return byBytes(element, operands);
      }
      case Element::Kind::Sum:
        return sumAt(id, point);
      case Element::Kind::Reduced:
        return reducedAt(element, point);
      case Element::Kind::Cases:
        return casesAt(element, point);
      case Element::Kind::Along:
        return alongAt(element, point);
      case Element::Kind::Nothing:
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  static bool isSmall(const TypedNumber &number) {
    if (!number.isFloat()) return true;
    return number.isPoint() && std::fabs(number.low) <= 256 &&
           number.low * 8 == std::floor(number.low * 8);
  }

  const ElementTable &table_;
  const int family_;
  const uint64_t seed_;
  int64_t &steps_;
  Reads *reads_ = nullptr;
  bool takesUnknown_ = false, changesAll_ = false, tookOthers_ = false;
  Specials specials_ = Specials::None;
  std::optional<int> others_;
  Point around_;
  std::optional<NamedNumber> changed_;
  std::map<ElementId, bool> depends_;
  std::map<ElementId, std::optional<size_t>> variables_;
  std::map<std::pair<ElementId, Point>, Maybe> known_;
  std::map<Key, TypedNumber> inputs_;
  std::set<Key> kept_;
  std::map<std::pair<ElementId, Point>, MaybeTuple> tuples_;
  llvm::ArrayRef<TypedNumber> arguments_;
  bool areArguments_ = false;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_ELEMENT_EVALUATION_H
