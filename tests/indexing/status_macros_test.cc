// The macros return an error once, at once, and move what is none.
#include "indexical/indexing/status_macros.h"

#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace indexical {
namespace {

struct Log {
  int calls = 0;
  absl::Status status(bool isGood) {
    ++calls;
    return isGood ? absl::OkStatus() : absl::NotFoundError("no such thing");
  }
  absl::StatusOr<std::unique_ptr<int>> value(bool isGood) {
    ++calls;
    if (!isGood) return absl::NotFoundError("no such thing");
    return std::make_unique<int>(7);
  }
};

TEST(StatusMacrosTest, AnErrorIsReturnedAndTheRestIsLeftOut) {
  for (bool isGood : {true, false}) {
    Log log;
    bool isReached = false;
    auto run = [&]() -> absl::Status {
      INDEXICAL_RETURN_IF_ERROR(log.status(isGood));
      isReached = true;
      return absl::OkStatus();
    };
    const absl::Status status = run();
    EXPECT_EQ(status.ok(), isGood);
    EXPECT_EQ(isReached, isGood);
    EXPECT_EQ(log.calls, 1);
    EXPECT_EQ(status.message(), isGood ? "" : "no such thing");
  }
}

TEST(StatusMacrosTest, AStatusOfAnotherValueIsReturned) {
  Log log;
  const absl::Status known = log.status(false);
  auto run = [&]() -> absl::StatusOr<std::string> {
    INDEXICAL_RETURN_IF_ERROR(known);
    return "good";
  };
  EXPECT_EQ(run().status(), known);
}

TEST(StatusMacrosTest, TheMacroIsOneStatement) {
  auto run = [](bool asks) -> absl::Status {
    if (asks)
      INDEXICAL_RETURN_IF_ERROR(absl::InternalError("asked"));
    else
      INDEXICAL_RETURN_IF_ERROR(absl::InternalError("not asked"));
    return absl::OkStatus();
  };
  EXPECT_EQ(run(true).message(), "asked");
  EXPECT_EQ(run(false).message(), "not asked");
}

TEST(StatusMacrosTest, AValueIsMovedToWhatIsDeclaredOrAssigned) {
  Log log;
  std::unique_ptr<int> kept;
  auto run = [&](bool isGood) -> absl::StatusOr<int> {
    INDEXICAL_ASSIGN_OR_RETURN(const std::unique_ptr<int> own, log.value(true));
    INDEXICAL_ASSIGN_OR_RETURN(kept, log.value(isGood));
    return *own + *kept;
  };
  EXPECT_EQ(*run(true), 14);
  EXPECT_EQ(log.calls, 2);
  kept.reset();
  EXPECT_EQ(run(false).status(), absl::NotFoundError("no such thing"));
  EXPECT_EQ(kept, nullptr);
}

TEST(StatusMacrosTest, CommasOfTheExpressionAreNone) {
  auto pair = [](auto first) { return absl::StatusOr<decltype(first)>(first); };
  auto run = [&]() -> absl::StatusOr<int> {
    INDEXICAL_ASSIGN_OR_RETURN(auto both, pair(std::pair<int, int>{1, 2}));
    INDEXICAL_RETURN_IF_ERROR(
        absl::StatusOr<std::pair<int, int>>(both).status());
    return both.first + both.second;
  };
  EXPECT_EQ(*run(), 3);
}

}  // namespace
}  // namespace indexical
