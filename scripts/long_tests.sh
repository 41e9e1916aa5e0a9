#!/usr/bin/env bash
# Random tests with far more instances than the ordinary run: two hours or so on
# one core. With a name, only the families of ops that contain it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# All that is run below: a wildcard leaves out tests of one source
# (bazel/tests.bzl).
mapfile -t targets < <(sed -nE \
  's|.*\brun ([a-z_/]+)/([a-z_0-9]+).*|//tests/\1:\2|p' "$0" | sort -u)
bazel build "${targets[@]}"
run() { echo "== $*"; "bazel-bin/tests/$@"; }

export INDEXICAL_OPS_INSTANCES="${INDEXICAL_OPS_INSTANCES:-200000}"
if [[ $# -gt 0 ]]; then
  run ops/ops_test --gtest_filter="*/$1*"
  exit
fi
run ops/ops_test
run ops/collectives_test
INDEXICAL_PLAIN_MAPS=1000000 run ops/plain_maps_test
INDEXICAL_PROGRAMS=50000 run program/maps/program_test
INDEXICAL_PROGRAMS=50000 run program/maps/collective_program_test
INDEXICAL_PROGRAMS=20000 run documents/given_sizes_test
INDEXICAL_PROGRAMS=20000 run documents/open_tiles_test
INDEXICAL_PROGRAMS=20000 run documents/open_use_test
INDEXICAL_OPEN_PAIRS=20000 run documents/open_pairs_test
INDEXICAL_PROGRAMS=20000 run documents/tensor_gather_scatter_rfc_test
INDEXICAL_RUN_CONDITIONS=20000 run documents/run_conditions_test
INDEXICAL_SCATTERED_PAIRS=20000 run documents/scattered_pairs_test
INDEXICAL_MERGES=1000000 run simplifier/merge_test
INDEXICAL_CHAINS=100000 run simplifier/open_radix_test
INDEXICAL_SIZE_QUESTIONS=100000 run simplifier/size_prover_test
INDEXICAL_RESHARDS=20000 INDEXICAL_MUTANTS=2000 run answers/reshard/reshard_test
INDEXICAL_RULES=20 run simplifier/rules_test
run simplifier/soundness --pairs="${INDEXICAL_PAIRS:-10000000}"
run simplifier/soundness --minima --pairs="${INDEXICAL_MINIMA:-200000}"
run simplifier/completeness --chains="${INDEXICAL_CHAINS:-1000}"

export INDEXICAL_EXACT_MAPS="${INDEXICAL_EXACT_MAPS:-1000000}"
run exact/random_exact_test --gtest_filter='*/all:*/closed:*/enumeration'
INDEXICAL_EXACT_MAPS=$((INDEXICAL_EXACT_MAPS / 2)) \
  run exact/random_exact_test --gtest_filter='*/isl'
INDEXICAL_EDGE_MAPS=1000000 run exact/edge_test
INDEXICAL_BIJECTIONS=10000 run exact/inverse_functions_test
INDEXICAL_MODULE_PAIRS=20000 run exact/module_equality_test
INDEXICAL_MODULES=20000 run program/module/module_builder_test
INDEXICAL_MODULES=200000 run cost/launch/array_flow_test
INDEXICAL_KERNELS=200000 run answers/report/avoidable_test
INDEXICAL_ADVICE=0 run answers/report/carried_advice_test
INDEXICAL_LAUNCHES=20000 run cost/memory/long_rows_test
INDEXICAL_LAYOUTS=1000000 run layout/layout_test --gtest_filter=-Search*
INDEXICAL_LAYOUTS=1000 run layout/layout_test --gtest_filter=Search*
INDEXICAL_CHAINS=2000 run same/passes/mutated_chains_test
INDEXICAL_VALUES=100 run same/values/module_values_test
INDEXICAL_PICKED=100 run same/values/picked_summands_test
INDEXICAL_CHOSEN=50 run same/values/chosen_integers_test
INDEXICAL_WINDOWS=50 run same/values/padded_windows_test
INDEXICAL_UPDATES=60 run same/values/updated_arrays_test
INDEXICAL_SOLVED=20000 run same/values/solved_elements_test
INDEXICAL_MUTANTS=500 run same/partitioned/deep_test
INDEXICAL_SOLVER_FLOATS=5000 run same/solver/solver_test
INDEXICAL_EDGES=20000 run same/values/edge_numbers_test
INDEXICAL_REDUCERS=10 run same/values/reducers_test
INDEXICAL_TUPLES=70 run same/values/same_tuples_test
INDEXICAL_SAME_LOOPS=20000 run same/values/same_loops_test
INDEXICAL_LAYERS=2000 run same/values/same_layers_test
INDEXICAL_EXTREMES=20000 run same/values/extreme_reductions_test
INDEXICAL_LAWS=1 run same/values/laws_test
INDEXICAL_EQUIVALENCE=20000 run exact/exact_test
INDEXICAL_SHARDINGS=20000 run program/sharding/sharded_relation_test
INDEXICAL_RESHARDS=20000 run program/sharding/reshard_test
INDEXICAL_EFFECTS=20000 run program/values/effects_test
INDEXICAL_PARTITIONED=20000 run same/partitioned/random_partitioned_test
INDEXICAL_CONSTANTS=100000 run same/values/constants_test
INDEXICAL_LOCAL_MODULES=20000 run same/partitioned/local_modules_test
INDEXICAL_TYPED_PARTITIONED=20000 run same/partitioned/typed_partitioned_test
INDEXICAL_DEVICE_TERMS=20000 run same/partitioned/device_terms_test
INDEXICAL_INDEX_TABLES=200000 run same/values/index_tables_test
INDEXICAL_LOCAL_READS=100000 run cost/communication/local_reads_test
INDEXICAL_MANUAL=7000 run same/partitioned/manual_test
INDEXICAL_RESHARDS=20000 run cost/communication/reshards_test
INDEXICAL_LAUNCHES=100000 run cost/memory/random_coalescing_test
INDEXICAL_FUSIONS=100000 run cost/launch/kernels_test
INDEXICAL_PROFILES=1000000 run import/profile/prefixes_test
run import/llvm/random_compiled_test bazel-bin/tools/indexical --kernels=20000 \
  --limit=60
run import/llvm/buffers_test bazel-bin/tools/indexical --kernels=2000
run import/llvm/compiled_values_test bazel-bin/tools/indexical --mutants=2000
run command/adversarial_test bazel-bin/tools/indexical --large
run answers/kernel/triton_test bazel-bin/tools/indexical 20000
run answers/kernel/unknown_values_test bazel-bin/tools/indexical 20000
run answers/kernel/overwritten_test bazel-bin/tools/indexical 5000
run import/llvm/block_order_test bazel-bin/tools/indexical tests/import/llvm/block_order.cu --kernels=20000
run answers/kernel/kernel_laws_test bazel-bin/tools/indexical 5000
run answers/kernel/newer_ops_test bazel-bin/tools/indexical 5000
run answers/kernel/fork_ops_test bazel-bin/tools/indexical 5000
run answers/kernel/thread_figures_test bazel-bin/tools/indexical 1000
run answers/kernel/kernel_values_test bazel-bin/tools/indexical 5000
run answers/kernel/loop_values_test bazel-bin/tools/indexical 20000
run answers/kernel/verdict_test bazel-bin/tools/indexical 5000
run answers/kernel/judge_mutants_test bazel-bin/tools/indexical 20000
run answers/kernel/judge_sizes_test bazel-bin/tools/indexical 5000
run import/python/python_values_test bazel-bin/tools/indexical 20000
run import/python/python_checks_test bazel-bin/tools/indexical 4000
run import/python/python_host_test bazel-bin/tools/indexical 10000
run cost/hazards/random_hazards_test bazel-bin/tools/indexical --pairs=10000
INDEXICAL_GATHERS=20000 run cost/kernel/gathers_test
INDEXICAL_TILES=200 run cost/tiles/tile_test
INDEXICAL_WAYS=2000 run answers/dump/each_way_test bazel-bin/tools/indexical
INDEXICAL_SPACES=20000 run cost/tiles/tile_space_test
INDEXICAL_FORWARD=20000 run cost/tiles/tile_forward_test
INDEXICAL_FOOTPRINTS=200 run cost/use/utilization_test
INDEXICAL_DERIVATIVES=7 run program/maps/derivative_reads_test
INDEXICAL_SPARSITY=20 run cost/sparsity/sparsity_test
INDEXICAL_CANCELS=50 run cost/movement/cancels_test
INDEXICAL_WAYS=50 run program/maps/each_way_test

export INDEXICAL_WHOLE_CORPUS=1
run exact/corpus_exact_test
run import/stablehlo/corpus_dump_test
run import/stablehlo/vhlo/artifact_corpus_test

export MLIR_OPT=/usr/lib/llvm-22/bin/mlir-opt
export MLIR_RUNNER=/usr/lib/llvm-22/bin/mlir-runner
INDEXICAL_LOWERED_PROGRAMS=10000 run import/stablehlo/lower/lower_random_test
INDEXICAL_COUNT=20000 run import/stablehlo/text/foreign_ops_test
INDEXICAL_COUNT=20000 run same/values/random_mlir_values_test
INDEXICAL_COUNT=2000 run same/values/tosa_values_test bazel-bin/tools/indexical
INDEXICAL_COUNT=5000 run same/values/memory_values_test bazel-bin/tools/indexical
INDEXICAL_COUNT=20000 run same/values/float_edges_test
INDEXICAL_COUNT=20000 run same/values/open_values_test
INDEXICAL_EMITTED_MAPS=3000 run import/stablehlo/lower/emit_indexing_test
INDEXICAL_INSTANCES=3000 run import/stablehlo/upstream_ops_test
INDEXICAL_PROGRAMS=10000 run import/stablehlo/dynamic_stablehlo_test
