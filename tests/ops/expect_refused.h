// A valid op, and changes that verify refuses:
//
//   expectRefused<ReverseOp>(op, {{"dimensions", [](auto &op) {
//                                    op.dimensions = {2};
//                                  }}});
#ifndef INDEXICAL_TESTS_OPS_EXPECT_REFUSED_H
#define INDEXICAL_TESTS_OPS_EXPECT_REFUSED_H

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "tests/support/random_ops.h"

namespace indexical::testing {

/// One change to a valid op, and a word that the message then has.
template <typename OpType>
struct Mistake {
  const char *word;
  std::function<void(OpType &)> change;
};

template <typename OpType>
void expectRefused(const OpType &valid,
                   const std::vector<Mistake<OpType>> &mistakes) {
  EXPECT_TRUE(verify(valid).ok()) << describe(valid) << "\n" << verify(valid);
  for (const Mistake<OpType> &mistake : mistakes) {
    OpType op = valid;
    mistake.change(op);
    absl::Status status = verify(op);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << describe(op);
    llvm::StringRef message(status.message().data(), status.message().size());
    EXPECT_TRUE(message.contains(mistake.word))
        << describe(op) << "\n  has the message: " << message.str()
        << "\n  without the word: " << mistake.word;
  }
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_OPS_EXPECT_REFUSED_H
