#include "tests/analysis/value_programs.h"

#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "tests/analysis/value_terms.h"

namespace indexical::testing {
namespace {

using Kind = Term::Kind;

constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;

/// The arithmetic of the ops, for one kind of numbers.
class Arithmetic {
 public:
  explicit Arithmetic(Numbers numbers) : numbers_(numbers) {}

  uint64_t number(int64_t value) const {
    switch (numbers_) {
      case Numbers::S32:
        return static_cast<uint32_t>(value);
      case Numbers::U8:
        return static_cast<uint8_t>(value);
      case Numbers::Float:
        return bits(static_cast<float>(value));
      case Numbers::Real:
        return value >= 0 ? value : kPrime - static_cast<uint64_t>(-value);
    }
    return 0;
  }
  uint64_t add(uint64_t a, uint64_t b) const {
    if (numbers_ == Numbers::Float) return bits(value(a) + value(b));
    if (numbers_ == Numbers::Real) return (a + b) % kPrime;
    return wrapped(a + b);
  }
  uint64_t multiply(uint64_t a, uint64_t b) const {
    if (numbers_ == Numbers::Float) return bits(value(a) * value(b));
    if (numbers_ == Numbers::Real)
      return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b %
                                   kPrime);
    return wrapped(a * b);
  }
  uint64_t negate(uint64_t a) const {
    if (numbers_ == Numbers::Float) return bits(-value(a));
    if (numbers_ == Numbers::Real) return (kPrime - a) % kPrime;
    return wrapped(-a);
  }
  /// There is none of the field.
  uint64_t maximum(uint64_t a, uint64_t b) const {
    if (numbers_ == Numbers::Float) return value(a) < value(b) ? b : a;
    if (numbers_ == Numbers::S32)
      return static_cast<int32_t>(a) < static_cast<int32_t>(b) ? b : a;
    return a < b ? b : a;
  }
  uint64_t random(Random &random) const {
    switch (numbers_) {
      case Numbers::S32:
        return static_cast<uint32_t>(random.in(0, UINT32_MAX));
      case Numbers::U8:
        return random.in(0, 255);
      case Numbers::Float:
        return bits(static_cast<float>(random.in(-9999, 9999)) / 7.0f);
      case Numbers::Real:
        return random.in(0, kPrime - 1);
    }
    return 0;
  }

 private:
  uint64_t wrapped(uint64_t value) const {
    return numbers_ == Numbers::U8 ? static_cast<uint8_t>(value)
                                   : static_cast<uint32_t>(value);
  }
  static float value(uint64_t bits) {
    const uint32_t word = bits;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
  static uint64_t bits(float value) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    return word;
  }
  const Numbers numbers_;
};

/// Calls with every index of the sizes, row by row.
void forEach(const Extents &sizes,
             const std::function<void(const Extents &)> &visit) {
  Extents index(sizes.size(), 0);
  for (int64_t n = extentOf(sizes); n-- > 0;) {
    visit(index);
    for (size_t k = index.size(); k-- > 0;) {
      if (++index[k] < sizes[k]) break;
      index[k] = 0;
    }
  }
}

int64_t place(const Extents &sizes, const Extents &index) {
  int64_t at = 0;
  for (size_t k = 0; k < sizes.size(); ++k) at = at * sizes[k] + index[k];
  return at;
}

using Values = std::vector<uint64_t>;

/// The element of the operand that a moving op takes; -1: it is padding.
int64_t movedFrom(const Term &t, const Extents &index, int64_t number) {
  const Extents &from = t.operands[0]->sizes;
  Extents at(from.size());
  for (size_t k = 0; k < from.size(); ++k) switch (t.kind) {
      case Kind::Reverse:
        at[k] = llvm::is_contained(t.first, static_cast<int64_t>(k))
                    ? from[k] - 1 - index[k]
                    : index[k];
        break;
      case Kind::Slice:
        at[k] = t.first[k] + index[k] * t.third[k];
        break;
      case Kind::Broadcast:
        at[k] = index[t.first[k]];
        break;
      case Kind::Pad:
        at[k] = index[k] - t.first[k];
        if (at[k] < 0 || at[k] >= from[k]) return -1;
        break;
      default:
        break;
    }
  if (t.kind == Kind::Reshape) return number;
  if (t.kind == Kind::Transpose)
    for (size_t k = 0; k < index.size(); ++k) at[t.first[k]] = index[k];
  return place(from, at);
}

class Machine {
 public:
  Machine(const Data &data, Numbers numbers) : data_(data), math_(numbers) {}

