// Names of places in a module.
//
// A computation is a number in its module, an instruction is one in its
// computation, and a leaf is one among the arrays that a value is composed of.
// Each has a type of its own, so that none is taken for another:
//
//   const ComputationId main = module.find("main");
//   const InstructionId sort = module.computations[main].find("sort");
//   const Leaf keys = {main, sort};               // the first array
//   const Leaf values = {main, sort, LeafId(1)};  // the second
//
// A number becomes an id only by its type's name. An id converts to a number by
// itself: `module.computations[main]`.
#ifndef INDEXICAL_PROGRAM_MODULE_IDS_H
#define INDEXICAL_PROGRAM_MODULE_IDS_H

#include <cstdint>
#include <tuple>
#include <type_traits>

namespace indexical {

/// A number of one kind, which does not convert to another. By default `none`.
template <typename Kind, typename Number, Number none>
class Id {
 public:
  constexpr Id() = default;
  template <typename Integer,
            typename = std::enable_if_t<std::is_integral_v<Integer>>>
  explicit constexpr Id(Integer number)
      : number_(static_cast<Number>(number)) {}
  constexpr operator Number() const { return number_; }
  constexpr Id &operator++() {
    ++number_;
    return *this;
  }

 private:
  Number number_ = none;
};

/// A computation's number in `Module::computations`; -1: there is none.
using ComputationId = Id<struct ComputationKind, int32_t, -1>;
/// An instruction's number in `Computation::instructions`; -1: there is none.
using InstructionId = Id<struct InstructionKind, int32_t, -1>;
/// The number of one of the arrays that a value is composed of, counted depth
/// first: 0 for a plain array. For operands, the arrays of all of them are
/// counted.
using LeafId = Id<struct LeafKind, int64_t, 0>;

/// One array that an instruction gives.
struct Leaf {
  ComputationId computation;
  InstructionId instruction;
  LeafId leaf = {};
  bool operator==(const Leaf &o) const {
    return computation == o.computation && instruction == o.instruction &&
           leaf == o.leaf;
  }
  bool operator!=(const Leaf &o) const { return !(*this == o); }
  bool operator<(const Leaf &o) const {
    return std::tie(computation, instruction, leaf) <
           std::tie(o.computation, o.instruction, o.leaf);
  }
};

/// One array of a computation's parameter, which has that number.
struct ParameterLeaf {
  constexpr ParameterLeaf() = default;
  template <typename Integer,
            typename = std::enable_if_t<std::is_integral_v<Integer>>>
  constexpr ParameterLeaf(Integer parameter, LeafId leaf = {})
      : parameter(static_cast<int32_t>(parameter)), leaf(leaf) {}

  bool operator<(const ParameterLeaf &o) const {
    return std::tie(parameter, leaf) < std::tie(o.parameter, o.leaf);
  }

  int32_t parameter = 0;
  LeafId leaf;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_IDS_H
