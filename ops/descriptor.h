// Descriptors, kinds and handles: the parts of all families of ops.
//
// A *family* is a struct: the shapes of an op and the attributes that its maps
// depend on (ops/movement/transpose.h). A *kind* says which op of the family it
// is: `add` and `subtract` are two kinds of ElementwiseOp, which read alike and
// compute different things. The *traits* of a kind are its properties that do
// not depend on shapes.
//
// An `Op` is a handle to an interned descriptor: equal ops are one object, so
// that they share results that were found for one of them, and two ops compare
// as two pointers.
//
//   TransposeOp t;  // a descriptor, still to be filled in
//   t.operands = {ArrayShape(ElementType::F32, {2, 3})};
//   t.results = {ArrayShape(ElementType::F32, {3, 2})};
//   t.permutation = {1, 0};
//   Op a = t, b = t;
//   bool same = a == b;                                // true: one object
//   int64_t first = a.as<TransposeOp>()->permutation[0];  // 1
//   const ReshapeOp *none = a.as<ReshapeOp>();         // null
//   KernelRole role = traitsOf(a).role;                // KernelRole::Maps
//
// Laws (tests/ops/descriptor_test.cc):
//   - a == b if and only if family, kind, shapes, layouts, configuration and
//     every field are equal;
//   - a handle stays valid, and its descriptor unchanged, as long as a handle
//     to it lives; handles can be made and dropped by many threads at once.
#ifndef INDEXICAL_OPS_DESCRIPTOR_H
#define INDEXICAL_OPS_DESCRIPTOR_H

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/field_hash.h"
#include "indexical/ops/shape.h"

namespace indexical {

class SizeFacts;
class SizeRules;
class SizeCollector;

using Int64s = llvm::SmallVector<int64_t, 6>;

enum class Direction : uint8_t { OutputToInput, InputToOutput };

//===-- Kinds -------------------------------------------------------------===//

/// The part that an instruction has in launching kernels.
enum class KernelRole : uint8_t {
  Maps,   ///< a kernel whose reads follow from its maps
  Bytes,  ///< a kernel for which the bytes of its operands count, not its maps
  Runs,   ///< not a kernel: the computations that it runs have them
  None,   ///< no kernel
};

/// The function that an elementwise op computes on integers, if nothing
/// overflows.
enum class Arithmetic : uint8_t {
  None,
  Same,        ///< the operand
  SignExtend,  ///< the operand, but a true i1 becomes -1
  ZeroExtend,  ///< the operand, if it is not negative
  Negate,
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  Maximum,
  Minimum,
  Clamp,  ///< a lower bound, a value and an upper bound
};

/// Which integers the elements of result 0 are, for an op whose maps are an
/// object's (CustomOp): its fields do not say.
enum class ElementRule : uint8_t {
  Unknown,
  Listed,         ///< element k, in row-major order, is operand k
  Splat,          ///< each is operand 0
  Extracted,      ///< that of operand 0 at the index that the others are
  BroadcastSize,  ///< the sizes to which those of the operands broadcast
  Product,        ///< the product of the elements of operand 0
};

struct Traits {
  KernelRole role = KernelRole::Maps;
  Arithmetic arithmetic = Arithmetic::None;
  ElementRule elements = ElementRule::Unknown;
  /// The numbers that it computes with are not negative, whatever their type.
  bool isUnsigned = false;
  /// The result is the element of the one operand, if the result's type holds
  /// that value.
  bool keepsValues = false;
  /// Executions may give different results, or do more than give results: two
  /// ops with equal descriptors may have different values.
  bool hasSideEffects = false;
  /// The weakest precision, for static shapes, of all pairs of a result and an
  /// operand. If sizes are unknown, any pair can have a cover.
  Precision precision = Precision::Exact;
  /// If the precision is not exact, the answers that are not, and why.
  /// Otherwise empty or a remark on the answers.
  llvm::StringLiteral note = "";

