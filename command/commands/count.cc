#include "indexical/answers/count/count.h"

#include <memory>
#include <string>

#include "indexical/command/command.h"
#include "indexical/command/maps_file.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/counts.h"

namespace indexical {
namespace {

absl::StatusOr<int> countMaps(const CountQuestion &asked, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(const Maps maps, readMaps(call.input()));
  CountQuestion question = asked;
  question.about = [&](const absl::Status &status, size_t map) {
    return aboutMap(status, call.input().text, map, maps.size());
  };
  INDEXICAL_ASSIGN_OR_RETURN(const auto found,
                             countsOf(maps, question, call.ask()));
  for (const std::string &line : found.certificates)
    call.err() << "  " << line << '\n';
  CountResult result(found);
  return call.writeAndEnd(result, found.areKnown() ? kDone : kUndecided);
}

}  // namespace

Command makeCount() {
  auto asked = std::make_shared<CountQuestion>();
  Command count;
  count.name = "count";
  count.sentence =
      "the number of points, of elements read, and of (index, element) pairs "
      "of each map of a maps file";
  count.example =
      "echo '(d0){rt0} -> (d0 floordiv 4 + rt0),\n"
      "      domain: d0 in [0, 31], rt0 in [0, 7]' |\n"
      "  indexical count --runtime=rt0=4";
  count.statuses = {{kUndecided, "a figure was not found"}};
  count.offers = {Offer::Text, Offer::Structure, Offer::Table};
  count.columns = CountResult::columns();
  count.options = {
      runtimeOption(
          asked->runtime,
          "The value of a runtime variable (default: its lower bound)"),
      flagOption("explain", asked->explain,
                 "Write to standard error the certificates that unknown "
                 "sizes leave no point")};
  count.run = [asked](Call &call) { return countMaps(*asked, call); };
  return count;
}

}  // namespace indexical
