// The syntax of Python's expressions and statements, as far as kernels and the
// code around them use it.
//
//   o = pid * B + tl.arange(0, B)
//     Assign
//       Name o
//       Binary +
//         Binary *      Name pid, Name B
//         Call          Attribute arange of Name tl, Number 0, Name B
//
// Nodes have their places in the text. Constructs that kernels cannot have (a
// lambda, a comprehension, `with`) are nodes, too, for their places.
#ifndef INDEXICAL_IMPORT_PYTHON_SYNTAX_H
#define INDEXICAL_IMPORT_PYTHON_SYNTAX_H

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/refusal.h"
#include "indexical/import/python/tokens.h"

namespace indexical::python {

struct Value;

enum class NodeKind : uint8_t {
  // Expressions. `text` and `parts` hold:
  Name,         ///< its name
  Number,       ///< its digits
  String,       ///< its contents, without quotes
  Constant,     ///< `None`, `True`, `False` or `...`
  Attribute,    ///< its name; the object
  Subscript,    ///< the object, then the indices
  Slice,        ///< start, end and step, each of which may be null
  Call,         ///< the callee, then arguments, some Keyword or Starred
  Keyword,      ///< the name, empty for `**x`; the value
  Starred,      ///< `*x`
  Binary,       ///< the sign; left, right
  Unary,        ///< `-`, `+`, `~` or `not`; the operand
  Compare,      ///< the first sign; the operands, more than two if chained
  Logical,      ///< `and` or `or`; the operands
  Conditional,  ///< the condition, the value if true, the value if false
  Tuple,
  List,
  Dict,           ///< keys and values in turn; a key of `**x` is null
  Lambda,         ///< the body, then the parameters' names
  Comprehension,  ///< the element, then For nodes of target, source, conditions
  Other,          ///< its description
  // Statements.
  Expression,
  Assign,     ///< the targets, then the value
  Annotated,  ///< the target, the annotation, the value or null
  Augmented,  ///< the sign; the target, the value
  If,         ///< the condition, the block, and the other block or null
  For,        ///< the target, the source, the block, and that of else or null
  While,      ///< the condition, the block, and that of else or null
  Return,     ///< the value or null
  Pass,       ///< also global, nonlocal, import and assert: it does nothing
  Jump,       ///< `break`, `continue` or `raise`
  Statement,  ///< any other one; its word
  Block,
  // The host alone has these (script_syntax.cc).
  Walrus,  ///< its name; the value
  Set,
  Function,  ///< `def`: its name; decorators. `function` has the rest
  Class,     ///< its name; a call of the bases, the block, decorators
  With,      ///< items and their targets, null if none; the block
  Try,       ///< the block, that of else, that of finally; then handlers
  Handler,   ///< the name, or empty; the type or null, the block
  Delete,    ///< what is deleted
  Import,    ///< the full name; the name that has it
  Names,     ///< `global` or `nonlocal`; the names
  /// A statement that is not read: all its names, then Names of its `global`
  /// and `nonlocal`. The text has `return` and `break` if it perhaps leaves the
  /// function, or a loop.
  Unread,
};

struct FunctionText;

struct Node {
  NodeKind kind = NodeKind::Pass;
  Place place;
  llvm::StringRef text;
  std::vector<Node *> parts;
  const FunctionText *function = nullptr;  ///< of the host's `def` and lambda

  bool isName(llvm::StringRef name) const {
    return kind == NodeKind::Name && text == name;
  }
};

struct Parameter {
  llvm::StringRef name;
  Place place;
  Node *annotation = nullptr, *value = nullptr;
  /// `*args`, `**args`.
  bool isRest = false;
  bool isKeywordOnly = false;
  /// For a kernel: whether the file's run has computed the value, and the value
  /// if it is known then.
  bool isComputed = false;
  std::shared_ptr<const Value> computed;
};

struct FunctionText {
  llvm::StringRef name;
  Place place;
  std::vector<Parameter> parameters;
  std::vector<Node *> decorators;
  Node *body = nullptr;
  /// For the host: the tokens of the body, from its colon on, which is read
  /// when it is needed; and the token `def`.
  size_t bodyBegin = 0, begin = 0;
  /// For the host: whether a call does not run the body at once (`yield`).
  bool isLazy = false;
};

/// Owns the nodes of a text, and the strings that are not parts of the text.
struct SyntaxStore {
  std::deque<Node> nodes;
  std::deque<std::string> strings;
  std::deque<FunctionText> functions;
};

/// Reads nodes from tokens, which must outlive it. After an error `refusal` is
/// set, and returned nodes may be null.
class Parser {
 public:
  /// The deepest nesting of brackets, blocks and operators.
  static constexpr int kMostDeep = 100;
  /// The largest number of operands of a chain such as `a + b + c`.
  static constexpr int kMostChained = 400;

