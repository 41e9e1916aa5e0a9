#include "indexical/layout/operations.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/one_input.h"
#include "indexical/layout/steps.h"

namespace indexical::layouts {

namespace {

/// Returns the layout from a linear index to the coordinates of a box.
absl::StatusOr<Layout> coordinatesOf(llvm::ArrayRef<Space> spaces) {
  std::vector<Sum> sums;
  int64_t step = 1;
  for (const Space &space : spaces) {
    Sum sum;
    if (space.size > 1) sum.digits.push_back({0, step, space.size, 1});
    sums.push_back(std::move(sum));
    if (llvm::MulOverflow(step, space.size, step))
      return absl::InvalidArgumentError("the box leaves 64 bits");
  }
  return Layout::of({{"index", step}}, {spaces.begin(), spaces.end()}, sums);
}

/// Returns the sums of the modes' leaves over one linear index, open above.
std::vector<Sum> indexSums(const Cute &modes) {
  const std::vector<Cute> leaves = modes.leaves();
  int axes = 1;
  for (const Cute &leaf : leaves) axes = std::max(axes, leaf.axis + 1);
  std::vector<Sum> sums(axes);
  int64_t step = 1;
  for (const auto &[k, leaf] : llvm::enumerate(leaves)) {
    const bool isLast = k + 1 == leaves.size();
    sums[std::max(0, leaf.axis)].digits.push_back(
        {0, step, isLast ? 0 : leaf.size, leaf.stride});
    step *= leaf.size;
  }
  return sums;
}

std::string negativeText(const Interval &reach) {
  return absl::StrCat("the inner layout gives ", reach.lower,
                      ", and an index is 0 or more");
}

}  // namespace

std::optional<std::vector<Sum>> linearIndexForm(const Layout &layout,
                                                bool goesOn) {
  if (!layout.form()) return std::nullopt;
  std::vector<Sum> sums;
  if (layout.notes().cute && goesOn) {
    sums = indexSums(*layout.notes().cute);
  } else {
    sums.resize(layout.outputs().size());
    int64_t step = 1;
    for (size_t k = 0; k < layout.box().size(); ++k) {
      const int64_t size = layout.box()[k];
      const bool isLast = k + 1 == layout.box().size();
      for (auto [sum, made] : llvm::zip(*layout.form(), sums)) {
        for (Digit digit : sum.digits) {
          if (digit.input != static_cast<int>(k)) continue;
          const bool isTop =
              static_cast<__int128>(digit.step) * digit.size >= size;
          if (isTop && !isLast && size % digit.step != 0) return std::nullopt;
          if (isTop && isLast && goesOn) digit.size = 0;
          digit.input = 0;
          if (llvm::MulOverflow(digit.step, step, digit.step))
            return std::nullopt;
          made.digits.push_back(digit);
        }
      }
      if (llvm::MulOverflow(step, size, step)) return std::nullopt;
    }
    for (auto [sum, made] : llvm::zip(*layout.form(), sums)) {
      made.constant = sum.constant;
      for (const Parity &parity : sum.parities) {
        if (goesOn) return std::nullopt;
        Parity moved{parity.weight, {}};
        for (const auto &[input, bit] : parity.bits) {
          int shift = bit;
          for (int k = 0; k < input; ++k) {
            if (!llvm::isPowerOf2_64(layout.box()[k])) return std::nullopt;
            shift += static_cast<int>(llvm::Log2_64(layout.box()[k]));
          }
          moved.bits.push_back({0, shift});
        }
        made.parities.push_back(std::move(moved));
      }
    }
  }
  const int64_t open = goesOn ? 0 : layout.points().value_or(0);
  for (Sum &sum : sums) {
    auto normal = normalised(sum, {open});
    if (!normal) return std::nullopt;
    sum = *std::move(normal);
  }
  return sums;
}

void Layout::Steps::at(llvm::ArrayRef<int64_t> point,
                       Coordinates &values) const {
  if (map) {
    IndexingMap::Point at;
    at.dimensions.assign(point.begin(), point.end());
    const auto found = map->evaluate(at);
    values.assign(found ? found->begin() : nullptr,
                  found ? found->end() : nullptr);
    return;
  }
  const Coordinates between = inner->at(point);
  if (outer) {
    values = outer->at(between);
    return;
  }
  for (const Sum &sum : sums) values.push_back(valueOf(sum, between));
}

absl::StatusOr<Layout> compose(const Layout &outer, const Layout &inner) {
  const size_t count = inner.outputs().size();
  const bool byIndex = count == 1;
  if (!byIndex && count != outer.inputs().size())
    return absl::InvalidArgumentError(absl::StrCat(
        "the inner layout has ", count, " outputs, and the outer one ",
        outer.inputs().size(), " inputs"));
  const std::vector<Interval> reach = boundsOf(inner);
  for (const Interval &each : reach) {
    if (!each.isFinite() || each.upper > INT64_MAX - 2)
      return absl::InvalidArgumentError("an index leaves 64 bits");
    if (each.lower < 0) return absl::InvalidArgumentError(negativeText(each));
  }
  Notes notes;
  notes.isOfBox = outer.notes().isOfBox || inner.notes().isOfBox;
  notes.elementType = outer.notes().elementType;
  if (outer.outputs().size() == 1) notes.memory = outer.notes().memory;
  if (notes.elementType.empty()) notes.elementType = inner.notes().elementType;
  std::vector<Sum> sums;
  std::vector<Space> reached;
  if (byIndex) {
    const auto points = outer.points();
    notes.beyond = points && reach[0].upper >= *points;
    const bool goesOn = *notes.beyond || outer.notes().cute;
    auto open = *notes.beyond && outer.notes().isOfBox
                    ? std::nullopt
                    : linearIndexForm(outer, goesOn);
    if (!open && outer.inputs().size() > 1 && !*notes.beyond) {
      // The index as coordinates, which the outer layout takes.
      INDEXICAL_ASSIGN_OR_RETURN(const Layout spread,
                                 coordinatesOf(outer.inputs()));
      INDEXICAL_ASSIGN_OR_RETURN(const Layout both, compose(spread, inner));
      INDEXICAL_ASSIGN_OR_RETURN(Layout made, compose(outer, both));
      return made.withNotes(std::move(notes));
    }
    if (!open && *notes.beyond)
      return absl::InvalidArgumentError(absl::StrCat(
          "the inner layout reaches ", reach[0].upper,
          ", and the outer one has ", *points, " points and cannot go on"));
    if (open) {
      sums = *std::move(open);
      // The bits of an input are whole in its own size, not in what is reached.
      reached = {{"index", goesOn ? reach[0].upper + 1 : *points}};
    }
  } else {
    for (auto [each, space] : llvm::zip(reach, outer.inputs()))
      if (each.upper >= space.size)
        return absl::InvalidArgumentError(
            absl::StrCat("the inner layout reaches ", each.upper, ", and ",
                         space.name, " has the size ", space.size));
    if (outer.form()) {
      sums = *outer.form();
      reached.assign(outer.inputs().begin(), outer.inputs().end());
    }
  }
  const std::vector<Space> outputs(outer.outputs().begin(),
                                   outer.outputs().end());
  const std::vector<Space> inputs(inner.inputs().begin(), inner.inputs().end());
  if (!sums.empty()) {
    Coordinates reachBox;
    for (const Space &space : reached) reachBox.push_back(space.size);
    for (Sum &sum : sums) {
      // The values that are reached say which digits there are.
      auto clipped = normalised(sum, reachBox);
      if (!clipped || !bounds(*clipped, reachBox).isFinite())
        return absl::InvalidArgumentError(
            "a value of the layout leaves 64 bits");
      sum = *std::move(clipped);
    }
    if (inner.form()) {
      std::vector<Sum> made;
      for (const Sum &sum : sums) {
        auto each = composed(sum, reachBox, *inner.form(), inner.box());
        if (!each) break;
        made.push_back(*std::move(each));
      }
      if (made.size() == sums.size()) {
        INDEXICAL_ASSIGN_OR_RETURN(Layout layout,
                                   Layout::of(inputs, outputs, made));
        // As in CuTe, a shape in brackets stays one mode, and one without them
        // becomes several.
        const auto &shape = inner.notes().cute;
        if (shape && shape->top().size() == 1)
          if (auto modes = cuteOf(layout); modes)
            notes.cute = shape->isTuple ? Cute::tuple({modes->top().front()})
                                        : modes->top().front();
        return layout.withNotes(std::move(notes));
      }
    }
  }
  auto steps = std::make_shared<Layout::Steps>();
  steps->inner = std::make_shared<Layout>(inner);
  if (sums.empty())
    steps->outer = std::make_shared<Layout>(outer);
  else
    steps->sums = std::move(sums);
  steps->reached = std::move(reached);
  INDEXICAL_ASSIGN_OR_RETURN(
      Layout layout, Layout::ofSteps(inputs, outputs, std::move(steps)));
  return layout.withNotes(std::move(notes));
}

absl::StatusOr<Layout> layoutOf(const Cute &modes) {
  int axes = 1;
  bool hasAxes = false;
  for (const Cute &leaf : modes.leaves()) {
    axes = std::max(axes, leaf.axis + 1);
    hasAxes |= leaf.axis >= 0;
  }
  std::vector<Space> inputs, outputs;
  std::vector<Sum> sums(axes);
  for (const auto &[k, mode] : llvm::enumerate(modes.top())) {
    int64_t step = 1;
    for (const Cute &leaf : mode.leaves()) {
      if (leaf.size > 1)
        sums[std::max(0, leaf.axis)].digits.push_back(
            {static_cast<int>(k), step, leaf.size, leaf.stride});
      if (llvm::MulOverflow(step, leaf.size, step))
        return absl::InvalidArgumentError(
            "a size of the layout leaves 64 bits");
    }
    inputs.push_back({absl::StrCat("d", k), step});
  }
  for (int axis = 0; axis < axes; ++axis)
    outputs.push_back(
        {hasAxes ? absl::StrCat("dim", axis) : std::string("offset"), 0});
  INDEXICAL_ASSIGN_OR_RETURN(
      Layout made, Layout::of(std::move(inputs), std::move(outputs), sums));
  Notes notes;
  notes.text = modes.str();
  notes.cute = modes;
  return made.withNotes(std::move(notes));
}

std::optional<Cute> cuteOf(const Layout &layout) {
  if (layout.notes().cute) return layout.notes().cute;
  if (!layout.form()) return std::nullopt;
  const std::vector<Sum> &sums = *layout.form();
  const bool hasAxes = sums.size() > 1;
  for (const Sum &sum : sums)
    if (sum.constant != 0 || !sum.parities.empty()) return std::nullopt;
  std::vector<Cute> modes;
  for (size_t k = 0; k < layout.box().size(); ++k) {
    const int64_t size = layout.box()[k];
    // Cut the digits of all outputs where any of them is cut.
    std::vector<int64_t> cuts = {1};
    for (const Sum &sum : sums)
      for (const Digit &digit : sum.digits) {
        if (digit.input != static_cast<int>(k)) continue;
        const __int128 end = static_cast<__int128>(digit.step) * digit.size;
        if (end > size) return std::nullopt;
        cuts.push_back(digit.step);
        cuts.push_back(static_cast<int64_t>(end));
      }
    cuts.push_back(size);
    llvm::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<Cute> leaves;
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (cuts[i + 1] % cuts[i] != 0) return std::nullopt;
      Cute leaf = Cute::leaf(cuts[i + 1] / cuts[i], 0);
      for (const auto &[axis, sum] : llvm::enumerate(sums))
        for (const Digit &digit : sum.digits) {
          if (digit.input != static_cast<int>(k) || digit.step > cuts[i] ||
              static_cast<__int128>(digit.step) * digit.size <= cuts[i])
            continue;
          // One stride counts along one axis.
          if (leaf.stride != 0) return std::nullopt;
          if (llvm::MulOverflow(digit.weight, cuts[i] / digit.step,
                                leaf.stride))
            return std::nullopt;
          if (hasAxes) leaf.axis = static_cast<int>(axis);
        }
      leaves.push_back(leaf);
    }
    if (leaves.empty()) leaves.push_back(Cute::leaf(1, 0));
    modes.push_back(leaves.size() == 1 ? leaves.front()
                                       : Cute::tuple(std::move(leaves)));
  }
  if (modes.empty()) return Cute::leaf(1, 0);
  // Several modes in brackets are one input.
  if (modes.size() == 1 && !modes.front().isTuple) return modes.front();
  return Cute::tuple(std::move(modes));
}

