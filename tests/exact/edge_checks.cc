#include "tests/exact/edge_checks.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/normal_form/normal_form.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/wide.h"

namespace indexical::testing {
namespace {

using Point = std::vector<int64_t>;

std::string messageOf(const absl::Status &status) {
  return std::string(status.message());
}

/// Whether an error says that 64 bits do not suffice, or that bounds do not
/// keep a divisor from being zero.
bool isByName(const absl::Status &status) {
  const std::string message = messageOf(status);
  return message.find("64") != std::string::npos ||
         message.find("divisor") != std::string::npos ||
         message.find("division by zero") != std::string::npos;
}

std::string textOf(const Point &point) {
  std::string text = "(";
  for (size_t i = 0; i < point.size(); ++i)
    text += (i ? ", " : "") + std::to_string(point[i]);
  return text + ")";
}

std::string difference(const PairSet &expected, const PairSet &found) {
  for (const auto &pair : expected)
    if (!found.count(pair))
      return "missing " + textOf(pair.first) + " -> " + textOf(pair.second);
  for (const auto &pair : found)
    if (!expected.count(pair))
      return "too much " + textOf(pair.first) + " -> " + textOf(pair.second);
  return "";
}

/// Whether the library's own values are those of the table.
std::string evaluationFlaw(const IndexingMap &map) {
  if (map.isKnownEmpty()) return "";
  std::string flaw;
  const size_t dimensions = map.dimensions().size();
  const size_t ranges = map.ranges().size();
  forPoints(boxOf(map), 256, [&](const Point &at) {
    IndexingMap::Point point;
    point.dimensions.assign(at.begin(), at.begin() + dimensions);
    point.ranges.assign(at.begin() + dimensions,
                        at.begin() + dimensions + ranges);
    point.runtime.assign(at.begin() + dimensions + ranges, at.end());
    const bool isInside = holdsAt(map, at);
    if (map.contains(point) != isInside)
      flaw = "contains() is wrong at " + textOf(at);
    const auto expected = resultsAt(map, at);
    if (!isInside || !expected) return;
    const auto results = map.evaluate(point);
    if (!results || !llvm::equal(*results, *expected))
      flaw = "evaluate() is wrong at " + textOf(at);
  });
  return flaw;
}

/// Returns the first invariant of normal_form.md that a canonical map
/// breaks, or "".
std::string normalFormFlaw(const IndexingMap &map) {
  if (!isSimplified(map)) return "";
  for (const BrokenInvariant &broken : brokenInvariants(map))
    return broken.invariant + " is broken by " + broken.where;
  return "";
}

/// A map that was answered, against the pairs that it must have.
std::string mapFlaw(const IndexingMap &map, const PairSet &expected) {
  const auto found = pointsOf(map);
  if (!found) return "more points than before: " + map.strOneLine();
  std::string flaw = difference(expected, found->pairs);
  if (flaw.empty() && !found->fits) flaw = "leaves 64 bits unseen";
  if (flaw.empty()) flaw = evaluationFlaw(map);
  if (flaw.empty()) flaw = normalFormFlaw(map);
  if (!flaw.empty()) flaw += "\n" + map.strOneLine();
  return flaw;
}

/// The map with an open side for each dimension, and constraints for them.
MapParts opened(const MapParts &parts) {
  MapParts open = parts;
  for (auto [i, bounds] : llvm::enumerate(open.dimensions)) {
    const VariableId id{VariableKind::Dimension, static_cast<uint32_t>(i)};
    open.constraints.push_back({Tree::ofVariable(id), bounds});
    if (bounds.upper % 2)
      bounds.lower = Interval::kMinusInfinity;
    else
      bounds.upper = Interval::kInfinity;
  }
  return open;
}

/// A map that the parser accepts. It is empty if the map is refused.
struct Entered {
  std::string flaw;
  std::optional<IndexingMap> map;
  EdgePoints points;
};

Entered entered(const MapParts &parts, bool isOpen = false) {
  Entered result;
  auto map = parseMap(isOpen ? opened(parts).text() : parts.text());
  if (!map.ok()) {
    if (!isByName(map.status()))
      result.flaw = "refused otherwise: " + messageOf(map.status());
    return result;
  }
  auto points = pointsOf(parts);
  // The parser cannot see how far an open side goes.
  if (isOpen && (!points || !points->fits)) return result;
  if (!points || !points->fits) {
    result.flaw = "let in, though it leaves 64 bits or divides by zero";
    return result;
  }
  result.map = *std::move(map);
  result.points = *std::move(points);
  return result;
}

std::string simplifyFlaw(const Entered &given, EdgeTally &tally) {
  auto simple = simplify(*given.map);
  if (!simple.ok()) {
    ++tally.refused;
    return isByName(simple.status()) ? "" : messageOf(simple.status());
  }
  ++tally.answered;
  tally.points += given.points.domain;
  return mapFlaw(*simple, given.points.pairs);
}

/// The pairs of the product.
std::optional<PairSet> product(const Entered &first, const EdgePoints &second) {
  PairSet pairs;
  for (const auto &[index, between] : first.points.pairs)
    for (auto it = second.pairs.lower_bound({between, {}});
         it != second.pairs.end() && it->first == between; ++it)
      pairs.emplace(index, it->second);
  return pairs;
}

std::string composeFlaw(const Entered &first, const Entered &second,
                        EdgeTally &tally) {
  auto composed = compose(*first.map, *second.map);
  if (!composed.ok()) {
    ++tally.refused;
    return isByName(composed.status()) ? "" : messageOf(composed.status());
  }
  ++tally.answered;
  const auto pairs = product(first, second.points);
  tally.points += pairs->size();
  return mapFlaw(*composed, *pairs);
}

std::string countFlaw(const char *what, const absl::StatusOr<Count> &count,
                      size_t expected, EdgeTally &tally) {
  if (!count.ok()) {
    ++tally.refused;
    return isByName(count.status()) ? "" : messageOf(count.status());
  }
  if (!count->value) {
    ++tally.undecided;
    return "";
  }
  ++tally.answered;
  if (*count->value == llvm::DynamicAPInt(static_cast<int64_t>(expected)))
    return "";
  std::string found;
  llvm::raw_string_ostream(found) << *count->value;
  return std::string(what) + " is " + found + ", must be " +
         std::to_string(expected) + " (" + engineName(count->engine).str() +
         ")";
}

std::string countFlaws(const Entered &given, EdgeTally &tally) {
  std::set<Point> image;
  for (const auto &[index, element] : given.points.pairs) image.insert(element);
  tally.points += given.points.domain;
  std::string flaw =
      countFlaw("domain", countDomain(*given.map), given.points.domain, tally);
  if (flaw.empty())
    flaw = countFlaw("image", countImage(*given.map), image.size(), tally);
  if (flaw.empty())
    flaw = countFlaw("pairs", countPairs(*given.map), given.points.pairs.size(),
                     tally);
  return flaw;
}

std::string equalFlaw(const Entered &first, const Entered &second,
                      EdgeTally &tally) {
  auto decision =
      areEqual(IndexingRelation(*first.map), IndexingRelation(*second.map));
  if (!decision.ok()) {
    ++tally.refused;
    return isByName(decision.status()) ? "" : messageOf(decision.status());
  }
  if (decision->answer == Answer::Undecided) {
    ++tally.undecided;
    return "";
  }
  ++tally.answered;
  const PairSet &a = first.points.pairs, &b = second.points.pairs;
  if ((decision->answer == Answer::Yes) != (a == b))
    return "equal: " + answerName(decision->answer).str() + " (" +
           engineName(decision->engine).str() + ")";
  if (!decision->witness) return "";
  const PairWitness &w = *decision->witness;
  const std::pair<Point, Point> pair(Point(w.index.begin(), w.index.end()),
                                     Point(w.element.begin(), w.element.end()));
  const bool inFirst = w.onlyIn == PairWitness::Side::First;
  if ((inFirst ? a : b).count(pair) && !(inFirst ? b : a).count(pair))
    return "";
  return "equal: the witness is none: " + textOf(pair.first) + " -> " +
         textOf(pair.second);
}

/// At every element that is read, and beside it, the inverse has the indices
/// that read it.
std::string inverseFlaw(const Entered &given, EdgeTally &tally) {
  auto turned = inverse(IndexingRelation(*given.map));
  if (!turned.ok()) {
    ++tally.refused;
    return isByName(turned.status()) ? "" : messageOf(turned.status());
  }
  ++tally.answered;
  std::set<Point> elements;
  for (const auto &[index, element] : given.points.pairs) {
    elements.insert(element);
    for (size_t k = 0; k < element.size(); ++k)
      for (int64_t by : {-1, 1}) {
        Point beside = element;
        if (beside[k] > INT64_MIN + 1 && beside[k] < INT64_MAX - 1)
          beside[k] += by;
        elements.insert(beside);
      }
  }
  PairSet expected, found;
  for (const auto &[index, element] : given.points.pairs)
    expected.emplace(element, index);
  for (const IndexingMap &piece : turned->pieces()) {
    if (piece.isKnownEmpty()) continue;
    for (const Point &element : elements) {
      std::vector<Interval> box = boxOf(piece);
      for (size_t k = 0; k < element.size(); ++k)
        box[k] = box[k].intersect(Interval{element[k], element[k]});
      const bool done = forPoints(box, 4096, [&](const Point &at) {
        if (holdsAt(piece, at))
          found.emplace(element, resultsAt(piece, at).value_or(Point()));
      });
      if (!done) return "";  // too many ranges to look at
    }
  }
  tally.points += expected.size();
  std::string flaw = difference(expected, found);
  if (!flaw.empty())
    for (const IndexingMap &piece : turned->pieces())
      flaw += "\n" + piece.strOneLine();
  return flaw;
}

int64_t sizeOf(const Tree &tree) {
  int64_t size = 2 + (tree.constant != 0);
  for (const Tree &part : tree.parts) size += sizeOf(part);
  return size;
}

int64_t sizeOf(const MapParts &parts) {
  int64_t size = 0;
  for (const Tree &tree : parts.results) size += sizeOf(tree);
  for (const auto &[tree, bounds] : parts.constraints) size += sizeOf(tree) + 2;
  for (const Interval &bounds : boxOf(parts))
    size += bounds.upper - bounds.lower;
  return size;
}

/// Trees with a part replaced by what it is made of, or by a small constant.
std::vector<Tree> smaller(const Tree &tree) {
  std::vector<Tree> found(tree.parts.begin(), tree.parts.end());
  if (!tree.parts.empty()) found.push_back(Tree::ofConstant(1));
  if (tree.op == Tree::Op::Constant && tree.constant != 0)
    found.push_back(Tree::ofConstant(0));
  for (size_t i = 0; i < tree.parts.size(); ++i)
    for (Tree &part : smaller(tree.parts[i])) {
      found.push_back(tree);
      found.back().parts[i] = std::move(part);
    }
  return found;
}

std::vector<MapParts> smaller(const MapParts &parts) {
  std::vector<MapParts> found;
  auto with = [&](auto edit) {
    found.push_back(parts);
    edit(found.back());
  };
  for (size_t i = 0; i < parts.constraints.size(); ++i) {
    with([&](MapParts &p) { p.constraints.erase(p.constraints.begin() + i); });
    for (Tree &tree : smaller(parts.constraints[i].first))
      with([&](MapParts &p) { p.constraints[i].first = std::move(tree); });
  }
  for (size_t i = 0; i < parts.results.size(); ++i)
    for (Tree &tree : smaller(parts.results[i]))
      with([&](MapParts &p) { p.results[i] = std::move(tree); });
  for (size_t i = 0; i < parts.dimensions.size(); ++i) {
    if (parts.dimensions[i].lower >= parts.dimensions[i].upper) continue;
    with([&](MapParts &p) { ++p.dimensions[i].lower; });
    with([&](MapParts &p) { --p.dimensions[i].upper; });
  }
  for (size_t i = 0; i < parts.ranges.size(); ++i)
    if (parts.ranges[i].lower < parts.ranges[i].upper)
      with([&](MapParts &p) { --p.ranges[i].upper; });
  return found;
}

/// The first words of a flaw: what kind it is.
llvm::StringRef kindOf(llvm::StringRef flaw) { return flaw.take_front(7); }

}  // namespace

const char *nameOf(EdgeQuestion question) {
  static constexpr const char *kNames[] = {"simplify", "compose", "count",
                                           "equal", "inverse"};
  return kNames[static_cast<int>(question)];
}

std::string EdgeCase::text() const {
  std::string text = isOpen ? opened(first).text() : first.text();
  if (!second.results.empty()) text += "\n" + second.text();
  return text;
}

EdgeCase drawnCase(Random &random, EdgeQuestion question) {
  EdgeCase both;
  both.isOpen = random.oneIn(10);
  both.first = drawnAtEdge(random);
  if (question != EdgeQuestion::Simplify && question != EdgeQuestion::Compose)
    while (!both.first.runtime.empty()) both.first = drawnAtEdge(random);
  if (question == EdgeQuestion::Compose)
    both.second = drawnBehind(random, both.first);
  if (question == EdgeQuestion::Equal)
    both.second = drawnLike(random, both.first);
  return both;
}

std::string flawOf(EdgeQuestion question, const EdgeCase &given,
                   EdgeTally &tally) {
  ++tally.drawn;
  const Entered first = entered(given.first, given.isOpen);
  if (!first.flaw.empty()) return first.flaw;
  const bool isPair = !given.second.results.empty();
  Entered second;
  if (first.map && isPair) second = entered(given.second);
  if (!second.flaw.empty()) return second.flaw;
  if (!first.map || (isPair && !second.map)) {
    ++tally.atTheDoor;
    return "";
  }
  switch (question) {
    case EdgeQuestion::Simplify:
      return simplifyFlaw(first, tally);
    case EdgeQuestion::Compose:
      return composeFlaw(first, second, tally);
    case EdgeQuestion::Count:
      return countFlaws(first, tally);
    case EdgeQuestion::Equal:
      return equalFlaw(first, second, tally);
    case EdgeQuestion::Inverse:
      break;
  }
  return inverseFlaw(first, tally);
}

EdgeCase shrunk(EdgeQuestion question, EdgeCase given) {
  EdgeTally unused;
  const std::string flaw = flawOf(question, given, unused);
  auto fails = [&](const EdgeCase &candidate) {
    const std::string other = flawOf(question, candidate, unused);
    return !other.empty() && kindOf(other) == kindOf(flaw);
  };
  for (bool again = true; again;) {
    again = false;
    for (MapParts EdgeCase::*side : {&EdgeCase::first, &EdgeCase::second})
      for (MapParts &part : smaller(given.*side)) {
        if (sizeOf(part) >= sizeOf(given.*side)) continue;
        EdgeCase candidate = given;
        candidate.*side = std::move(part);
        if (!fails(candidate)) continue;
        given = std::move(candidate);
        again = true;
        break;
      }
  }
  return given;
}

}  // namespace indexical::testing
