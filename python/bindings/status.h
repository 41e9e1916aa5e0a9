// Statuses as exceptions, and work that others' threads need not wait for.
//
//   return unwrap(withoutLock([&] { return compose(first, second); }));
//
// Python's lock is given back while the work is done, and is held again when
// its status becomes an exception. The work has a stack of its own, as deep as
// the command's.
#ifndef INDEXICAL_PYTHON_BINDINGS_STATUS_H
#define INDEXICAL_PYTHON_BINDINGS_STATUS_H

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/indexing/deep_stack.h"
#include "pybind11/pybind11.h"

namespace indexical {

/// Becomes `indexical.Error`, with the place and the suggestion of the status.
class StatusError : public std::exception {
 public:
  explicit StatusError(absl::Status status, std::string path = "")
      : status_(std::move(status)),
        path_(std::move(path)),
        message_(status_.message()) {}
  const char *what() const noexcept override { return message_.c_str(); }
  const absl::Status &status() const { return status_; }
  const std::string &path() const { return path_; }

 private:
  absl::Status status_;
  std::string path_, message_;
};

template <typename T>
T unwrap(absl::StatusOr<T> result, const std::string &path = "") {
  if (!result.ok()) throw StatusError(result.status(), path);
  return *std::move(result);
}

/// Returns the result of `work`, which runs without Python's lock, on a deep
/// stack.
template <typename Work>
auto withoutLock(Work work) {
  std::optional<decltype(work())> result;
  {
    pybind11::gil_scoped_release release;
    withDeepStack([&] { result.emplace(work()); });
  }
  return *std::move(result);
}

}  // namespace indexical

#endif  // INDEXICAL_PYTHON_BINDINGS_STATUS_H