absl::StatusOr<Layout> swizzled(int64_t bits, int64_t base, int64_t shift,
                                int64_t offset, const Layout &inner) {
  if (bits < 0 || base < 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "a swizzle has ", bits < 0 ? bits : base, " bits; it takes 0 or more"));
  if (std::abs(shift) < bits)
    return absl::InvalidArgumentError(absl::StrCat(
        "the shift ", shift, " of a swizzle is below its ", bits, " bits"));
  if (inner.outputs().size() != 1)
    return absl::InvalidArgumentError("a swizzle takes a layout of offsets");
  const int64_t target = base + std::max<int64_t>(0, -shift);
  const int64_t source = base + std::max<int64_t>(0, shift);
  const int64_t top = std::max(target, source) + bits;
  if (std::abs(shift) > 62 || top > 62)
    return absl::InvalidArgumentError("the bits of a swizzle leave 62 bits");
  const std::vector<Interval> reach = boundsOf(inner);
  int64_t least = 0, most = 0;
  if (!reach[0].isFinite() ||
      llvm::AddOverflow(reach[0].lower, offset, least) ||
      llvm::AddOverflow(reach[0].upper, offset, most) ||
      most >= int64_t{1} << 62)
    return absl::InvalidArgumentError(
        "an offset of the swizzle leaves 62 bits");
  if (least < 0)
    return absl::InvalidArgumentError(
        absl::StrCat("a swizzle takes offsets of 0 or more, and not ", least));
  Layout placed = inner;
  if (offset != 0 && inner.form()) {
    Sum moved = inner.form()->front();
    moved.constant += offset;
    INDEXICAL_ASSIGN_OR_RETURN(
        placed, Layout::of(inner.inputs(), inner.outputs(), moved));
  } else if (offset != 0) {
    Sum moved;
    moved.constant = offset;
    moved.digits.push_back({0, 1, 0, 1});
    INDEXICAL_ASSIGN_OR_RETURN(
        const Layout shifted,
        Layout::of({{"offset", reach[0].upper + 1}}, {{"offset", 0}}, moved));
    INDEXICAL_ASSIGN_OR_RETURN(placed, compose(shifted, inner));
  }
  int reachBits = static_cast<int>(top);
  while (int64_t{1} << reachBits <= most) ++reachBits;
  Sum sum;
  sum.digits.push_back({0, 1, int64_t{1} << reachBits, 1});
  for (int64_t j = 0; j < bits; ++j) {
    const int64_t weight = int64_t{1} << (target + j);
    sum.digits.push_back({0, weight, 2, -weight});
    Parity parity{weight, {}};
    parity.bits.push_back({0, static_cast<int>(std::min(target, source) + j)});
    parity.bits.push_back({0, static_cast<int>(std::max(target, source) + j)});
    sum.parities.push_back(std::move(parity));
  }
  INDEXICAL_ASSIGN_OR_RETURN(
      const Layout swizzle,
      Layout::of({{"offset", int64_t{1} << reachBits}}, {{"offset", 0}}, sum));
  INDEXICAL_ASSIGN_OR_RETURN(const Layout made, compose(swizzle, placed));
  Notes notes = inner.notes();
  notes.cute.reset();
  notes.beyond.reset();
  notes.fills.reset();
  notes.isOfBox = true;
  if (!notes.text.empty())
    notes.text = absl::StrCat("Sw<", bits, ",", base, ",", shift, "> o ",
                              offset, " o ", notes.text);
  return made.withNotes(std::move(notes));
}

