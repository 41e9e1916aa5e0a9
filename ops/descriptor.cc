#include "indexical/ops/descriptor.h"

#include <array>
#include <mutex>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/elementwise/nullary.h"

namespace indexical {
namespace {

/// Flags of which none is set are as good as no flags.
bool sameFlags(const ArrayShape &a, const ArrayShape &b) {
  return a.dynamic.empty() || b.dynamic.empty()
             ? !a.dynamic.any() && !b.dynamic.any()
             : a.dynamic == b.dynamic;
}

bool same(const ArrayShape &a, const ArrayShape &b) {
  return a.type == b.type && a.dimensions == b.dimensions && sameFlags(a, b) &&
         a.layout == b.layout;
}

bool same(const ShapeList &a, const ShapeList &b) {
  return a.sharesWith(b) ||
         (a.size() == b.size() &&
          llvm::all_of_zip(a, b, [](const ArrayShape &x, const ArrayShape &y) {
            return same(x, y);
          }));
}

size_t hashOf(const OpFamily &family, const OpDescriptor &op) {
  return llvm::hash_combine(&family, op.opKind, op.operands.hash(),
                            op.results.hash(), op.configuration,
                            family.hash(op));
}

bool same(const OpFamily &family, const OpDescriptor &a,
          const OpDescriptor &b) {
  return a.opKind == b.opKind && same(a.results, b.results) &&
         same(a.operands, b.operands) && a.configuration == b.configuration &&
         family.equal(a, b);
}

}  // namespace

//===-- The table ---------------------------------------------------------===//

/// All interned descriptors, in parts that are locked one by one.
class OpTable {
 public:
  using Record = Op::Record;

  static OpTable &get() {
    // Never destroyed: handles in static variables outlive it otherwise.
    static OpTable *table = new OpTable();
    return *table;
  }

  /// The record of an equal descriptor; else `make()` gives it one.
  template <typename Make>
  Record *find(const OpFamily &family, const OpDescriptor &op, Make make) {
    const Key key = {&family, &op, hashOf(family, op)};
    Shard &part = partOf(key.hash);
    std::lock_guard<std::mutex> lock(part.mutex);
    auto found = part.records.find_as(key);
    if (found != part.records.end()) {
      (*found)->uses.fetch_add(1, std::memory_order_relaxed);
      return *found;
    }
    auto *record = new Record();
    record->family = &family;
    record->descriptor = make();
    record->hash = key.hash;
    part.records.insert(record);
    return record;
  }

  /// Ends a use. The last use ends under the lock, so that no thread finds a
  /// record while it is destroyed.
  void release(Record *record) {
    int64_t uses = record->uses.load(std::memory_order_relaxed);
    while (uses > 1)
      if (record->uses.compare_exchange_weak(uses, uses - 1,
                                             std::memory_order_release,
                                             std::memory_order_relaxed))
        return;
    {
      Shard &part = partOf(record->hash);
      std::lock_guard<std::mutex> lock(part.mutex);
      if (record->uses.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
      part.records.erase(record);
    }
    // Its descriptor may hold handles, which end here.
    record->family->destroy(record->descriptor);
    delete record;
  }

  size_t size() {
    size_t count = 0;
    for (Shard &part : parts_) {
      std::lock_guard<std::mutex> lock(part.mutex);
      count += part.records.size();
    }
    return count;
  }

 private:
  struct Key {
    const OpFamily *family;
    const OpDescriptor *descriptor;
    size_t hash;
  };
  struct Info {
    static Record *getEmptyKey() {
      return llvm::DenseMapInfo<Record *>::getEmptyKey();
    }
    static Record *getTombstoneKey() {
      return llvm::DenseMapInfo<Record *>::getTombstoneKey();
    }
    static unsigned getHashValue(const Record *record) {
      return static_cast<unsigned>(record->hash);
    }
    static unsigned getHashValue(const Key &key) {
      return static_cast<unsigned>(key.hash);
    }
    static bool isEqual(const Record *a, const Record *b) { return a == b; }
    static bool isEqual(const Key &key, const Record *record) {
      return record != getEmptyKey() && record != getTombstoneKey() &&
             key.hash == record->hash && key.family == record->family &&
             same(*key.family, *key.descriptor, *record->descriptor);
    }
  };
  struct Shard {
    std::mutex mutex;
    llvm::DenseSet<Record *, Info> records;
  };

  Shard &partOf(size_t hash) { return parts_[(hash >> 32) % parts_.size()]; }

  std::array<Shard, 16> parts_;
};

size_t internedOps() { return OpTable::get().size(); }

//===-- Drafts ------------------------------------------------------------===//

OpDraft::OpDraft(const OpView &op)
    : family_(&op.family()), descriptor_(op.family().copy(op.descriptor())) {}

OpDraft &OpDraft::operator=(OpDraft &&other) {
  std::swap(family_, other.family_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void OpDraft::reset() {
  if (family_) family_->destroy(descriptor_);
  family_ = nullptr;
  descriptor_ = nullptr;
}

//===-- Handles -----------------------------------------------------------===//

Op::Op() {
  static const Op *nothing = new Op(NullaryOp());
  record_ = nothing->record_;
  retain();
}

Op::Op(const OpFamily &family, const OpDescriptor &descriptor) {
  if (!descriptor.opKind || descriptor.facts) {
    OpDraft copy;
    copy.family_ = &family;
    copy.descriptor_ = family.copy(descriptor);
    *this = Op(std::move(copy));
    return;
  }
  record_ = OpTable::get().find(family, descriptor,
                                [&] { return family.copy(descriptor); });
}

Op::Op(OpDraft draft) {
  assert(!draft.empty());
  if (!draft->opKind) draft->opKind = draft.family().firstKind;
  draft->facts = nullptr;
  record_ = OpTable::get().find(draft.family(), *draft, [&] {
    draft.family_ = nullptr;
    return std::exchange(draft.descriptor_, nullptr);
  });
}

void Op::release() { OpTable::get().release(record_); }

}  // namespace indexical
