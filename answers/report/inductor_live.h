// The memory that a file of Inductor needs most of at once; private to
// answers/report.
//
//   triton_poi_fused_relu_0.run(arg0_1, buf0, 640, stream=stream0)
//   buf1 = buf0; del buf0  # reuse
//   triton_poi_fused_exp_1.run(buf1, 640, stream=stream0)
//
//   peak: at the second launch, arg0_1 and buf0, of which buf1 is a name
//
// Memories are those that the file allocates, whatever its names for them.
// Arrays of a launch are parts of these. As in live_arrays.h, inputs are live
// all the time, results to the end, and what is between from the first step
// that has it to the last one.
//
// Law (tests/answers/report/inductor_report_test.py): the bytes are those that
// the table of a file says.
#ifndef INDEXICAL_ANSWERS_REPORT_INDUCTOR_LIVE_H
#define INDEXICAL_ANSWERS_REPORT_INDUCTOR_LIVE_H

#include <optional>

#include "indexical/answers/report/inductor_module.h"
#include "indexical/cost/live/live_arrays.h"
#include "indexical/import/python/output_code.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the peak of a file, in instructions of its module; std::nullopt if
/// it has no step, or a memory of unknown size.
std::optional<LivePeak> livePeakOf(const python::OutputCode &code,
                                   const InductorModule &text,
                                   const Module &module);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_INDUCTOR_LIVE_H
