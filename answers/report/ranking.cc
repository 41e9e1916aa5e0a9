#include "indexical/answers/report/ranking.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// Whether the change is one of the array that is moved, and not of the kernel:
/// it is the same for another kernel that does the same to such an array.
bool isOfMovedArray(AvoidBy by) {
  switch (by) {
    case AvoidBy::View:
    case AvoidBy::Donate:
    case AvoidBy::Layout:
    case AvoidBy::Type:
    case AvoidBy::Join:
    case AvoidBy::Loop:
    case AvoidBy::Fill:
    case AvoidBy::Gather:
      return true;
    default:
      return false;
  }
}

/// Returns the name without the number that a compiler puts behind it.
StringRef stemOf(StringRef name) {
  const StringRef stem = name.rtrim("0123456789");
  return stem.ends_with(".") ? stem.drop_back() : name;
}

/// Returns what kernels that only move arrays have in common if one change is
/// for all of them: their opcode and name, and the line of the source, or else
/// their shapes.
std::string movementOf(const KernelNames &names, const KernelCost &kernel) {
  const Instruction &instruction = names.instructionOf(kernel);
  const Metadata &metadata = instruction.metadata;
  std::string text =
      (instruction.opcode + " " + stemOf(instruction.name)).str();
  if (kernel.facts.avoidable.isParameter) text += " of a parameter";
  const std::string line = names.sourceOf(kernel, metadata);
  if (!metadata.opName.empty() || !line.empty())
    return text + " at " + metadata.opName.str() + " " + line;
  for (const std::string &shape : names.shapesOf(kernel)) text += " " + shape;
  return text;
}

/// Returns what small kernels have in common if one change is for all of them:
/// they are made of one line of the source, and write as much. Which part of an
/// array each of them reads may differ.
std::string launchOf(const KernelNames &names, const KernelCost &kernel) {
  std::string text = movementOf(names, kernel);
  for (const std::string &shape : names.shapesOf(kernel)) text += " " + shape;
  return text;
}

}  // namespace

std::vector<KernelRow> joinedByChange(const KernelNames &names,
                                      std::vector<KernelRow> rows) {
  // The class of alike kernels, or what they move.
  using Key = std::tuple<size_t, CopyCause, AvoidBy, std::string>;
  std::map<Key, size_t> first;
  std::vector<KernelRow> joined;
  for (KernelRow &row : rows) {
    // It is in no sum, so that no row may add it to another kernel.
    if (row.kernel->isAlternative) {
      joined.push_back(std::move(row));
      continue;
    }
    const KernelFacts &facts = row.kernel->facts;
    const AvoidBy by = row.kernel->avoided().by;
    Key key{facts.alike, facts.why.cause, by, ""};
    if (isOfMovedArray(by))
      key = {0, facts.why.cause, by, movementOf(names, *row.kernel)};
    size_t at = first.try_emplace(key, joined.size()).first->second;
    // Small kernels are one row if they are alike, or of one line.
    if (by == AvoidBy::Waits) {
      const Key ofLine{0, facts.why.cause, by, launchOf(names, *row.kernel)};
      const size_t known = first.try_emplace(ofLine, at).first->second;
      if (at == joined.size()) first[key] = at = known;
    }
    if (at == joined.size()) {
      joined.push_back(std::move(row));
      continue;
    }
    KernelRow &all = joined[at];
    all.sums.add(row.sums);
    all.others.push_back(row.kernel);
  }
  return joined;
}

size_t withoutLittle(const TrafficSums &sums, std::vector<KernelRow> &rows) {
  const bool isMeasured = sums.measured > 0;
  const double least = kLittle * (isMeasured ? sums.measured : sums.time);
  if (!(least > 0)) return rows.size();
  const auto behind = std::stable_partition(
      rows.begin(), rows.end(), [&](const KernelRow &row) {
        return (isMeasured ? row.sums.measured : row.sums.time) >= least;
      });
  return static_cast<size_t>(behind - rows.begin());
}

bool areAlike(const KernelRow &row) {
  return llvm::all_of(row.others, [&](const KernelCost *other) {
    return other->facts.alike == row.kernel->facts.alike;
  });
}

size_t partnersOf(const KernelRow &row) {
  if (row.others.empty()) return 1;
  std::set<std::tuple<size_t, std::string>> partners;
  auto add = [&](const KernelCost &kernel) {
    const Avoidable &of = kernel.facts.avoidable;
    partners.insert({kernel.module, of.partnerOf(kernel.avoided().by)});
    for (const std::string &name : of.withToo)
      partners.insert({kernel.module, name});
  };
  add(*row.kernel);
  for (const KernelCost *other : row.others) add(*other);
  return partners.size();
}

}  // namespace indexical
