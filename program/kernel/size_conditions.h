// Conditions of sizes that are taken for granted together.
//
//   m <= n, n <= 1000      narrow: m from 1 to 1000
//   m == 2 * n             a definition: m is 2 * n
//   n % 16 == 0            sizes that meet it near n = 37: n = 32
//
// Sizes without a value are from 1 on.
//
// Laws (tests/program/kernel/size_conditions_test.cc, by enumeration): sizes
// that meet all conditions are in the narrowed ranges and equal their
// definitions, and what sizesThatMeet() returns meets all conditions.
#ifndef INDEXICAL_PROGRAM_KERNEL_SIZE_CONDITIONS_H
#define INDEXICAL_PROGRAM_KERNEL_SIZE_CONDITIONS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "indexical/program/kernel/size_terms.h"

namespace indexical::kernels {

/// Terms by the names that they replace. No term has a name that is replaced.
using SizeDefinitions = std::map<std::string, SizeTerm>;

/// Returns whether the text of the term shows that it is nowhere negative: it
/// has no difference.
bool isCount(const SizeTerm &term);

/// Returns the term with definitions in place of their names.
SizeTerm replaced(const SizeTerm &term, const SizeDefinitions &definitions);

/// Returns what equalities say of names without a value. Not every equality
/// becomes a definition: `n == n * m` does not.
SizeDefinitions definitionsOf(const std::vector<SizeCondition> &conditions,
                              const SizeValues &values);

/// Returns whether all conditions hold. A condition with a name that has no
/// value does not hold.
bool holdAll(const std::vector<SizeCondition> &conditions,
             const SizeValues &values);

/// Returns whether the term is a sum of names with constant factors. With
/// `divides`, minima, maxima, and divisions and remainders by numbers are
/// allowed, too.
bool isLinear(const SizeTerm &term, const SizeValues &values, bool divides);

/// The names without a value, and what they may be.
struct SizeBox {
  SizeRanges ranges;
  int64_t most;  ///< of a name without a range, which is from 1 on

  std::pair<int64_t, int64_t> rangeOf(const std::string &name) const;
};

/// Drops sizes from the ends of ranges that meet no condition together with any
/// others. Returns false if a range has no size left.
bool narrow(const std::vector<SizeCondition> &conditions,
            const SizeValues &values, SizeBox &box);

/// Returns sizes of the box that meet all conditions, near those of `near`,
/// which has a value for each name: none, one or a few. None does not say that
/// there are none. Names of `values` keep their values.
std::vector<SizeValues> sizesThatMeet(
    const std::vector<SizeCondition> &conditions, const SizeValues &values,
    const SizeBox &box, const SizeValues &near);

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_SIZE_CONDITIONS_H