std::optional<InputBases> basesOf(const Layout &layout) {
  const auto linear = linearOf(layout);
  if (!linear) return std::nullopt;
  const std::vector<int> widths = outputBitsOf(layout);
  InputBases all;
  size_t bit = 0;
  for (const Space &space : layout.inputs()) {
    auto &list = all.emplace_back();
    for (int64_t value = 1; value < space.size; value *= 2, ++bit) {
      uint64_t word = linear->bases()[bit];
      Coordinates &basis = list.emplace_back();
      for (int width : widths) {
        basis.push_back(
            static_cast<int64_t>(word & ((uint64_t{1} << width) - 1)));
        word >>= width;
      }
    }
  }
  return all;
}

Layout withoutCopies(const Layout &layout, llvm::StringRef input) {
  const auto *at = llvm::find_if(
      layout.inputs(), [&](const Space &space) { return space.name == input; });
  const auto linear = linearOf(layout);
  if (!linear || at == layout.inputs().end()) return layout;
  std::vector<Space> inputs = layout.inputs();
  std::vector<uint64_t> bases;
  size_t bit = 0;
  for (Space &space : inputs) {
    const bool isCleared = space.name == input;
    for (int64_t left = space.size; left > 1; left /= 2) {
      const uint64_t basis = linear->bases()[bit++];
      if (isCleared && basis == 0)
        space.size /= 2;
      else
        bases.push_back(basis);
    }
  }
  const auto made = layoutOf(LinearMap(std::move(bases), linear->outputBits()),
                             inputs, layout.outputs());
  return made.ok() ? *made : layout;
}

