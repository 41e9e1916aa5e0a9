// What a layout does with its points.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/layout/layout.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/pieces.h"

namespace indexical::layouts {

std::optional<std::vector<Piece>> piecesOf(const Layout &layout,
                                           bool &isFilled) {
  isFilled = true;
  const std::vector<Sum> &sums = *layout.form();
  std::vector<Piece> pieces;
  for (const auto &[k, size] : llvm::enumerate(layout.box())) {
    std::vector<int64_t> cuts = {1};
    for (const Sum &sum : sums) {
      if (!sum.parities.empty()) return std::nullopt;
      for (const Digit &digit : sum.digits) {
        if (digit.input != static_cast<int>(k)) continue;
        cuts.push_back(digit.step);
        if (static_cast<__int128>(digit.step) * digit.size < size)
          cuts.push_back(digit.step * digit.size);
      }
    }
    llvm::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    for (size_t i = 0; i < cuts.size(); ++i) {
      const bool isTop = i + 1 == cuts.size();
      const int64_t end = isTop ? size : cuts[i + 1];
      if (end % cuts[i] != 0) {
        if (!isTop) return std::nullopt;
        isFilled = false;
      }
      Piece piece{static_cast<int>(k),
                  cuts[i],
                  static_cast<int64_t>(llvm::divideCeil(end, cuts[i])),
                  {}};
      for (const Sum &sum : sums) {
        int64_t weight = 0;
        for (const Digit &digit : sum.digits)
          if (digit.input == static_cast<int>(k) && digit.step <= cuts[i] &&
              static_cast<__int128>(digit.step) * digit.size > cuts[i] &&
              llvm::MulOverflow(digit.weight, cuts[i] / digit.step, weight))
            return std::nullopt;
        piece.weights.push_back(weight);
      }
      if (piece.size > 1) pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

namespace {

/// Finds the facts of digits none of which reaches the next larger one.
bool findApart(const Layout &layout, Facts &facts) {
  bool isFilled = false;
  const auto pieces = piecesOf(layout, isFilled);
  if (!pieces || !facts.points) return false;
  int64_t without = 1;  // points that the pieces of weight 0 tell apart
  std::vector<std::vector<std::pair<uint64_t, int64_t>>> byOutput(
      layout.outputs().size());
  for (const Piece &piece : *pieces) {
    int count = 0;
    for (auto [weight, column] : llvm::zip(piece.weights, byOutput))
      if (weight != 0) {
        ++count;
        column.push_back({weight < 0 ? -static_cast<uint64_t>(weight)
                                     : static_cast<uint64_t>(weight),
                          piece.size});
      }
    if (count > 1) return false;
    if (count == 0) without *= piece.size;
  }
  if (without > 1 && !isFilled) return false;
  for (auto &column : byOutput) {
    llvm::sort(column);
    unsigned __int128 reach = 0;
    for (const auto &[weight, size] : column) {
      if (weight <= reach) return false;
      reach += static_cast<unsigned __int128>(weight) * (size - 1);
    }
  }
  facts.image = *facts.points / without;
  facts.copies = without;
  return true;
}

void findByEnumeration(const Layout &layout, Facts &facts) {
  std::vector<Coordinates> values;
  values.reserve(*facts.points);
  layout.visit([&](auto, llvm::ArrayRef<int64_t> value) {
    values.emplace_back(value.begin(), value.end());
    return true;
  });
  llvm::sort(values);
  int64_t image = 0, run = 0;
  bool isUniform = true;
  int64_t copies = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    ++run;
    if (i + 1 < values.size() && values[i] == values[i + 1]) continue;
    if (image++ == 0)
      copies = run;
    else
      isUniform &= run == copies;
    run = 0;
  }
  facts.image = image;
  if (isUniform) facts.copies = copies;
}

}  // namespace

Facts factsOf(const Layout &layout) {
  Facts facts;
  facts.points = layout.points();
  if (!facts.points) return facts;
  if (const auto linear = linearOf(layout)) {
    const int rank = linear->rank();
    facts.image = int64_t{1} << rank;
    facts.copies = int64_t{1} << (linear->inputBits() - rank);
  } else if (!(layout.form() && findApart(layout, facts)) &&
             *facts.points <= kMostPoints) {
    findByEnumeration(layout, facts);
  }
  if (!facts.image) return facts;
  facts.oneToOne = facts.image == facts.points;
  Coordinates sizes;
  for (const Space &space : layout.outputs()) sizes.push_back(space.size);
  if (const auto all = pointsOf(sizes)) facts.onto = facts.image == all;
  return facts;
}

std::vector<Interval> boundsOf(const Layout &layout) {
  std::vector<Interval> found;
  const auto points = layout.points();
  const bool isExact =
      layout.form() && llvm::all_of(*layout.form(), [](const Sum &sum) {
        // Parities without common bits reach all of their combinations, but
        // digits of the same inputs may not.
        return sum.parities.empty();
      });
  if (layout.form() && (isExact || !points || *points > kMostPoints)) {
    for (const Sum &sum : *layout.form())
      found.push_back(bounds(sum, layout.box()));
    // The digits of an incomplete input may not be greatest all at once.
    const bool isFilled = llvm::all_of(*layout.form(), [&](const Sum &sum) {
      return llvm::all_of(sum.digits, [&](const Digit &digit) {
        const int64_t size = layout.box()[digit.input];
        return size % digit.step == 0 && (size / digit.step) % digit.size == 0;
      });
    });
    if (isFilled || !points || *points > kMostPoints) return found;
    found.clear();
  }
  if (!points || *points > kMostPoints) {
    found.assign(layout.outputs().size(), Interval::all());
    return found;
  }
  layout.visit([&](auto, llvm::ArrayRef<int64_t> value) {
    if (found.empty())
      for (int64_t v : value) found.push_back(Interval::point(v));
    for (auto [interval, v] : llvm::zip(found, value)) {
      interval.lower = std::min(interval.lower, v);
      interval.upper = std::max(interval.upper, v);
    }
    return true;
  });
  return found;
}

}  // namespace indexical::layouts