  const Values &of(const TermPtr &term) {
    auto [known, isNew] = known_.try_emplace(term.get());
    if (!isNew) return known->second;
    Values made = compute(*term);
    return known_[term.get()] = std::move(made);
  }

 private:
  Values compute(const Term &t) {
    if (t.kind == Kind::Parameter) return data_[t.number];
    if (t.kind == Kind::Constant) return {math_.number(t.number)};
    std::vector<Values> x;
    for (const TermPtr &operand : t.operands) x.push_back(of(operand));
    Values result;
    if (t.kind == Kind::Sum || t.kind == Kind::Largest) return reduced(t, x);
    if (t.kind == Kind::Dot) return dot(t, x);
    forEach(t.sizes, [&](const Extents &index) {
      const int64_t n = static_cast<int64_t>(result.size());
      switch (t.kind) {
        case Kind::Add:
          return result.push_back(math_.add(x[0][n], x[1][n]));
        case Kind::Subtract:
          return result.push_back(math_.add(x[0][n], math_.negate(x[1][n])));
        case Kind::Multiply:
          return result.push_back(math_.multiply(x[0][n], x[1][n]));
        case Kind::Negate:
          return result.push_back(math_.negate(x[0][n]));
        case Kind::Maximum:
          return result.push_back(math_.maximum(x[0][n], x[1][n]));
        case Kind::Select:
          return result.push_back(x[t.number ? 0 : 1][n]);
        case Kind::Concatenate: {
          Extents at = index;
          for (size_t k = 0; k < t.operands.size(); ++k) {
            const Extents &own = t.operands[k]->sizes;
            if (at[t.number] < own[t.number])
              return result.push_back(x[k][place(own, at)]);
            at[t.number] -= own[t.number];
          }
          return;
        }
        default: {
          const int64_t from = movedFrom(t, index, n);
          return result.push_back(from < 0 ? x[1][0] : x[0][from]);
        }
      }
    });
    return result;
  }

  /// By a law the order of reduced dimensions does not count. Floats round, so
  /// their order is that of their bits.
  uint64_t folded(Kind kind, Values values) const {
    llvm::sort(values);
    uint64_t result = values[0];
    for (uint64_t value : llvm::drop_begin(values))
      result = kind == Kind::Largest ? math_.maximum(result, value)
                                     : math_.add(result, value);
    return result;
  }

  Values reduced(const Term &t, const std::vector<Values> &x) {
    std::vector<Values> all(extentOf(t.sizes), Values{x[1][0]});
    const Extents &from = t.operands[0]->sizes;
    int64_t n = 0;
    forEach(from, [&](const Extents &index) {
      Extents at;
      for (size_t k = 0; k < index.size(); ++k)
        if (!llvm::is_contained(t.first, static_cast<int64_t>(k)))
          at.push_back(index[k]);
      all[place(t.sizes, at)].push_back(x[0][n++]);
    });
    Values result;
    for (Values &values : all)
      result.push_back(folded(t.kind, std::move(values)));
    return result;
  }

  Values dot(const Term &t, const std::vector<Values> &x) {
    const int64_t inner = t.operands[0]->sizes[1];
    Values result;
    forEach(t.sizes, [&](const Extents &index) {
      Values products;
      for (int64_t k = 0; k < inner; ++k)
        products.push_back(math_.multiply(x[0][index[0] * inner + k],
                                          x[1][k * t.sizes[1] + index[1]]));
      result.push_back(folded(t.kind, std::move(products)));
    });
    return result;
  }

