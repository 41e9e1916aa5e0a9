// The parts of a question's functions: its keywords as values, the program it
// is about, its limits and messages, and its answer as objects of Python.
//
//   const Keywords asked(given);               {"values": True, "jobs": 4}
//   Limits limits(asked);
//   auto found = limits.finish(withoutLock([&] {
//     return equalityOf(first, second, question, limits.ask()); }), path);
//   return answered<EqualityResult>(std::move(found));
//                                              (document, writer of its text)
#ifndef INDEXICAL_PYTHON_BINDINGS_ASKING_H
#define INDEXICAL_PYTHON_BINDINGS_ASKING_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/given_sizes.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/cost/memory/device.h"
#include "indexical/indexing/budget.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/same/values/module_values.h"
#include "indexical/writers/result.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/program.h"
#include "python/bindings/status.h"

namespace indexical {

/// The keywords of a call. One that is None is not given. Values of the wrong
/// kind are errors that say what would be right.
class Keywords {
 public:
  explicit Keywords(const pybind11::dict &given) : given_(given) {}

  template <typename T>
  std::optional<T> get(const char *name) const {
    if (!given_.contains(name)) return std::nullopt;
    const pybind11::object value = given_[name];
    if (value.is_none()) return std::nullopt;
    return value.cast<T>();
  }
  bool isTrue(const char *name) const {
    return get<bool>(name).value_or(false);
  }
  /// Returns the name of a part of a program, without the `%` of HLO, or "".
  std::string name(const char *name) const;
  /// Returns a number that is not negative.
  std::optional<size_t> count(const char *name) const;
  /// Returns a number of bytes, which may be a text: `10MB`.
  std::optional<int64_t> bytes(const char *name) const;
  /// Takes one text, or a list of them, as texts between commas.
  std::vector<std::string> texts(const char *name) const;
  /// Takes one number of at least `least`, a list of them, or a text of them
  /// with commas between.
  std::vector<int64_t> numbers(const char *name, int64_t least) const;
  std::vector<std::vector<int64_t>> numberLists(const char *name,
                                                int64_t least) const;
  /// Takes sizes of one tile, numbers and names, or a list of those of several.
  void tileSizes(const char *name, std::vector<std::string> &first,
                 std::vector<std::vector<std::string>> &others) const;
  /// Takes a dictionary, whose keys may be numbers.
  template <typename T>
  std::vector<std::pair<std::string, T>> byName(const char *name) const {
    std::vector<std::pair<std::string, T>> all;
    if (const auto values = get<pybind11::dict>(name))
      for (const auto &[key, value] : *values)
        all.emplace_back(keyText(key), value.template cast<T>());
    return all;
  }

 private:
  static std::string keyText(pybind11::handle key);

  const pybind11::dict given_;
};

/// Throws an error of a call's keywords.
[[noreturn]] void wrong(const std::string &message);
/// Gives a text to Python's `warnings`.
void warn(const std::string &text);

/// Warns of the warnings and errors in the list, which are about that file.
void warnOf(const MessageList &messages, const std::string &path);
/// Returns the status with `num_warps` where its message says `--num-warps`.
absl::Status inKeywords(const absl::Status &status);

/// The limits of one call, and the messages about its input.
class Limits {
 public:
  explicit Limits(const Keywords &asked);
  Limits(const Limits &) = delete;
  Limits &operator=(const Limits &) = delete;

  const Budget &budget() const { return budget_; }
  size_t jobs() const { return jobs_; }
  Ask ask() { return {budget_, jobs_, messages_}; }

  /// Returns the answer. Throws if there is none, or if the call had to end,
  /// and warns of what was said beside it about the file.
  template <typename T>
  T finish(absl::StatusOr<T> answer, const std::string &path) {
    end(path);
    warnOf(messages_, path);
    if (!answer.ok()) throw StatusError(inKeywords(answer.status()), path);
    return *std::move(answer);
  }
  /// Throws if the call had to end.
  void end(const std::string &path) const;

 private:
  Stop stop_;
  Budget budget_;
  size_t jobs_ = 1;
  MessageList messages_;
};

/// Returns the sizes of `size` and `arguments`.
GivenSizes sizesIn(const Keywords &asked);
/// Returns the program, with the sizes that are given.
std::shared_ptr<const Program> programOf(const Held &held,
                                         const Keywords &asked);
/// Returns the device that `device` names, or null.
const Device *deviceIn(const Keywords &asked);
/// Returns the map of `thread_map`, a text or the path of a file.
std::optional<IndexingMap> threadsIn(const Keywords &asked);
/// Returns the meshes of that name: the text of one, which has commas, a list
/// of them, or their texts by name.
std::vector<std::string> meshesIn(const Keywords &asked, const char *name);
/// Returns the laws of `float_laws`.
FloatLaws floatLawsIn(const Keywords &asked);
/// Returns what `values` and `float_laws` ask for.
std::optional<ValueOptions> valuesIn(const Keywords &asked);

/// Keys that begin a document, beside those of every document.
using FirstKeys = llvm::ArrayRef<std::pair<llvm::StringRef, std::string>>;
/// Returns the structure of the result as a dictionary.
pybind11::dict documentOf(Result &result, FirstKeys first = {});
/// Returns the text of the result. Needs no lock.
pybind11::str textOf(Result &result);
/// Returns a function of Python that returns what `write` writes.
pybind11::cpp_function writerOf(
    std::function<void(llvm::raw_ostream &os)> write);

/// Returns the document of the answer, and a function that writes its text,
/// which keeps the answer and what that refers to.
template <typename ResultType, typename Answer>
pybind11::tuple answered(Answer found,
                         std::shared_ptr<const void> refersTo = nullptr,
                         FirstKeys first = {}) {
  auto kept = std::make_shared<const Answer>(std::move(found));
  ResultType result(*kept);
  return pybind11::make_tuple(documentOf(result, first),
                              writerOf([kept, refersTo](llvm::raw_ostream &os) {
                                ResultType(*kept).text(os, TextStyle::Plain);
                              }));
}

}  // namespace indexical

#endif  // INDEXICAL_PYTHON_BINDINGS_ASKING_H
