// The keys of what is found about a kernel (answers/fields.h), as
// docs/keys.md has them.
#ifndef INDEXICAL_ANSWERS_KERNEL_KEYS_H
#define INDEXICAL_ANSWERS_KERNEL_KEYS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/answers/fields.h"
#include "indexical/answers/kernel/findings.h"
#include "indexical/answers/verdict/keys.h"
#include "indexical/cost/kernel/shared_conflicts.h"
#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/cost/memory/device.h"
#include "indexical/same/kernel/comparison.h"

namespace indexical {

struct FindingsEntry {
  const KernelFindings &found;
  const Device &device;
};

struct ArgumentEntry {
  const KernelFindings &found;
  size_t number;

  const kernels::KernelArgument &argument() const {
    return found.kernel.arguments[number];
  }
};

struct KernelAccessEntry {
  const KernelFindings &found;
  size_t number;
  const Device &device;
  const kernels::KernelAccess &access = found.kernel.accesses[number];
  const kernels::MeasuredAccess &measured = found.traffic.accesses[number];
  /// Null: there are none.
  const AccessFigures *figures = measured.traffic && measured.traffic->figures
                                     ? &*measured.traffic->figures
                                     : nullptr;

  /// For an access that has figures.
  const Pattern &pattern() const { return measured.traffic->finding.pattern; }
};

struct SharedAccessEntry {
  const kernels::SharedAccess &access;
  const std::optional<layouts::AccessFigures> &figures;
};

/// One access of one thread.
struct ThreadAccessEntry {
  const kernels::ListedAccess &access;
};

/// A constant, and its value as text.
struct NamedValue {
  const std::string &name, &value;
};

/// A size of the smallest ones at which an integer leaves its range.
struct WrapSize {
  const std::string &name;
  int64_t value;
};

/// A load that is not a use of the fusion, or a use that no load is.
struct UnmatchedEntry {
  int64_t line = 0;
  const kernels::UnmatchedUse *use = nullptr;  ///< null: a load
};

/// A kernel that another one specifies, and what is said of it.
struct JudgeEntry {
  const KernelFindings &found;
  const JudgeFindings &judge;

  const Verdict &verdict() const { return judge.compared.verdict; }
};
struct JudgeSizes {
  const JudgeFindings &judge;
};
struct JudgeSafety {
  const KernelFindings &found;
};
struct JudgeCost {
  const JudgeEntry &entry;
};
struct JudgeWitness {
  const JudgeEntry &entry;
  const Witness &witness;
};
struct JudgeInput {
  const Witness::Input &input;
};

template <>
KeyList<RefusedKernel> keysOf<RefusedKernel>();
template <>
KeyList<JudgeEntry> keysOf<JudgeEntry>();
template <>
KeyList<JudgeSizes> keysOf<JudgeSizes>();
template <>
KeyList<JudgeSafety> keysOf<JudgeSafety>();
template <>
KeyList<JudgeCost> keysOf<JudgeCost>();
template <>
KeyList<JudgeWitness> keysOf<JudgeWitness>();
template <>
KeyList<JudgeInput> keysOf<JudgeInput>();
template <>
KeyList<FindingsEntry> keysOf<FindingsEntry>();
template <>
KeyList<ArgumentEntry> keysOf<ArgumentEntry>();
template <>
KeyList<KernelAccessEntry> keysOf<KernelAccessEntry>();
template <>
KeyList<NamedValue> keysOf<NamedValue>();
template <>
KeyList<kernels::Taken> keysOf<kernels::Taken>();
template <>
KeyList<kernels::WrapsCheck> keysOf<kernels::WrapsCheck>();
template <>
KeyList<WrapSize> keysOf<WrapSize>();
template <>
KeyList<SharedAccessEntry> keysOf<SharedAccessEntry>();
template <>
KeyList<ThreadAccessEntry> keysOf<ThreadAccessEntry>();
template <>
KeyList<kernels::FusionComparison> keysOf<kernels::FusionComparison>();
template <>
KeyList<kernels::ValueDifference> keysOf<kernels::ValueDifference>();
template <>
KeyList<kernels::ArgumentPair> keysOf<kernels::ArgumentPair>();
template <>
KeyList<UnmatchedEntry> keysOf<UnmatchedEntry>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> kernelTables();

/// Returns the columns of the table of accesses, in order.
std::vector<llvm::StringRef> kernelColumns();

/// Gives the list of constants, if there are any.
void namedValuesOf(llvm::ArrayRef<std::pair<std::string, std::string>> values,
                   KeyValue &to);

/// `same`, `different`, `undecided`.
llvm::StringRef judgedWord(const JudgeFindings &judge);

/// `never`, `from`, `undecided`.
llvm::StringRef nameOf(kernels::WrapsCheck::Answer answer);
/// Returns the answer as words, as a line of text has it.
std::string wordsOf(const kernels::WrapsCheck &wraps);
/// Returns what is taken as words: `type *fp32 of x (use)`.
std::string wordsOf(const kernels::Taken &taken);
/// Returns a configuration as words: `B=64, num_warps=4`.
std::string wordsOfConfig(const KernelFindings &found);

/// Give the innermost line of the user's program, and all lines.
void sourceOf(llvm::ArrayRef<kernels::SourceFrame> stack, KeyValue &to);
void stackOf(llvm::ArrayRef<kernels::SourceFrame> stack, KeyValue &to);
/// Returns the pieces of a map, with `; ` between them.
std::string mapText(llvm::ArrayRef<kernels::PointerMap> maps);

/// `arg0`, or `shared:tile`.
std::string arrayOf(const kernels::ListedAccess &access);

/// `load`, `store`, `atomic`.
llvm::StringRef nameOf(kernels::AccessKind kind);
/// `none`, `exact`, `cover`.
llvm::StringRef nameOf(kernels::MaskKind mask);

/// Returns the reason why the access has no figures, or "".
std::string reasonOf(const KernelAccessEntry &of);
std::string reasonOf(const kernels::SharedAccess &access);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_KEYS_H
