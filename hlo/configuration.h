// What distinguishes an instruction's values and stands in no field of its
// descriptor.
//
//   c = pred[4] compare(a, b), direction=LT, metadata={op_name="lt"}
//       "direction=LT"
//   s = f32[4] custom-call(a), custom_call_target="f", backend_config="{}"
//       "backend_config=\"{}\";custom_call_target=\"f\""
//
// Attributes that say something of the text, of the compilation, or of the
// place where an instruction runs are left out, as are computations that are
// named, for a name is no value. Groups of devices are lists, whatever form the
// text has them in. An attribute that nobody knows counts.
#ifndef INDEXICAL_HLO_CONFIGURATION_H
#define INDEXICAL_HLO_CONFIGURATION_H

#include <string>

#include "indexical/hlo/op_builder.h"

namespace indexical {

/// The attributes that count, sorted by name, one `;` between two. `op` is the
/// descriptor, its fields filled in.
std::string configurationOf(const ResolvedInstruction &instruction, OpView op);

}  // namespace indexical

#endif  // INDEXICAL_HLO_CONFIGURATION_H
