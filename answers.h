// The answers of the command about programs, as values: costs, sameness, and
// reports. Includes indexical/indexical.h.
//
//   auto program = parseHlo(
//       "f { p = f32[4,8] parameter(0)\n"
//       "    ROOT t = f32[8,4] transpose(p), dimensions={1,0} }");
//   ReportQuestion question;
//   question.device = findDevice("a100");
//   auto measured = measure(*std::move(program), question);
//   auto report = reportOf(*std::move(measured), question);
//   size_t kernels = report->rows.kernels.size();  // 1
//
//   question                                    answer
//   which kernels cost most, and why            measure, reportOf
//   which elements does each instruction read   dumpOf, elementOf, usesOf
//   which tiles are exact                       tilesOf
//   are two programs the same                   equalityOf, passesOf
//   which results may share memory              hazardsIn
//   which device holds what                     shardingsIn
//   which collectives bring an array elsewhere  reshardPlans
//   structural non-zeros of a Jacobian          sparsityOf
//   points of maps, conditions on sizes         countsOf, conditionsOf
//   pictures                                    Picture, writeSvg
#ifndef INDEXICAL_ANSWERS_H
#define INDEXICAL_ANSWERS_H

// IWYU pragma: begin_exports
#include "indexical/answers/ask.h"
#include "indexical/answers/conditions/conditions.h"
#include "indexical/answers/count/count.h"
#include "indexical/answers/dump/dump.h"
#include "indexical/answers/element/element.h"
#include "indexical/answers/equality/equality.h"
#include "indexical/answers/hazards/hazards.h"
#include "indexical/answers/passes/passes.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/answers/report/measured_program.h"
#include "indexical/answers/report/report.h"
#include "indexical/answers/reshard/reshard.h"
#include "indexical/answers/sharding/given_sharding.h"
#include "indexical/answers/sharding/sharding.h"
#include "indexical/answers/sparsity/sparsity.h"
#include "indexical/answers/tiles/tiles.h"
#include "indexical/answers/uses/uses.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/launch/predicted_time.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/cost/reshard/reshard_plans.h"
#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/tiles/tile_space.h"
#include "indexical/cost/use/elements.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/indexical.h"
#include "indexical/program/check/check.h"
#include "indexical/program/check/witness.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/verdict/verdict.h"
// IWYU pragma: end_exports

#endif  // INDEXICAL_ANSWERS_H
