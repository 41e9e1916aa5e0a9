// The configurations of `@triton.autotune`, as the file's code makes their
// list; private to import/python.
//
//   def tried():
//       configs = []
//       for b in [64, 128]:
//           configs.append(triton.Config({'B': b}, num_warps=4))
//       return configs
//   @triton.autotune(configs=tried(), key=['n'])
//       two configurations, B = 64 and B = 128
//
// Assignments, loops over numbers that are known, branches on them, `append`,
// `extend`, `+=` and `return` are followed, in functions and in lines of the
// file. Other code that may change a list makes the list open: configurations
// are then known only when the file runs. Nothing is called but functions of
// the file itself, of which these statements are read.
#ifndef INDEXICAL_IMPORT_PYTHON_CONFIG_LISTS_H
#define INDEXICAL_IMPORT_PYTHON_CONFIG_LISTS_H

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/import/python/lowering.h"
#include "indexical/import/python/module.h"

namespace indexical::python {

/// The largest number of configurations of a kernel.
constexpr size_t kMostConfigs = 64;

struct Config {
  std::vector<std::pair<std::string, Value>> values;
  std::optional<int64_t> warps;
  bool areWarpsOpen = false;  ///< `num_warps` is given, but not as a number
};

class ConfigLists {
 public:
  using Names = std::map<std::string, Value>;

  ConfigLists(const ModuleText &module, const JitFunction &function)
      : module_(module), function_(function) {}

  /// Returns the configurations that the file gives the function.
  std::vector<Config> read();

  std::optional<Refusal> refusal;  ///< too many are written out
  /// Whether some configurations are known only when the file runs.
  bool isOpen = false;
  /// Whether the file asks which backend runs it, which is taken to be CUDA.
  bool asksBackend = false;

 private:
  using Configs = std::vector<Config>;
  /// The meanings of names where a statement runs.
  struct Scope {
    Names values;
    /// Lists of configurations; nothing for one that is lost.
    std::map<std::string, std::optional<Configs>> lists;
    std::optional<Configs> returned;
  };
  enum class Flow : uint8_t { Next, Continue, Break, Return, Lost };

  void add(const Node *node, const Scope &scope, Configs &into);
  void addOne(const Node &node, const Scope &scope, Configs &into);
  void addComprehension(const Node &node, size_t loop, Scope scope,
                        Configs &into);
  /// Returns the configurations of an expression, or nothing if it may have
  /// others, or more than the most.
  std::optional<Configs> whole(const Node *node, const Scope &scope);
  /// Does whole(), and forgets what an expression names that is not followed.
  std::optional<Configs> wholeOrLost(const Node *node, Scope &scope);
  std::optional<Configs> called(const Node &call, const Scope &scope);
  /// Returns what the lines of the file make of a name.
  Scope scopeOfFile(llvm::StringRef name);
  bool isChangedWithin(llvm::StringRef name) const;
  std::optional<FunctionText> functionOf(llvm::StringRef name);

  Flow run(const Node *block, Scope &scope);
  Flow step(const Node &statement, Scope &scope);
  Flow loop(const Node &statement, Scope &scope);
  void assign(const Node &target, const Node *value, Scope &scope);
  void extend(const std::string &name, std::optional<Configs> more,
              Scope &scope);
  bool isListChanged(const Node &call, Scope &scope);
  void lose(const Node *node, Scope &scope);
  bool bind(const Node &target, const Value &value, Scope &scope);
  std::optional<std::vector<Value>> itemsOf(const Node *source,
                                            const Scope &scope);
  std::optional<bool> truthOf(const Node *node, const Scope &scope);
  const Node *resolved(const Node *node) const;

  const ModuleText &module_;
  const JitFunction &function_;
  SyntaxStore store_;  ///< of functions and lines that are read here
  int64_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_CONFIG_LISTS_H
