// The attributes that distinguish an instruction's values but are not in a
// field of its descriptor, as text.
//
//   c = pred[4] compare(a, b), direction=LT, metadata={op_name="lt"}
//       "direction=LT"
//   s = f32[4] custom-call(a), custom_call_target="f", backend_config="{}"
//       "backend_config=\"{}\";custom_call_target=\"f\""
//
// program/values/op_identity.h lists the attributes that are left out. Groups
// of devices are lists, whatever form the text has them in.
#ifndef INDEXICAL_IMPORT_HLO_CONFIGURATION_H
#define INDEXICAL_IMPORT_HLO_CONFIGURATION_H

#include <string>

#include "indexical/import/hlo/op_builder.h"

namespace indexical {

/// Returns the attributes that count, sorted by name, one `;` between two.
/// `described` is the descriptor, its kind and its fields filled in.
std::string configurationOf(const ResolvedInstruction &instruction,
                            OpView described);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_CONFIGURATION_H