  constexpr Traits with(KernelRole value) const {
    Traits copy = *this;
    copy.role = value;
    return copy;
  }
  constexpr Traits with(Arithmetic value) const {
    Traits copy = *this;
    copy.arithmetic = value;
    return copy;
  }
  constexpr Traits with(ElementRule value) const {
    Traits copy = *this;
    copy.elements = value;
    return copy;
  }
  constexpr Traits with(Precision value, llvm::StringLiteral why) const {
    Traits copy = *this;
    copy.precision = value;
    copy.note = why;
    return copy;
  }
  constexpr Traits withNote(llvm::StringLiteral words) const {
    return with(precision, words);
  }
  constexpr Traits ofUnsigned() const {
    Traits copy = *this;
    copy.isUnsigned = true;
    return copy;
  }
  constexpr Traits keeping() const {
    Traits copy = *this;
    copy.keepsValues = true;
    return copy;
  }
  constexpr Traits withSideEffects() const {
    Traits copy = *this;
    copy.hasSideEffects = true;
    return copy;
  }
};

/// One of the ops of a family, which read alike. Kinds are rows of the tables
/// `kKinds` of the families, and are compared by their address.
struct OpKind {
  llvm::StringLiteral name;  ///< HLO's spelling, if it has one
  Traits traits;
};

/// Returns the kind of that name in the family's table, found when this is
/// compiled, or the first kind if no name is given.
template <typename Family>
constexpr const OpKind *kindOf(std::string_view name = {}) {
  if (name.empty()) return &Family::kKinds[0];
  for (const OpKind &kind : Family::kKinds)
    if (std::string_view(kind.name.data(), kind.name.size()) == name)
      return &kind;
  assert(false && "the family has no kind of that name");
  return nullptr;
}

//===-- Descriptors -------------------------------------------------------===//

/// The array leaves of an op's operands and results. An op with one operand can
/// share the list of its producer's results.
struct OpShapes {
  ShapeList operands, results;
  /// Known facts about open sizes that do not follow from the op itself
  /// (ops/sizes.h). They are not part of the op: an interned descriptor has
  /// none.
  std::shared_ptr<const SizeFacts> facts;
};

/// The base of every family's descriptor.
struct OpDescriptor : OpShapes {
  /// Null stands for the family's first kind.
  const OpKind *opKind = nullptr;
  /// The attributes that distinguish the op's values from those of other ops
  /// with the same kind, shapes and fields: comparison, distribution,
  /// precision, target… as a text that is the same for the same op.
  std::string configuration;
};

namespace families {
class Sides;  // ops/core/family.h
}

/// The functions of a family, type erased.
struct OpFamily {
  const OpKind *firstKind;
  absl::Status (*verify)(const OpDescriptor &);
  absl::StatusOr<IndexingRelation> (*reads)(const OpDescriptor &,
                                            const families::Sides &,
                                            int64_t result, int64_t operand);
  void (*addSizeRules)(const OpDescriptor &, SizeCollector &);
  size_t (*hash)(const OpDescriptor &);
  bool (*equal)(const OpDescriptor &, const OpDescriptor &);
  OpDescriptor *(*copy)(const OpDescriptor &);
  void (*destroy)(OpDescriptor *);
};

namespace families {

using Answer = absl::StatusOr<IndexingRelation>;

/// Adds nothing: a family without rules for its sizes keeps them as they are
/// declared.
template <typename Family>
void addSizeRules(const Family &, SizeCollector &) {}

/// The functions that a family defines. INDEXICAL_FAMILY specializes this for
/// each family.
template <typename Family>
struct Functions;

#define INDEXICAL_FAMILY_FUNCTIONS(Family)                                 \
  template <>                                                              \
  struct Functions<Family> {                                               \
    static const Family &of(const OpDescriptor &op) {                      \
      return static_cast<const Family &>(op);                              \
    }                                                                      \
    static absl::Status verifyOf(const OpDescriptor &op) {                 \
      return verify(of(op));                                               \
    }                                                                      \
    static Answer readsOf(const OpDescriptor &op, const Sides &sides,      \
                          int64_t result, int64_t operand) {               \
      return reads(of(op), sides, result, operand);                        \
    }                                                                      \
    static void addSizeRulesOf(const OpDescriptor &op, SizeCollector &c) { \
      addSizeRules(of(op), c);                                             \
    }                                                                      \
  };
#define INDEXICAL_FAMILY_DECLARATIONS(Family)                        \
  absl::Status verify(const Family &op);                             \
  Answer reads(const Family &op, const Sides &sides, int64_t result, \
               int64_t operand);

/// Declares the functions that ops/ROOM/NAME.cc defines.
#define INDEXICAL_FAMILY(Family)        \
  namespace families {                  \
  INDEXICAL_FAMILY_DECLARATIONS(Family) \
  INDEXICAL_FAMILY_FUNCTIONS(Family)    \
  }
/// Declares the functions that ops/ROOM/NAME.cc defines, for a family whose
/// definition makes sizes equal, or defines some: addSizeRules() is one of
/// them.
#define INDEXICAL_FAMILY_WITH_SIZES(Family)                    \
  namespace families {                                         \
  INDEXICAL_FAMILY_DECLARATIONS(Family)                        \
  void addSizeRules(const Family &op, SizeCollector &collect); \
  INDEXICAL_FAMILY_FUNCTIONS(Family)                           \
  }

/// The functions of one family. This does not compile if the family lacks one
/// of them, its kinds or its fields. A family hands its fields to a function:
/// tuples of them would be made in every source that includes it.
template <typename T>
struct FamilyTable : Functions<T> {
  using Functions<T>::of;
  static size_t hashOf(const OpDescriptor &op) {
    return of(op).fields(
        [](const auto &...field) { return fieldHash::all(field...); });
  }
  static bool equal(const OpDescriptor &a, const OpDescriptor &b) {
    const auto tie = [](const auto &...field) { return std::tie(field...); };
    return of(a).fields(tie) == of(b).fields(tie);
  }
  static OpDescriptor *copy(const OpDescriptor &op) { return new T(of(op)); }
  static void destroy(OpDescriptor *op) { delete static_cast<T *>(op); }
};

template <typename T>
inline constexpr OpFamily kFamily = {&T::kKinds[0],
                                     &FamilyTable<T>::verifyOf,
                                     &FamilyTable<T>::readsOf,
                                     &FamilyTable<T>::addSizeRulesOf,
                                     &FamilyTable<T>::hashOf,
                                     &FamilyTable<T>::equal,
                                     &FamilyTable<T>::copy,
                                     &FamilyTable<T>::destroy};

}  // namespace families

template <typename T>
inline constexpr bool kIsFamily =
    std::is_base_of_v<OpDescriptor, std::decay_t<T>> &&
    !std::is_same_v<OpDescriptor, std::decay_t<T>>;

//===-- Handles -----------------------------------------------------------===//

class Op;
class OpView;

/// A descriptor of any family that this owns and that can still be changed.
class OpDraft {
 public:
  OpDraft() = default;
  template <typename T, typename = std::enable_if_t<kIsFamily<T>>>
  OpDraft(T descriptor) {
    emplace<T>() = std::move(descriptor);
  }
  /// Copies the descriptor that `op` views.
  explicit OpDraft(const OpView &op);
  OpDraft(OpDraft &&other) { *this = std::move(other); }
  OpDraft &operator=(OpDraft &&other);
  ~OpDraft() { reset(); }

