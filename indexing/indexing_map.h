// IndexingMap: which elements of one tensor an element of another depends on.
//
// A map is a function from dimension variables d, range variables s and runtime
// variables rt to an index, with a domain: an interval for each variable and
// constraints `lower <= expression <= upper`. It stands for the relation
//
//   { (d, f(d, s, rt)) : s in its ranges, the domain's constraints hold }
//
// where rt has the values that it has in that execution. For a reduction of
// f32[4,8] along dimension 0:
//
//   (d0)[s0] -> (s0, d0), domain: d0 in [0, 7], s0 in [0, 3]
//   element (5) of the result depends on (0, 5), (1, 5), (2, 5), (3, 5)
//
// A map is a value: immutable, cheap to copy (one shared pointer) and to hash,
// safe to read from many threads. Its expressions are our own linear forms
// (indexing/expression.h); `affineMap()` returns them as an mlir::AffineMap,
// and `fromAffineMap` reads one (indexing/affine_map.h).
//
// A runtime variable may name its source: the element of a tensor whose value
// it takes. The element's index is given by expressions of this map's
// variables; `sourceMap(i)` returns them as a map of their own. A runtime
// variable that only such an index uses is *hidden*: it stands after the others
// and is not part of the map's text.
//
// A collective reads elements of other devices. A map through a collective says
// of which: the *member* is the position, in the collective's group, of the
// device whose operand is read. All-gather of f32[8] over groups of 4, along
// dimension 0:
//
//   (d0) -> (d0 mod 8), domain: d0 in [0, 31], member d0 floordiv 8
//
// A chain of collectives has one member each, the result's side first: each is
// the member seen from the device that was reached by those before it. A value
// that depends on that device's own place is a runtime variable.
//
// Two maps are equal when their variables' bounds, clamps and sources, their
// results and their constraints are the same expressions; names do not count.
// All empty maps are equal.
#ifndef INDEXICAL_INDEXING_INDEXING_MAP_H
#define INDEXICAL_INDEXING_INDEXING_MAP_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/delinearization.h"
#include "indexical/indexing/expression.h"
#include "indexical/indexing/interval.h"

namespace mlir {
class AffineMap;
class MLIRContext;
}  // namespace mlir

namespace indexical {

struct SourceNames;

/// A variable's bounds, both inclusive, and its name ("": by its position, d0,
/// s0, rt0).
struct Variable {
  Interval bounds;
  std::string name;
};

/// Returns the name that a variable without a name has by its position: `d0`,
/// `s1`, `rt2`.
std::string standardName(VariableId id);

/// The tensor that a runtime variable's value comes from. The maker of the map
/// gives the number `tensor` its meaning: in ops/ it is an operand leaf, in
/// program/ an entry of the table of values.
struct RuntimeSource {
  enum class Kind : uint8_t {
    None,     ///< not known (a map read from text)
    Element,  ///< the element of `tensor` at the source index
    Size,     ///< the size of dimension `dimension` of `tensor`
    // The kinds below describe the device that the map has reached; `tensor` is
    // the collective.
    GroupPosition,  ///< its position in its group
    GroupSize,      ///< the number of members of its group
    DeviceId,       ///< its number, as the collective counts devices
  };
  Kind kind = Kind::None;
  int64_t tensor = -1;
  int64_t dimension = -1;
  /// The number of positions or devices, or the largest value of a size; -1:
  /// not known.
  int64_t count = -1;
  bool operator==(const RuntimeSource &o) const {
    return kind == o.kind && tensor == o.tensor && dimension == o.dimension &&
           count == o.count;
  }
  /// Returns an interval that contains all values that the source can have.
  Interval values() const;
};

struct RuntimeVariable : Variable {
  /// Whether the value is clamp(element, lower, upper). Otherwise it is the
  /// element itself, and the map does not hold if that is outside the bounds.
  bool clamped = false;
  RuntimeSource source;
  /// The element's index, in this map's variables, and behind it the members
  /// of `collectives`.
  llvm::SmallVector<FormId, 2> index;
  /// The collectives by which the device is reached on which the source is
  /// read.
  llvm::SmallVector<int64_t, 0> collectives;

  llvm::ArrayRef<FormId> elementIndex() const {
    return llvm::ArrayRef(index).drop_back(collectives.size());
  }
  llvm::ArrayRef<FormId> members() const {
    return llvm::ArrayRef(index).take_back(collectives.size());
  }

  /// Returns whether the bounds restrict the domain: the variable has a source
  /// and is not clamped, and the source can have values outside of the bounds.
  bool restricts() const { return restricts(bounds); }
  /// Returns whether the bounds `within` would restrict the domain if they were
  /// the variable's.
  bool restricts(const Interval &within) const {
    return source.kind != RuntimeSource::Kind::None && !clamped &&
           !within.contains(source.values());
  }
};

/// The values of variables, or the coordinates of a point.
using Values = llvm::SmallVector<int64_t, 8>;

struct Constraint {
  FormId form;
  Interval bounds;
  bool operator==(const Constraint &o) const {
    return form == o.form && bounds == o.bounds;
  }
};

class IndexingMap {
 public:
  /// Makes the map without dimensions and results, `() -> ()`.
  IndexingMap();

  static IndexingMap knownEmpty();

  bool isKnownEmpty() const { return data_->empty; }

