// Follows the host's code of a file, as far as its effects are known before it
// runs; private to import/python.
//
//   B = 16
//   L = [triton.Config({'B': B}, num_warps=2)]
//   B = 64
//   L.append(triton.Config({'B': B}))
//   @triton.autotune(configs=L, key=[])
//   @triton.jit
//   def k(x, C: tl.constexpr = B): …
//       two configurations, B = 16 and B = 64; C is 64
//
// The statements are followed in their order, with Python's scopes. A value is
// a constant, an object with identity (a list, a Config, a function), or not
// known. Nothing is called but functions of the file itself, and functions of
// Python and Triton that are known by their binding. Code that is not followed
// may change all that it can reach: such an object is open from then on, and
// the names that it may bind are not known.
#ifndef INDEXICAL_IMPORT_PYTHON_SCRIPT_H
#define INDEXICAL_IMPORT_PYTHON_SCRIPT_H

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/syntax.h"
#include "indexical/import/python/values.h"
#include "indexical/program/kernel/size_terms.h"

namespace indexical::python {

struct ScriptObject;
struct ScriptScope;

/// A value of the host. It is not known if it has neither constant nor object.
struct ScriptValue {
  std::shared_ptr<const Value> constant;
  ScriptObject *object = nullptr;
  /// The value as a size. Its names are those of values that are not known, or
  /// that a name was given (`#3`).
  std::shared_ptr<const kernels::SizeTerm> size;
  int sizeTerms = 0;
  /// For a value that is not known: what the first branch makes it, and others.
  std::shared_ptr<const std::vector<ScriptValue>> branches;
  /// Whether `branches` has what a name was before code that is not read.
  bool isDoubted = false;

  bool isKnown() const { return constant || object; }
};

enum class ScriptKind : uint8_t {
  List,
  Tuple,
  Dict,
  Config,    ///< of `triton.Config`: fields
  Function,  ///< `text`, or that of a lambda
  Method,    ///< `name` of items[0]
  Builtin,   ///< a function of Python: `name`
  Path,      ///< what an import has: `name`
  Class,     ///< fields
  Kernel,    ///< `facts`
  Launcher,  ///< `k[grid]`: `facts`; items[0]
};

struct KernelFacts;

struct ScriptObject {
  ScriptKind kind = ScriptKind::List;
  bool isOpen = false;             ///< it may have other items, too
  bool isEscaped = false;          ///< code that is not followed may change it
  bool isOld = false;              ///< made before functions are followed
  std::vector<ScriptValue> items;  ///< or values of a dictionary
  std::vector<Value> keys;         ///< of a dictionary
  std::map<std::string, ScriptValue> fields;
  std::string name;
  const FunctionText *text = nullptr;
  ScriptScope *closure = nullptr;
  std::vector<ScriptValue> defaults;  ///< one for each parameter
  KernelFacts *facts = nullptr;
  size_t layer = 0;     ///< of a kernel, a launcher: decorators passed over
  int64_t version = 0;  ///< changes so far
  /// For items that Python computes when they are passed: their sources.
  bool isLazy = false;
  std::vector<ScriptValue> sources;
};

struct ScriptScope {
  enum class Kind : uint8_t { Module, Function, Class, Inner };
  Kind kind = Kind::Module;
  ScriptScope *parent = nullptr;
  std::map<llvm::StringRef, ScriptValue> names;
  const std::set<llvm::StringRef> *locals = nullptr;
  std::map<llvm::StringRef, llvm::StringRef> declared;  ///< to its word
  bool isCaptured = false;  ///< a function looks names up in it
  bool isOld = false;       ///< made before functions are followed
};

/// The facts that the file gives a kernel where its `def` stands.
struct KernelFacts {
  size_t begin = 0;  ///< the token `def`
  const FunctionText *text = nullptr;
  struct Layer {
    bool isHeuristics = false;
    bool isWritten = false;  ///< the decorator writes the list itself
    Place place;
    ScriptValue value;  ///< the list, or the dictionary
    ScriptValue last;   ///< a copy at the end of the file; not known if lost
    bool isLost = false;
  };
  std::vector<Layer> layers;  ///< the outermost first
  std::map<llvm::StringRef, ScriptValue> defaults;
  ScriptValue unspecialized;
  bool asksBackend = false;
};

/// `k[grid](x, n, B=64)`
struct ScriptLaunch {
  size_t kernel = 0;  ///< the token `def`
  Place place;
  std::vector<std::pair<std::string, ScriptValue>> arguments;
  bool isOpen = false;                  ///< it may have other arguments, too
  std::vector<kernels::SizeTerm> grid;  ///< empty: not known
};

class Script {
 public:
  /// docs/internals/limits.md
  static constexpr int64_t kMostSteps = 200'000;
  static constexpr int64_t kMostOfFunction = 20'000;
  static constexpr size_t kMostItems = 4096;
  static constexpr int kMostCalls = 16;
  static constexpr int kMostLevels = 400;
  static constexpr int kMostTerms = 64;
  static constexpr size_t kMostLaunches = 256;

