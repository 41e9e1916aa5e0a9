#include "indexical/command/kernel_requests.h"

#include <fstream>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/ordered.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/kernel.h"

namespace indexical {
namespace {

namespace json = llvm::json;

// Requests that are answered at once, and the longest line.
constexpr size_t kAtOnce = 256;
constexpr size_t kLongestLine = 8'000'000;

absl::Status refusal(std::string text) { return errorAt({}, std::move(text)); }

/// Returns a text or a number as a word of a call.
std::optional<std::string> wordOf(const json::Value &value) {
  if (const auto text = value.getAsString()) return text->str();
  if (const auto number = value.getAsInteger()) return absl::StrCat(*number);
  if (const auto number = value.getAsNumber()) return absl::StrCat(*number);
  return std::nullopt;
}

/// Returns the words that the values of an option are.
absl::StatusOr<std::vector<std::string>> wordsOf(const Option &option,
                                                 const std::string &key,
                                                 const json::Value &value) {
  std::vector<std::string> words;
  auto add = [&](const json::Value &each, const std::string &before) {
    const auto word = wordOf(each);
    if (word) words.push_back(before + *word);
    return word.has_value();
  };
  bool isRead = true;
  if (option.isFlag()) {
    const auto given = value.getAsBoolean();
    if (!given) return refusal(absl::StrCat("`", key, "` is true or false"));
    if (*given) words.push_back("");
  } else if (const json::Object *pairs = value.getAsObject()) {
    // In the order of their names.
    std::vector<std::pair<std::string, const json::Value *>> all;
    for (const auto &[name, each] : *pairs)
      all.push_back({llvm::StringRef(name).str(), &each});
    llvm::sort(all, llvm::less_first());
    for (const auto &[name, each] : all) isRead &= add(*each, name + "=");
  } else if (const json::Array *list = value.getAsArray()) {
    for (const json::Value &each : *list) isRead &= add(each, "");
    if (isRead && !option.repeatable) words = {absl::StrJoin(words, ",")};
  } else {
    isRead = add(value, "");
  }
  if (!isRead)
    return refusal(absl::StrCat(
        "`", key, "` is a text, a number, or a list or an object of these"));
  if (words.size() > 1 && !option.repeatable)
    return refusal(absl::StrCat("`", key, "` can be given once"));
  return words;
}

absl::Status takeOption(const std::string &key, const json::Value &value,
                        llvm::ArrayRef<Option> options) {
  std::string name = key;
  for (char &letter : name)
    if (letter == '_') letter = '-';
  const auto option = llvm::find_if(
      options, [&](const Option &each) { return each.name == name; });
  if (option == options.end()) {
    std::vector<llvm::StringRef> names;
    for (const Option &each : options) names.push_back(each.name);
    return errorAt({}, absl::StrCat("a request has no key `", key, "`"),
                   nearest(name, names));
  }
  INDEXICAL_ASSIGN_OR_RETURN(const auto words, wordsOf(*option, key, value));
  for (const std::string &word : words) {
    if (!option->choices.empty() && !llvm::is_contained(option->choices, word))
      return refusal(absl::StrCat("`", key, "` is one of ",
                                  absl::StrJoin(option->choices, ", ")));
    if (auto wanted = option->take(word))
      return refusal(absl::StrCat("`", key, "` does not take `", word,
                                  "`, but ", *wanted));
  }
  return absl::OkStatus();
}

bool hasLines(llvm::StringRef word) { return word.contains('\n'); }

/// What became of a line: kernels, or why there are none.
struct Answered {
  std::string id;
  std::vector<std::pair<const Device *, KernelFindings>> found;
  std::vector<std::string> refused;
  bool isAsked = false;
};

/// Keeps errors, and drops other messages.
class Refusals : public Messages {
 public:
  explicit Refusals(std::vector<std::string> &refused) : refused_(refused) {}
  void error(const absl::Status &status) override {
    std::string text(status.message());
    if (const auto place = placeOf(status); place && place->known())
      text = absl::StrCat(place->line, ":", place->column, ": ", text);
    if (const std::string meant = suggestionOf(status); !meant.empty())
      absl::StrAppend(&text, "; did you mean `", meant, "`?");
    refused_.push_back(std::move(text));
  }
  void warning(Place, llvm::StringRef) override {}
  void note(Place, llvm::StringRef) override {}

