// The rules by which values of two modules are one, each with modules of its
// own (same/terms/program_terms.h, same/equality/module_equality.h).
//
// A row is a rule, two bodies of an entry, and what `equal` says of them. An
// answer may hold for any meaning of an op, or for some: then the row says so.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/equality/module_equality.h"

namespace indexical::testing {
namespace {

/// Whether the answer is bound to meanings of ops: to any, or to some.
enum class Says { Nothing, ForAny, ForSome };

struct Rule {
  const char *name;
  const char *first, *second;
  Answer answer = Answer::Yes;
  Says says = Says::Nothing;
};

/// The beginning of every entry, and the computations that it may call.
constexpr char kBegin[] = R"(HloModule m, replica_count=4
sum { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT s = s32[] add(a, b) }
difference { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT s = s32[] subtract(a, b) }
other_sum { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT s = s32[] add(b, a) }
drawn { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT r = s32[] rng(a, b), distribution=rng_uniform }
fsum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
second { a = f32[] parameter(0)  ROOT b = f32[] parameter(1) }
twice { a = s32[] parameter(0)  ROOT s = s32[] add(a, a) }
ENTRY e {
  p = f32[8] parameter(0)
  q = f32[8] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  u = u8[] parameter(4)
  v = s8[] parameter(5)
  t = token[] parameter(6)
  k = s32[4] parameter(7)
  grid = f32[4,6] parameter(8)
)";

/// A row of p at the index `x` of a body.
constexpr char kRow[] =
    "\n  ROOT row = f32[1] dynamic-slice(p, x), dynamic_slice_sizes={1}";

const Rule kReads[] = {
    {"what is computed of the elements is not compared",
     "ROOT r = f32[8] add(p, q)", "ROOT r = f32[8] subtract(q, p)"},
    {"what is read is", "ROOT r = f32[8] add(p, q)",
     "ROOT r = f32[8] add(p, p)", Answer::No},
    {"names and metadata do not count",
     "a = f32[8] negate(p), metadata={op_name=\"a\"}\n"
     "  ROOT r = f32[8] reverse(a), dimensions={0}",
     "b = f32[8] negate(p)\n  ROOT s = f32[8] reverse(b), dimensions={0}, "
     "metadata={op_name=\"b\"}"},
};

/// A scatter whose indices are known is known exactly, on both sides.
const Rule kKnownScatters[] = {
    {"a changed transpose behind an embedding's gradient",
     "z = f32[] constant(0)\n  w = f32[4,2] broadcast(z), dimensions={}\n"
     "  y = f32[4,2] reshape(p)\n"
     "  n = s32[4,1] constant({{2}, {0}, {3}, {1}})\n"
     "  s = f32[4,2] scatter(w, n, y), update_window_dims={1}, "
     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
     "index_vector_dim=1, to_apply=fsum\n"
     "  ROOT r = f32[2,4] transpose(s), dimensions={1,0}",
     "z = f32[] constant(0)\n  w = f32[4,2] broadcast(z), dimensions={}\n"
     "  y = f32[4,2] reshape(p)\n"
     "  n = s32[4,1] constant({{2}, {0}, {3}, {1}})\n"
     "  s = f32[4,2] scatter(w, n, y), update_window_dims={1}, "
     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
     "index_vector_dim=1, to_apply=fsum\n"
     "  ROOT r = f32[2,4] reshape(s)",
     Answer::No},
    {"indices that are not known may make up for it",
     "z = f32[] constant(0)\n  w = f32[4,2] broadcast(z), dimensions={}\n"
     "  y = f32[4,2] reshape(p)\n  n = s32[4,1] reshape(k)\n"
     "  s = f32[4,2] scatter(w, n, y), update_window_dims={1}, "
     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
     "index_vector_dim=1, to_apply=second\n"
     "  ROOT r = f32[2,4] transpose(s), dimensions={1,0}",
     "z = f32[] constant(0)\n  w = f32[4,2] broadcast(z), dimensions={}\n"
     "  y = f32[4,2] reshape(p)\n  n = s32[4,1] reshape(k)\n"
     "  s = f32[4,2] scatter(w, n, y), update_window_dims={1}, "
     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
     "index_vector_dim=1, to_apply=second\n"
     "  b = f32[4,2] reverse(s), dimensions={0}\n"
     "  ROOT r = f32[2,4] transpose(b), dimensions={1,0}",
     Answer::Undecided},
};

const Rule kOpaque[] = {
    {"one target, one configuration, one operand",
     "x = s32[] custom-call(i), custom_call_target=\"f\", "
     "metadata={op_name=\"n\"}",
     "x = s32[] custom-call(i), custom_call_target=\"f\"", Answer::Yes,
     Says::ForAny},
    {"another target", "x = s32[] custom-call(i), custom_call_target=\"f\"",
     "x = s32[] custom-call(i), custom_call_target=\"g\"", Answer::Undecided},
    {"another configuration",
     "x = s32[] custom-call(i), custom_call_target=\"f\", backend_config=\"1\"",
     "x = s32[] custom-call(i), custom_call_target=\"f\", backend_config=\"2\"",
     Answer::Undecided},
    {"another operand, which is a term of its own",
     "x = s32[] custom-call(i), custom_call_target=\"f\"",
     "x = s32[] custom-call(j), custom_call_target=\"f\"", Answer::Undecided},
    {"operands are terms, not instructions",
     "a = s32[] add(i, j)\n  x = s32[] custom-call(a), "
     "custom_call_target=\"f\"",
     "a = s32[] add(j, i)\n  x = s32[] custom-call(a), "
     "custom_call_target=\"f\"",
     Answer::Yes, Says::ForAny},
    {"another result",
     "c = (s32[], s32[]) custom-call(i), custom_call_target=\"f\"\n"
     "  x = s32[] get-tuple-element(c), index=0",
     "c = (s32[], s32[]) custom-call(i), custom_call_target=\"f\"\n"
     "  x = s32[] get-tuple-element(c), index=1",
     Answer::Undecided},
    {"a body that gives the same",
     "x = s32[] custom-call(i), custom_call_target=\"f\", "
     "called_computations={sum}",
     "x = s32[] custom-call(i), custom_call_target=\"f\", "
     "called_computations={other_sum}",
     Answer::Yes, Says::ForAny},
    {"a body that gives another",
     "x = s32[] custom-call(i), custom_call_target=\"f\", "
     "called_computations={sum}",
     "x = s32[] custom-call(i), custom_call_target=\"f\", "
     "called_computations={difference}",
     Answer::Undecided},
    {"another layout",
     "c = s32[4,2]{1,0} custom-call(i), custom_call_target=\"f\"\n"
     "  s = s32[1,1] slice(c), slice={[1:2],[1:2]}\n  x = s32[] reshape(s)",
     "c = s32[4,2]{0,1} custom-call(i), custom_call_target=\"f\"\n"
     "  s = s32[1,1] slice(c), slice={[1:2],[1:2]}\n  x = s32[] reshape(s)",
     Answer::Undecided},
    {"on one side only", "x = s32[] custom-call(i), custom_call_target=\"f\"",
     "x = s32[] copy(i)", Answer::Undecided},
    {"a difference beside one, which some meaning shows",
     "c = f32[8] custom-call(p), custom_call_target=\"f\"\n"
     "  d = f32[8] reverse(p), dimensions={0}\n  ROOT r = f32[8] add(c, d)",
     "c = f32[8] custom-call(p), custom_call_target=\"f\"\n"
     "  ROOT r = f32[8] add(p, c)",
     Answer::No, Says::ForSome},
    {"a difference of what is read of one",
     "c = f32[8] custom-call(p), custom_call_target=\"f\"\n"
     "  ROOT r = f32[8] reverse(c), dimensions={0}",
     "c = f32[8] custom-call(p), custom_call_target=\"f\"\n"
     "  ROOT r = f32[8] copy(c)",
     Answer::Undecided},
    {"none behind which the reads are the same",
     "c = f32[8] custom-call(p), custom_call_target=\"f\"\n"
     "  d = f32[8] negate(c)\n  ROOT r = f32[8] reverse(d), dimensions={0}",
     "c = f32[8] custom-call(p), custom_call_target=\"f\"\n"
     "  ROOT r = f32[8] reverse(c), dimensions={0}",
     Answer::Yes, Says::ForAny},
};

const Rule kSymbols[] = {
    {"two numbers of rng are not one",
     "a = s32[] rng(i, j), distribution=rng_uniform\n"
     "  b = s32[] rng(i, j), distribution=rng_uniform\n"
     "  x = s32[] subtract(a, b)",
     "a = s32[] rng(i, j), distribution=rng_uniform\n"
     "  x = s32[] subtract(a, a)",
     Answer::Undecided},
    {"they are paired in the order of first use",
     "a = s32[] rng(i, j), distribution=rng_uniform\n"
     "  b = s32[] rng(i, j), distribution=rng_uniform\n"
     "  x = s32[] subtract(a, b)",
     "b = s32[] rng(i, j), distribution=rng_uniform\n"
     "  a = s32[] rng(i, j), distribution=rng_uniform\n"
     "  x = s32[] subtract(a, b)",
     Answer::Yes, Says::ForAny},
    {"a state that is taken twice is two",
     "a = s32[] rng-get-and-update-state(), delta=1\n"
     "  b = s32[] rng-get-and-update-state(), delta=1\n"
     "  x = s32[] subtract(a, b)",
     "a = s32[] rng-get-and-update-state(), delta=1\n"
     "  x = s32[] subtract(a, a)",
     Answer::Undecided},
    {"infeed by its token",
     "a = (s32[], token[]) infeed(t)\n  x = s32[] get-tuple-element(a), "
     "index=0",
     "b = (s32[], token[]) infeed(t)\n  x = s32[] get-tuple-element(b), "
     "index=0",
     Answer::Yes, Says::ForAny},
    {"what is drawn and not where it is read names nothing",
     "a = f32[] constant(0)\n  b = f32[8] rng(a, a), "
     "distribution=rng_uniform\n  ROOT r = f32[8] multiply(p, b)",
     "a = f32[] constant(0)\n  b = f32[8] rng(a, a), "
     "distribution=rng_uniform\n  ROOT r = f32[8] multiply(b, p)",
     Answer::Yes},
    {"a body that draws names what it draws",
     "x = s32[] call(i, j), to_apply=drawn",
     "y = s32[] call(i, j), to_apply=drawn\n  x = s32[] copy(y)", Answer::Yes,
     Says::ForAny},
    {"infeed behind another one",
     "a = (s32[], token[]) infeed(t)\n  x = s32[] get-tuple-element(a), "
     "index=0",
     "a = (s32[], token[]) infeed(t)\n  n = token[] get-tuple-element(a), "
     "index=1\n  b = (s32[], token[]) infeed(n)\n"
     "  x = s32[] get-tuple-element(b), index=0",
     Answer::Undecided},
    {"calls with side effects are not merged",
     "a = s32[] custom-call(i), custom_call_target=\"f\", "
     "custom_call_has_side_effect=true\n"
     "  b = s32[] custom-call(i), custom_call_target=\"f\", "
     "custom_call_has_side_effect=true\n  x = s32[] subtract(a, b)",
     "a = s32[] custom-call(i), custom_call_target=\"f\", "
     "custom_call_has_side_effect=true\n  x = s32[] subtract(a, a)",
     Answer::Undecided},
    {"calls without them are",
     "a = s32[] custom-call(i), custom_call_target=\"f\"\n"
     "  b = s32[] custom-call(i), custom_call_target=\"f\"\n"
     "  x = s32[] subtract(a, b)",
     "a = s32[] custom-call(i), custom_call_target=\"f\"\n"
     "  x = s32[] subtract(a, a)",
     Answer::Yes, Says::ForAny},
};

const Rule kCollectives[] = {
    {"the number of the channel does not count",
     "x = s32[] all-reduce(i), replica_groups={{0,1,2,3}}, channel_id=1, "
     "to_apply=sum",
     "x = s32[] all-reduce(i), replica_groups={{0,1,2,3}}, channel_id=2, "
     "to_apply=sum"},
    {"whether there is one does",
     "x = s32[] all-reduce(i), replica_groups={{0},{1}}, to_apply=sum",
     "x = s32[] all-reduce(i), replica_groups={{0},{1}}, channel_id=2, "
     "to_apply=sum",
     Answer::Undecided},
    {"the groups do",
     "x = s32[] all-reduce(i), replica_groups={{0,1},{2,3}}, to_apply=sum",
     "x = s32[] all-reduce(i), replica_groups={{0,2},{1,3}}, to_apply=sum",
     Answer::Undecided},
    {"but not how they are written",
     "x = s32[] all-reduce(i), replica_groups={{0,1},{2,3}}, to_apply=sum",
     "x = s32[] all-reduce(i), replica_groups=[2,2]<=[4], to_apply=sum"},
    {"what is computed in them counts",
     "x = s32[] all-reduce(i), replica_groups={{0,1,2,3}}, to_apply=sum",
     "x = s32[] all-reduce(i), replica_groups={{0,1,2,3}}, to_apply=difference",
     Answer::Undecided},
};

const Rule kIntegers[] = {
    {"numbers wrap in their type",
     "c = u8[] constant(255)\n  x = u8[] add(u, c)",
     "c = u8[] constant(1)\n  x = u8[] subtract(u, c)"},
    {"in a wider type they are others",
     "w = s32[] convert(u)\n  c = s32[] constant(255)\n  x = s32[] add(w, c)",
     "w = s32[] convert(u)\n  c = s32[] constant(1)\n  x = s32[] subtract(w, "
     "c)",
     Answer::No},
    {"a sum that may wrap is not the sum",
     "c = s8[] constant(100)\n  a = s8[] add(v, c)\n  x = s32[] convert(a)",
     "w = s32[] convert(v)\n  c = s32[] constant(100)\n  x = s32[] add(w, c)",
     Answer::Undecided},
    {"one that may not is",
     "c = s8[] constant(7)\n  m = s8[] and(v, c)\n  a = s8[] add(m, c)\n"
     "  x = s32[] convert(a)",
     "c = s8[] constant(7)\n  m = s8[] and(v, c)\n  w = s32[] convert(m)\n"
     "  d = s32[] constant(7)\n  x = s32[] add(w, d)"},
    {"constants fold",
     "a = s32[] constant(2)\n  b = s32[] constant(3)\n"
     "  x = s32[] multiply(a, b)",
     "x = s32[] constant(6)"},
    {"operands that commute have an order", "x = s32[] xor(i, j)",
     "x = s32[] xor(j, i)"},
    {"others do not commute", "x = s32[] subtract(i, j)",
     "x = s32[] subtract(j, i)", Answer::No},
    {"division truncates",
     "a = s32[] constant(-7)\n  b = s32[] constant(2)\n"
     "  d = s32[] divide(a, b)\n  four = s32[] constant(4)\n"
     "  x = s32[] add(d, four)",
     "x = s32[] constant(1)"},
    {"and does not round down",
     "a = s32[] constant(-7)\n  b = s32[] constant(2)\n"
     "  d = s32[] divide(a, b)\n  four = s32[] constant(4)\n"
     "  x = s32[] add(d, four)",
     "x = s32[] constant(0)", Answer::No},
    {"division by 0 is what it is",
     "z = s32[] constant(0)\n  x = s32[] divide(i, z)",
     "z = s32[] constant(0)\n  x = s32[] divide(i, z)"},
    {"and nothing else", "z = s32[] constant(0)\n  x = s32[] divide(i, z)",
     "z = s32[] constant(0)\n  m = s32[] multiply(i, z)\n"
     "  x = s32[] subtract(m, z)",
     Answer::Undecided},
    {"so is the least integer by -1",
     "a = s32[] constant(-2147483648)\n  b = s32[] constant(-1)\n"
     "  x = s32[] divide(a, b)",
     "x = s32[] constant(-2147483648)", Answer::Undecided},
    {"so is a shift by the width",
     "a = s32[] constant(1)\n  b = s32[] constant(32)\n"
     "  x = s32[] shift-left(a, b)",
     "x = s32[] constant(0)", Answer::Undecided},
    {"a shift below it folds",
     "a = s32[] constant(1)\n  b = s32[] constant(2)\n"
     "  x = s32[] shift-left(a, b)",
     "x = s32[] constant(4)"},
    {"clamp is min(max(x, lo), hi)", "x = s32[] clamp(i, j, i)",
     "m = s32[] maximum(j, i)\n  x = s32[] minimum(m, i)"},
    {"also where lo is above hi",
     "lo = s32[] constant(5)\n  hi = s32[] constant(2)\n"
     "  x = s32[] clamp(lo, i, hi)",
     "z = s32[] constant(0)\n  m = s32[] multiply(i, z)\n"
     "  two = s32[] constant(2)\n  x = s32[] add(m, two)"},
    {"no unsigned number is below 0",
     "z = u8[] constant(0)\n  c = pred[] compare(u, z), direction=LT\n"
     "  x = u8[] select(c, z, u)",
     "x = u8[] copy(u)"},
    {"a signed one may be",
     "z = s8[] constant(0)\n  c = pred[] compare(v, z), direction=LT\n"
     "  o = s8[] constant(3)\n  x = s8[] select(c, o, v)",
     "x = s8[] copy(v)", Answer::No},
    {"a select of the smaller one is the minimum",
     "c = pred[] compare(i, j), direction=LT\n  x = s32[] select(c, i, j)",
     "x = s32[] minimum(i, j)"},
    {"a select of the larger one is the maximum",
     "c = pred[] compare(i, j), direction=LT\n  x = s32[] select(c, j, i)",
     "x = s32[] maximum(j, i)"},
    {"a select of others is none",
     "c = pred[] compare(i, j), direction=LT\n  x = s32[] select(c, i, j)",
     "x = s32[] maximum(i, j)", Answer::No},
    {"a convert folds where the type holds the value",
     "a = s32[] constant(6)\n  x = s8[] convert(a)", "x = s8[] constant(6)"},
    {"and stays where it does not",
     "a = s32[] constant(259)\n  x = u8[] convert(a)", "x = u8[] constant(3)",
     Answer::Undecided},
    {"so does an iota of a type that does not hold its end",
     "n = u8[300] iota(), iota_dimension=0\n"
     "  s = u8[1] slice(n), slice={[260:261]}\n  x = u8[] reshape(s)",
     "x = u8[] constant(4)", Answer::Undecided},
    {"multiples wrap, too",
     "c = s8[] constant(64)\n  a = s8[] multiply(v, c)\n"
     "  x = s8[] add(a, a)",
     "c = s8[] constant(-128)\n  x = s8[] multiply(c, v)"},
    {"not x is -1 - x", "x = s32[] not(i)",
     "c = s32[] constant(-1)\n  x = s32[] subtract(c, i)"},
    {"the last bits are the rest of a division",
     "c = u8[] constant(3)\n  x = u8[] and(u, c)",
     "four = u8[] constant(4)\n  x = u8[] remainder(u, four)"},
    {"a shift to the right divides",
     "two = u8[] constant(2)\n  x = u8[] shift-right-logical(u, two)",
     "four = u8[] constant(4)\n  x = u8[] divide(u, four)"},
    {"not of one that truncates",
     "c = s32[] constant(3)\n  x = s32[] and(i, c)",
     "four = s32[] constant(4)\n  x = s32[] remainder(i, four)", Answer::No},
};

const Rule kFloats[] = {
    {"floats add in either order",
     "s = f32[8] slice(p), slice={[0:8]}\n  a = f32[8] add(p, q)\n"
     "  b = f32[1] slice(a), slice={[0:1]}\n  c = f32[] reshape(b)\n"
     "  x = s32[] convert(c)",
     "a = f32[8] add(q, p)\n  b = f32[1] slice(a), slice={[0:1]}\n"
     "  c = f32[] reshape(b)\n  x = s32[] convert(c)"},
    {"they multiply in either order",
     "a = f32[8] multiply(p, q)\n  b = f32[1] slice(a), slice={[0:1]}\n"
     "  c = f32[] reshape(b)\n  x = s32[] convert(c)",
     "a = f32[8] multiply(q, p)\n  b = f32[1] slice(a), slice={[0:1]}\n"
     "  c = f32[] reshape(b)\n  x = s32[] convert(c)"},
    {"sums of three are not reordered",
     "n = f32[8] negate(p)\n  d = f32[8] add(p, q)\n  a = f32[8] add(d, n)\n"
     "  b = f32[1] slice(a), slice={[0:1]}\n  c = f32[] reshape(b)\n"
     "  x = s32[] convert(c)",
     "n = f32[8] negate(p)\n  d = f32[8] add(n, p)\n  a = f32[8] add(d, q)\n"
     "  b = f32[1] slice(a), slice={[0:1]}\n  c = f32[] reshape(b)\n"
     "  x = s32[] convert(c)",
     Answer::Undecided},
    {"nothing folds",
     "o = f32[] constant(1)\n  w = f32[] add(o, o)\n  x = s32[] convert(w)",
     "w = f32[] constant(2)\n  x = s32[] convert(w)", Answer::Undecided},
};

const Rule kIndices[] = {
    {"x[i], as it is written for negative i",
     "z = s32[] constant(0)\n  n = s32[] constant(8)\n"
     "  c = pred[] compare(i, z), direction=LT\n  a = s32[] add(i, n)\n"
     "  x = s32[] select(c, a, i)",
     "z = s32[] constant(0)\n  n = s32[] constant(8)\n"
     "  c = pred[] compare(i, z), direction=GE\n  a = s32[] add(n, i)\n"
     "  m = s32[] constant(7)\n  y = s32[] select(c, i, a)\n"
     "  x = s32[] clamp(z, y, m)"},
    {"and with another length",
     "z = s32[] constant(0)\n  n = s32[] constant(8)\n"
     "  c = pred[] compare(i, z), direction=LT\n  a = s32[] add(i, n)\n"
     "  x = s32[] select(c, a, i)",
     "z = s32[] constant(0)\n  n = s32[] constant(7)\n"
     "  c = pred[] compare(i, z), direction=LT\n  a = s32[] add(i, n)\n"
     "  x = s32[] select(c, a, i)",
     Answer::No},
    {"an iota beside the indices is a batching dimension",
     "c = s32[4,1] reshape(k)\n"
     "  ROOT r = f32[4] gather(grid, c), offset_dims={}, "
     "collapsed_slice_dims={1}, start_index_map={1}, "
     "operand_batching_dims={0}, "
     "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,1}",
     "c = s32[4,1] reshape(k)\n  o = s32[4,1] iota(), iota_dimension=0\n"
     "  b = s32[4,2] concatenate(o, c), dimensions={1}\n"
     "  ROOT r = f32[4] gather(grid, b), offset_dims={}, "
     "collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, "
     "slice_sizes={1,1}"},
    {"not where it counts the other way",
     "c = s32[4,1] reshape(k)\n"
     "  ROOT r = f32[4] gather(grid, c), offset_dims={}, "
     "collapsed_slice_dims={1}, start_index_map={1}, "
     "operand_batching_dims={0}, "
     "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,1}",
     "c = s32[4,1] reshape(k)\n  i0 = s32[4,1] iota(), iota_dimension=0\n"
     "  o = s32[4,1] reverse(i0), dimensions={0}\n"
     "  b = s32[4,2] concatenate(o, c), dimensions={1}\n"
     "  ROOT r = f32[4] gather(grid, b), offset_dims={}, "
     "collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, "
     "slice_sizes={1,1}",
     Answer::No},
    {"the pieces, joined, are the whole",
     "c = s32[4,1] reshape(k)\n"
     "  ROOT r = f32[4] gather(p, c), offset_dims={}, "
     "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
     "slice_sizes={1}",
     "c = s32[4,1] reshape(k)\n  a = s32[2,1] slice(c), slice={[0:2],[0:1]}\n"
     "  b = s32[2,1] slice(c), slice={[2:4],[0:1]}\n"
     "  ga = f32[2] gather(p, a), offset_dims={}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={1}\n"
     "  gb = f32[2] gather(p, b), offset_dims={}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={1}\n"
     "  ROOT r = f32[4] concatenate(ga, gb), dimensions={0}"},
    {"joined the other way, they are not",
     "c = s32[4,1] reshape(k)\n"
     "  ROOT r = f32[4] gather(p, c), offset_dims={}, "
     "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
     "slice_sizes={1}",
     "c = s32[4,1] reshape(k)\n  a = s32[2,1] slice(c), slice={[0:2],[0:1]}\n"
     "  b = s32[2,1] slice(c), slice={[2:4],[0:1]}\n"
     "  ga = f32[2] gather(p, a), offset_dims={}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={1}\n"
     "  gb = f32[2] gather(p, b), offset_dims={}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={1}\n"
     "  ROOT r = f32[4] concatenate(gb, ga), dimensions={0}",
     Answer::No},
    {"a literal behind reshapes, broadcasts, slices and pads is seen",
     "l = s32[2] constant({1, 5})\n  z = s32[] constant(0)\n"
     "  a = s32[4] pad(l, z), padding=1_1\n  b = s32[3,4] broadcast(a), "
     "dimensions={1}\n  c = s32[12] reshape(b)\n"
     "  d = s32[1] slice(c), slice={[6:7]}\n  x = s32[] reshape(d)",
     "x = s32[] constant(5)"},
};

const Rule kStarts[] = {
    {"a collective is what its start is",
     "s = (f32[8], f32[16]) all-gather-start(p), "
     "replica_groups={{0,1},{2,3}}, dimensions={0}\n"
     "  ROOT r = f32[16] all-gather-done(s)",
     "ROOT r = f32[16] all-gather(p), replica_groups={{0,1},{2,3}}, "
     "dimensions={0}"},
    {"and an async one is",
     "s = ((f32[8]), f32[16], u32[]) all-gather-start(p), "
     "replica_groups={{0,1},{2,3}}, dimensions={0}\n"
     "  ROOT r = f32[16] all-gather-done(s)",
     "ROOT r = f32[16] all-gather(p), replica_groups={{0,1},{2,3}}, "
     "dimensions={0}"},
    {"other groups of a start",
     "s = (f32[8], f32[16]) all-gather-start(p), "
     "replica_groups={{0,1},{2,3}}, dimensions={0}\n"
     "  ROOT r = f32[16] all-gather-done(s)",
     "s = (f32[8], f32[16]) all-gather-start(p), "
     "replica_groups={{1,0},{2,3}}, dimensions={0}\n"
     "  ROOT r = f32[16] all-gather-done(s)",
     Answer::Undecided},
    {"other groups where the value is an index",
     "s = s32[] all-reduce-start(i), replica_groups={{0,1},{2,3}}, "
     "to_apply=sum\n  x = s32[] all-reduce-done(s)",
     "s = s32[] all-reduce-start(i), replica_groups={{0,2},{1,3}}, "
     "to_apply=sum\n  x = s32[] all-reduce-done(s)",
     Answer::Undecided},
    {"a start's channel",
     "s = (f32[8], f32[8]) collective-permute-start(p), "
     "source_target_pairs={{0,1},{1,0}}\n"
     "  ROOT r = f32[8] collective-permute-done(s)",
     "s = (f32[8], f32[8]) collective-permute-start(p), "
     "source_target_pairs={{0,1},{1,0}}, channel_id=1\n"
     "  ROOT r = f32[8] collective-permute-done(s)",
     Answer::Undecided},
};

const Rule kSizes[] = {
    {"a size is the element from which it was set",
     "y = f32[<=8] set-dimension-size(p, i), dimensions={0}\n"
     "  ROOT r = s32[] get-dimension-size(y), dimensions={0}",
     "y = f32[<=8] set-dimension-size(p, j), dimensions={0}\n"
     "  ROOT r = s32[] get-dimension-size(y), dimensions={0}",
     Answer::No},
    {"also behind what moves the elements",
     "y = f32[<=8] set-dimension-size(p, i), dimensions={0}\n"
     "  ROOT r = s32[] get-dimension-size(y), dimensions={0}",
     "y = f32[<=8] set-dimension-size(p, i), dimensions={0}\n"
     "  z = f32[<=8] reverse(y), dimensions={0}\n"
     "  ROOT r = s32[] get-dimension-size(z), dimensions={0}"},
    {"and a number is none",
     "y = f32[<=8] set-dimension-size(p, i), dimensions={0}\n"
     "  ROOT r = s32[] get-dimension-size(y), dimensions={0}",
     "ROOT r = s32[] constant(3)", Answer::No},
    {"where it is an index",
     "y = f32[<=8] set-dimension-size(q, i), dimensions={0}\n"
     "  x = s32[] get-dimension-size(y), dimensions={0}",
     "y = f32[<=8] set-dimension-size(q, j), dimensions={0}\n"
     "  x = s32[] get-dimension-size(y), dimensions={0}",
     Answer::No},
    {"no size is above its bound",
     "y = s32[<=4] set-dimension-size(k, i), dimensions={0}\n"
     "  z = s32[] constant(0)\n"
     "  ROOT r = s32[] reduce(y, z), dimensions={0}, to_apply=sum",
     "y = s32[<=4] set-dimension-size(k, i), dimensions={0}\n"
     "  b = s32[<=4] reverse(y), dimensions={0}\n"
     "  z = s32[] constant(0)\n"
     "  ROOT r = s32[] reduce(b, z), dimensions={0}, to_apply=sum"},
};

void check(llvm::ArrayRef<Rule> rules) {
  for (const Rule &rule : rules) {
    SCOPED_TRACE(rule.name);
    std::vector<Program> programs;
    for (const std::string body : {rule.first, rule.second}) {
      const bool isWhole = body.find("ROOT") != std::string::npos;
      const std::string text =
          kBegin + ("  " + body) + (isWhole ? "" : kRow) + "\n}\n";
      auto program = parseHlo(text);
      ASSERT_TRUE(program.ok()) << program.status() << "\n" << text;
      programs.push_back(*std::move(program));
    }
    for (bool turned : {false, true}) {
      auto found = compareReads(programs[turned].modules[0],
                                programs[!turned].modules[0]);
      ASSERT_TRUE(found.ok()) << found.status();
      EXPECT_EQ(found->answer, rule.answer) << (turned ? "turned around" : "");
      auto says = Says::Nothing;
      for (const LeafEquality &leaf : found->leaves)
        says = std::max(says, !leaf.forSome.empty()  ? Says::ForSome
                              : !leaf.forAny.empty() ? Says::ForAny
                                                     : Says::Nothing);
      EXPECT_EQ(says, rule.says);
    }
  }
}

TEST(EqualRulesTest, Reads) { check(kReads); }
TEST(EqualRulesTest, CollectivesThatAreStarted) { check(kStarts); }
TEST(EqualRulesTest, Sizes) { check(kSizes); }
TEST(EqualRulesTest, KnownScatters) { check(kKnownScatters); }
TEST(EqualRulesTest, UnknownOps) { check(kOpaque); }
TEST(EqualRulesTest, WhatIsNewInEveryExecution) { check(kSymbols); }
// The answer names them as the module writes them.
TEST(EqualRulesTest, NamesOfWhatIsNewInEveryExecution) {
  const std::pair<const char *, const char *> kNames[] = {
      {"x = s32[] rng(i, j), distribution=rng_uniform", "`rng`"},
      {"x = s32[] rng-get-and-update-state(), delta=1",
       "`rng-get-and-update-state`"},
      {"a = (s32[], token[]) infeed(t)\n  x = s32[] get-tuple-element(a), "
       "index=0",
       "`infeed`"},
      {"a = s32[] custom-call(i), custom_call_target=\"f\", "
       "custom_call_has_side_effect=true\n  x = s32[] copy(a)",
       "custom-call `f`"},
  };
  for (const auto &[body, name] : kNames) {
    auto program = parseHlo(kBegin + std::string(body) + kRow + "\n}\n");
    ASSERT_TRUE(program.ok()) << program.status() << "\n" << body;
    auto found = compareReads(program->modules[0], program->modules[0]);
    ASSERT_TRUE(found.ok()) << found.status();
    for (const LeafEquality &leaf : found->leaves) {
      if (leaf.parameter != 0) continue;
      EXPECT_EQ(leaf.forAny, std::vector<std::string>{name}) << body;
    }
  }
}

TEST(EqualRulesTest, Collectives) { check(kCollectives); }
TEST(EqualRulesTest, Integers) { check(kIntegers); }
TEST(EqualRulesTest, Floats) { check(kFloats); }
TEST(EqualRulesTest, Indices) { check(kIndices); }

}  // namespace
}  // namespace indexical::testing
