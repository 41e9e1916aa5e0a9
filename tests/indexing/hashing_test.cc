// Maps and relations as keys of hash tables, and in streams.
#include "indexical/indexing/hashing.h"

#include <sstream>
#include <string>
#include <unordered_set>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "gtest/gtest.h"
#include "llvm/ADT/DenseSet.h"

#include "indexical/indexing/map_text.h"

namespace indexical::testing {
namespace {

// The fourth is the first under other names. The last two have the structure of
// the keys that DenseSet keeps to itself.
const char *const kTexts[] = {
    "(d0) -> (d0), domain: d0 in [0, 3]",
    "(d0) -> (d0), domain: d0 in [0, 4]",
    "(d0) -> (d0 + 1), domain: d0 in [0, 3]",
    "(row) -> (row), domain: row in [0, 3]",
    "(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 1]",
    "(d0) -> (), domain: d0 in [0, 0]",
    "() -> ()",
};

std::vector<IndexingMap> maps() {
  std::vector<IndexingMap> all;
  for (const char *text : kTexts) all.push_back(*parseMap(text));
  return all;
}

template <typename Set>
void checkSet() {
  const auto all = maps();
  for (int round = 0; round < 2; ++round) {
    Set set;
    for (size_t i = 0; i < all.size(); ++i)
      set.insert(
          typename Set::value_type(all[round == 0 ? i : all.size() - 1 - i]));
    EXPECT_EQ(set.size(), all.size() - 1);
    for (const IndexingMap &map : all)
      EXPECT_EQ(set.count(typename Set::value_type(map)), 1u);
    EXPECT_EQ(set.count(typename Set::value_type(*parseMap("() -> (1)"))), 0u);
    set.erase(typename Set::value_type(all[5]));
    EXPECT_EQ(set.count(typename Set::value_type(all[5])), 0u);
  }
}

TEST(Hashing, Sets) {
  checkSet<std::unordered_set<IndexingMap>>();
  checkSet<absl::flat_hash_set<IndexingMap>>();
  checkSet<llvm::DenseSet<IndexingMap>>();
  checkSet<std::unordered_set<IndexingRelation>>();
  checkSet<absl::flat_hash_set<IndexingRelation>>();
  checkSet<llvm::DenseSet<IndexingRelation>>();
}

TEST(Hashing, Streams) {
  const auto all = maps();
  IndexingRelation relation(all[0]);
  relation.add(all[2]);
  relation.weaken(Precision::Cover);
  const std::string text =
      std::string("cover: ") + kTexts[0] + "; " + kTexts[2];
  std::ostringstream stream;
  stream << relation << '\n' << all[2];
  EXPECT_EQ(stream.str(), text + "\n" + kTexts[2]);
  std::string other;
  llvm::raw_string_ostream(other) << relation << '\n' << all[2];
  EXPECT_EQ(other, stream.str());
}

}  // namespace
}  // namespace indexical::testing
