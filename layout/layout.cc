#include "indexical/layout/layout.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/fold.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/point_values.h"
#include "indexical/layout/steps.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::layouts {

namespace {

/// The sums that expressions of a map are: a domain of fold.h.
class SumDomain {
 public:
  using Value = std::optional<layouts::Sum>;
  using Sum = ValuedSum<Value>;

  explicit SumDomain(Box box) : box_(box) {}

  Value variable(VariableId id) const {
    layouts::Sum sum;
    sum.digits.push_back({static_cast<int>(id.index), 1, box_[id.index], 1});
    return sum;
  }
  Value sum(const Sum &form) const {
    layouts::Sum made;
    made.constant = form.constant();
    for (size_t i = 0; i < form.size(); ++i) {
      if (!form.value(i)) return std::nullopt;
      const auto part = scaled(*form.value(i), form.coefficient(i));
      if (!part || !add(*part, made)) return std::nullopt;
    }
    // Parts that cancel would hide that nothing carries.
    if (auto normal = normalised(made, box_)) return normal;
    return made;
  }
  Value digit(const Sum &parent, int64_t stride, int64_t modulus) const {
    const auto inner = sum(parent);
    if (!inner) return std::nullopt;
    return digitOf(*inner, stride, modulus, box_);
  }
  Value product(const Sum &, const Sum &) const { return std::nullopt; }
  Value quotient(const Sum &, const Sum &) const { return std::nullopt; }
  Value remainder(const Sum &, const Sum &) const { return std::nullopt; }
  Value positivePart(const Sum &) const { return std::nullopt; }

 private:
  Box box_;
};

absl::Status checkInputs(llvm::ArrayRef<Space> inputs) {
  std::set<llvm::StringRef> names;
  for (const Space &space : inputs) {
    if (space.size < 1)
      return absl::InvalidArgumentError(
          absl::StrCat("the input ", space.name, " has no size of 1 or more"));
    if (!names.insert(space.name).second)
      return absl::InvalidArgumentError(
          absl::StrCat("two inputs have the name ", space.name));
  }
  return absl::OkStatus();
}

Coordinates sizesOf(llvm::ArrayRef<Space> spaces) {
  Coordinates sizes;
  for (const Space &space : spaces) sizes.push_back(space.size);
  return sizes;
}

/// Returns the sums of the values at all points, if there are few.
std::optional<std::vector<Sum>> tabulatedForm(const Layout &layout) {
  const auto points = layout.points();
  if (!points || *points > kMostTabulated) return std::nullopt;
  std::vector<std::vector<int64_t>> values(layout.outputs().size());
  for (auto &each : values) each.reserve(*points);
  layout.visit([&](auto, llvm::ArrayRef<int64_t> value) {
    for (auto [column, v] : llvm::zip(values, value)) column.push_back(v);
    return true;
  });
  std::vector<Sum> sums;
  for (const auto &column : values) {
    auto sum = tabulated(column, layout.box());
    if (!sum) return std::nullopt;
    sums.push_back(*std::move(sum));
  }
  return sums;
}

}  // namespace

absl::StatusOr<Layout> Layout::of(llvm::ArrayRef<Space> inputs,
                                  llvm::ArrayRef<Space> outputs,
                                  llvm::ArrayRef<Sum> sums) {
  INDEXICAL_RETURN_IF_ERROR(checkInputs(inputs));
  Layout made;
  made.inputs_.assign(inputs.begin(), inputs.end());
  made.outputs_.assign(outputs.begin(), outputs.end());
  made.box_ = sizesOf(made.inputs_);
  if (!made.points())
    return absl::InvalidArgumentError(
        "the number of points of the layout leaves 64 bits");
  made.form_.emplace();
  for (const Sum &sum : sums) {
    auto normal = normalised(sum, made.box_);
    if (!normal)
      return absl::InvalidArgumentError("the digits of the layout overlap");
    if (!bounds(*normal, made.box_).isFinite())
      return absl::InvalidArgumentError("a value of the layout leaves 64 bits");
    made.form_->push_back(*std::move(normal));
  }
  return made;
}

