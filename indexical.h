// Indexical, for the common case: maps from text, HLO into a program, and the
// questions about both.
//
//   auto first = parseMap("(d0) -> (d0 * 2), domain: d0 in [0, 3]");
//   auto second = parseMap("(d0) -> (d0 floordiv 2), domain: d0 in [0, 7]");
//   auto both = compose(*first, *second);
//   std::string text = both->strOneLine();
//   // (d0) -> (d0), domain: d0 in [0, 3]
//
//   maps       parseMap, simplify, compose, strOneLine, IndexingMap,
//              IndexingMapBuilder
//   relations  IndexingRelation: pieces of maps, with their precision
//   proofs     areEqual, isSubset, isEmpty, isInjective, inverse, difference,
//              image, countImage, extremes
//   layouts    layouts::parseLayout, compose, inverse, equal, accessOf,
//              searchMemory
//   ops        Op, verify, indexing: an op without a program; AccessMaps
//   programs   parseHlo, ModuleBuilder, Program, ProgramIndexing
//
// Two headers are left out because they include many others:
//
//   indexical/answers.h       what programs cost and whether they are the same:
//                             kernels, tiles, and what the command reports
//   indexical/ops/families.h  the descriptors of HLO's ops: TransposeOp, …
//
// The headers that need MLIR, indexing/affine_map.h and import/stablehlo/
// (Indexical::mlir), are left out, too: a program without MLIR does not link
// it. This header includes 60 of ours at most (tests/docs/umbrella_test.py).
#ifndef INDEXICAL_INDEXICAL_H
#define INDEXICAL_INDEXICAL_H

// IWYU pragma: begin_exports
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
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/maps/run_conditions.h"
#include "indexical/program/module/ids.h"
#include "indexical/program/module/module_builder.h"
#include "indexical/program/module/program.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/simplifier/sizes.h"
#include "indexical/version.h"
// IWYU pragma: end_exports

#endif  // INDEXICAL_INDEXICAL_H
