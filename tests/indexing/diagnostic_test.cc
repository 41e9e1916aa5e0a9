// Places, and which word is taken to be meant.
#include "indexical/indexing/diagnostic.h"

#include <string>

#include "gtest/gtest.h"

namespace indexical {
namespace {

std::string nearestOf(llvm::StringRef word) {
  return nearest(word, {"add", "subtract", "transpose", "tanh", "is-finite",
                        "f32", "ROOT", "id"})
      .str();
}

TEST(DiagnosticTest, AWordThatIsNearIsSuggested) {
  struct Row {
    const char *word, *meant;
  };
  for (const Row &row : {
           Row{"ad", ""},                  // too short to be near a word
           Row{"i", ""},                   //
           Row{"Id", "id"},                // but for capitals
           Row{"root", "ROOT"},            //
           Row{"adds", "add"},             // one letter more
           Row{"dd1", ""},                 // two edits in three letters
           Row{"tnah", "tanh"},            // two neighbours swapped
           Row{"tnahs", ""},               // and one letter more
           Row{"substract", "subtract"},   //
           Row{"trnaspose", "transpose"},  //
           Row{"transpos", "transpose"},   //
           Row{"transposition", ""},       // five edits in thirteen letters
           Row{"tarnspsoe", ""},           // two swaps are four edits
           Row{"isfinit", "is-finite"},    // two edits in seven letters
           Row{"", ""},                    //
           Row{"divide", ""},              //
       })
    EXPECT_EQ(nearestOf(row.word), row.meant) << row.word;
}

TEST(DiagnosticTest, TheNearestOfSeveralIsSuggested) {
  EXPECT_EQ(nearest("reduse", {"reduces", "reduce", "rehouse"}).str(),
            "reduce");
  EXPECT_EQ(nearest("exact", {"exact"}).str(), "");  // it is not a mistake
}

TEST(DiagnosticTest, PlacesCountFromOne) {
  const llvm::StringRef text = "ab\ncd\n";
  EXPECT_EQ(placeOfOffset(text, 0), (Place{1, 1}));
  EXPECT_EQ(placeOfOffset(text, 4), (Place{2, 2}));
  EXPECT_EQ(placeOfOffset(text, 99), (Place{3, 1}));
  const absl::Status status =
      withPlace(errorAt({2, 3}, "no such word", "cd"), {7, 7});
  EXPECT_EQ(*placeOf(status), (Place{2, 3}));
  EXPECT_EQ(suggestionOf(status), "cd");
}

}  // namespace
}  // namespace indexical
