// Types of Triton, and bases.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/bases.h"
#include "indexical/layout/reader.h"

namespace indexical::layouts {

namespace {

/// Returns the shape that stands last in `, #smem, mutable, 2x64x64`, without a
/// leading count of copies, or `shape` if there is none.
Coordinates wholeShape(const Coordinates &shape, llvm::StringRef more) {
  Coordinates whole;
  llvm::SmallVector<llvm::StringRef, 4> words;
  more.rsplit(',').second.trim().split(words, 'x');
  for (llvm::StringRef word : words)
    if (word.getAsInteger(10, whole.emplace_back()) || whole.back() < 1)
      return shape;
  if (whole.size() < shape.size()) return shape;
  whole.erase(whole.begin(), whole.end() - shape.size());
  return whole;
}

}  // namespace

absl::StatusOr<EncodingValue> Reader::value() {
  if (++depth_ > 64) return fail("the encoding is nested too deeply");
  EncodingValue made;
  if (take("[")) {
    if (!take("]")) {
      do {
        INDEXICAL_ASSIGN_OR_RETURN(EncodingValue each, value());
        made.list.push_back(std::move(each));
      } while (take(","));
      INDEXICAL_RETURN_IF_ERROR(want("]"));
    }
  } else if (next() == '{') {
    Encoding inner;
    INDEXICAL_RETURN_IF_ERROR(parameters(inner));
    made.encoding.push_back(std::move(inner));
  } else if (next() == '#') {
    INDEXICAL_ASSIGN_OR_RETURN(Encoding inner, encoding());
    made.encoding.push_back(std::move(inner));
  } else if (take("true")) {
    made.number = 1;
  } else if (take("false")) {
    made.number = 0;
  } else {
    INDEXICAL_ASSIGN_OR_RETURN(made.number, number());
    if (take(":")) (void)word();  // the type of an attribute: `4 : i32`
  }
  --depth_;
  return made;
}

/// Reads `{name = value, …}`.
absl::Status Reader::parameters(Encoding &to) {
  INDEXICAL_RETURN_IF_ERROR(want("{"));
  if (take("}")) return absl::OkStatus();
  do {
    const llvm::StringRef name = word();
    if (name.empty()) return fail("expected the name of a parameter");
    INDEXICAL_RETURN_IF_ERROR(want("="));
    INDEXICAL_ASSIGN_OR_RETURN(EncodingValue given, value());
    if (!to.parameters.emplace(name.str(), std::move(given)).second)
      return fail(absl::StrCat(name.str(), " stands twice"));
  } while (take(","));
  return want("}");
}

absl::StatusOr<Encoding> Reader::encoding() {
  INDEXICAL_RETURN_IF_ERROR(want("#"));
  const size_t start = at_;
  const llvm::StringRef dialect = word();
  Encoding made;
  if (!take(".")) {
    const auto known = names_.find(dialect.str());
    if (known != names_.end()) return known->second;
    return failAt(start,
                  absl::StrCat("there is no encoding `#", dialect.str(), "`"));
  }
  made.kind = word().str();
  if (!take("<")) return made;
  if (take("[")) {
    do {
      INDEXICAL_ASSIGN_OR_RETURN(const int64_t interval, number());
      INDEXICAL_RETURN_IF_ERROR(want(":"));
      INDEXICAL_RETURN_IF_ERROR(want("+"));
      INDEXICAL_ASSIGN_OR_RETURN(const int64_t gap, number());
      made.gaps.push_back({interval, gap});
    } while (take(","));
    INDEXICAL_RETURN_IF_ERROR(want("]"));
  }
  if (next() == '{') INDEXICAL_RETURN_IF_ERROR(parameters(made));
  // Parameters behind the braces move no element: `, alignment = 16`.
  while (take(",")) {
    const llvm::StringRef name = word();
    INDEXICAL_RETURN_IF_ERROR(want("="));
    INDEXICAL_ASSIGN_OR_RETURN(made.parameters[name.str()], value());
  }
  INDEXICAL_RETURN_IF_ERROR(want(">"));
  return made;
}

absl::StatusOr<Layout> Reader::type() {
  skip();
  const size_t start = at_;
  const bool isMemory = take("!");
  if (isMemory) {
    (void)word();
    INDEXICAL_RETURN_IF_ERROR(want("."));
  }
  const llvm::StringRef kind = word();
  if (kind != "tensor" && kind != "memdesc")
    return failAt(start, absl::StrCat("a type of layouts is tensor<…> or "
                                      "!ttg.memdesc<…>, and not ",
                                      kind.str()));
  INDEXICAL_RETURN_IF_ERROR(want("<"));
  Coordinates shape;
  skip();
  while (llvm::isDigit(next())) {
    INDEXICAL_ASSIGN_OR_RETURN(shape.emplace_back(), number());
    if (shape.back() < 1) return fail("a dimension is 1 or more");
    INDEXICAL_RETURN_IF_ERROR(
        at_ < text_.size() && text_[at_] == 'x'
            ? absl::OkStatus()
            : fail("expected `x` and the type of the elements"));
    ++at_;
  }
  // The type of an element may have brackets: `!tt.ptr<f32>`.
  const size_t typeStart = at_;
  for (int open = 0; at_ < text_.size(); ++at_) {
    if (text_[at_] == '<') ++open;
    if (open == 0 && (text_[at_] == ',' || text_[at_] == '>')) break;
    if (text_[at_] == '>') --open;
  }
  const std::string elementType =
      text_.substr(typeStart, at_ - typeStart).trim().str();
  if (!take(","))
    return fail("a tensor has a layout if its type has an encoding");
  skip();
  const size_t encodingStart = at_;
  INDEXICAL_ASSIGN_OR_RETURN(const Encoding of, encoding());
  // What else a type of memory says moves no element, but for the shape of what
  // was allocated: a part lies as the whole does.
  const size_t moreStart = at_;
  for (int open = 0; at_ < text_.size(); ++at_) {
    if (text_[at_] == '<') ++open;
    if (text_[at_] == '>' && open-- == 0) break;
  }
  const llvm::StringRef more = text_.substr(moreStart, at_ - moreStart);
  INDEXICAL_RETURN_IF_ERROR(want(">"));
  auto made = isMemory ? encodedMemory(of, wholeShape(shape, more), elementType)
                       : encodedTensor(of, shape, elementType);
  if (!made.ok()) return failAt(encodingStart, made.status());
  Notes notes = made->notes();
  notes.text = text_.substr(start, at_ - start).str();
  return made->withNotes(std::move(notes));
}

/// Reads what Triton prints of a linear layout.
absl::StatusOr<Layout> Reader::bases() {
  skip();
  const size_t start = at_;
  std::vector<Space> inputs;
  std::vector<std::vector<Coordinates>> bits;
  while (next() == '-' ||
         (!bits.empty() && !bits.back().empty() && peek(inputs.back().name))) {
    const bool isNew = take("-");
    const llvm::StringRef name = word();
    if (name.empty()) return fail("expected the name of an input");
    if (isNew) {
      inputs.push_back({name.str(), 1});
      bits.emplace_back();
    }
    if (take("is")) {
      INDEXICAL_RETURN_IF_ERROR(want("a"));
      INDEXICAL_RETURN_IF_ERROR(want("size"));
      INDEXICAL_RETURN_IF_ERROR(want("1"));
      INDEXICAL_RETURN_IF_ERROR(want("dimension"));
      continue;
    }
    INDEXICAL_RETURN_IF_ERROR(want("="));
    INDEXICAL_ASSIGN_OR_RETURN(const int64_t value, number());
    if (bits.back().size() > 61 || value != int64_t{1} << bits.back().size())
      return fail(absl::StrCat("expected the basis of ", name.str(), "=",
                               int64_t{1} << bits.back().size()));
    INDEXICAL_RETURN_IF_ERROR(want("->"));
    INDEXICAL_RETURN_IF_ERROR(want("("));
    Coordinates &basis = bits.back().emplace_back();
    do {
      INDEXICAL_ASSIGN_OR_RETURN(basis.emplace_back(), number());
    } while (take(","));
    INDEXICAL_RETURN_IF_ERROR(want(")"));
    inputs.back().size *= 2;
  }
  INDEXICAL_RETURN_IF_ERROR(want("where"));
  for (const char *each : {"out", "dims", "are"})
    INDEXICAL_RETURN_IF_ERROR(want(each));
  INDEXICAL_RETURN_IF_ERROR(want(":"));
  INDEXICAL_RETURN_IF_ERROR(want("["));
  std::vector<Space> outputs;
  if (!take("]")) {
    do {
      Space space{word().str(), 0};
      INDEXICAL_RETURN_IF_ERROR(want("("));
      INDEXICAL_RETURN_IF_ERROR(want("size"));
      INDEXICAL_ASSIGN_OR_RETURN(space.size, number());
      if (space.size < 1 || !llvm::isPowerOf2_64(space.size))
        return fail(absl::StrCat(space.size, " is not a power of two"));
      INDEXICAL_RETURN_IF_ERROR(want(")"));
      outputs.push_back(std::move(space));
    } while (take(","));
    INDEXICAL_RETURN_IF_ERROR(want("]"));
  }
  std::vector<Sum> sums(outputs.size());
  for (const auto &[input, list] : llvm::enumerate(bits))
    for (const Coordinates &basis : list) {
      if (basis.size() != outputs.size())
        return failAt(start, absl::StrCat("a basis has ", basis.size(),
                                          " numbers, and there are ",
                                          outputs.size(), " out dims"));
      for (auto [number, space] : llvm::zip(basis, outputs))
        if (number < 0 || number >= space.size)
          return failAt(start, absl::StrCat(number, " is out of ", space.name,
                                            ", whose size is ", space.size));
    }
  for (const auto &[k, space] : llvm::enumerate(outputs))
    for (int64_t weight = 1; weight < space.size; weight *= 2) {
      Parity parity{weight, {}};
      for (const auto &[input, list] : llvm::enumerate(bits))
        for (const auto &[bit, basis] : llvm::enumerate(list))
          if ((basis[k] & weight) != 0)
            parity.bits.push_back(
                {static_cast<int>(input), static_cast<int>(bit)});
      if (!parity.bits.empty()) sums[k].parities.push_back(std::move(parity));
    }
  auto made = Layout::of(inputs, outputs, sums);
  if (!made.ok()) return failAt(start, made.status());
  return made;
}

}  // namespace indexical::layouts
