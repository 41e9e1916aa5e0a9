// The parts of a Python file that define its kernels, read without running it:
// functions under `triton.jit`, constants, imports, the configurations that are
// tried, and the launches.
//
//   B = 128                                  constant B
//   @triton.autotune(configs=[triton.Config({'C': 64}, num_warps=4)], key=[])
//   @triton.jit                              kernel k, a configuration
//   def k(x, n, B: tl.constexpr, C: tl.constexpr): …
//   def run(x):
//       grid = lambda meta: (triton.cdiv(n, meta['C']),)
//       k[grid](x, x.numel(), B=B)           a launch of k
//
// script.h follows the other code. An error in a kernel
// refuses only that kernel.
#ifndef INDEXICAL_IMPORT_PYTHON_MODULE_H
#define INDEXICAL_IMPORT_PYTHON_MODULE_H

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/script.h"

namespace indexical::python {

/// A function that the file defines for Triton.
struct JitFunction {
  FunctionText text;
  std::optional<Refusal> refusal;  ///< if its text has an error
  /// `@triton.autotune`, `@triton.heuristics` and others, but not `jit`.
  std::vector<Node *> decorators;
  size_t begin = 0;  ///< the token `def`
};

struct ModuleText {
  std::vector<JitFunction> functions;  ///< in the order of the file
  std::map<llvm::StringRef, Node *> constants;
  std::set<llvm::StringRef> constexprs;  ///< annotated as `tl.constexpr`
  std::map<llvm::StringRef, std::string> imports;  ///< `tl`: `triton.language`
  /// The names that several branches define. The first definition counts.
  std::set<llvm::StringRef> branched;
  /// The values of the file's names at its end, as far as they are known.
  std::map<llvm::StringRef, Value> values;
  std::shared_ptr<Script> script;
  /// Functions under decorators of other languages: their names and decorators.
  std::vector<Refusal> foreign;
  std::vector<std::string> foreignNames;
  SyntaxStore store;
  std::vector<Token> tokens;

  const JitFunction *find(llvm::StringRef name) const;
};

/// The largest number of characters of a file.
constexpr size_t kMostText = 1 << 20;

/// Adds the parts of the file to `into`, which the text must outlive. Its first
/// line has the number `firstLine`.
void readModule(llvm::StringRef text, ModuleText &into, uint32_t firstLine = 1);

/// Returns whether a decorator beside `jit` leaves a kernel's meaning as it is:
/// `@triton.autotune(…)`, Inductor's, or that of a cache of kernels.
bool keepsMeaning(const Node &decorator);

/// Returns the dotted name of an expression (`triton.jit`); "" for another one.
std::string dottedName(const Node *node);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_MODULE_H
