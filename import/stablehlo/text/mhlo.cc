#include "indexical/import/stablehlo/text/mhlo.h"

#include <utility>
#include <vector>

#include "llvm/ADT/StringSet.h"

#include "indexical/import/stablehlo/text/tokens.h"

namespace indexical {
namespace {

using llvm::StringRef;
using IsStablehlo = llvm::function_ref<bool(StringRef)>;

// Functions of one number that StableHLO left to chlo.
const llvm::StringSet<> &functionsOfChlo() {
  static const llvm::StringSet<> names = {"acos",  "acosh", "asin", "asinh",
                                          "atanh", "cosh",  "erf",  "sinh"};
  return names;
}

// StableHLO's ops of these names have regions where MHLO's name a function.
bool isOwn(StringRef name) { return name.starts_with("async_"); }

const llvm::StringSet<> &sharedAttributes() {
  static const llvm::StringSet<> names = {"channel_handle",
                                          "comparison_direction",
                                          "comparison_type",
                                          "conv",
                                          "dot",
                                          "dot_algorithm",
                                          "fft_type",
                                          "gather",
                                          "output_operand_alias",
                                          "precision",
                                          "result_accuracy",
                                          "result_accuracy_mode",
                                          "rng_algorithm",
                                          "rng_distribution",
                                          "scatter",
                                          "transpose",
                                          "type_extensions"};
  return names;
}

bool isEnumeration(StringRef name) {
  return name.starts_with("comparison_") || name.starts_with("rng_") ||
         name == "fft_type" || name == "precision" || name == "transpose";
}

class Renamer {
 public:
  Renamer(TextEdits &edits, IsStablehlo isStablehlo)
      : edits_(edits), isStablehlo_(isStablehlo), tokens_(edits.original()) {}

  void run() {
    for (ahead_ = tokens_.next(); ahead_.kind != TokenKind::End;) {
      const Token token = std::exchange(ahead_, tokens_.next());
      if (token.kind == TokenKind::Word) {
        // In `{mhlo.sharding = …}` it is the name of an attribute.
        if (!ahead_.is("=")) {
          renameOp(token.begin, token.text);
          addResultType(token);
        }
      } else if (token.kind == TokenKind::String && ahead_.is("(")) {
        renameOp(token.begin + 1, token.text.drop_front().drop_back());
      } else if (token.kind == TokenKind::Attribute) {
        renameAttribute(token);
      } else if (token.is("!mhlo.token")) {
        edits_.replace(token.begin, token.end(), "!stablehlo.token");
      } else if (token.is("!mhlo.async_bundle") && ahead_.is("<")) {
        renameBundle(token);
      }
    }
  }

 private:
  void renameOp(size_t begin, StringRef text) {
    StringRef name = text;
    if (!name.consume_front("mhlo.")) return;
    std::string here = nameOfMhloOp(name, isStablehlo_);
    if (!here.empty())
      edits_.replace(begin, begin + text.size(), std::move(here));
  }

  // MHLO writes `mhlo.erf %x : T` where chlo wants `chlo.erf %x : T -> T`.
  void addResultType(const Token &op) {
    StringRef name = op.text;
    if (!name.consume_front("mhlo.") || !functionsOfChlo().contains(name))
      return;
    Tokens tokens(edits_.original(), op.end());
    Token token = tokens.next();
    if (token.kind != TokenKind::Value) return;
    int depth = 0;
    for (token = tokens.next(); depth > 0 || !token.is(":");
         token = tokens.next()) {
      if (token.kind == TokenKind::End) return;
      if (token.kind == TokenKind::Open) ++depth;
      if (token.kind == TokenKind::Close && --depth < 0) return;
    }
    const Token first = tokens.next();
    if (first.kind != TokenKind::Word) return;
    const StringRef type = withBrackets(edits_.original(), first, tokens);
    if (Tokens(tokens).next().kind == TokenKind::Arrow) return;
    const size_t end = first.begin + type.size();
    edits_.replace(end, end, " -> " + type.str());
  }

  void renameAttribute(const Token &token) {
    StringRef name = token.text;
    if (!name.consume_front("#mhlo")) return;
    // `#mhlo<precision HIGH>` or `#mhlo.gather<…>`.
    if (name.consume_front(".") && isEnumeration(name) && ahead_.is("<")) {
      // `#mhlo.precision<HIGH>` is `#stablehlo<precision HIGH>`.
      edits_.replace(token.begin, ahead_.end(),
                     "#stablehlo<" + name.str() + ' ');
      return;
    }
    const bool isShared =
        token.is("#mhlo")
            ? ahead_.is("<") &&
                  sharedAttributes().contains(Tokens(tokens_).next().text)
            : sharedAttributes().contains(name);
    if (isShared)
      edits_.replace(token.begin, token.begin + StringRef("#mhlo").size(),
                     "#stablehlo");
  }

  // `<operands, results, context…>`, of which the second part stays.
  void renameBundle(const Token &token) {
    std::vector<size_t> commas;
    int depth = 1;
    Token each = tokens_.next();
    for (; each.kind != TokenKind::End; each = tokens_.next()) {
      if (each.kind == TokenKind::Open) ++depth;
      if (each.kind == TokenKind::Close && --depth == 0) break;
      if (depth == 1 && each.is(",")) commas.push_back(each.begin);
    }
    commas.push_back(each.begin);
    if (depth == 0 && commas.size() >= 2) {
      const StringRef results =
          edits_.original().slice(commas[0] + 1, commas[1]).trim();
      TextEdits inner(results);
      renameMhlo(inner, isStablehlo_);
      edits_.replace(token.begin, each.end(),
                     "!stablehlo.future<" + inner.made().text + ">");
    }
    ahead_ = tokens_.next();
  }

  TextEdits &edits_;
  IsStablehlo isStablehlo_;
  Tokens tokens_;
  Token ahead_;
};

}  // namespace

std::string nameOfMhloOp(StringRef name, IsStablehlo isStablehlo) {
  if (isOwn(name)) return "";
  if (functionsOfChlo().contains(name)) return "chlo." + name.str();
  const std::string twin = "stablehlo." + name.str();
  return isStablehlo(twin) ? twin : "";
}

void renameMhlo(TextEdits &edits, IsStablehlo isStablehlo) {
  if (edits.original().contains("mhlo")) Renamer(edits, isStablehlo).run();
}

}  // namespace indexical