  /// The tokens must outlive the object. `kernels` has the kernels by their
  /// tokens `def`.
  Script(llvm::ArrayRef<Token> tokens,
         std::map<size_t, const FunctionText *> kernels)
      : tokens_(tokens), kernels_(std::move(kernels)) {}

  /// Follows the lines of the file.
  void run();
  /// Follows each function for arguments that are not known. Returns the
  /// launches, in the order of the file.
  const std::vector<ScriptLaunch> &launches();

  /// Returns whether the file has a kernel in other places than those of
  /// `launches`, from where it may be launched, too.
  bool hasOtherLaunches(size_t def);

  /// Returns what a name of the file is at its end.
  ScriptValue global(llvm::StringRef name) const;
  /// Returns what the names of the file are at its end.
  const std::map<llvm::StringRef, ScriptValue> &names() const {
    return scopes_.front().names;
  }
  /// Returns whether the run was given up.
  bool isLost() const { return isFileLost_; }
  const KernelFacts *factsOf(size_t def) const;
  /// Returns a value as a constant: lists are tuples, and what an import has is
  /// a module. std::nullopt if it is not known.
  std::optional<Value> constantOf(const ScriptValue &value,
                                  int depth = 0) const;
  /// Returns what a function returns for a dictionary that has these values,
  /// and others that are not known.
  std::optional<Value> called(const ScriptValue &function,
                              const std::map<std::string, Value> &arguments);
  /// Returns whether a `num_warps` is that of a Config that does not say it.
  bool isDefaultWarps(const ScriptValue &value) const {
    return value.constant == defaultWarps_;
  }

 private:
  enum class Flow : uint8_t { Next, Continue, Break, Return, Stop, Lost };
  using Values = std::vector<ScriptValue>;
  struct Frame {
    ScriptScope *scope = nullptr;
    ScriptValue result;
    bool mayReturn = false;  ///< perhaps a `return` was passed
  };
  struct Arguments {
    Values positional;
    std::vector<std::pair<std::string, ScriptValue>> named;
    bool isOpen = false;
  };
  /// The names that code has.
  struct Mentions {
    std::set<llvm::StringRef> bound;  ///< of its own scope
    /// `global` and `nonlocal`, to the word; and those of functions within.
    std::map<llvm::StringRef, llvm::StringRef> outer, inner;
    std::set<llvm::StringRef> reached;   ///< whose objects it may change
    std::set<llvm::StringRef> elements;  ///< whose items it may change
    std::set<llvm::StringRef> changed;   ///< whose objects it says to change
    std::set<llvm::StringRef> kernels;   ///< whose configurations it may change
    std::set<llvm::StringRef> unread;    ///< perhaps bound
    bool returns = false;
  };

  //===-- Statements (script.cc) ------------------------------------------===//