  Parser(llvm::ArrayRef<Token> tokens, SyntaxStore &store)
      : tokens_(tokens), store_(store) {}

  std::optional<Refusal> refusal;
  /// Whether all of Python is read, as code of the host has it, and a statement
  /// with an error is Unread.
  bool isOfHost = false;

  const Token &token() const { return tokens_[at_]; }
  const Token &next() const {
    return tokens_[at_ + 1 < tokens_.size() ? at_ + 1 : at_];
  }
  size_t at() const { return at_; }
  void goTo(size_t at) { at_ = at; }
  /// Advances by a token, but not beyond the last one.
  void skip() {
    if (at_ + 1 < tokens_.size()) ++at_;
  }
  /// Advances to the end of the line, and of its block if it has one.
  void skipStatement();

  Node *expression();      ///< without commas outside of brackets
  Node *expressionList();  ///< a tuple if there are commas
  Node *postfix();         ///< a name with its calls, indices and attributes
  Node *block();           ///< from the colon on
  /// Returns the statements up to a token as a block.
  Node *lines(size_t end);
  /// Returns a function, read from `def` on; std::nullopt after an error.
  std::optional<FunctionText> function(std::vector<Node *> decorators);
  /// Reads the statements of one line of the host that have no block.
  void hostSimples(std::vector<Node *> &into);
  /// Reads a statement of the host, or several in one line.
  void hostStatement(std::vector<Node *> &into);
  /// Returns the decorators, read from lines of `@…`.
  std::vector<Node *> decorators();

 private:
  friend class Nesting;
  Node *make(NodeKind kind, Place place, llvm::StringRef text = {},
             std::vector<Node *> parts = {});
  Node *refuse(RefusalKind kind, Place place, std::string message);
  Node *expected(const char *what);
  bool take(llvm::StringRef word);
  bool require(llvm::StringRef word);

  Node *lambda();
  Node *hostLambda();
  Node *hostCompound();
  Node *hostSimple();
  Node *hostFunction(std::vector<Node *> decorators, bool isAsync);
  Node *hostClass(std::vector<Node *> decorators);
  Node *hostWith();
  Node *hostTry();
  Node *hostMatch();
  Node *matchCases(Node *subject);
  struct Pattern;
  Pattern pattern(size_t end, llvm::StringRef subject);
  void hostImport(std::vector<Node *> &into);
  /// Returns the names of tokens, or of a text with expressions.
  Node *namesOf(size_t begin, size_t end);
  Node *formatted(Place place, llvm::StringRef text);
  Node *binary(int level);
  Node *unary();
  Node *power();
  Node *compare();
  Node *logical(llvm::StringRef word);
  Node *notTest();
  Node *atom();
  Node *bracket();
  Node *braces();
  Node *comprehension(Node *element, Place place);
  Node *number();
  Node *string();
  Node *subscript(Node *of);
  Node *call(Node *of);
  Node *index();
  Node *targets();

  void statements(std::vector<Node *> &into);
  void simpleStatements(std::vector<Node *> &into);
  Node *simpleStatement();
  Node *assignment();
  Node *ifStatement();
  Node *forStatement();
  Node *whileStatement();
  bool endsLine();
  Parameter parameter(bool &isKeywordOnly);
  /// Adds a parameter, or refuses it as Python does.
  void add(Parameter parameter, std::vector<Parameter> &parameters);

  llvm::ArrayRef<Token> tokens_;
  SyntaxStore &store_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_SYNTAX_H
