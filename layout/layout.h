// Layouts: which lane or register holds an element, and where an element lies.
//
//   the accumulator of a matrix instruction of 16 x 8, a warp:
//     register in [0, 3], lane in [0, 31] -> dim0 of 16, dim1 of 8
//       dim0 = (register floordiv 2) * 8 + lane floordiv 4
//       dim1 = register mod 2 + (lane mod 4) * 2
//
//              dim1  0     1     2     3     4     5     6     7
//     dim0 0         T0:0  T0:1  T1:0  T1:1  T2:0  T2:1  T3:0  T3:1
//          1         T4:0  T4:1  T5:0  …
//          8         T0:2  T0:3  T1:2  …
//
// A layout is an indexing map that is a function: it takes each point of a box
// of named *inputs* to one value of each of its named *outputs*. All notations
// (parse.h) become it. Registers lead to elements, elements lead to places in
// memory: compose() joins both.
//
// A layout has a *form* (form.h) if its outputs are sums of digits and of
// parities of bits. A layout without a form, such as one that cuts a sum with
// carries, still has values and a map; reason() says why.
//
// Laws (tests/layout/operations_test.cc, by enumeration):
//   at(p) is the value of map() and of form() at p
//   holders(at(p)) holds p, and each of holders(e) is held at e
//   facts() are those of enumeration
//   equal(a, b) is `equal` if and only if the values are, or undecided; a
//     witness shows a difference
#ifndef INDEXICAL_LAYOUT_LAYOUT_H
#define INDEXICAL_LAYOUT_LAYOUT_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/layout/cute.h"
#include "indexical/layout/form.h"

namespace indexical::layouts {

/// An input or an output, with the values 0 to size - 1. A size of 0 is open:
/// that of an offset.
struct Space {
  std::string name;
  int64_t size = 0;
  bool operator==(const Space &o) const {
    return name == o.name && size == o.size;
  }
};

/// Properties that the text of a layout states beside its function.
struct Notes {
  /// Where the offsets lie, if the notation says so.
  enum class Memory : uint8_t { Unknown, Registers, Shared, Global };
  std::string text;         ///< its own notation; "" if it has none
  std::string elementType;  ///< as `f16`; "" if it is not said
  Memory memory = Memory::Unknown;
  std::optional<Cute> cute;    ///< if it is written so
  std::optional<bool> beyond;  ///< of a composition
  std::optional<bool> fills;   ///< of a complement
  /// Whether bits of a swizzle may be constant in the box, but not outside it.
  bool isOfBox = false;
};

/// A function from a box of inputs to outputs. Not the Layout of ops/shape.h,
/// which is the order of an array's dimensions in memory.
class Layout {
 public:
  /// Returns the layout of a map from the box of its dimensions. Returns an
  /// error if the map has ranges, runtime variables, constraints or open
  /// dimensions, or if numbers of spaces and variables differ.
  static absl::StatusOr<Layout> of(IndexingMap map,
                                   llvm::ArrayRef<Space> inputs,
                                   llvm::ArrayRef<Space> outputs);
  /// Returns the layout with these sums. Returns an error if an input is open,
  /// if a value leaves 64 bits, or if the sums have no normal form.
  static absl::StatusOr<Layout> of(llvm::ArrayRef<Space> inputs,
                                   llvm::ArrayRef<Space> outputs,
                                   llvm::ArrayRef<Sum> sums);

  llvm::ArrayRef<Space> inputs() const { return inputs_; }
  llvm::ArrayRef<Space> outputs() const { return outputs_; }
  /// Returns the sizes of the inputs.
  Box box() const { return box_; }
  /// Returns the number of points, or nothing if it leaves 64 bits.
  std::optional<int64_t> points() const { return pointsOf(box_); }

  /// Returns the sum of each output. Null: there is no form.
  const std::vector<Sum> *form() const { return form_ ? &*form_ : nullptr; }
  /// Returns why there is no form; "" if there is one.
  const std::string &reason() const { return reason_; }
  /// Returns the map from the inputs, as dimensions, to the outputs. Returns an
  /// error if a number on the way leaves 64 bits.
  absl::StatusOr<IndexingMap> map() const;

  /// Returns the values at a point. Requires a point of the box.
  Coordinates at(llvm::ArrayRef<int64_t> point) const;
  /// Returns all points with these values, in order: by the first input, then
  /// the second one.
  /// Returns an error if they cannot be found within kMostPoints points.
  absl::StatusOr<std::vector<Coordinates>> holders(
      llvm::ArrayRef<int64_t> element) const;
  /// Calls `visit` with each point and its values, the first input fastest,
  /// until it returns false. Returns false if it did.
  bool visit(
      llvm::function_ref<bool(llvm::ArrayRef<int64_t>, llvm::ArrayRef<int64_t>)>
          visit) const;

  const Notes &notes() const { return notes_; }
  Layout withNotes(Notes notes) const;
  /// Returns the layout with other names, and the spaces in the order of the
  /// names if they are those that it has. Returns an error if the number of
  /// names is another one, or if a name is given twice.
  absl::StatusOr<Layout> withNames(llvm::ArrayRef<std::string> inputs,
                                   llvm::ArrayRef<std::string> outputs) const;
  /// Returns the layout whose outputs have these sizes.
  Layout withOutputSizes(llvm::ArrayRef<int64_t> sizes) const;

 private:
  /// A layout without form: the map, or one layout after another.
  struct Steps;
  static absl::StatusOr<Layout> ofSteps(llvm::ArrayRef<Space> inputs,
                                        llvm::ArrayRef<Space> outputs,
                                        std::shared_ptr<const Steps> steps);
  friend absl::StatusOr<Layout> compose(const Layout &outer,
                                        const Layout &inner);
  std::vector<Space> inputs_, outputs_;
  Coordinates box_;
  std::optional<std::vector<Sum>> form_;
  std::string reason_;
  std::shared_ptr<const Steps> steps_;
  Notes notes_;
};

/// The largest number of points that a query enumerates.
inline constexpr int64_t kMostPoints = int64_t{1} << 22;

/// Properties of a layout over its points; a missing one was not found. Not the
/// Facts of simplifier/facts.h, which are known about expressions.
struct Facts {
  std::optional<int64_t> points;
  std::optional<int64_t> image;  ///< the number of different values
  std::optional<bool> oneToOne;
  std::optional<bool> onto;       ///< all outputs have sizes
  std::optional<int64_t> copies;  ///< if each value has as many points
};
/// Returns the properties of the layout over its points.
Facts factsOf(const Layout &layout);

/// Returns the least and greatest value of each output. They are exact if the
/// layout has no more than kMostPoints points, else they may be too wide.
std::vector<Interval> boundsOf(const Layout &layout);

/// Returns the sum of each output as a function of one input, which counts the
/// points, the first input fastest. The input is open if `goesOn`: its last
/// digit goes on. Returns nothing if there is no such form.
std::optional<std::vector<Sum>> linearIndexForm(const Layout &layout,
                                                bool goesOn);

/// Returns the point with this number, the first input fastest.
Coordinates pointOf(int64_t number, Box box);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_LAYOUT_H
