#include "tests/same/values/reducer_functions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace indexical::testing {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

/// A number as an integer, for ops of integers; 0 if it is none.
int64_t wholeOf(double number) {
  return std::abs(number) < 0x1p62 ? static_cast<int64_t>(number) : 0;
}

/// A number of a type: 's' an s8, 'p' a pred, 'f' an f32.
double taken(char type, double number) {
  if (type == 'f') return number;
  const int64_t whole = wholeOf(number);
  if (type == 'p') return static_cast<double>(whole & 1);
  return static_cast<double>(static_cast<int8_t>(whole & 255));
}

double binary(const Function::Node &node, double x, double y) {
  const bool isNan = std::isnan(x) || std::isnan(y);
  const int64_t a = wholeOf(x), b = wholeOf(y);
  if (node.op == "add") return x + y;
  if (node.op == "subtract") return x - y;
  if (node.op == "multiply") return x * y;
  if (node.op == "maximum") return isNan ? kNan : std::max(x, y);
  if (node.op == "minimum") return isNan ? kNan : std::min(x, y);
  if (node.op == "and") return static_cast<double>(a & b);
  if (node.op == "or") return static_cast<double>(a | b);
  if (node.op == "xor") return static_cast<double>(a ^ b);
  if (node.op == "remainder")
    return static_cast<double>(b == 0 ? a : b == -1 ? 0 : a % b);
  ADD_FAILURE() << node.op;
  return 0;
}

}  // namespace

std::string nameOf(char type) {
  return type == 's' ? "s8" : type == 'p' ? "pred" : "f32";
}

std::string textOf(char type, double number) {
  if (type == 'p') return number != 0 ? "true" : "false";
  if (type == 's') return std::to_string(static_cast<int>(number));
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  return (std::signbit(number) ? "-" : "") +
         std::to_string(static_cast<int>(std::fabs(number)));
}

bool areOne(double a, double b, bool isAnyZero) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && (isAnyZero || std::signbit(a) == std::signbit(b));
}

std::string Function::text() const {
  std::string text = "f {\n";
  for (size_t k = 0; k < nodes.size(); ++k) {
    const Node *node = &nodes[k];
    std::string operands;
    for (int each : node->of)
      operands += (operands.empty() ? "n" : ", n") + std::to_string(each);
    if (node->op == "parameter")
      operands = std::to_string(static_cast<int>(node->number));
    if (node->op == "constant") operands = textOf(node->type, node->number);
    text += "  n" + std::to_string(k) + " = " + nameOf(node->type) + "[] " +
            node->op + "(" + operands + ")" + node->more + "\n";
  }
  if (results.size() == 1)
    return text + "  ROOT r = " + nameOf(types[0]) + "[] copy(n" +
           std::to_string(results[0]) + ")\n}\n";
  std::string all, values;
  for (size_t k = 0; k < results.size(); ++k) {
    all += (k ? ", " : "") + nameOf(types[k]) + "[]";
    values += (k ? ", n" : "n") + std::to_string(results[k]);
  }
  return text + "  ROOT r = (" + all + ") tuple(" + values + ")\n}\n";
}

Function::Tuple Function::run(const Tuple &first, const Tuple &second) const {
  std::vector<double> made;
  for (const Node &node : nodes) {
    auto x = [&](size_t k) { return made[node.of[k]]; };
    double number = node.number;
    if (node.op == "parameter") {
      const auto p = static_cast<size_t>(node.number);
      number = p < types.size() ? first[p] : second[p - types.size()];
    } else if (node.op == "copy") {
      number = x(0);
    } else if (node.op == "not") {
      number = node.type == 'p' ? 1 - x(0) : -x(0) - 1;
    } else if (node.op == "select") {
      number = x(0) != 0 ? x(1) : x(2);
    } else if (node.op == "compare") {
      const std::string how = node.more.substr(node.more.size() - 2);
      number = how == "GT"   ? x(0) > x(1)
               : how == "GE" ? x(0) >= x(1)
               : how == "LT" ? x(0) < x(1)
               : how == "LE" ? x(0) <= x(1)
               : how == "EQ" ? x(0) == x(1)
                             : x(0) != x(1);
    } else if (node.op != "constant") {
      number = binary(node, x(0), x(1));
    }
    made.push_back(taken(node.type, number));
  }
  Tuple all;
  for (int each : results) all.push_back(made[each]);
  return all;
}

