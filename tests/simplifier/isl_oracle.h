// isl as a second opinion on a map and its simplified form.
//
//   sameRelation(parts, *simplify(parts.build()));  // Opinion::Same
//
// The tree's text goes to isl as it stands, with floor and mod; the simplified
// map's as it is held. Both are sets of (index, results) with range and runtime
// variables projected out: isl compares them over all integers, open bounds and
// sizes near 2^62 included (Verdoolaege, "isl: An Integer Set Library for the
// Polyhedral Model", ICMS 2010).
#ifndef INDEXICAL_TESTS_SIMPLIFIER_ISL_ORACLE_H
#define INDEXICAL_TESTS_SIMPLIFIER_ISL_ORACLE_H

#include <cstdint>

#include "indexical/indexing/indexing_map.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {

enum class Opinion : uint8_t {
  Same,
  Different,
  None,  ///< products or divisions by variables, or isl gave up
};
Opinion sameRelation(const MapParts &parts, const IndexingMap &map);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SIMPLIFIER_ISL_ORACLE_H