 private:
  std::vector<std::string> &refused_;
};

Answered answerTo(llvm::StringRef line, const KernelQuestion &question,
                  OptionsOfKernel optionsOf, const Budget &budget) {
  Answered answer;
  Refusals refusals(answer.refused);
  auto request = readRequest(line, question, optionsOf, answer.id);
  if (!request.ok()) {
    refusals.error(request.status());
    return answer;
  }
  FusionSource fusions = request->oldText
                             ? FusionSource(*std::move(request->oldText))
                             : FusionSource(request->of);
  answer.isAsked = !request->question.aliases.empty();
  const auto failed =
      findKernels(request->input, request->question, fusions,
                  {budget, /*jobs=*/1, refusals},
                  [&](const Device &device, KernelFindings found) {
                    answer.found.push_back({&device, std::move(found)});
                    return absl::OkStatus();
                  });
  if (!failed.ok()) refusals.error(failed.status());
  return answer;
}

}  // namespace

absl::StatusOr<KernelRequest> readRequest(llvm::StringRef line,
                                          const KernelQuestion &question,
                                          OptionsOfKernel optionsOf,
                                          std::string &id) {
  auto parsed = json::parse(line);
  if (!parsed) {
    std::string why = llvm::toString(parsed.takeError());
    return refusal(absl::StrCat("the line is not JSON: ", why));
  }
  const json::Object *object = parsed->getAsObject();
  if (!object) return refusal("a request is an object");
  KernelRequest request;
  if (const json::Value *given = object->get("id")) {
    const auto word = wordOf(*given);
    if (!word) return refusal("`id` is a text or a number");
    id = request.id = *word;
  }
  request.question = question;
  const std::vector<Option> options = optionsOf(request.question, request.of);
  const auto of = object->getString("new");
  if (!of) return refusal("a request has the key `new`: a path, or a text");
  std::vector<std::pair<std::string, const json::Value *>> keys;
  for (const auto &[name, value] : *object)
    keys.push_back({llvm::StringRef(name).str(), &value});
  llvm::sort(keys, llvm::less_first());
  for (const auto &[key, value] : keys) {
    if (key == "id" || key == "new") continue;
    if (key != "old") {
      INDEXICAL_RETURN_IF_ERROR(takeOption(key, *value, options));
      continue;
    }
    const auto word = value->getAsString();
    if (!word) return refusal("`old` is a path, or a text");
    if (hasLines(*word))
      request.oldText = Input{"old", SharedText(word->str())};
    else
      request.of = word->str();
  }
  if (auto wrong = mistakeOfLaunch(request.question)) return refusal(*wrong);
  if (hasLines(*of)) {
    request.input = {"new", SharedText(of->str())};
  } else {
    auto input = readInput(*of);
    if (!input.ok())
      return refusal(
          absl::StrCat(of->str(), " ", std::string(input.status().message())));
    request.input = *std::move(input);
  }
  return request;
}

absl::StatusOr<int> answerRequests(const std::string &path,
                                   const KernelQuestion &question,
                                   OptionsOfKernel optionsOf,
                                   StatusOfKernel statusOf, size_t jobs,
                                   Call &call) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file) return refusal(absl::StrCat("cannot read ", path));
  }
  std::istream &in = path == "-" ? std::cin : file;
  int worst = kDone;
  int64_t number = 0;
  while (in) {
    std::vector<std::pair<int64_t, std::string>> lines;
    std::string line;
    while (lines.size() < kAtOnce && std::getline(in, line)) {
      ++number;
      if (llvm::StringRef(line).trim().empty()) continue;
      if (line.size() > kLongestLine) line = "too long";
      lines.push_back({number, std::move(line)});
    }
    if (lines.empty()) continue;
    std::vector<uint32_t> owners(lines.size());
    const size_t workers = std::min(std::max<size_t>(1, jobs), lines.size());
    for (auto [step, owner] : llvm::enumerate(owners)) owner = step % workers;
    absl::Status ended;
    const Budget budget = call.budget();
    inOrder<Answered>(
        owners,
        [&](size_t, size_t step) {
          return answerTo(lines[step].second, question, optionsOf, budget);
        },
        [&](size_t step, Answered answer) {
          // A request that a stop has ended is no answer.
          ended = budget.check();
          if (!ended.ok()) return false;
          for (auto &[device, found] : answer.found) {
            found.request = lines[step].first;
            found.id = answer.id;
            KernelResult result(found, *device);
            worst = worseOf(worst, statusOf(found, answer.isAsked));
            ended = call.write(result);
            if (!ended.ok()) return false;
          }
          for (const std::string &why : answer.refused) {
            RefusedRequest result({lines[step].first, answer.id, why});
            // The call is answered all the same.
            worst = worseOf(worst, kUndecided);
            ended = call.write(result);
            if (!ended.ok()) return false;
          }
          return true;
        });
    INDEXICAL_RETURN_IF_ERROR(ended);
  }
  return worst;
}

}  // namespace indexical