  llvm::ArrayRef<Variable> dimensions() const { return data_->dimensions; }
  llvm::ArrayRef<Variable> ranges() const { return data_->ranges; }
  /// Returns the runtime variables: first the visible ones, then
  /// `hiddenRuntimeCount()` hidden ones, which only the index of a source uses.
  llvm::ArrayRef<RuntimeVariable> runtime() const { return data_->runtime; }
  size_t hiddenRuntimeCount() const { return data_->hiddenRuntime; }
  size_t visibleRuntimeCount() const {
    return data_->runtime.size() - data_->hiddenRuntime;
  }
  const Variable &variable(VariableId id) const;
  /// Returns the variable's name or, if it has none, the one by position
  /// (standardName()).
  std::string nameOf(VariableId id) const;

  /// Returns intervals that contain the results (not the members) wherever the
  /// map holds; empty if they are not known. The simplifier derives them from
  /// the map alone, so that equal maps have the same ones once they are
  /// simplified.
  llvm::ArrayRef<Interval> resultBounds() const { return data_->resultBounds; }

  const ExpressionTable &expressions() const { return data_->table; }
  llvm::ArrayRef<FormId> results() const {
    return resultsAndMembers().drop_back(collectives().size());
  }
  /// Returns the numbers of the collectives that the read element was moved by;
  /// the maker of the map gives the numbers their meaning. Entry i of members()
  /// is the member of collective i that is read.
  llvm::ArrayRef<int64_t> collectives() const { return data_->collectives; }
  llvm::ArrayRef<FormId> members() const {
    return resultsAndMembers().take_back(collectives().size());
  }
  llvm::ArrayRef<FormId> resultsAndMembers() const { return data_->results; }
  /// Returns the constraints without duplicates, in structural order
  /// (compareForms).
  llvm::ArrayRef<Constraint> constraints() const { return data_->constraints; }

  /// Returns the index of runtime variable i's source: a map of the same
  /// dimensions and ranges, its members those of the variable. Requires a
  /// source of kind Element.
  IndexingMap sourceMap(size_t i) const;

  /// A point: one value a variable.
  struct Point {
    llvm::SmallVector<int64_t, 6> dimensions, ranges, runtime;
  };
  /// Returns whether the point is in the domain (bounds and constraints).
  /// Values for hidden runtime variables may be left out.
  bool contains(const Point &point) const;
  /// Returns the results at a point. Returns nothing if the point has another
  /// number of values, arithmetic leaves 64 bits, a divisor is zero, or the
  /// modulus of a remainder is negative. The domain is not checked.
  std::optional<llvm::SmallVector<int64_t, 6>> evaluate(
      const Point &point) const;

  /// Returns the members at a point, or nothing if `evaluate` gives nothing.
  std::optional<llvm::SmallVector<int64_t, 6>> evaluateMembers(
      const Point &point) const;

  /// Returns the map as MLIR's: its symbols are the ranges, then the visible
  /// runtime variables. Bounds, constraints and members are left out. Returns
  /// a null map if a result has a minimum or a maximum, for which MLIR has no
  /// AffineExpr: affineMapOf() (affine_map.h) says so, and affinePieces() gives
  /// maps without.
  mlir::AffineMap affineMap(mlir::MLIRContext *context) const;

  /// Return the map's text (formats.md), on several lines, or on one.
  std::string str() const;
  std::string strOneLine() const;
  /// Returns the text of one of the map's expressions.
  std::string str(FormId form) const;

  bool operator==(const IndexingMap &other) const;
  bool operator!=(const IndexingMap &other) const { return !(*this == other); }
  size_t hash() const;
  friend llvm::hash_code hash_value(const IndexingMap &map) {
    return map.hash();
  }

 private:
  friend class IndexingMapBuilder;
  friend class PlainMapWriter;   // plain_map.cc
  friend class SimplifierMarks;  // simplifier/marks.h
  friend IndexingMap withSources(const IndexingMap &map,
                                 const SourceNames &names);
  /// The parts of a map, as views of memory that something else owns.
  struct Contents {
    ExpressionTable table;
    llvm::ArrayRef<Variable> dimensions, ranges;
    llvm::ArrayRef<RuntimeVariable> runtime;
    llvm::ArrayRef<FormId> results;  // and, behind them, the members
    llvm::ArrayRef<int64_t> collectives;
    llvm::ArrayRef<Constraint> constraints;
    llvm::ArrayRef<Interval> resultBounds;
    size_t hiddenRuntime = 0;
    bool empty = false;
    bool canonical = false;
    std::shared_ptr<const Delinearization> delinearization;
  };
  /// Contents whose arrays lie behind it, in the same piece of memory.
  class Data : public Contents, public llvm::ThreadSafeRefCountedBase<Data> {
   public:
    static llvm::IntrusiveRefCntPtr<const Data> copyOf(const Contents &from);
    ~Data();
    static void operator delete(void *memory) { ::operator delete(memory); }

    mutable std::atomic<size_t> hash = 0;  // 0: not computed yet

   private:
    friend class PlainMapWriter;
    explicit Data(const Contents &from) : Contents(from) {}
  };
  /// Makes a map with a copy of the contents.
  explicit IndexingMap(const Contents &contents)
      : data_(Data::copyOf(contents)) {}
  explicit IndexingMap(llvm::IntrusiveRefCntPtr<const Data> data)
      : data_(std::move(data)) {}
  int64_t valueAt(const Point &point, VariableId id) const;
  std::optional<llvm::SmallVector<int64_t, 6>> evaluateAll(
      const Point &point) const;

  llvm::IntrusiveRefCntPtr<const Data> data_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_INDEXING_MAP_H
