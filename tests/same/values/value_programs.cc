#include "tests/same/values/value_programs.h"

#include <cstring>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical::testing {
namespace {

using Kind = Node::Kind;

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

using Values = std::vector<uint64_t>;

class Machine {
 public:
  Machine(const Data &data, Numbers numbers) : data_(data), math_(numbers) {}

  const Values &of(const NodePtr &node) {
    auto [known, isNew] = known_.try_emplace(node.get());
    if (!isNew) return known->second;
    Values made = compute(*node);
    return known_[node.get()] = std::move(made);
  }

 private:
  Values compute(const Node &node) {
    if (node.kind == Kind::Parameter) return data_[node.number];
    if (node.kind == Kind::Constant) return {math_.number(node.number)};
    std::vector<Values> operands;
    for (const NodePtr &operand : node.operands)
      operands.push_back(of(operand));
    Values result;
    for (const Reads &reads : readsOf(node)) {
      Values x;
      for (const Read &read : reads)
        x.push_back(operands[read.operand][read.element]);
      result.push_back(element(node, std::move(x)));
    }
    return result;
  }

  /// Returns the element that is computed from what it reads: of one operand
  /// after the other, row by row.
  uint64_t element(const Node &node, Values x) const {
    switch (node.kind) {
      case Kind::Add:
        return math_.add(x[0], x[1]);
      case Kind::Subtract:
        return math_.add(x[0], math_.negate(x[1]));
      case Kind::Multiply:
        return math_.multiply(x[0], x[1]);
      case Kind::Negate:
        return math_.negate(x[0]);
      case Kind::Maximum:
        return math_.maximum(x[0], x[1]);
      case Kind::Select:
        return x[node.number ? 0 : 1];
      case Kind::Sum:
      case Kind::Largest:
        return folded(node.kind, std::move(x));
      case Kind::Dot: {
        Values products;
        for (size_t k = 0; k < x.size() / 2; ++k)
          products.push_back(math_.multiply(x[k], x[x.size() / 2 + k]));
        return folded(node.kind, std::move(products));
      }
      default:
        return x[0];  // it is moved
    }
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

  const Data &data_;
  const Arithmetic math_;
  std::map<const Node *, Values> known_;
};

}  // namespace

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

std::vector<uint64_t> run(const NodePtr &node, const Data &data,
                          Numbers numbers) {
  return Machine(data, numbers).of(node);
}

Data randomData(Random &random, const std::vector<Sizes> &parameters,
                Numbers numbers) {
  const Arithmetic math(numbers);
  Data data;
  for (const Sizes &sizes : parameters) {
    data.emplace_back();
    for (int64_t n = countOf(sizes); n-- > 0;)
      data.back().push_back(math.random(random));
  }
  return data;
}

}  // namespace indexical::testing