  Flow block(const Node *node);
  Flow statement(const Node &node);
  Flow ifStatement(const Node &node);
  Flow forStatement(const Node &node);
  Flow whileStatement(const Node &node);
  Flow tryStatement(const Node &node);
  Flow withStatement(const Node &node);
  void classStatement(const Node &node);
  void functionStatement(const Node &node);
  void kernelStatement(const Node &node, llvm::ArrayRef<Node *> decorators);
  void importStatement(const Node &node);
  void deleteStatement(const Node &node);
  void augment(const Node &node);
  /// Runs code that perhaps runs, and perhaps often.
  Flow perhapsOften(llvm::ArrayRef<const Node *> nodes, const Node *body,
                    const Node *target);
  /// Runs one of some blocks; null stands for nothing.
  Flow oneOf(llvm::ArrayRef<const Node *> blocks);
  void assign(const Node &target, ScriptValue value);
  void bind(llvm::StringRef name, ScriptValue value);
  void forget(llvm::StringRef name, bool keeps);
  ScriptScope *scopeFor(llvm::StringRef name);
  /// Returns whether the function has declared the name `global`, `nonlocal`.
  bool isOuter(llvm::StringRef name) const;
  ScriptScope &module() { return scopes_.front(); }
  void runFunctions();
  void openLists(KernelFacts &facts);

  //===-- Expressions (script_expressions.cc) -----------------------------===//

  /// A value of items that Python makes later is not known unless the caller
  /// passes them at once.
  ScriptValue evaluate(const Node *node, bool isPassed = false);
  ScriptValue settled(ScriptValue value);
  ScriptValue lazy(Values items, Values sources);
  ScriptValue evaluate_(const Node &node);
  ScriptValue name(llvm::StringRef name);
  ScriptValue nameIn(ScriptScope *scope, llvm::StringRef name);
  ScriptValue attribute(const ScriptValue &of, llvm::StringRef name);
  ScriptValue pathOf(const std::string &full);
  ScriptValue subscript(const Node &node);
  ScriptValue item(const ScriptValue &of, const ScriptValue &at);
  ScriptValue binary(llvm::StringRef sign, const ScriptValue &a,
                     const ScriptValue &b);
  ScriptValue compare(llvm::StringRef sign, const ScriptValue &a,
                      const ScriptValue &b);
  ScriptValue comprehension(const Node &node);
  void addComprehended(const Node &node, size_t loop, ScriptScope &scope,
                       ScriptObject &into);
  bool bindWithin(const Node &target, const ScriptValue &value,
                  ScriptScope &scope);
  std::optional<bool> truthOf(const ScriptValue &value);
  std::optional<bool> areEqual(const ScriptValue &a, const ScriptValue &b,
                               int depth = 0);
  /// Returns the items of what is iterated; std::nullopt if they are not known.
  std::optional<Values> itemsOf(const ScriptValue &value);
  bool isBackend(const Node &node) const;

  ScriptValue of(Value value) const;
  ScriptValue of(ScriptObject *object) const {
    ScriptValue made;
    made.object = object;
    return made;
  }
  ScriptObject *make(ScriptKind kind, std::string name = "");
  ScriptValue tuple(Values items);
  ScriptValue symbol(std::string key = "");
  std::string keyOf(const ScriptValue &value) const;
  std::optional<int64_t> small(const ScriptValue &value) const;
  /// Adds the size that both make.
  void combine(kernels::SizeKind kind, const ScriptValue &a,
               const ScriptValue &b, ScriptValue &into) const;
  bool step(int64_t count = 1);
  /// Returns whether an object is changed by what is followed alone.
  bool mayChange(ScriptObject &object);

  //===-- Calls (script_calls.cc) -----------------------------------------===//

  ScriptValue call(const Node &node);
  ScriptValue callOf(const ScriptValue &callee, Arguments &arguments,
                     Place place);
  ScriptValue unknownCall(const ScriptValue &callee,
                          const Arguments &arguments);
  ScriptValue function(ScriptObject &function, const Arguments &arguments);
  ScriptValue builtin(llvm::StringRef name, const Arguments &arguments);
  ScriptValue method(const ScriptValue &self, llvm::StringRef name,
                     const Arguments &arguments);
  ScriptValue listMethod(ScriptObject &self, llvm::StringRef name,
                         const Arguments &arguments, bool &isDone);
  ScriptValue dictMethod(ScriptObject &self, llvm::StringRef name,
                         const Arguments &arguments, bool &isDone);
  ScriptValue path(const std::string &full, const Arguments &arguments);
  ScriptValue config(const Arguments &arguments);
  void launch(ScriptObject &launcher, Arguments arguments, Place place);
  void findOtherLaunches();
  std::vector<kernels::SizeTerm> gridOf(const ScriptValue &grid,
                                        const ScriptLaunch &launch);
  std::optional<kernels::SizeTerm> sizeIn(
      const kernels::SizeTerm &term,
      const std::map<std::string, std::string> &passed, const FunctionText &of);
  const Node *bodyOf(const FunctionText &text);
  ScriptObject *functionObject(const Node &node);
  void put(ScriptObject &dict, const Value &key, ScriptValue value);
  ScriptValue *found(ScriptObject &dict, const Value &key);

