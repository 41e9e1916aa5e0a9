// The attributes that distinguish an instruction's values but are not in a
// field of its descriptor, as text.
//
//   c = pred[4] compare(a, b), direction=LT, metadata={op_name="lt"}
//       "direction=LT"
//   s = f32[4] custom-call(a), custom_call_target="f", backend_config="{}"
//       "backend_config=\"{}\";custom_call_target=\"f\""
//
// Attributes that concern the text, the compilation, or the place where an
// instruction runs are left out. So are computations that are named, since a
// name is no value. Groups of devices are lists, whatever form the text has
// them in. Unknown attributes count.
#ifndef INDEXICAL_HLO_CONFIGURATION_H
#define INDEXICAL_HLO_CONFIGURATION_H

#include <string>

#include "indexical/hlo/op_builder.h"

namespace indexical {

/// Returns the attributes that count, sorted by name, one `;` between two. `op`
/// is the descriptor, its fields filled in.
std::string configurationOf(const ResolvedInstruction &instruction, OpView op);

}  // namespace indexical

#endif  // INDEXICAL_HLO_CONFIGURATION_H
