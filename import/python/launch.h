// The facts of a kernel's launch that a file states outside of the kernel's
// text; private to import/python. script.h follows the file.
//
//   @triton.autotune(configs=[triton.Config({'B': 64})], key=[])
//   @triton.heuristics({'EVEN': lambda args: args['n'] % args['B'] == 0})
//       B is 64; EVEN is true if n is known, and 64 divides it
//   k[lambda meta: (triton.cdiv(n, meta['B']),)](x, n, C=8)
//       the grid cdiv(n, B), and C is 8
#ifndef INDEXICAL_IMPORT_PYTHON_LAUNCH_H
#define INDEXICAL_IMPORT_PYTHON_LAUNCH_H

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/import/python/lowering.h"
#include "indexical/import/python/module.h"
#include "indexical/program/kernel/size_terms.h"

namespace indexical::python {

/// The metadata that Inductor writes above a kernel.
struct InductorMeta {
  std::map<std::string, ValueType> types;
  std::map<std::string, Value> constants;
  /// The sizes by axis, x, y, z and r: `x` is 1024.
  std::map<std::string, int64_t> sizeHints;
  bool isReduction = false, isPersistent = false, isCooperative = false;
  bool areHintsNamed = false;  ///< `{'x': 8}`, not `[8]`
  std::string hint;            ///< for a reduction: `INNER`, `OUTER`…
  int64_t loads = 0;           ///< loads and reductions in the text
  int64_t major = 0;           ///< of the device's compute capability
  int64_t split = 0;           ///< rows of a program, from RSPLIT_SIZE
  bool isThere = false;
  std::optional<int64_t> warps;  ///< for a template
};

/// The largest number of configurations of a kernel.
constexpr size_t kMostConfigs = 64;

struct Config {
  std::vector<std::pair<std::string, Value>> values;
  std::optional<int64_t> warps;
  bool areWarpsOpen = false;  ///< `num_warps` is given, but not as a number
  /// By the decorators of the kernel: the first of `values` of each.
  std::vector<size_t> begins;
};

class LaunchReader {
 public:
  /// By name: the value, or nothing if it is known only when the file runs.
  using Given = std::map<std::string, std::optional<Value>>;

  LaunchReader(const ModuleText &module, const JitFunction &function);

  InductorMeta inductor();
  /// Returns the configurations that the file gives the function: those of
  /// several `@triton.autotune` with each other.
  std::vector<Config> configs();
  std::optional<Refusal> refusal;  ///< there are too many
  /// Whether some configurations are known only when the file runs.
  bool isOpen = false;
  /// Returns whether the file asks which backend runs it, which is taken to be
  /// CUDA.
  bool asksBackend() const { return facts_ && facts_->asksBackend; }
  /// Returns whether `@triton.heuristics` has a dictionary that is not known.
  bool areHeuristicsOpen() const;

  /// Returns the constants that the first launch gives.
  std::map<std::string, Value> constants() const;
  /// Returns the line of the first launch that is known.
  std::optional<uint32_t> line() const;
  /// Returns whether the file perhaps launches the function in another way, or
  /// with other constants.
  bool hasOtherLaunches() const;
  /// Returns whether the first launch gives a parameter, perhaps, a value that
  /// is not known.
  bool isGivenUnknown(llvm::StringRef parameter) const;
  /// Returns whether the first launch gives a number of warps that is not
  /// known.
  bool areWarpsOpen() const;
  /// Returns what `@triton.heuristics` give a launch with these arguments,
  /// which wins over all else.
  Given heuristics(const Config *config, std::map<std::string, Value> known);
  /// Returns the grid of the first launch; an empty list unless the arguments
  /// determine it.
  std::vector<kernels::SizeTerm> grid();
  /// Returns whether a parameter is an argument although it is 1.
  bool isUnspecialized(llvm::StringRef parameter);

 private:
  std::optional<Value> valueOf(const Node *node);
  const Parameter *parameter(llvm::StringRef name) const;
  std::string parameterAt(const Node *key) const;
  std::map<std::string, Value> constantsOf(const ScriptLaunch &launch) const;
  std::vector<Config> configsOf(const KernelFacts::Layer &layer);
  std::optional<Config> configOf(const ScriptObject &object) const;

  const ModuleText &module_;
  const JitFunction &function_;
  Script &script_;
  const KernelFacts *facts_ = nullptr;
  const ScriptLaunch *launch_ = nullptr;
};

/// Returns the kind of size that a sign of Python makes of two, or nothing.
std::optional<kernels::SizeKind> sizeKindOf(llvm::StringRef sign);
/// Returns the value of a keyword of a call, or null.
const Node *keywordOf(const Node &call, llvm::StringRef name);
/// Returns the value of a key of a dictionary, or null if `dict` is not one or
/// does not have the key.
const Node *entryOf(const Node *dict, llvm::StringRef key);
/// Returns the last name of `a.b.c`, or of a call's callee; "" for another
/// expression.
llvm::StringRef lastNameOf(const Node *node);

/// Returns whether an annotation makes a parameter a constant (`tl.constexpr`).
bool isConstexpr(const Node *annotation);

/// Returns the size of an expression over symbolic names; std::nullopt if it is
/// not a size.
std::optional<kernels::SizeTerm> sizeOfNames(const Node *node);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_LAUNCH_H
