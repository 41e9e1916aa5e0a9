#include "indexical/analysis/equality/joined_sizes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "indexical/program/known_values.h"

namespace indexical {
namespace {

/// Sizes in groups of equal ones, each by its least size.
class Groups {
 public:
  void add(ParameterSize size, int64_t number) {
    all_.insert(size);
    numbers_.try_emplace(rootOf(size), number);
  }
  void add(ParameterSize a, ParameterSize b) {
    all_.insert(a);
    all_.insert(b);
    const auto [first, second] = std::minmax({rootOf(a), rootOf(b)});
    if (!(first < second)) return;
    parents_[second] = first;
    if (auto known = numbers_.find(second); known != numbers_.end())
      numbers_.try_emplace(first, known->second);
  }

  const std::set<ParameterSize> &all() const { return all_; }
  ParameterSize rootOf(ParameterSize size) const {
    for (auto at = parents_.find(size); at != parents_.end();
         at = parents_.find(size))
      size = at->second;
    return size;
  }
  std::optional<int64_t> numberOf(ParameterSize size) const {
    const auto known = numbers_.find(rootOf(size));
    if (known == numbers_.end()) return std::nullopt;
    return known->second;
  }

 private:
  std::set<ParameterSize> all_;
  std::map<ParameterSize, ParameterSize> parents_;
  std::map<ParameterSize, int64_t> numbers_;  // of roots
};

Groups groupsOf(const Side (&sides)[2], llvm::ArrayRef<EntryLeaf> others) {
  std::map<std::pair<int32_t, int64_t>, size_t> places;
  for (size_t p = 0; p < others.size(); ++p)
    places[{others[p].parameter, others[p].leaf}] = p;
  Groups groups;
  for (int side : {0, 1}) {
    auto inFirst = [&](ParameterSize size) {
      if (side == 0) return size;
      const EntryLeaf &own = sides[1].parameters()[size.leaf];
      return ParameterSize{places.at({own.parameter, own.leaf}),
                           size.dimension};
    };
    for (const ForcedSize &forced : sides[side].forcedSizes())
      if (forced.number)
        groups.add(inFirst(forced.size), *forced.number);
      else
        groups.add(inFirst(forced.size), inFirst(*forced.other));
  }
  return groups;
}

std::string nameOf(const Side &side, const ParameterSize &size) {
  const EntryLeaf &leaf = side.parameters()[size.leaf];
  const Computation &entry = side.entry();
  const Instruction &i = entry.instructions[entry.parameters[leaf.parameter]];
  return "size " + std::to_string(size.dimension) + " of " + i.name.str() +
         (i.shape->isArray() ? "" : " leaf " + std::to_string(leaf.leaf));
}

}  // namespace

std::vector<std::string> joinSizes(Side (&sides)[2],
                                   llvm::ArrayRef<EntryLeaf> others) {
  const Side &first = sides[0];
  auto keyOf = [&](const ParameterSize &size) {
    return KnownSizes::Size(first.readsOf(first.parameters()[size.leaf]),
                            size.dimension);
  };
  const Groups groups = groupsOf(sides, others);
  KnownSizes known;
  std::vector<std::string> where;
  for (const ParameterSize &size : groups.all()) {
    const ParameterSize root = groups.rootOf(size);
    if (const auto number = groups.numberOf(size)) {
      known.numbers[keyOf(size)] = *number;
      where.push_back(nameOf(first, size) + " = " + std::to_string(*number));
    } else if (root < size) {
      known.others[keyOf(size)] = keyOf(root);
      where.push_back(nameOf(first, root) + " = " + nameOf(first, size));
    }
  }
  for (Side &side : sides) side.setKnownSizes(known);
  return where;
}

}  // namespace indexical