  const Data &data_;
  const Arithmetic math_;
  std::map<const Term *, Values> known_;
};

const char *typeOf(Numbers numbers) {
  switch (numbers) {
    case Numbers::S32:
      return "s32";
    case Numbers::U8:
      return "u8";
    default:
      return "f32";
  }
}

std::string listed(const Extents &numbers, const char *between = ",") {
  std::string text;
  for (int64_t n : numbers)
    text += (text.empty() ? "" : between) + std::to_string(n);
  return text;
}

/// The op's text behind its shape.
std::string opText(const Term &t, const std::vector<std::string> &names) {
  std::string operands;
  for (const std::string &name : names)
    operands += (operands.empty() ? "" : ", ") + name;
  const std::string call = "(" + operands + ")";
  switch (t.kind) {
    case Kind::Parameter:
      return "parameter(" + std::to_string(t.number) + ")";
    case Kind::Constant:
      return "constant(" + std::to_string(t.number) + ")";
    case Kind::Add:
      return "add" + call;
    case Kind::Subtract:
      return "subtract" + call;
    case Kind::Multiply:
      return "multiply" + call;
    case Kind::Negate:
      return "negate" + call;
    case Kind::Maximum:
      return "maximum" + call;
    case Kind::Select:
      return "select(" + std::string(t.number ? "yes" : "no") + ", " +
             operands + ")";
    case Kind::Transpose:
      return "transpose" + call + ", dimensions={" + listed(t.first) + "}";
    case Kind::Reshape:
      return "reshape" + call;
    case Kind::Reverse:
      return "reverse" + call + ", dimensions={" + listed(t.first) + "}";
    case Kind::Slice: {
      std::string ranges;
      for (size_t k = 0; k < t.first.size(); ++k)
        ranges += (k ? ", [" : "[") + std::to_string(t.first[k]) + ":" +
                  std::to_string(t.second[k]) + ":" +
                  std::to_string(t.third[k]) + "]";
      return "slice" + call + ", slice={" + ranges + "}";
    }
    case Kind::Broadcast:
      return "broadcast" + call + ", dimensions={" + listed(t.first) + "}";
    case Kind::Pad: {
      std::string amounts;
      for (size_t k = 0; k < t.first.size(); ++k)
        amounts += (k ? "x" : "") + std::to_string(t.first[k]) + "_" +
                   std::to_string(t.second[k]);
      return "pad" + call + ", padding=" + amounts;
    }
    case Kind::Concatenate:
      return "concatenate" + call + ", dimensions={" +
             std::to_string(t.number) + "}";
    case Kind::Sum:
    case Kind::Largest:
      return "reduce" + call + ", dimensions={" + listed(t.first) +
             "}, to_apply=" + (t.kind == Kind::Sum ? "sum" : "largest");
    case Kind::Dot:
      return "dot" + call +
             ", lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  }
  return "";
}

}  // namespace

std::vector<uint64_t> run(const TermPtr &term, const Data &data,
                          Numbers numbers) {
  return Machine(data, numbers).of(term);
}

Data randomData(Random &random, const std::vector<Extents> &parameters,
                Numbers numbers) {
  const Arithmetic math(numbers);
  Data data;
  for (const Extents &sizes : parameters) {
    data.emplace_back();
    for (int64_t n = extentOf(sizes); n-- > 0;)
      data.back().push_back(math.random(random));
  }
  return data;
}

std::vector<Extents> parametersOf(const TermPtr &first, const TermPtr &second) {
  std::vector<Extents> all;
  for (const TermPtr &term : {first, second})
    for (const TermPtr &node : nodesOf(term)) {
      if (node->kind != Kind::Parameter) continue;
      if (all.size() <= static_cast<size_t>(node->number))
        all.resize(node->number + 1);
      all[node->number] = node->sizes;
    }
  return all;
}

std::string hloOf(const TermPtr &term, const std::vector<Extents> &parameters,
                  Numbers numbers) {
  const std::string type = typeOf(numbers);
  std::string text = "HloModule m\n";
  for (const char *op : {"add", "maximum"})
    text += std::string(op[0] == 'a' ? "sum" : "largest") + " { a = " + type +
            "[] parameter(0)  b = " + type +
            "[] parameter(1)  ROOT r = " + type + "[] " + op + "(a, b) }\n";
  text += "ENTRY e {\n";
  for (size_t p = 0; p < parameters.size(); ++p)
    text += "  p" + std::to_string(p) + " = " + type + "[" +
            listed(parameters[p]) + "] parameter(" + std::to_string(p) + ")\n";
  std::map<const Term *, std::string> names;
  const auto nodes = nodesOf(term);
  // A predicate has the shape of what it selects: scalars do for all.
  text += "  yes = pred[] constant(true)\n  no = pred[] constant(false)\n";
  for (const TermPtr &node : nodes) {
    if (node->kind == Kind::Parameter) {
      names[node.get()] = "p" + std::to_string(node->number);
      continue;
    }
    std::vector<std::string> operands;
    for (const TermPtr &operand : node->operands)
      operands.push_back(names[operand.get()]);
    const std::string name = "x" + std::to_string(names.size());
    names[node.get()] = name;
    text += "  " + name + " = " + type + "[" + listed(node->sizes) + "] " +
            opText(*node, operands) + "\n";
  }
  text += "  ROOT out = " + type + "[" + listed(term->sizes) + "] copy(" +
          names[term.get()] + ")\n}\n";
  return text;
}

}  // namespace indexical::testing
