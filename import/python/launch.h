// The facts of a kernel's launch that a file states outside of the kernel's
// text; private to import/python.
//
//   @triton.heuristics({'EVEN': lambda args: args['n'] % args['B'] == 0})
//       EVEN is true if n and B are known, and B divides n
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

/// Returns the value of an expression of the host; std::nullopt if it is not
/// known before the file runs.
std::optional<Value> valueOfHost(const ModuleText &module, const Node *node,
                                 const std::map<std::string, Value> &names);

class LaunchReader {
 public:
  LaunchReader(const ModuleText &module, const JitFunction &function);

  InductorMeta inductor();
  /// Returns the constants that the first launch gives as literals.
  std::map<std::string, Value> constants();
  /// Returns the value that `@triton.heuristics` gives; std::nullopt if it
  /// depends on unknown values.
  std::optional<Value> heuristic(const std::string &name,
                                 const std::map<std::string, Value> &known);
  /// Returns the grid of the first launch; an empty list unless the arguments
  /// determine it.
  std::vector<kernels::SizeTerm> grid();
  /// Returns whether a parameter is an argument although it is 1.
  bool isUnspecialized(llvm::StringRef parameter);

 private:
  std::optional<Value> valueOf(const Node *node,
                               const std::map<std::string, Value> &names = {}) {
    return valueOfHost(module_, node, names);
  }
  const Node *resolved(const Node *node, int depth = 0) const;
  std::optional<kernels::SizeTerm> sizeOf(const Node *node,
                                          llvm::StringRef meta, int depth);
  const Parameter *parameter(llvm::StringRef name) const;
  std::string parameterAt(const Node *key) const;

  const ModuleText &module_;
  const JitFunction &function_;
  const Launch *launch_ = nullptr;
  /// By the text of an expression of the host: the parameter that it is passed
  /// for.
  std::map<std::string, std::string> passed_;
};

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