absl::StatusOr<Layout> Layout::of(IndexingMap map, llvm::ArrayRef<Space> inputs,
                                  llvm::ArrayRef<Space> outputs) {
  if (map.isKnownEmpty())
    return absl::InvalidArgumentError("a layout has points; the map is empty");
  if (!map.ranges().empty() || !map.runtime().empty())
    return absl::InvalidArgumentError(
        "a layout is a function: the map has dimensions alone");
  if (!map.constraints().empty())
    return absl::InvalidArgumentError(
        "a layout is a function on a box: the map has no constraints");
  if (inputs.size() != map.dimensions().size() ||
      outputs.size() != map.results().size())
    return absl::InvalidArgumentError(
        "the layout has other numbers of inputs or outputs than the map");
  for (auto [dimension, space] : llvm::zip(map.dimensions(), inputs)) {
    const Interval &bounds = dimension.bounds;
    if (!bounds.isFinite() || bounds.lower != 0 ||
        bounds.upper != space.size - 1)
      return absl::InvalidArgumentError(
          absl::StrCat("the dimension ", space.name,
                       " of a layout goes from 0 to a number"));
  }
  INDEXICAL_RETURN_IF_ERROR(checkInputs(inputs));
  Layout made;
  made.inputs_.assign(inputs.begin(), inputs.end());
  made.outputs_.assign(outputs.begin(), outputs.end());
  made.box_ = sizesOf(made.inputs_);
  if (!made.points())
    return absl::InvalidArgumentError(
        "the number of points of the layout leaves 64 bits");
  Fold<SumDomain> fold(map.expressions(), SumDomain(made.box_));
  std::vector<Sum> sums;
  for (FormId result : map.results())
    if (const auto sum = fold(result))
      if (auto normal = normalised(*sum, made.box_);
          normal && bounds(*normal, made.box_).isFinite())
        sums.push_back(*std::move(normal));
  if (sums.size() == map.results().size()) {
    made.form_ = std::move(sums);
    return made;
  }
  auto steps = std::make_shared<Steps>();
  steps->map = std::move(map);
  made.steps_ = std::move(steps);
  made.form_ = tabulatedForm(made);
  if (made.form_)
    made.steps_ = nullptr;
  else
    made.reason_ = "the map is not a sum of digits and of parities of bits";
  return made;
}

absl::StatusOr<Layout> Layout::ofSteps(llvm::ArrayRef<Space> inputs,
                                       llvm::ArrayRef<Space> outputs,
                                       std::shared_ptr<const Steps> steps) {
  Layout made;
  made.inputs_.assign(inputs.begin(), inputs.end());
  made.outputs_.assign(outputs.begin(), outputs.end());
  made.box_ = sizesOf(made.inputs_);
  made.steps_ = std::move(steps);
  made.form_ = tabulatedForm(made);
  if (made.form_)
    made.steps_ = nullptr;
  else
    made.reason_ =
        "a digit of the outer layout cuts where the inner one carries";
  return made;
}

Coordinates Layout::at(llvm::ArrayRef<int64_t> point) const {
  Coordinates values;
  if (form_)
    for (const Sum &sum : *form_) values.push_back(valueOf(sum, point));
  else
    steps_->at(point, values);
  return values;
}

absl::StatusOr<IndexingMap> mapOf(llvm::ArrayRef<Space> inputs,
                                  llvm::ArrayRef<Sum> sums) {
  IndexingMapBuilder builder;
  std::vector<Expr> variables;
  for (const Space &space : inputs)
    variables.push_back(builder.dimension({0, space.size - 1}, space.name));
  for (const Sum &sum : sums) {
    Expr result = builder.constant(sum.constant);
    for (const Digit &d : sum.digits) {
      Expr part = variables[d.input];
      const int64_t size = inputs[d.input].size;
      if (d.step != 1) part = floorDiv(part, d.step);
      // The last digit of an input needs no mod.
      if (d.size != 0 && static_cast<__int128>(d.step) * d.size < size)
        part = mod(part, d.size);
      result = result + part * d.weight;
    }
    for (const Parity &parity : sum.parities) {
      Expr odd = builder.constant(0);
      for (const auto &[input, bit] : parity.bits) {
        Expr part = variables[input];
        if (bit > 0) part = floorDiv(part, int64_t{1} << bit);
        odd = odd + mod(part, 2);
      }
      result = result + mod(odd, 2) * parity.weight;
    }
    builder.result(result);
  }
  return builder.build();
}

absl::StatusOr<IndexingMap> Layout::map() const {
  if (form_) return mapOf(inputs_, *form_);
  if (steps_->map) return *steps_->map;
  INDEXICAL_ASSIGN_OR_RETURN(const IndexingMap inner, steps_->inner->map());
  if (steps_->outer) {
    INDEXICAL_ASSIGN_OR_RETURN(const IndexingMap outer, steps_->outer->map());
    return indexical::compose(inner, outer);
  }
  INDEXICAL_ASSIGN_OR_RETURN(const IndexingMap outer,
                             mapOf(steps_->reached, steps_->sums));
  return indexical::compose(inner, outer);
}

bool Layout::visit(
    llvm::function_ref<bool(llvm::ArrayRef<int64_t>, llvm::ArrayRef<int64_t>)>
        visit) const {
  const auto tables =
      form_ ? PointValues::of(*form_, box_) : std::optional<PointValues>();
  Coordinates point(box_.size(), 0), values(outputs_.size(), 0);
  while (true) {
    if (tables)
      tables->at(point, values);
    else
      values = at(point);
    if (!visit(point, values)) return false;
    size_t k = 0;
    for (; k < point.size(); ++k) {
      if (++point[k] < box_[k]) break;
      point[k] = 0;
    }
    if (k == point.size()) return true;
  }
}

