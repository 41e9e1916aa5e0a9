// A fold visits each part once, after its own parts, from left to right, and
// gives what a recursion gives: on random trees, on parts that are shared again
// and again, on expressions a million deep, and while the table grows.
#include "indexical/indexing/fold.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/evaluation.h"
#include "tests/support/expression_tree.h"

namespace indexical::testing {
namespace {

/// Text in full, and a list of the parts that were visited.
struct Written {
  using Value = std::string;
  using Sum = ValuedSum<std::string>;
  std::vector<std::string> &visited;

  std::string note(std::string text) {
    visited.push_back(text);
    return text;
  }
  std::string variable(VariableId id) {
    return note("v" + std::to_string(id.key()));
  }
  std::string digit(const Sum &parent, int64_t stride, int64_t modulus) {
    return note("d(" + sum(parent) + "," + std::to_string(stride) + "," +
                std::to_string(modulus) + ")");
  }
  std::string product(const Sum &a, const Sum &b) {
    return note("p(" + sum(a) + "," + sum(b) + ")");
  }
  std::string quotient(const Sum &a, const Sum &b) {
    return note("q(" + sum(a) + "," + sum(b) + ")");
  }
  std::string positivePart(const Sum &a) { return note("+(" + sum(a) + ")"); }
  std::string remainder(const Sum &a, const Sum &b) {
    return note("r(" + sum(a) + "," + sum(b) + ")");
  }
  std::string sum(const Sum &form) {
    std::string text = std::to_string(form.constant());
    for (size_t i = 0; i < form.size(); ++i)
      text += "+" + std::to_string(form.coefficient(i)) + "*" + form.value(i);
    return text;
  }
};

/// Writes the same text by recursion. A part is at most once in the list.
class Recursion {
 public:
  explicit Recursion(const ExpressionTable &table)
      : table_(table), texts_(table.atomCount()) {}
  std::string form(FormId form) {
    std::string text = std::to_string(table_.constant(form));
    for (const Term &term : table_.terms(form))
      text += "+" + std::to_string(term.coefficient) + "*" + atom(term.atom);
    return text;
  }
  std::vector<std::string> visited;

 private:
  std::string atom(AtomId id) {
    if (!texts_[id].empty()) return texts_[id];
    const Atom &atom = table_.atom(id);
    std::string text;
    if (atom.kind == AtomKind::Variable) {
      text = "v" + std::to_string(atom.a);
    } else if (atom.kind == AtomKind::Digit) {
      text = "d(" + form(atom.a) + "," + std::to_string(atom.stride) + "," +
             std::to_string(atom.modulus) + ")";
    } else if (atom.kind == AtomKind::PositivePart) {
      text = "+(" + form(atom.a) + ")";
    } else {
      const std::string a = form(atom.a);
      const std::string b = form(atom.b);
      text = atom.kind == AtomKind::Product    ? "p("
             : atom.kind == AtomKind::Quotient ? "q("
                                               : "r(";
      text += a + "," + b + ")";
    }
    visited.push_back(text);
    return texts_[id] = text;
  }

  const ExpressionTable &table_;
  std::vector<std::string> texts_;
};

TreeOptions options(int64_t depth) {
  TreeOptions options;
  for (uint32_t i : {0u, 1u})
    for (VariableKind kind : {VariableKind::Dimension, VariableKind::Range,
                              VariableKind::Runtime}) {
      options.variables.push_back({kind, i});
      if (i == 1) options.divisors.push_back({kind, i});
    }
  options.depth = depth;
  return options;
}

TEST(FoldTest, EachPartOnceAfterItsOwnAsARecursion) {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ExpressionPool pool;
    std::vector<std::string> visited;
    Fold<Written> fold(pool, Written{visited});
    std::vector<FormId> forms;
    std::vector<std::string> texts;
    // The table grows between the questions.
    for (int i = 0; i < 3; ++i) {
      forms.push_back(
          formOf(randomTree(random, options(random.in(1, 5))), pool));
      texts.push_back(fold(forms.back()));
    }
    Recursion recursion(pool);
    for (size_t i = 0; i < forms.size(); ++i)
      EXPECT_EQ(texts[i], recursion.form(forms[i]));
    EXPECT_EQ(visited, recursion.visited);
    // All is known.
    EXPECT_EQ(fold(forms[0]), texts[0]);
    EXPECT_EQ(visited, recursion.visited);
    // After a restart all is visited again.
    fold.restart();
    EXPECT_EQ(fold(forms[0]), texts[0]);
    EXPECT_GE(visited.size(), recursion.visited.size());
    if (HasFailure()) return;
  }
}

TEST(FoldTest, DepthAndSharingDoNotCount) {
  ExpressionPool pool;
  FormId form = pool.variable({VariableKind::Dimension, 0});
  constexpr int kDepth = 1000000;
  for (int i = 0; i < kDepth; ++i)
    form = pool.digit(pool.linear({{form, 3}}, i), 2, 0);
  int asked = 0;
  auto value = [&](VariableId) {
    ++asked;
    return int64_t{0};
  };
  Evaluation evaluate(pool, value);
  EXPECT_FALSE(evaluate(form).has_value());  // it grows by half each time
  EXPECT_EQ(asked, 1);
  // x floordiv 2 + x floordiv 2, a hundred times: 2^100 terms if it is written.
  FormId twice = pool.variable({VariableKind::Dimension, 1});
  for (int i = 0; i < 100; ++i) {
    const FormId half = pool.digit(pool.linear({{twice, 2}}, 1), 2, 0);
    twice = pool.linear({{half, 1}, {pool.digit(half, 3, 5), 1}}, 0);
  }
  std::vector<std::string> visited;
  asked = 0;
  EXPECT_TRUE(Evaluation(pool, value)(twice).has_value());
  EXPECT_EQ(asked, 1);
}

TEST(FoldTest, OperandsHaveSmallerNumbers) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    ExpressionPool pool;
    FormId form = formOf(randomTree(random, options(6)), pool);
    FrozenExpressions frozen(pool, form);
    for (const ExpressionTable *table :
         {static_cast<const ExpressionTable *>(&pool),
          static_cast<const ExpressionTable *>(&frozen)})
      for (AtomId id = 0; id < table->atomCount(); ++id)
        for (const FormId operand : table->atom(id).operands())
          for (const Term &term : table->terms(operand))
            EXPECT_LT(term.atom, id) << "seed " << seed;
  }
}

}  // namespace
}  // namespace indexical::testing
