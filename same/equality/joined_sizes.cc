#include "indexical/same/equality/joined_sizes.h"

#include <map>
#include <utility>

#include "indexical/ops/size_classes.h"
#include "indexical/program/values/known_values.h"
#include "indexical/same/equality/parameter_names.h"

namespace indexical {
namespace {

/// The sizes that ops force, in order, and which of them are equal.
class ForcedSizes {
 public:
  explicit ForcedSizes(llvm::ArrayRef<ForcedSize> all) {
    for (const ForcedSize &forced : all) {
      numbers_[forced.size];
      if (!forced.number) numbers_[*forced.other];
    }
    for (auto &[size, number] : numbers_) {
      number = classes_.add({});
      sizes_.push_back(size);
    }
    for (const ForcedSize &forced : all) {
      const size_t size = numbers_.at(forced.size);
      if (!forced.number)
        classes_.join(size, numbers_.at(*forced.other));
      else if (!classes_.known(size).fixed)
        classes_.setKnown(size, {*forced.number, true});
    }
  }

  llvm::ArrayRef<ParameterSize> all() const { return sizes_; }
  /// The first of the sizes that are equal to it.
  ParameterSize first(ParameterSize size) const {
    return sizes_[classes_.first(numbers_.at(size))];
  }
  KnownSize known(ParameterSize size) const {
    return classes_.known(numbers_.at(size));
  }

 private:
  std::map<ParameterSize, size_t> numbers_;
  std::vector<ParameterSize> sizes_;  // by number
  SizeClasses classes_;
};

/// Returns what the ops of both sides force, of the first side's parameters.
ForcedSizes forcedSizes(const Side (&sides)[2],
                        llvm::ArrayRef<EntryLeaf> others) {
  std::map<std::pair<int32_t, int64_t>, size_t> places;
  for (size_t p = 0; p < others.size(); ++p)
    places[{others[p].parameter, others[p].leaf}] = p;
  std::vector<ForcedSize> all;
  for (int side : {0, 1}) {
    auto inFirst = [&](ParameterSize size) {
      if (side == 0) return size;
      const EntryLeaf &own = sides[1].parameters()[size.leaf];
      return ParameterSize{places.at({own.parameter, own.leaf}),
                           size.dimension};
    };
    for (ForcedSize forced : sides[side].forcedSizes()) {
      forced.size = inFirst(forced.size);
      if (forced.other) forced.other = inFirst(*forced.other);
      all.push_back(forced);
    }
  }
  return ForcedSizes(all);
}

std::string nameOf(const Side &side, const ParameterSize &size) {
  const EntryLeaf &leaf = side.parameters()[size.leaf];
  return sizeName(side.entry(), leaf.parameter, leaf.leaf, size.dimension);
}

}  // namespace

std::vector<std::string> joinSizes(Side (&sides)[2],
                                   llvm::ArrayRef<EntryLeaf> others) {
  const Side &first = sides[0];
  auto keyOf = [&](const ParameterSize &size) {
    return KnownSizes::Size(first.readsOf(first.parameters()[size.leaf]),
                            size.dimension);
  };
  const ForcedSizes forced = forcedSizes(sides, others);
  KnownSizes known;
  std::vector<std::string> where;
  for (const ParameterSize &size : forced.all()) {
    const ParameterSize equal = forced.first(size);
    if (const KnownSize is = forced.known(size); is.fixed) {
      known.numbers[keyOf(size)] = is.size;
      where.push_back(nameOf(first, size) + " = " + std::to_string(is.size));
    } else if (equal < size) {
      known.others[keyOf(size)] = keyOf(equal);
      where.push_back(nameOf(first, equal) + " = " + nameOf(first, size));
    }
  }
  for (Side &side : sides) side.setKnownSizes(known);
  return where;
}

}  // namespace indexical
