// What a file of Python says about its kernels, without running it: functions
// under `triton.jit`, constants, imports, the configurations that are tried,
// and the launches.
//
//   B = 128                                  constant B
//   @triton.autotune(configs=[triton.Config({'C': 64}, num_warps=4)], key=[])
//   @triton.jit                              kernel k, a configuration
//   def k(x, n, B: tl.constexpr, C: tl.constexpr): …
//   def run(x):
//       grid = lambda meta: (triton.cdiv(n, meta['C']),)
//       k[grid](x, x.numel(), B=B)           a launch of k
//
// What is neither is skipped line by line. A mistake in a kernel refuses that
// kernel alone.
#ifndef INDEXICAL_IMPORT_PYTHON_MODULE_H
#define INDEXICAL_IMPORT_PYTHON_MODULE_H

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/syntax.h"

namespace indexical::python {

/// A function that the file defines for Triton.
struct JitFunction {
  FunctionText text;
  std::optional<Refusal> refusal;  ///< its text has a mistake
  /// `@triton.autotune`, `@triton.heuristics` and others, but not `jit`.
  std::vector<Node *> decorators;
};

/// `k[grid](x, n, B=64)`, and what the function around it assigns before.
struct Launch {
  llvm::StringRef kernel;
  Place place;
  Node *grid = nullptr;
  std::vector<Node *> arguments;  ///< also Keyword and Starred
  /// The values of names that the host assigns once, and null of those that it
  /// assigns more than once.
  std::map<llvm::StringRef, Node *> locals;
};

struct ModuleText {
  std::vector<JitFunction> functions;  ///< in the order of the file
  std::map<llvm::StringRef, Node *> constants;
  std::set<llvm::StringRef> constexprs;  ///< annotated as `tl.constexpr`
  std::map<llvm::StringRef, std::string> imports;  ///< `tl`: `triton.language`
  std::vector<Launch> launches;
  /// Functions under decorators of other languages: their names and what they
  /// are decorated with.
  std::vector<Refusal> foreign;
  std::vector<std::string> foreignNames;
  SyntaxStore store;
  std::vector<Token> tokens;

  const JitFunction *find(llvm::StringRef name) const;
};

/// Most characters of a file.
constexpr size_t kMostText = 1 << 20;

/// Returns what the file says. The text must outlive it. Its first line has
/// that number.
void readModule(llvm::StringRef text, ModuleText &into, uint32_t firstLine = 1);

/// Returns the dotted name that an expression of names is (`triton.jit`), or
/// "".
std::string dottedName(const Node *node);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_MODULE_H