  /// Replaces the descriptor by a new one of that family.
  template <typename T>
  T &emplace() {
    reset();
    family_ = &families::kFamily<T>;
    T *made = new T();
    descriptor_ = made;
    return *made;
  }
  void reset();

  bool empty() const { return family_ == nullptr; }
  template <typename T>
  bool is() const {
    return family_ == &families::kFamily<T>;
  }
  template <typename T>
  T *as() {
    return is<T>() ? static_cast<T *>(descriptor_) : nullptr;
  }
  const OpFamily &family() const { return *family_; }
  OpDescriptor &operator*() { return *descriptor_; }
  const OpDescriptor &operator*() const { return *descriptor_; }
  OpDescriptor *operator->() { return descriptor_; }

 private:
  friend class Op;
  const OpFamily *family_ = nullptr;
  OpDescriptor *descriptor_ = nullptr;
};

/// An op: a handle to an interned, immutable descriptor. Copies are cheap.
class Op {
 public:
  /// Makes a NullaryOp without results.
  Op();
  template <typename T, typename = std::enable_if_t<kIsFamily<T>>>
  Op(const T &descriptor) : Op(families::kFamily<T>, descriptor) {}
  explicit Op(OpDraft draft);
  Op(const Op &other) : record_(other.record_) { retain(); }
  Op(Op &&other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
  Op &operator=(Op other) noexcept {
    std::swap(record_, other.record_);
    return *this;
  }
  ~Op() {
    if (record_) release();
  }

  /// Returns no op, which is false as a bool. A descriptor that needs another
  /// op has this until the op is set.
  static Op none() {
    Op op;
    op.reset();
    return op;
  }
  void reset() {
    if (record_) release();
    record_ = nullptr;
  }
  explicit operator bool() const { return record_ != nullptr; }

  /// Returns whether both are handles to the same descriptor.
  bool operator==(const Op &other) const { return record_ == other.record_; }
  bool operator!=(const Op &other) const { return record_ != other.record_; }

  /// Returns the descriptor if it is of that family, else null.
  template <typename T>
  const T *as() const {
    return is<T>() ? static_cast<const T *>(record_->descriptor) : nullptr;
  }
  template <typename T>
  bool is() const {
    return record_ && record_->family == &families::kFamily<T>;
  }
  /// Requires is<T>().
  template <typename T>
  const T &get() const {
    assert(is<T>());
    return static_cast<const T &>(*record_->descriptor);
  }
  template <typename T, typename... Others>
  bool isOneOf() const {
    return is<T>() || (is<Others>() || ...);
  }

  /// Returns the op of a copy of the descriptor that `change(OpDraft &)` has
  /// changed.
  template <typename Change>
  Op changed(Change change) const;

  /// Returns whether there was another handle to the same descriptor just now.
  bool isShared() const {
    return record_ && record_->uses.load(std::memory_order_relaxed) > 1;
  }

  const OpFamily &family() const { return *record_->family; }
  const OpDescriptor &descriptor() const { return *record_->descriptor; }
  const OpKind &kind() const { return *record_->descriptor->opKind; }
  /// Returns a hash that is equal for equal ops of one process; 0 for none().
  size_t hash() const { return record_ ? record_->hash : 0; }

 private:
  friend class OpTable;
  struct Record {
    std::atomic<int64_t> uses{1};
    const OpFamily *family;
    OpDescriptor *descriptor;
    size_t hash;
  };
  Op(const OpFamily &family, const OpDescriptor &descriptor);
  void retain() const {
    if (record_) record_->uses.fetch_add(1, std::memory_order_relaxed);
  }
  void release();

  Record *record_ = nullptr;
};

/// A view of a descriptor: of a handle, of a draft, or of a family's struct. It
/// copies none of them, and must not outlive them.
class OpView {
 public:
  OpView(const Op &op) : family_(op.family()), descriptor_(op.descriptor()) {}
  OpView(const OpDraft &draft) : family_(draft.family()), descriptor_(*draft) {}
  template <typename T, typename = std::enable_if_t<kIsFamily<T>>>
  OpView(const T &descriptor)
      : family_(families::kFamily<T>), descriptor_(descriptor) {}

  const OpFamily &family() const { return family_; }
  const OpDescriptor &descriptor() const { return descriptor_; }
  const OpKind &kind() const {
    return descriptor_.opKind ? *descriptor_.opKind : *family_.firstKind;
  }
  template <typename T>
  bool is() const {
    return &family_ == &families::kFamily<T>;
  }
  template <typename T>
  const T *as() const {
    return is<T>() ? static_cast<const T *>(&descriptor_) : nullptr;
  }
  template <typename T, typename... Others>
  bool isOneOf() const {
    return is<T>() || (is<Others>() || ...);
  }

 private:
  const OpFamily &family_;
  const OpDescriptor &descriptor_;
};

template <typename Change>
Op Op::changed(Change change) const {
  OpDraft draft(*this);
  change(draft);
  return Op(std::move(draft));
}

/// Returns the shapes of the op's operands and results.
inline const OpShapes &shapesOf(OpView op) { return op.descriptor(); }
/// Returns the traits of the op's kind.
inline const Traits &traitsOf(OpView op) { return op.kind().traits; }

/// Returns the number of interned descriptors, for tests.
size_t internedOps();

}  // namespace indexical

#endif  // INDEXICAL_OPS_DESCRIPTOR_H
