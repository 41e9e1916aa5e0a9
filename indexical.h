// Indexical, for the common case: maps from text, HLO into a program, and the
// questions about both.
//
//   auto first = parseMap("(d0) -> (d0 * 2), domain: d0 in [0, 3]");
//   auto second = parseMap("(d0) -> (d0 floordiv 2), domain: d0 in [0, 7]");
//   auto both = compose(*first, *second);
//   std::string text = both->strOneLine();
//   // (d0) -> (d0), domain: d0 in [0, 3]
//
//   maps       parseMap, simplify, compose, strOneLine, IndexingMap, MapBuilder
//   relations  IndexingRelation: pieces of maps, with their precision
//   proofs     equal, empty, injective, inverse, difference, image, count
//   layouts    layouts::parseLayout, compose, inverse, equal, accessOf,
//              searchMemory
//   ops        descriptors of HLO's ops, without a program; AccessMaps
//   programs   parseHlo, ModuleBuilder, Program, ProgramIndexing
//   analysis   kernels and their traffic, utilization, tiles, moduleEquality
//   answers    reportOf, dumpOf, elementOf, usesOf, sparsityOf, tilesOf,
//              equalityOf, passesOf, countsOf, shardingsIn, conditionsOf: what
//              the command reports, as values
//   pictures   Picture, writeSvg
//
// The headers that need MLIR, indexing/affine_map.h and stablehlo/
// (Indexical::mlir), are left out: a program without MLIR does not link it.
#ifndef INDEXICAL_INDEXICAL_H
#define INDEXICAL_INDEXICAL_H

// IWYU pragma: begin_exports
#include "indexical/answers/ask.h"
#include "indexical/answers/conditions/conditions.h"
#include "indexical/answers/count/count.h"
#include "indexical/answers/dump/dump.h"
#include "indexical/answers/element/element.h"
#include "indexical/answers/equality/equality.h"
#include "indexical/answers/passes/passes.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/answers/report/report.h"
#include "indexical/answers/sharding/given_sharding.h"
#include "indexical/answers/sharding/sharding.h"
#include "indexical/answers/sparsity/sparsity.h"
#include "indexical/answers/tiles/tiles.h"
#include "indexical/answers/uses/uses.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/launch/predicted_time.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/tiles/tile_space.h"
#include "indexical/cost/use/elements.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/exact/exact.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/hashing.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/relation.h"
#include "indexical/indexing/transforms.h"
#include "indexical/layout/access.h"
#include "indexical/layout/layout.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "indexical/layout/search.h"
#include "indexical/ops/access.h"
#include "indexical/ops/op.h"
#include "indexical/ops/op_interface.h"
#include "indexical/ops/shape.h"
#include "indexical/program/check/check.h"
#include "indexical/program/check/witness.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/maps/run_conditions.h"
#include "indexical/program/module/ids.h"
#include "indexical/program/module/module_builder.h"
#include "indexical/program/module/program.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/verdict/verdict.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/simplifier/sizes.h"
#include "indexical/version.h"
// IWYU pragma: end_exports

#endif  // INDEXICAL_INDEXICAL_H
