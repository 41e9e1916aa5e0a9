// Layouts as text.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/map_text.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"

namespace indexical::layouts {

namespace {

/// Returns the text of a digit of the input, in brackets if it is to be
/// multiplied.
std::string digitText(const Digit &digit, const Space &input, bool isFactor) {
  const bool isWhole =
      static_cast<__int128>(digit.step) * digit.size >= input.size;
  std::string text = input.name;
  if (digit.step != 1) absl::StrAppend(&text, " floordiv ", digit.step);
  if (!isWhole) {
    if (digit.step != 1) text = absl::StrCat("(", text, ")");
    absl::StrAppend(&text, " mod ", digit.size);
  }
  const bool isOne = digit.step == 1 && isWhole;
  return isFactor && !isOne ? absl::StrCat("(", text, ")") : text;
}

/// Returns modes for a layout that is a swizzle of modes, with the swizzle.
std::optional<std::string> swizzledText(const Layout &layout) {
  const std::vector<Sum> *form = layout.form();
  if (!form || form->size() != 1 || form->front().parities.empty() ||
      form->front().constant != 0)
    return std::nullopt;
  const auto &parities = form->front().parities;
  for (const Parity &parity : parities)
    if (parity.weight < 1 || !llvm::isPowerOf2_64(parity.weight))
      return std::nullopt;
  // The swizzle that takes the parities away is the one that made them.
  const int first = static_cast<int>(llvm::Log2_64(parities.front().weight));
  const int last = static_cast<int>(llvm::Log2_64(parities.back().weight));
  const int most = static_cast<int>(llvm::Log2_64_Ceil(static_cast<uint64_t>(
      std::max<int64_t>(1, bounds(form->front(), layout.box()).upper))));
  for (int shift = last - first + 1; shift <= most; ++shift)
    for (const int sign : {1, -1}) {
      const int base = sign > 0 ? first : first - shift;
      if (base < 0 || std::max(first, base) + shift > 61) continue;
      const auto plain =
          swizzled(last - first + 1, base, sign * shift, 0, layout);
      if (!plain.ok()) continue;
      if (const auto modes = cuteOf(*plain))
        return absl::StrCat("Sw<", last - first + 1, ",", base, ",",
                            sign * shift, "> o 0 o ", modes->str());
    }
  return std::nullopt;
}

std::optional<std::string> cuteText(const Layout &layout) {
  if (const auto modes = cuteOf(layout)) return modes->str();
  if (llvm::StringRef(layout.notes().text).starts_with("S"))
    return layout.notes().text;
  return swizzledText(layout);
}

std::string listText(llvm::ArrayRef<Coordinates> bases) {
  std::vector<std::string> texts;
  for (const Coordinates &basis : bases)
    texts.push_back(absl::StrCat("[", absl::StrJoin(basis, ", "), "]"));
  return absl::StrCat("[", absl::StrJoin(texts, ", "), "]");
}

std::optional<std::string> basesText(const Layout &layout) {
  const auto bases = basesOf(layout);
  if (!bases) return std::nullopt;
  std::string text;
  for (auto [space, list] : llvm::zip(layout.inputs(), *bases)) {
    if (list.empty())
      absl::StrAppend(&text, "- ", space.name, " is a size 1 dimension\n");
    for (const auto &[bit, basis] : llvm::enumerate(list))
      absl::StrAppend(&text, bit == 0 ? "- " : "  ", space.name, "=",
                      int64_t{1} << bit, " -> (", absl::StrJoin(basis, ", "),
                      ")\n");
  }
  std::vector<std::string> outputs;
  for (auto [space, width] : llvm::zip(layout.outputs(), outputBitsOf(layout)))
    outputs.push_back(
        absl::StrCat(space.name, " (size ", int64_t{1} << width, ")"));
  return absl::StrCat(text, "where out dims are: [",
                      absl::StrJoin(outputs, ", "), "]");
}

/// Returns whether the spaces have these names, in this order.
bool haveNames(llvm::ArrayRef<Space> spaces,
               llvm::ArrayRef<llvm::StringRef> names) {
  return spaces.size() == names.size() &&
         llvm::all_of(llvm::zip(spaces, names), [](const auto &pair) {
           return std::get<0>(pair).name == std::get<1>(pair);
         });
}

std::optional<std::string> linearText(const Layout &layout,
                                      llvm::StringRef type) {
  const bool isTensor =
      haveNames(layout.inputs(), {"register", "lane", "warp", "block"});
  if (type.empty() ||
      (!isTensor && !haveNames(layout.inputs(), {"offset", "block"})))
    return std::nullopt;
  std::string shape;
  for (const auto &[k, space] : llvm::enumerate(layout.outputs())) {
    if (space.size == 0 || space.name != absl::StrCat("dim", k))
      return std::nullopt;
    absl::StrAppend(&shape, space.size, "x");
  }
  const auto bases = basesOf(layout);
  if (!bases) return std::nullopt;
  std::vector<std::string> parameters;
  for (auto [space, list] : llvm::zip(layout.inputs(), *bases))
    parameters.push_back(absl::StrCat(space.name, " = ", listText(list)));
  const std::string body = absl::StrJoin(parameters, ", ");
  if (isTensor)
    return absl::StrCat("tensor<", shape, type.str(), ", #ttg.linear<{", body,
                        "}>>");
  return absl::StrCat("!ttg.memdesc<", shape, type.str(),
                      ", #ttg.shared_linear<{", body, "}>, #smem>");
}

std::optional<std::string> xlaText(const Layout &layout, llvm::StringRef type) {
  const Notes &notes = layout.notes();
  if (notes.memory == Notes::Memory::Global && !notes.text.empty())
    return notes.text;
  if (!layout.form() || layout.form()->size() != 1 || type.empty() ||
      !bitsOfType(type))
    return std::nullopt;
  const Sum &sum = layout.form()->front();
  if (sum.constant != 0 || !sum.parities.empty()) return std::nullopt;
  // Each dimension is one digit, and the digits are dense.
  const size_t rank = layout.box().size();
  Coordinates weights(rank, 0);
  for (const Digit &digit : sum.digits) {
    if (digit.step != 1 || digit.size != layout.box()[digit.input])
      return std::nullopt;
    weights[digit.input] = digit.weight;
  }
  Coordinates order;
  for (size_t k = rank; k-- > 0;) order.push_back(static_cast<int64_t>(k));
  llvm::stable_sort(
      order, [&](int64_t a, int64_t b) { return weights[a] < weights[b]; });
  int64_t step = 1;
  Coordinates dense, ones;
  for (int64_t k : order) {
    if (layout.box()[k] == 1) {
      ones.push_back(k);
      continue;
    }
    if (weights[k] != step) return std::nullopt;
    step *= layout.box()[k];
    dense.push_back(k);
  }
  // Dimensions of size 1 lie anywhere: they come last.
  dense.append(ones.begin(), ones.end());
  return absl::StrCat(type.str(), "[", absl::StrJoin(layout.box(), ","), "]{",
                      absl::StrJoin(dense, ","), "}");
}

}  // namespace

std::string printSum(const Sum &sum, llvm::ArrayRef<Space> inputs) {
  std::string text;
  const auto append = [&](const std::string &part, int64_t weight) {
    const bool isMinus = weight < 0;
    if (!text.empty())
      text += isMinus ? " - " : " + ";
    else if (isMinus)
      text += "-";
    const auto times = isMinus ? -static_cast<uint64_t>(weight)
                               : static_cast<uint64_t>(weight);
    text += part;
    if (times != 1) absl::StrAppend(&text, " * ", times);
  };
  for (const Digit &digit : sum.digits)
    append(digitText(digit, inputs[digit.input], digit.weight != 1),
           digit.weight);
  for (const Parity &parity : sum.parities) {
    std::string bits;
    for (const auto &[input, bit] : parity.bits) {
      if (!bits.empty()) bits += " xor ";
      bits += digitText({input, int64_t{1} << bit, 2, 1}, inputs[input], true);
    }
    append(absl::StrCat("(", bits, ")"), parity.weight);
  }
  if (sum.constant != 0 || text.empty()) {
    if (text.empty())
      absl::StrAppend(&text, sum.constant);
    else if (sum.constant < 0)
      absl::StrAppend(&text, " - ", -static_cast<uint64_t>(sum.constant));
    else
      absl::StrAppend(&text, " + ", sum.constant);
  }
  return text;
}

std::optional<std::string> print(const Layout &layout, Notation notation,
                                 llvm::StringRef elementType) {
  const std::string type =
      elementType.empty() ? layout.notes().elementType : elementType.str();
  switch (notation) {
    case Notation::Cute:
      return cuteText(layout);
    case Notation::Linear:
      return linearText(layout, type);
    case Notation::Bases:
      return basesText(layout);
    case Notation::Xla:
      return xlaText(layout, type);
    case Notation::Map:
      break;
  }
  const auto map = layout.map();
  if (!map.ok()) return std::nullopt;
  return printMap(*map, MapTextStyle::OneLine);
}

}  // namespace indexical::layouts
