#include "indexical/writers/resume.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/saturated.h"
#include "indexical/writers/result.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

/// The file and the kind of a line.
struct Line {
  std::string file;
  bool isSummary = false, isError = false;
};

/// Returns nothing if a call over several files does not write such a line.
std::optional<Line> readLine(StringRef text, StringRef key) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const json::Object *object = value->getAsObject();
  if (!object || !object->getString("schema")) return std::nullopt;
  Line line;
  if (auto file = object->getString(key)) line.file = file->str();
  const auto kind = object->getString("kind");
  line.isSummary = kind == StringRef("summary") || kind == key;
  line.isError = object->getObject("error") != nullptr;
  return line;
}

/// The numbers at the end of a summary, which are its sums.
std::vector<ItemSum> sumsOf(StringRef line) {
  std::vector<ItemSum> backwards;
  line = line.rtrim();
  line.consume_back("}");
  while (true) {
    auto [before, member] = line.rsplit(',');
    auto [name, digits] = member.rsplit(':');
    ItemSum sum;
    double number = 0;
    if (before.size() == line.size() || !name.consume_front("\"") ||
        !name.consume_back("\"") || digits.empty())
      break;
    sum.name = name;
    if (digits.getAsInteger(10, sum.integer)) {
      if (digits.getAsDouble(number)) break;
      sum.number = number;
    }
    backwards.push_back(sum);
    line = before;
  }
  return {backwards.rbegin(), backwards.rend()};
}

}  // namespace

void addSum(const ItemSum &sum, std::vector<FileSum> &sums) {
  auto known = llvm::find_if(
      sums, [&](const FileSum &of) { return of.name == sum.name; });
  if (known == sums.end()) {
    sums.push_back({sum.name.str(), sum.integer, sum.number});
    return;
  }
  // A number may be written as an integer.
  auto numberOf = [](const auto &of) {
    return of.number.value_or(static_cast<double>(of.integer));
  };
  if (known->number || sum.number) {
    known->number = numberOf(*known) + numberOf(sum);
    return;
  }
  known->integer = sumOf(known->integer, sum.integer);
}

absl::StatusOr<Resumed> findResumed(StringRef output,
                                    llvm::ArrayRef<std::string> paths,
                                    StringRef key) {
  Resumed done;      // before the file that the lines are about
  Resumed withThis;  // and with it
  std::string file;  // that they are about
  bool any = false;
  for (size_t at = 0; at < output.size();) {
    const size_t end = output.find('\n', at);
    if (end == StringRef::npos) break;  // cut
    const StringRef text = output.slice(at, end);
    const std::optional<Line> line = readLine(text, key);
    if (!line)
      return absl::InvalidArgumentError(
          "the output is not the result of such a call");
    if (line->file.empty()) {
      // The total, after which nothing comes: all of its files are done.
      done = withThis;
      any = false;
      break;
    }
    if (!any || line->file != file) {
      done = withThis;
      done.bytes = at;
      // Files that have nothing to say have no lines.
      const auto rest = paths.drop_front(done.files);
      const auto found = llvm::find(rest, line->file);
      if (found == rest.end())
        return absl::InvalidArgumentError(
            "the output has `" + line->file +
            "` where this call has no such file: it is of other inputs");
      done.files += found - rest.begin();
      withThis.files = done.files + 1;
      file = line->file;
      any = true;
    }
    withThis.failed += line->isError;
    if (line->isSummary)
      for (const ItemSum &sum : sumsOf(text)) addSum(sum, withThis.sums);
    withThis.hasSummary |= line->isSummary;
    at = end + 1;
    withThis.bytes = at;
  }
  return done;
}

}  // namespace indexical
