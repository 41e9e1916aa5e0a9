#include "indexical/answers/count/keys.h"

#include "llvm/Support/raw_ostream.h"

namespace indexical {
namespace {

/// Gives the number as it is: it can be past 64 bits.
void figure(const Count &of, KeyValue &to) {
  if (!of.value) return to.null();
  std::string digits;
  llvm::raw_string_ostream(digits) << *of.value;
  to.number(llvm::StringRef(digits));
}

}  // namespace

template <>
KeyList<CountAnswer> keysOf<CountAnswer>() {
  static constexpr Key<CountAnswer> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"counts", "list of [counts](#a-count)", "never", "one for each map",
       nullptr},
  };
  return {"How many?", kKeys};
}

template <>
KeyList<MapFigures> keysOf<MapFigures>() {
  static constexpr Key<MapFigures> kKeys[] = {
      {"domain",
       "integer or null",
       "never",
       "points of the domain, over all variables",
       [](const MapFigures &of, KeyValue &to) { figure(of.domain, to); },
       {2}},
      {"image",
       "integer or null",
       "never",
       "different elements",
       [](const MapFigures &of, KeyValue &to) { figure(of.image, to); },
       {3}},
      {"pairs",
       "integer or null",
       "never",
       "different (index, element) pairs",
       [](const MapFigures &of, KeyValue &to) { figure(of.pairs, to); },
       {4}},
      {"engine",
       "`\"closed form\"`, `\"sizes\"`, `\"enumeration\"` or `\"isl\"`",
       "never",
       "the strongest engine that was needed",
       [](const MapFigures &of, KeyValue &to) {
         to.text(engineName(of.engine()));
       },
       {5}},
  };
  return {"A count", kKeys};
}

std::vector<Described> countTables() {
  return {described<CountAnswer>(), described<MapFigures>()};
}

}  // namespace indexical
