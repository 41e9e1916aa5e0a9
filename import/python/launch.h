// What a file says of a launch of a kernel, beside its text; private to
// import/python.
//
//   @triton.autotune(configs=[triton.Config({'B': 64}, num_warps=4)], key=[])
//       a configuration: B is 64, 4 warps
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

/// Most configurations of a kernel.
constexpr size_t kMostConfigs = 64;

struct Config {
  std::vector<std::pair<std::string, Value>> values;
  std::optional<int64_t> warps;
};

/// What Inductor writes above a kernel.
struct InductorMeta {
  std::map<std::string, ValueType> types;
  std::map<std::string, Value> constants;
  /// Of x, y, z and r: `x` is 1024.
  std::map<std::string, int64_t> sizeHints;
  bool isReduction = false, isPersistent = false, isCooperative = false;
  bool areHintsNamed = false;  ///< `{'x': 8}`, not `[8]`
  std::string hint;            ///< of a reduction: `INNER`, `OUTER`…
  int64_t loads = 0;           ///< loads and reductions of the text
  int64_t major = 0;           ///< of the device's compute capability
  int64_t split = 0;           ///< rows of a program, of RSPLIT_SIZE
  bool isThere = false;
  std::optional<int64_t> warps;  ///< of a template
};

class LaunchReader {
 public:
  LaunchReader(const ModuleText &module, const JitFunction &function);

  /// Returns the configurations, or none.
  std::vector<Config> configs();
  InductorMeta inductor();
  /// Returns the constants that the first launch gives by literals.
  std::map<std::string, Value> constants();
  /// Returns the value that `@triton.heuristics` gives, or nothing if it needs
  /// what is not known.
  std::optional<Value> heuristic(const std::string &name,
                                 const std::map<std::string, Value> &known);
  /// Returns the grid of the first launch, or none unless arguments say it all.
  std::vector<kernels::SizeTerm> grid();
  /// Returns whether a parameter is an argument although it is 1.
  bool isUnspecialized(llvm::StringRef parameter);

  std::optional<Refusal> refusal;  ///< too many configurations

 private:
  std::optional<Value> valueOf(const Node *node,
                               const std::map<std::string, Value> &names = {});
  const Node *resolved(const Node *node, int depth = 0) const;
  void addConfigs(const Node *node, const std::map<std::string, Value> &names,
                  std::vector<Config> &into);
  void addComprehension(const Node &node, size_t loop,
                        std::map<std::string, Value> names,
                        std::vector<Config> &into);
  std::optional<kernels::SizeTerm> sizeOf(const Node *node,
                                          llvm::StringRef meta, int depth);
  const Parameter *parameter(llvm::StringRef name) const;
  std::string parameterAt(const Node *key) const;

  const ModuleText &module_;
  const JitFunction &function_;
  const Launch *launch_ = nullptr;
  /// Which parameter an expression of the host is passed for, by its text.
  std::map<std::string, std::string> passed_;
};

/// Returns the value of a keyword of a call, or null.
const Node *keywordOf(const Node &call, llvm::StringRef name);
/// Returns the value of a key of a dictionary, or null if `dict` is none or has
/// no such key.
const Node *entryOf(const Node *dict, llvm::StringRef key);
/// Returns the last name of `a.b.c`, or of what is called; empty if it is none.
llvm::StringRef lastNameOf(const Node *node);

/// Returns whether an annotation makes a parameter a constant.
bool isConstexpr(const Node *annotation);

/// Returns the size that an expression is, where names are what they are, or
/// nothing.
std::optional<kernels::SizeTerm> sizeOfNames(const Node *node);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_LAUNCH_H
