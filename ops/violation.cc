#include "indexical/ops/violation.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

namespace indexical {
namespace {

constexpr char kRule[] = "indexical/rule";
constexpr char kSentence[] = "indexical/sentence.stablehlo";

std::string sizeText(int64_t size) {
  return size == kDynamicSize ? "?" : absl::StrCat(size);
}

std::string listed(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    absl::StrAppend(&text, text.empty() ? "" : ", ", sizeText(number));
  return text;
}

}  // namespace

Broken &Broken::operator<<(llvm::StringRef text) {
  hlo_ += text;
  stablehlo_ += text;
  return *this;
}

Broken &Broken::operator<<(const Name &name) {
  hlo_ += name.hlo;
  stablehlo_ += name.stablehlo;
  if (name.hloNumber < 0) return *this;
  absl::StrAppend(&hlo_, " ", name.hloNumber);
  absl::StrAppend(&stablehlo_, "[", name.stablehloNumber, "]");
  return *this;
}

Broken &Broken::operator<<(int64_t number) {
  return *this << llvm::StringRef(absl::StrCat(number));
}

Broken &Broken::operator<<(SizeText size) {
  return *this << llvm::StringRef(sizeText(size.size));
}

Broken &Broken::operator<<(llvm::ArrayRef<int64_t> numbers) {
  const std::string text = listed(numbers);
  absl::StrAppend(&hlo_, "{", text, "}");
  absl::StrAppend(&stablehlo_, "[", text, "]");
  return *this;
}

Broken &Broken::operator<<(const ArrayShape &shape) {
  hlo_ += shape.str();
  std::string sizes;
  for (int64_t k = 0; k < shape.rank(); ++k)
    absl::StrAppend(&sizes, k > 0 ? ", " : "",
                    !shape.dynamic.empty() && shape.dynamic[k] ? "<=" : "",
                    sizeText(shape.dimensions[k]));
  absl::StrAppend(&stablehlo_, "[", sizes, "]");
  return *this;
}

Broken::operator absl::Status() const {
  absl::Status status = absl::InvalidArgumentError(
      rule_.empty() ? hlo_ : absl::StrCat(hlo_, " (", rule_, ")"));
  status.SetPayload(kRule, absl::Cord(rule_));
  status.SetPayload(kSentence, absl::Cord(stablehlo_));
  return status;
}

std::optional<Violation> violationOf(const absl::Status &status) {
  const auto rule = status.GetPayload(kRule);
  const auto sentence = status.GetPayload(kSentence);
  if (!rule || !sentence) return std::nullopt;
  return Violation{std::string(*rule), std::string(*sentence)};
}

}  // namespace indexical