namespace {

const char *pickOne(Random &random, const std::vector<const char *> &all) {
  return all[random.in(0, static_cast<int64_t>(all.size()) - 1)];
}

/// A random expression of integers or predicates in the parameters.
int randomTree(Random &random, Function &f, char type, int deep) {
  std::vector<int> leaves;
  for (size_t k = 0; k < 2 * f.types.size(); ++k)
    if (f.types[k % f.types.size()] == type)
      leaves.push_back(static_cast<int>(k));
  if (deep == 0 || random.oneIn(4)) {
    if (type == 's' && random.oneIn(6))
      return f.add('s', "constant", {}, "",
                   static_cast<double>(random.in(-2, 3)));
    return leaves[random.in(0, static_cast<int64_t>(leaves.size()) - 1)];
  }
  const int x = randomTree(random, f, type, deep - 1);
  if (type == 'p' && random.oneIn(4)) return f.add('p', "not", {x});
  const int y = randomTree(random, f, type, deep - 1);
  if (type == 'p')
    return f.add('p', pickOne(random, {"and", "or", "xor"}), {x, y});
  return f.add('s',
               pickOne(random, {"add", "subtract", "multiply", "maximum",
                                "minimum", "and", "or", "xor", "remainder"}),
               {x, y});
}

/// A pair of a number and its index, one of which is chosen.
Function randomPick(Random &random) {
  Function f(random.oneIn(2) ? "fs" : "ss");
  const char *how = pickOne(random, {"GT", "GE", "LT", "LE"});
  const bool isTurned = random.oneIn(4);
  const int x = isTurned ? f.b(0) : f.a(0), y = isTurned ? f.a(0) : f.b(0);
  int chooses = f.compare(x, y, how), ofIndex = chooses;
  if (random.oneIn(2)) {
    const int nan = f.compare(f.a(0), f.a(0), "NE");
    chooses = f.add('p', "or", {chooses, nan});
    ofIndex = chooses;
  }
  if (!random.oneIn(3)) {
    const int same = f.compare(f.a(0), f.b(0), "EQ");
    const int before =
        f.compare(f.a(1), f.b(1), pickOne(random, {"LT", "LE", "GT"}));
    ofIndex = f.add('p', "or", {chooses, f.add('p', "and", {same, before})});
  }
  const int choosesNumber = random.oneIn(2) ? ofIndex : chooses;
  f.results = {f.add(f.types[0], "select", {choosesNumber, f.a(0), f.b(0)}),
               f.add('s', "select", {ofIndex, f.a(1), f.b(1)})};
  return f;
}

}  // namespace

Function randomFunction(Random &random) {
  switch (random.in(0, 8)) {
    case 0:
    case 1: {  // a value is an op of its own
      Function f(pickOne(random, {"s", "f", "ss", "fs", "sss", "p", "ps"}));
      for (size_t k = 0; k < f.types.size(); ++k) {
        const char type = f.types[k];
        const char *op =
            type == 'f'   ? pickOne(random, {"add", "maximum", "minimum"})
            : type == 'p' ? pickOne(random, {"and", "or", "xor"})
                          : pickOne(random, {"add", "multiply", "maximum",
                                             "minimum", "and", "or", "xor",
                                             "subtract", "remainder"});
        f.results.push_back(random.oneIn(3)
                                ? f.add(type, op, {f.b(k), f.a(k)})
                                : f.add(type, op, {f.a(k), f.b(k)}));
      }
      return f;
    }
    case 2: {  // any expressions
      Function f(pickOne(random, {"s", "ss", "p", "pp"}));
      for (char type : f.types)
        f.results.push_back(randomTree(random, f, type, 2));
      return f;
    }
    case 3: {  // Horner
      Function f("ss");
      const int two = f.add('s', "constant", {}, "", 2);
      const int twice = f.add('s', "multiply", {f.a(0), two});
      f.results = {f.add('s', "add", {twice, f.b(0)}),
                   f.add('s', "add", {f.a(1), f.b(1)})};
      return f;
    }
    case 4:
    case 5:
      return randomPick(random);
    case 6: {  // products of complex numbers, and of affine functions
      Function f("ss");
      const bool isAffine = random.oneIn(2);
      const int ab = f.add('s', "multiply", {f.a(0), f.b(0)});
      const int left = f.add('s', "multiply", {f.a(1), f.b(0)});
      if (isAffine) {
        f.results = {ab, f.add('s', "add", {left, f.b(1)})};
        return f;
      }
      const int both = f.add('s', "multiply", {f.a(1), f.b(1)});
      const int right = f.add('s', "multiply", {f.a(0), f.b(1)});
      f.results = {f.add('s', "subtract", {ab, both}),
                   f.add('s', "add", {left, right})};
      return f;
    }
    case 7: {  // a + b + c, and (a + 1) (b + 1) - 1
      Function f("s");
      const int sum = f.add('s', "add", {f.a(0), f.b(0)});
      const int more = random.oneIn(2)
                           ? f.add('s', "constant", {}, "",
                                   static_cast<double>(random.in(-3, 3)))
                           : f.add('s', "multiply", {f.a(0), f.b(0)});
      f.results = {f.add('s', "add", {sum, more})};
      return f;
    }
    default: {  // the first, the last
      Function f(pickOne(random, {"s", "ss", "fs"}));
      for (size_t k = 0; k < f.types.size(); ++k)
        f.results.push_back(random.oneIn(2) ? f.a(k) : f.b(k));
      return f;
    }
  }
}

}  // namespace indexical::testing