std::vector<int> outputBitsOf(const Layout &layout) {
  std::vector<int> bits;
  for (auto [sum, space] : llvm::zip(*layout.form(), layout.outputs())) {
    const int64_t most = bounds(sum, layout.box()).upper;
    const int64_t size =
        space.size != 0 ? space.size : std::max<int64_t>(0, most) + 1;
    bits.push_back(
        static_cast<int>(llvm::Log2_64_Ceil(static_cast<uint64_t>(size))));
  }
  return bits;
}

absl::StatusOr<Layout> layoutOf(const LinearMap &map,
                                llvm::ArrayRef<Space> inputs,
                                llvm::ArrayRef<Space> outputs) {
  std::vector<Bit> bits;
  for (const auto &[k, space] : llvm::enumerate(inputs))
    for (int j = 0; int64_t{1} << j < space.size; ++j)
      bits.push_back({static_cast<int>(k), j});
  std::vector<Sum> sums;
  int at = 0;
  for (const Space &space : outputs) {
    Sum &sum = sums.emplace_back();
    for (int j = 0; int64_t{1} << j < space.size; ++j, ++at) {
      Parity parity{int64_t{1} << j, {}};
      for (const auto &[i, basis] : llvm::enumerate(map.bases()))
        if (basis >> at & 1) parity.bits.push_back(bits[i]);
      if (!parity.bits.empty()) sum.parities.push_back(std::move(parity));
    }
  }
  return Layout::of(inputs, outputs, sums);
}

