#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/memory/warp_sums.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace lanes {

std::vector<int64_t> shiftsOf(llvm::ArrayRef<RuntimeTerm> terms,
                              int64_t modulus) {
  std::vector<int64_t> shifts = {0};
  for (const RuntimeTerm &term : terms) {
    const int64_t by = floorMod(term.coefficient, modulus);
    const int64_t cycle =
        std::min(modulus / gcd(by, modulus), term.values.count());
    std::vector<bool> reached(modulus, false);
    for (int64_t shift : shifts)
      for (int64_t i = 0; i < cycle; ++i)
        reached[floorMod(
            shift + by * (floorMod(term.values.lower, modulus) + i), modulus)] =
            true;
    shifts.clear();
    for (int64_t r = 0; r < modulus; ++r)
      if (reached[r]) shifts.push_back(r);
  }
  return shifts;
}

namespace {

/// Lanes that move together.
struct Group {
  std::vector<int64_t> starts;
  /// The same by what decides whether they take part, if that is more than what
  /// moves them.
  std::map<std::vector<int64_t>, std::vector<int64_t>> parts;
  std::vector<int64_t> shifts;  ///< that its runtime variables can add
  const Piece *piece = nullptr;
};

struct Extreme {
  int64_t least = INT64_MAX, most = INT64_MIN;
  void take(int64_t value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool isOne() const { return least == most; }
};

/// Whether every element of a source can have a value of its own so that what
/// is read for any two of them lies in different lines.
bool canBeApart(const Group &group, int64_t line) {
  const int64_t length = group.starts.back() - group.starts.front() + 2 * line;
  for (const RuntimeTerm &term : group.piece->runtime) {
    if (term.coefficient == 0) continue;
    const int64_t step = ceilDiv(length, std::abs(term.coefficient));
    const int64_t places = (term.values.count() - 1) / step + 1;
    if (places >= term.elements) return true;
  }
  return false;
}

/// Returns the most bytes that the group's touched sectors leave unused if some
/// of its parts take part. `of` is what all of them touch.
int64_t unusedOf(const Group &group, int64_t shift, const Geometry &geometry,
                 const Touched &of) {
  const int64_t sector = geometry.sector / 8;
  if (group.parts.empty()) return of.sectors * sector - of.bytes;
  int64_t unused = 0;
  for (const auto &[decided, starts] : group.parts) {
    const Touched part = touchedBy(starts, shift, geometry);
    unused += part.sectors * sector - part.bytes;
  }
  return std::min(unused, of.sectors * sector - 1);
}

}  // namespace

/// Adds the sums of a box with runtime terms. Lanes with the same elements of
/// the sources move together, other lanes independently: the least is reached
/// if all groups that can coincide do, the most if none do. A byte that is
/// moved and not used is so for each group that touches its sector, so groups
/// together leave no more bytes unused than one by one, and so do some of the
/// groups.
void WarpSums::sumGroups(const Problem &problem, const Residues &residues,
                         int64_t lanes) {
  std::map<std::vector<int64_t>, Group> groups;
  // If nothing moves, all lanes stay where they are.
  const bool isFixed = llvm::all_of(
      problem.pieces, [](const Piece &piece) { return piece.runtime.empty(); });
  for (auto [number, piece] : llvm::enumerate(problem.pieces))
    for (uint32_t slot : piece.alive) {
      std::vector<int64_t> key = {static_cast<int64_t>(number)}, part = key;
      if (!piece.runtime.empty())
        for (const Form &source : piece.sources)
          key.push_back(algebra_.at(source, slot));
      for (const Form &decider : piece.deciders)
        part.push_back(algebra_.at(decider, slot));
      if (isFixed) key.clear();
      Group &group = groups[key];
      const int64_t start = algebra_.at(piece.address, slot) + shift_;
      group.piece = &piece;
      group.starts.push_back(start);
      if (isFixed || part.size() > 1) group.parts[part].push_back(start);
    }
  meter_.spend(static_cast<int64_t>(4 * algebra_.numbers().slots()));
  std::vector<int64_t> all;
  for (auto &[key, group] : groups) {
    llvm::sort(group.starts);
    for (auto &[decided, starts] : group.parts) llvm::sort(starts);
    llvm::append_range(all, group.starts);
    group.shifts = shiftsOf(group.piece->runtime, geometry_.line);
  }
  llvm::sort(all);
  const bool onePiece = problem.pieces.size() == 1 || isFixed;
  for (auto [residue, times] : residues) {
    Touched least, most;
    int64_t unused = 0;  // bytes of touched sectors, at most
    bool exact = onePiece;
    for (auto &[key, group] : groups) {
      // The numbers of bytes differ if elements share bytes: two of 4 bits lie
      // in one, or in two.
      Extreme bytes, sectors, lines;
      int64_t unusedOfGroup = 0;
      for (int64_t shift : group.shifts) {
        const Touched of = touchedBy(group.starts, residue + shift, geometry_);
        sectors.take(of.sectors);
        lines.take(of.lines);
        bytes.take(of.bytes);
        unusedOfGroup = std::max(
            unusedOfGroup, unusedOf(group, residue + shift, geometry_, of));
        meter_.spend(static_cast<int64_t>(group.starts.size() *
                                          (group.parts.empty() ? 1 : 2)));
      }
      least.bytes = std::max(least.bytes, bytes.least);
      least.sectors = std::max(least.sectors, sectors.least);
      least.lines = std::max(least.lines, lines.least);
      most.bytes += bytes.most;
      unused += unusedOfGroup;
      most.sectors += sectors.most;
      most.lines += lines.most;
      exact &= bytes.isOne() && sectors.isOne() && lines.isOne() &&
               (groups.size() == 1 || canBeApart(group, geometry_.line));
    }
    // One value for all reaches the least?
    int64_t wastedLeast = 0;
    if (exact) {
      Extreme wasted;
      for (int64_t shift : groups.begin()->second.shifts) {
        const Touched of = touchedBy(all, residue + shift, geometry_);
        exact &= of.sectors == least.sectors && of.lines == least.lines &&
                 of.bytes == least.bytes;
        wasted.take(of.sectors - ceilDiv(of.bytes * 8, geometry_.sector));
      }
      exact &= wasted.isOne();
      if (groups.size() == 1 || wasted.least == 0) wastedLeast = wasted.least;
      exact &= wasted.least == wastedLeast;
    }
    const int64_t fewestLeast = ceilDiv(least.bytes * 8, geometry_.sector);
    const int64_t fewestMost = ceilDiv(most.bytes * 8, geometry_.sector);
    sums_->exact &= exact;
    sums_->accesses.add(times, 1, 1);
    sums_->lanes.add(times, lanes, lanes);
    sums_->bytes.add(times, least.bytes, most.bytes);
    sums_->sectors.add(times, least.sectors, most.sectors);
    sums_->lines.add(times, least.lines, most.lines);
    sums_->fewest.add(times, fewestLeast, fewestMost);
    sums_->wasted.add(times, wastedLeast, unused * 8 / geometry_.sector);
    sums_->wastedOfSome.add(times, 0, most.sectors - 1);
  }
}

}  // namespace lanes
}  // namespace indexical