absl::StatusOr<std::vector<Coordinates>> Layout::holders(
    llvm::ArrayRef<int64_t> element) const {
  if (element.size() != outputs_.size())
    return absl::InvalidArgumentError(
        absl::StrCat("the element has ", element.size(),
                     " numbers, and the layout ", outputs_.size(), " outputs"));
  std::vector<Coordinates> found;
  if (const auto linear = linearOf(*this)) {
    uint64_t word = 0;
    int at = 0;
    for (auto [number, bits] : llvm::zip(element, outputBitsOf(*this))) {
      if (number < 0 || number >= int64_t{1} << bits) return found;
      word |= static_cast<uint64_t>(number) << at;
      at += bits;
    }
    const auto first = linear->preimage(word);
    if (!first) return found;
    const auto kernel = linear->kernel();
    if (kernel.size() > 22)
      return absl::ResourceExhaustedError(
          "more than 2^22 points hold the element");
    for (uint64_t choice = 0; choice < uint64_t{1} << kernel.size(); ++choice) {
      uint64_t each = *first;
      for (size_t i = 0; i < kernel.size(); ++i)
        if (choice >> i & 1) each ^= kernel[i];
      found.push_back(pointOf(static_cast<int64_t>(each), box_));
    }
    llvm::sort(found);
    return found;
  }
  const auto all = points();
  if (!all || *all > kMostPoints)
    return absl::ResourceExhaustedError(
        "the layout has more than 2^22 points, and is not linear");
  visit([&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> value) {
    if (value == element) found.emplace_back(point.begin(), point.end());
    return true;
  });
  llvm::sort(found);
  return found;
}

Layout Layout::withNotes(Notes notes) const {
  Layout made = *this;
  made.notes_ = std::move(notes);
  return made;
}

Layout Layout::withOutputSizes(llvm::ArrayRef<int64_t> sizes) const {
  Layout made = *this;
  for (auto [space, size] : llvm::zip(made.outputs_, sizes)) space.size = size;
  return made;
}

namespace {

/// Returns the places that names have among the spaces, or nothing if they are
/// not the spaces' names.
std::optional<llvm::SmallVector<size_t, 4>> placesOf(
    llvm::ArrayRef<std::string> names, llvm::ArrayRef<Space> spaces) {
  llvm::SmallVector<size_t, 4> places;
  for (const std::string &name : names) {
    const auto *at = llvm::find_if(
        spaces, [&](const Space &space) { return space.name == name; });
    if (at == spaces.end()) return std::nullopt;
    places.push_back(at - spaces.begin());
  }
  return places;
}

absl::Status checkNames(llvm::ArrayRef<std::string> names, size_t count,
                        llvm::StringRef what) {
  if (names.size() != count)
    return absl::InvalidArgumentError(
        absl::StrCat("the layout has ", count, " ", what.str(), ", and ",
                     names.size(), names.size() == 1 ? " name" : " names"));
  std::set<std::string> different(names.begin(), names.end());
  if (different.size() != names.size())
    return absl::InvalidArgumentError("a name stands twice");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Layout> Layout::withNames(
    llvm::ArrayRef<std::string> inputs,
    llvm::ArrayRef<std::string> outputs) const {
  INDEXICAL_RETURN_IF_ERROR(checkNames(
      inputs, inputs_.size(), inputs_.size() == 1 ? "input" : "inputs"));
  INDEXICAL_RETURN_IF_ERROR(checkNames(
      outputs, outputs_.size(), outputs_.size() == 1 ? "output" : "outputs"));
  Layout made = *this;
  made.notes_.text.clear();
  made.notes_.cute.reset();
  const auto in = placesOf(inputs, inputs_);
  const auto out = placesOf(outputs, outputs_);
  if (!in)
    for (auto [space, name] : llvm::zip(made.inputs_, inputs))
      space.name = name;
  if (!out)
    for (auto [space, name] : llvm::zip(made.outputs_, outputs))
      space.name = name;
  if (!form_ || (!in && !out)) return made;
  // The spaces are there in another order.
  std::vector<Sum> sums = *form_;
  if (in) {
    std::vector<int> to(in->size());
    for (auto [place, from] : llvm::enumerate(*in)) {
      to[from] = static_cast<int>(place);
      made.inputs_[place] = inputs_[from];
    }
    for (Sum &sum : sums) {
      for (Digit &digit : sum.digits) digit.input = to[digit.input];
      for (Parity &parity : sum.parities) {
        for (Bit &bit : parity.bits) bit.first = to[bit.first];
        llvm::sort(parity.bits);
      }
    }
  }
  if (out) {
    std::vector<Sum> moved;
    for (auto [place, from] : llvm::enumerate(*out)) {
      moved.push_back(sums[from]);
      made.outputs_[place] = outputs_[from];
    }
    sums = std::move(moved);
  }
  Notes notes = made.notes_;
  const std::vector<Space> ordered = made.inputs_, named = made.outputs_;
  INDEXICAL_ASSIGN_OR_RETURN(made, Layout::of(ordered, named, sums));
  return made.withNotes(std::move(notes));
}

Coordinates pointOf(int64_t number, Box box) {
  Coordinates point;
  for (int64_t size : box) {
    point.push_back(number % size);
    number /= size;
  }
  return point;
}

}  // namespace indexical::layouts