std::optional<LinearMap> linearOf(const Layout &layout) {
  if (!layout.form()) return std::nullopt;
  std::vector<int> shifts;
  int inputBits = 0, outputBits = 0;
  for (int64_t size : layout.box()) {
    if (!llvm::isPowerOf2_64(size)) return std::nullopt;
    shifts.push_back(inputBits);
    inputBits += static_cast<int>(llvm::Log2_64(size));
  }
  if (inputBits > 62) return std::nullopt;
  std::vector<uint64_t> bases(inputBits, 0);
  const std::vector<int> widths = outputBitsOf(layout);
  for (auto [sum, space, bits] :
       llvm::zip(*layout.form(), layout.outputs(), widths)) {
    if (sum.constant != 0 ||
        (space.size != 0 && !llvm::isPowerOf2_64(space.size)))
      return std::nullopt;
    if (outputBits + bits > 62) return std::nullopt;
    if (!isLinear(sum)) return std::nullopt;
    const auto take = [&, bits = bits](int64_t weight,
                                       llvm::ArrayRef<Bit> set) {
      if (weight >> bits != 0) return false;
      for (const auto &[input, bit] : set)
        bases[shifts[input] + bit] |= static_cast<uint64_t>(weight)
                                      << outputBits;
      return true;
    };
    for (const Digit &digit : sum.digits) {
      const int first = static_cast<int>(llvm::Log2_64(digit.step));
      for (int j = 0; j < static_cast<int>(llvm::Log2_64(digit.size)); ++j) {
        if (!take(digit.weight << j, {{digit.input, first + j}}))
          return std::nullopt;
      }
    }
    for (const Parity &parity : sum.parities)
      if (!take(parity.weight, parity.bits)) return std::nullopt;
    outputBits += bits;
  }
  return LinearMap(std::move(bases), outputBits);
}

}  // namespace indexical::layouts
