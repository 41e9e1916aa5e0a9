#include "tests/support/module_mutants.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace indexical::testing {
namespace {

using llvm::StringRef;

enum class Change : uint8_t {
  Order,      ///< two numbers are swapped, or one is another
  Shift,      ///< `a:b` begins and ends one later, or one earlier
  Padding,    ///< one element of `a_b` moves to the other end
  Number,     ///< one more, or one less
  Direction,  ///< another comparison
};

struct Key {
  StringRef text;
  Change change;
};

/// The texts after which a change is made, in HLO and in StableHLO.
constexpr Key kKeys[] = {
    {"dimensions={", Change::Order},
    {"dims={", Change::Order},
    {"slice={", Change::Shift},
    {"padding=", Change::Padding},
    {"pad=", Change::Padding},
    {"direction=", Change::Direction},
    {"constant(", Change::Number},
    {"iota_dimension=", Change::Number},
    {"index=", Change::Number},
    {"replica_groups={", Change::Order},
    {"source_target_pairs={", Change::Order},
    {"dims = [", Change::Order},
    {"permutation = [", Change::Order},
    {"permutation = array<i64: ", Change::Order},
    {"dimensions = array<i64: ", Change::Order},
    {"stablehlo.slice ", Change::Shift},
    {"low = [", Change::Number},
    {"high = [", Change::Number},
    {"compare  ", Change::Direction},
    {"dense<", Change::Number},
    {"iota dim = ", Change::Number},
};

/// A number of the text.
struct Site {
  size_t begin, end;
  int64_t value;
};

/// Returns the numbers from a place on, up to the end of their list.
std::vector<Site> numbersFrom(const std::string &text, size_t at) {
  std::vector<Site> numbers;
  int depth = 0;
  for (size_t i = at; i < text.size() && i < at + 400;) {
    const char c = text[i];
    if (llvm::isDigit(c)) {
      size_t end = i;
      while (end < text.size() && llvm::isDigit(text[end])) ++end;
      if (end - i < 10)
        numbers.push_back({i, end, std::stoll(text.substr(i, end - i))});
      i = end;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && depth-- == 0) break;
    if (c == ')' || c == '>' || c == '\n' || c == '=') break;
    if (llvm::isAlpha(c) && c != 'x') break;
    if (c == '%')  // the name of an operand
      while (i < text.size() && text[i] != ' ' && text[i] != '[') ++i;
    else
      ++i;
  }
  return numbers;
}

void replace(std::string &text, const Site &site, int64_t value) {
  text.replace(site.begin, site.end - site.begin,
               std::to_string(std::max<int64_t>(0, value)));
}

int64_t besides(int64_t value, Random &random) {
  return value + (value == 0 || random.oneIn(2) ? 1 : -1);
}

void changeNumbers(std::string &text, std::vector<Site> numbers, Change change,
                   Random &random) {
  if (numbers.empty()) return;
  const size_t i = random.in(0, numbers.size() - 1);
  switch (change) {
    case Change::Order: {
      const size_t j = random.in(0, numbers.size() - 1);
      if (numbers[i].value == numbers[j].value)
        return replace(text, numbers[i], besides(numbers[i].value, random));
      // The later number goes first, so that the place of the other is right.
      replace(text, numbers[std::max(i, j)], numbers[std::min(i, j)].value);
      return replace(text, numbers[std::min(i, j)],
                     numbers[std::max(i, j)].value);
    }
    case Change::Shift:
    case Change::Padding: {
      if (i + 1 == numbers.size() || numbers[i].end >= text.size()) return;
      const char between = text[numbers[i].end];
      if (between != (change == Change::Shift ? ':' : '_')) return;
      const int64_t by = numbers[i].value == 0 || random.oneIn(2) ? 1 : -1;
      replace(text, numbers[i + 1],
              numbers[i + 1].value + (change == Change::Shift ? by : -by));
      return replace(text, numbers[i], numbers[i].value + by);
    }
    default:
      return replace(text, numbers[i], besides(numbers[i].value, random));
  }
}

void changeDirection(std::string &text, size_t at, Random &random) {
  static const char *const kDirections[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  const StringRef old = StringRef(text).substr(at, 2);
  for (const char *direction : kDirections)
    if (old == direction)
      return (void)text.replace(at, 2, kDirections[random.in(0, 5)]);
}

}  // namespace

std::string mutantOf(const std::string &text, Random &random) {
  struct Found {
    size_t at;
    Change change;
  };
  std::vector<Found> places;
  for (const Key &key : kKeys)
    for (size_t at = text.find(key.text.str()); at != std::string::npos;
         at = text.find(key.text.str(), at + 1))
      places.push_back({at + key.text.size(), key.change});
  std::string mutant = text;
  if (places.empty()) return mutant;
  const Found &place = places[random.in(0, places.size() - 1)];
  if (place.change == Change::Direction)
    changeDirection(mutant, place.at, random);
  else
    changeNumbers(mutant, numbersFrom(text, place.at), place.change, random);
  return mutant;
}

}  // namespace indexical::testing