  //===-- What is not followed (script_doubts.cc) -------------------------===//

  /// Notes that code which is not followed may change a value from now on.
  void escape(const ScriptValue &value);
  void escape(ScriptObject *object);
  void escapeItems(const ScriptValue &value);
  /// Returns a value that is not known, and may be one of these.
  ScriptValue lost(llvm::ArrayRef<ScriptValue> from);
  /// Lets code that is not followed call the functions that it knows.
  void othersRun();
  void expose(const Mentions &mentions, ScriptScope *scope);
  void mention(const Node *node, Mentions &into, bool isOwn);
  void mentionTarget(const Node &target, Mentions &into, bool isOwn);
  void mentionFunction(const FunctionText &text, Mentions &into);
  const Mentions &mentionsOf(const FunctionText &text);
  const std::set<llvm::StringRef> &localsOf(const FunctionText &text);
  void doubt(const Mentions &mentions);
  void forgetOuter(const Mentions &mentions);
  void doubtStatement(const Node &node);
  void doubtExpression(const Node &node);
  ScriptValue merged(const ScriptValue &a, const ScriptValue &b, bool wasBound);
  bool isSame(const ScriptValue &a, const ScriptValue &b) const;
  void loseAll();
  /// Doubts what functions say that they change, and that were not called.
  void doubtUncalled();
  /// Returns a copy of lists, dictionaries and configurations.
  ScriptValue copied(const ScriptValue &value, int depth = 0);

  const llvm::ArrayRef<Token> tokens_;
  const std::map<size_t, const FunctionText *> kernels_;
  SyntaxStore store_;
  std::deque<ScriptScope> scopes_;
  std::deque<ScriptObject> objects_;
  std::map<size_t, KernelFacts> facts_;
  std::vector<Frame> frames_;
  std::map<const FunctionText *, const Node *> bodies_;
  std::map<const FunctionText *, Mentions> mentions_;
  std::map<const FunctionText *, std::set<llvm::StringRef>> locals_;
  /// Functions in the order of the file, with the object that was made last.
  std::map<std::pair<uint32_t, uint32_t>, ScriptObject *> functions_;
  std::set<const FunctionText *> ran_;
  std::vector<ScriptObject *> escapedFunctions_;
  size_t exposed_ = 0;  ///< of these
  /// The functions' names that code which is not followed may use.
  struct Watched {
    ScriptScope *scope;
    llvm::StringRef name, what;
    bool operator<(const Watched &o) const {
      return std::tie(scope, name, what) < std::tie(o.scope, o.name, o.what);
    }
  };
  std::set<Watched> watched_;
  bool isChanged_ = false;  ///< since others ran last
  std::map<std::string, int64_t> symbols_;
  /// Symbols of methods that only look: `x.numel`.
  std::set<std::string> looks_;
  std::map<std::string, int64_t> known_;           ///< sizes that are numbers
  std::map<std::string, ScriptValue> overridden_;  ///< attributes of imports
  std::vector<ScriptLaunch> launches_;
  std::set<size_t> launchedElsewhere_;
  int64_t steps_ = 0, most_ = kMostSteps, doubts_ = 0, nextSymbol_ = 0;
  int64_t mentioned_ = 0;
  int calls_ = 0, levels_ = 0;
  bool isLost_ = false, isFileLost_ = false, asksBackend_ = false,
       importsAll_ = false;
  bool areLaunchesRead_ = false, isRunningLaunches_ = false;
  bool hasLazyAnnotations_ = false;
  std::shared_ptr<const Value> defaultWarps_ =
      std::make_shared<const Value>(Value::whole(4));
};

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_SCRIPT_H
