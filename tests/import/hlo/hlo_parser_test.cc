// HLO text into a program: each form that XLA prints or that its tests write.
#include "indexical/import/hlo/hlo_parser.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "tests/support/messages.h"

namespace indexical {
namespace {

using testing::messageOf;

Program parse(const std::string &text) {
  absl::StatusOr<Program> program = parseHlo(text);
  EXPECT_TRUE(program.ok()) << text << "\n" << messageOf(program.status());
  return program.ok() ? *std::move(program) : Program();
}

/// The structure of a program on one line: computations (`*`: the entry) with
/// their instructions (`^`: the root), what these read and call.
///
///   f{p=parameter ^r=negate(p)} *e{x=parameter ^c=call(x)->f}
std::string summary(const Program &program) {
  std::string out;
  for (const Module &module : program.modules) {
    if (!out.empty()) out += " | ";
    for (size_t c = 0; c < module.computations.size(); ++c) {
      const Computation &computation = module.computations[c];
      if (c > 0) out += ' ';
      if (static_cast<int32_t>(c) == module.entry) out += '*';
      out += computation.name.str() + '{';
      for (size_t i = 0; i < computation.instructions.size(); ++i) {
        const Instruction &instruction = computation.instructions[i];
        if (i > 0) out += ' ';
        if (static_cast<int32_t>(i) == computation.root) out += '^';
        out += instruction.name.str() + '=' + instruction.opcode.str();
        for (size_t k = 0; k < instruction.operands.size(); ++k)
          out += (k == 0 ? "(" : ",") +
                 computation.instructions[instruction.operands[k]].name.str();
        if (!instruction.operands.empty()) out += ')';
        for (const CalledComputation &called : instruction.called)
          out += (called.computation < 0 ? "->?" : "->") + called.name.str();
      }
      out += '}';
    }
  }
  return out;
}

const Instruction &find(const Program &program, llvm::StringRef name) {
  for (const Module &module : program.modules)
    for (const Computation &computation : module.computations)
      if (int32_t i = computation.find(name); i >= 0)
        return computation.instructions[i];
  ADD_FAILURE() << "no instruction " << name.str();
  static const Instruction *none = new Instruction();
  return *none;
}

struct StructureRow {
  const char *feature, *text, *expected;
};

const StructureRow kStructure[] = {
    {"header, bare computations",
     "HloModule m\nf { p = f32[4] parameter(0) ROOT r = f32[4] negate(p) }\n"
     "ENTRY e { x = f32[4] parameter(0)\n ROOT c = f32[4] call(x), to_apply=f "
     "}",
     "f{p=parameter ^r=negate(p)} *e{x=parameter ^c=call(x)->f}"},
    {"header attributes, wrapped onto the next line",
     "HloModule m, is_scheduled=true, entry_computation_layout={(f32[4]{0})->"
     "f32[4]{0}},\n  input_output_alias={ {}: (0, {}, may-alias) }, "
     "num_partitions=8,\n frontend_attributes={a=\"}\"}, "
     "allow_spmd_sharding_propagation_to_output={true},"
     "xla.sdy.meshes={empty_mesh = #sdy.mesh<[]>}, origin_recovery_table={\n"
     "  {\"goal_orig\"}: {\"__ovp1\"}\n}\n"
     "ENTRY e { ROOT x = f32[4]{0} parameter(0) }",
     "*e{^x=parameter}"},
    {"module names with odd characters",
     "HloModule lhs_${name}-1.$2:\ne { ROOT x = f32[] parameter(0) }",
     "*e{^x=parameter}"},
    {"stack tables",
     "HloModule m\n\nFileNames\n1 \"/a/b.py\"\n2 \"c\"\n\nFunctionNames\n"
     "1 \"f\"\n\nFileLocations\n1 {file_name_id=1 line=3}\n\nStackFrames\n"
     "1 {file_location_id=1 parent_frame_id=1}\n\n"
     "e { ROOT x = f32[] parameter(0) }",
     "*e{^x=parameter}"},
    {"signatures, percent signs, operand types",
     "%add.7 (x.73: f32[], y.74: f32[]) -> f32[] {\n"
     "  %x.73 = f32[] parameter(0)\n  %y.74 = f32[] parameter(1)\n"
     "  ROOT %add.75 = f32[] add(f32[] %x.73, f32[] %y.74)\n}\n"
     "ENTRY %main (p: (f32[8]{0}, s32[])) -> f32[] {\n"
     "  %p = (f32[8]{0}, s32[]) parameter(0)\n"
     "  %g = f32[8]{0} get-tuple-element((f32[8]{0}, s32[]) %p), index=0\n"
     "  %z = f32[] constant(0)\n"
     "  ROOT %r = f32[] reduce(f32[8]{0} %g, f32[] %z), dimensions={0}, "
     "to_apply=%add.7\n}",
     "add.7{x.73=parameter y.74=parameter ^add.75=add(x.73,y.74)} "
     "*main{p=parameter g=get-tuple-element(p) z=constant ^r=reduce(g,z)->"
     "add.7}"},
    {"ENTRY without a name", "ENTRY { ROOT x = f32[] parameter(0) }",
     "*entry{^x=parameter}"},
    {"snippet: the last computation is the entry",
     "f { ROOT x = f32[] parameter(0) }\ng { ROOT x = f32[] parameter(0) }",
     "f{^x=parameter} *g{^x=parameter}"},
    {"ENTRY before the computations that it calls",
     "HloModule m\nENTRY e { x = f32[] parameter(0)\n"
     "ROOT c = f32[] call(x), to_apply=f }\nf { ROOT y = f32[] parameter(0) }",
     "*e{x=parameter ^c=call(x)->f} f{^y=parameter}"},
    {"no ROOT: the last instruction",
     "e { x = f32[] parameter(0) y = f32[] negate(x) }",
     "*e{x=parameter ^y=negate(x)}"},
    {"ROOT before the end",
     "e { x = f32[] parameter(0) ROOT y = f32[] negate(x) z = f32[] abs(x) }",
     "*e{x=parameter ^y=negate(x) z=abs(x)}"},
    {"an operand that is defined later",
     "e { ROOT y = f32[] negate(x)\n x = f32[] parameter(0) }",
     "*e{^y=negate(x) x=parameter}"},
    {"bare instructions",
     "p = f32[4] parameter(0)\nROOT q = f32[4] negate(p)\nr = f32[4] abs(p)",
     "*entry{p=parameter ^q=negate(p) r=abs(p)}"},
    {"bare instructions that read values from elsewhere",
     "%r = f32[8]{0} reduce(f32[8,16]{1,0} %x, f32[] %y), dimensions={1}, "
     "to_apply=%add",
     "*entry{^r=reduce(x,y)->?add x=parameter y=parameter}"},
    {"bare instructions: one value, two users",
     "a = f32[8] add(f32[8] %x, f32[8] %x)", "*entry{^a=add(x,x) x=parameter}"},
    {"an instruction without a name, its operands too",
     "f32[2,4]{1,0} fusion(f32[2,3]{1,0}, f32[2,4] %y, f32[2,3]), kind=kLoop, "
     "calls=\n{\n  a = f32[2,3]{1,0} parameter(0)\n  b = f32[2,4] "
     "parameter(1)\n  c = f32[2,3] parameter(2)\n  ROOT r = f32[2,4] exp(b)\n"
     "}, execution_thread=\"x\"",
     "fusion.calls{a=parameter b=parameter c=parameter ^r=exp(b)} "
     "*entry{^fusion.1=fusion(parameter.1,y,parameter.2)->fusion.calls "
     "parameter.1=parameter y=parameter parameter.2=parameter}"},
    {"an instruction without a name that has a tuple",
     "(f32[2], s32[]) while((f32[2], s32[]) negate.9), condition={ p = "
     "(f32[2], "
     "s32[]) parameter(0) ROOT c = pred[] constant(true) }, body={ ROOT p = "
     "(f32[2], s32[]) parameter(0) }",
     "while.condition{p=parameter ^c=constant} while.body{^p=parameter} "
     "*entry{^while.1=while(negate.9)->while.condition->while.body "
     "negate.9=parameter}"},
    {"an instruction without a name below a computation",
     "%f { ROOT p = f32[2] parameter(0) }\n\nf32[2] call(f32[2]), to_apply=f",
     "f{^p=parameter} *entry{^call.1=call(parameter.1)->f "
     "parameter.1=parameter}"},
    {"a nested instruction beside a type",
     "f32[2] add(f32[2], f32[2] negate(f32[2]))",
     "*entry{negate.1=negate(parameter.1) ^add.1=add(parameter.2,negate.1) "
     "parameter.1=parameter parameter.2=parameter}"},
    {"split marker",
     "// RUN: x\nHloModule a\ne { ROOT x = f32[] parameter(0) }\n\n// -----\n"
     "HloModule b\ne { ROOT x = f32[] parameter(0) }\n  // ----- text\n\n"
     "// -----\n// only comments\n",
     "*e{^x=parameter} | *e{^x=parameter}"},
    {"a second header without a marker",
     "HloModule a\ne { ROOT x = f32[] parameter(0) }\n"
     "HloModule b\ne { ROOT y = f32[] parameter(0) }\n",
     "*e{^x=parameter} | *e{^y=parameter}"},
    {"comments",
     "/* Copyright \" ' { */\n// CHECK: }\ne { // e\n"
     " x = f32[] parameter(0) // {\n ROOT t = (f32[], f32[]) "
     "tuple(x, /*index=1*/x) }",
     "*e{x=parameter ^t=tuple(x,x)}"},
    {"computation attributes after its body",
     "HloModule m\nf { ROOT x = f32[] parameter(0) }, "
     "execution_thread=\"host\"\n"
     "ENTRY e { ROOT x = f32[] parameter(0) }",
     "f{^x=parameter} *e{^x=parameter}"},
    {"white space of other systems",
     "HloModule m\r\n\r\nENTRY\te {\r\n\tROOT x = f32[] parameter(0)\r\n}\r\n",
     "*e{^x=parameter}"},
    {"an instruction over several lines",
     "e {\n x = f32[4]\n   parameter(0)\n ROOT y =\n f32[2] slice(\n x),\n"
     " slice={\n[0:2]},\n  metadata={\n op_name=\"a\"\n}\n}",
     "*e{x=parameter ^y=slice(x)}"},
    {"inline computation",
     "HloModule m\nENTRY e { x = f32[] parameter(0)\n"
     "a = f32[] call(x), to_apply={ y = f32[] parameter(0) ROOT n = negate(y) }"
     "\nROOT b = f32[] call(a), to_apply={ ROOT y = f32[] parameter(0) } }",
     "a.to_apply{y=parameter ^n=negate(y)} b.to_apply{^y=parameter} "
     "*e{x=parameter a=call(x)->a.to_apply ^b=call(a)->b.to_apply}"},
    {"nested operand expressions",
     "e { ROOT root = add(f32[10] parameter(0), multiply(f32[10] parameter(1), "
     "f32[10] parameter(2))) }",
     "*e{parameter.1=parameter parameter.2=parameter parameter.3=parameter "
     "multiply.1=multiply(parameter.2,parameter.3) "
     "^root=add(parameter.1,multiply.1)}"},
    {"a nested expression with attributes",
     "e { p = f32[] parameter(0) negate.1 = f32[2] negate(f32[2] broadcast(p), "
     "dimensions={})\n ROOT r = f32[2] add(f32[2] broadcast(p), dimensions={}, "
     "negate.1) }",
     "*e{p=parameter broadcast.1=broadcast(p) negate.1=negate(broadcast.1) "
     "broadcast.2=broadcast(p) ^r=add(broadcast.2,negate.1)}"},
    {"elements of a tuple by number",
     "e { p = (f32[10], (f32[20], f32[30])) parameter(0)\n"
     "ROOT r = (f32[10], f32[30]) tuple(f32[10] %p#0, p#1#1) }",
     "*e{p=parameter get-tuple-element.1=get-tuple-element(p) "
     "get-tuple-element.2=get-tuple-element(p) "
     "get-tuple-element.3=get-tuple-element(get-tuple-element.2) "
     "^r=tuple(get-tuple-element.1,get-tuple-element.3)}"},
    {"names like types",
     "e { token = token[] after-all() b = f32[] parameter(0) "
     "ROOT s = (f32[], u32[], token[]) send(b, token), channel_id=1 }",
     "*e{token=after-all b=parameter ^s=send(b,token)}"},
    {"buffer types",
     "e { p0 = b(f32[32]) parameter(0) ROOT c = b(f32[32]) custom-call("
     "b(f32[32]) p0), custom_call_target=\"Pin\" }",
     "*e{p0=parameter ^c=custom-call(p0)}"},
    {"while",
     "HloModule m\nc { p = (s32[]) parameter(0) ROOT t = pred[] constant(true) "
     "}"
     "\nb { ROOT p = (s32[]) parameter(0) }\nENTRY e { i = (s32[]) "
     "parameter(0) "
     "ROOT w = (s32[]) while(i), condition=c, body=b }",
     "c{p=parameter ^t=constant} b{^p=parameter} "
     "*e{i=parameter ^w=while(i)->c->b}"},
    {"conditional: the true branch first, whatever the order",
     "HloModule m\nf { ROOT p = f32[] parameter(0) }\n"
     "t { ROOT p = f32[] parameter(0) }\nENTRY e { c = pred[] parameter(0)\n"
     "x = f32[] parameter(1)\nROOT r = f32[] conditional(c, x, x), "
     "false_computation=f, true_computation=t }",
     "f{^p=parameter} t{^p=parameter} "
     "*e{c=parameter x=parameter ^r=conditional(c,x,x)->t->f}"},
    {"conditional with a list of branches",
     "HloModule m\nf { ROOT p = f32[] parameter(0) }\n"
     "ENTRY e { c = s32[] parameter(0) x = f32[] parameter(1)\nROOT r = f32[] "
     "conditional(c, x, x), branch_computations={%f, f} }",
     "f{^p=parameter} *e{c=parameter x=parameter "
     "^r=conditional(c,x,x)->f->f}"},
    {"conditional with branches in place",
     "HloModule m\nENTRY e { c = s32[] parameter(0) x = f32[] parameter(1)\n"
     "ROOT r = f32[] conditional(c, x, x), branch_computations={\n{\n"
     "  ROOT p = f32[] parameter(0)\n},\n{ q = f32[] parameter(0) ROOT n = "
     "f32[] negate(q) }\n}, metadata={op_name=\"x\"} }",
     "r.branch_computations{^p=parameter} "
     "r.branch_computations.1{q=parameter ^n=negate(q)} "
     "*e{c=parameter x=parameter ^r=conditional(c,x,x)->r.branch_computations"
     "->r.branch_computations.1}"},
    {"conditional without a name, with branches in place",
     "f32[2] conditional(s32[], f32[2], f32[2]), branch_computations={ { ROOT "
     "p = f32[2] parameter(0) }, { ROOT p = f32[2] parameter(0) } }",
     "conditional.branch_computations{^p=parameter} "
     "conditional.branch_computations.1{^p=parameter} "
     "*entry{^conditional.1=conditional(parameter.1,parameter.2,parameter.3)->"
     "conditional.branch_computations->conditional.branch_computations.1 "
     "parameter.1=parameter parameter.2=parameter parameter.3=parameter}"},
    {"custom-call with computations",
     "HloModule m\nf { ROOT p = f32[] parameter(0) }\nENTRY e { ROOT r = f32[] "
     "custom-call(), custom_call_target=\"x\", called_computations={%f} }",
     "f{^p=parameter} *e{^r=custom-call->f}"},
    {"async",
     "HloModule m\nf { ROOT p = f32[2] parameter(0) }\nENTRY e { x = f32[2] "
     "parameter(0)\ns = ((f32[2]), f32[2], u32[]) async-start(x), "
     "async_execution_thread=\"t\", calls=f\nu = ((f32[2]), f32[2], u32[]) "
     "async-update(s)\nROOT d = f32[2] async-done(u) }",
     "f{^p=parameter} *e{x=parameter s=async-start(x)->f u=async-update(s) "
     "^d=async-done(u)}"},
};

TEST(HloParserTest, Structure) {
  for (const StructureRow &row : kStructure)
    EXPECT_EQ(summary(parse(row.text)), row.expected) << row.feature;
}

// Values that an attribute may have. The parser reads none of these attributes,
// and must pass over all of them.
TEST(HloParserTest, PassesOverAttributes) {
  const char *const kAttributes[] = {
      "sharding={devices=[4,1,1,2]<=[8] last_tile_dim_replicate}",
      "sharding={{replicated}, {maximal device=0}, {devices=[4,1]0,1,2,3}}",
      "sharding={mesh['a'=2, 'b'=2], [], unreduced=max{'a', 'b'}}",
      "sharding={devices=[1,2]<=[2,1]T(1,0) metadata={op_name=\"x\"}}",
      "replica_groups={{0,1},{2,3}}",
      "replica_groups={}",
      "replica_groups=[2,4]<=[8]",
      "replica_groups=[4,8] <= [4,8]T(1,0)",
      "replica_groups=mesh['axis_0'=2,'axis_1'=2] {'5'}",
      "source_target_pairs={{0,1},{1,2}}",
      "channel_id=1, use_global_device_ids=true",
      "dim_labels=b01f_01io->b01f, window={size=3x3 pad=1_1x-1_1}",
      "dim_labels=?b01f_0?1io->b01?f",
      "sparsity=L.1@2:4",
      "literal=s32[] 1",
      "literal=pred[2]{0} {true, false}",
      "literal=pred[] true",
      "algorithm=dot_f32_f32_f32, operand_precision={HIGH, HIGH}",
      "result_accuracy={tolerance={atol=0,rtol=0,ulps=10}}",
      "statistics={visualizing_index=1,stat-1=33}",
      "control-predecessors={%x, x}",
      "origin={{\"__ovp_2\" {0}}, {}}",
      "parameter_replication={false,true}",
      "output_to_operand_aliasing={{}: (0, {})}",
      "operand_layout_constraints={f32[4]{0}, (s32[], f32[2]{0})}",
      "frontend_attributes={composite.attributes={n = 1 : i32, t = dense<1> : "
      "tensor<i32>},composite.name=\"foo.bar\"}",
      "frontend_attributes={xla.sdy.sharding=\"#sdy.sharding<@m, [{\\\"x\\\", "
      "?}]>\"}",
      "backend_config=\"{\\n  \\\"a\\\": {\\\"b\\\": \\\"]\\\"}}\"",
      "backend_config=\"\\002\\000\\\\\"",
      "backend_config=\"\"",
      "backend_config={\"a\":{\"b\":[\"}\", 1, {}]},\n\"c\":\"[\"}",
      "backend_config={sizes:[32]}",
      "metadata={op_type=\"a\" op_name=\"\\\"it's {not} a problem\\n\" "
      "source_file=\"f.py\" source_line=68 profile_type={1}}",
      "metadata={}",
      "metadata={op_name=\"f[sharding=GSPMDSharding({devices=[4]<=[4]}) (\"}",
      "domain={kind=\"sharding\", entry={}, exit={maximal device=0}}",
      "api_version=API_VERSION_TYPED_FFI, custom_call_has_side_effect=true",
      "schedule=SCHEDULE_LATEST, is_composite=true",
      "some_new_attribute={[(\"\")]} /* c */, another=1.5e-3",
  };
  for (std::string attribute : kAttributes) {
    for (std::string next : {"\n y", " %y", "\n ROOT y"}) {
      std::string text = "e { x = f32[] parameter(0), " + attribute + next +
                         " = f32[] negate(x), " + attribute + " }";
      EXPECT_EQ(summary(parse(text)), "*e{x=parameter ^y=negate(x)}") << text;
    }
  }
}

TEST(HloParserTest, KeepsWhatLaterQuestionsNeed) {
  Program program = parse(R"(HloModule the_module
f { ROOT p = f32[4] parameter(0) }
c { p = f32[4] parameter(0) ROOT t = pred[] constant(true) }
ENTRY e {
  %x.1 = f32[4]{0} parameter(0), sharding={devices=[2]<=[2]}, metadata={op_type="t" op_name="jit(f)/\"x\"" source_file="a b.py" source_line=12 source_end_line=13}
  fu = f32[4]{0} fusion(x.1), kind=kLoop, calls=f, backend_config={"a":[]}
  w = f32[4] while(fu), condition=c, body=f, backend_config={"known_trip_count":{"n":"7"}}
  v = f32[4] while(w), condition=c, body=f, backend_config="{\"known_trip_count\":{\"n\":\"5\"},\"x\":1}"
  ROOT cc = f32[4] custom-call(v), custom_call_target="__gpu$gemm", backend_config="a,{"
})");
  ASSERT_EQ(program.modules.size(), 1u);
  EXPECT_EQ(program.modules[0].name, "the_module");
  EXPECT_TRUE(program.modules[0].hasHeader);
  const Instruction &x = find(program, "x.1");
  EXPECT_EQ(x.place, (Place{5, 3}));
  EXPECT_EQ(x.parameterNumber, 0);
  EXPECT_EQ(x.sharding, "devices=[2]<=[2]");
  EXPECT_EQ(x.metadata.opName, "jit(f)/\\\"x\\\"");
  EXPECT_EQ(program.modules[0].frames[x.metadata.frame].str(), "a b.py:12");
  EXPECT_EQ(x.shape->str(true), "f32[4]{0}");
  const Instruction &fusion = find(program, "fu");
  EXPECT_EQ(fusion.place, (Place{6, 3}));
  EXPECT_EQ(fusion.fusionKind, "kLoop");
  EXPECT_EQ(fusion.backendConfig, "{\"a\":[]}");
  ASSERT_EQ(fusion.called.size(), 1u);
  EXPECT_EQ(fusion.called[0].role, CallRole::Calls);
  EXPECT_EQ(fusion.called[0].computation, 0);
  EXPECT_EQ(find(program, "w").tripCount, 7);
  EXPECT_EQ(find(program, "v").tripCount, 5);
  EXPECT_EQ(find(program, "w").called[1].role, CallRole::Body);
  const Instruction &custom = find(program, "cc");
  EXPECT_EQ(custom.place, (Place{9, 8}));
  EXPECT_EQ(custom.customCallTarget, "__gpu$gemm");
  EXPECT_EQ(custom.backendConfig, "\"a,{\"");
  EXPECT_EQ(custom.tripCount, std::nullopt);
}

TEST(HloParserTest, NamesOutliveAMove) {
  Program moved;
  {
    Program program = parse("e { ROOT n = f32[] negate(f32[] parameter(0)) }");
    moved = std::move(program);
  }
  EXPECT_EQ(summary(moved), "*e{parameter.1=parameter ^n=negate(parameter.1)}");
}

TEST(HloParserTest, FindsOmittedShapes) {
  const struct {
    const char *instruction, *shape;
  } kRows[] = {
      {"add(m, m)", "f32[2,3]"},
      {"compare(m, m), direction=LT", "pred[2,3]"},
      {"is-finite(m)", "pred[2,3]"},
      {"select(q, m, m)", "f32[2,3]"},
      {"clamp(s, m, s)", "f32[2,3]"},
      {"complex(m, m)", "c64[2,3]"},
      {"abs(z)", "f64[5]"},
      {"real(z)", "f64[5]"},
      {"negate(z)", "c128[5]"},
      {"tuple(m, s)", "(f32[2,3], f32[])"},
      {"tuple()", "()"},
      {"get-tuple-element(t), index=1", "(s32[], token[])"},
      {"transpose(m), dimensions={1,0}", "f32[3,2]"},
      {"reverse(m), dimensions={0}", "f32[2,3]"},
      {"slice(m), slice={[0:2], [0:3:2]}", "f32[2,2]"},
      {"dynamic-slice(m, i, i), dynamic_slice_sizes={1,2}", "f32[1,2]"},
      {"dynamic-update-slice(m, m, i, i)", "f32[2,3]"},
      {"concatenate(m, m, m), dimensions={1}", "f32[2,9]"},
      {"pad(m, s), padding=1_1x0_-1_2", "f32[4,6]"},
      {"reduce(m, s), dimensions={1}, to_apply=f", "f32[2]"},
      {"reduce(m, m, s, s), dimensions={0}, to_apply=f", "(f32[3], f32[3])"},
      {"reduce-window(m, s), window={size=1x2 stride=1x2 pad=0_0x0_1}, "
       "to_apply=f",
       "f32[2,2]"},
      {"dot(m, m), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
       "f32[3,3]"},
      {"dot(k, k), lhs_batch_dims={0}, rhs_batch_dims={0}, "
       "lhs_contracting_dims={2}, rhs_contracting_dims={2}",
       "f32[1,5,5]"},
      {"convolution(k, k), window={size=5 stride=2 pad=2_3}, "
       "dim_labels=b0f_o0i->fb0",
       "f32[1,1,3]"},
      {"gather(m, j), offset_dims={1}, collapsed_slice_dims={0}, "
       "start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}",
       "f32[7,3]"},
      {"after-all()", "token[]"},
      {"partition-id()", "u32[]"},
      {"copy(m)", "f32[2,3]"},
      {"call(s, s), to_apply=f", "f32[]"},
      {"fusion(s, s), kind=kLoop, calls=f", "f32[]"},
      {"sort(j, j), dimensions={0}, to_apply=f", "(s32[7,1], s32[7,1])"},
      {"all-reduce(m), replica_groups={}, to_apply=f", "f32[2,3]"},
  };
  const std::string kBefore = R"(HloModule m
f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = add(a, b) }
ENTRY e {
  m = f32[2,3] parameter(0) s = f32[] parameter(1) q = pred[] parameter(2)
  z = c128[5] parameter(3) t = (f32[2], (s32[], token[])) parameter(4)
  i = s32[] parameter(5) j = s32[7,1] parameter(6) k = f32[1,5,6] parameter(7)
  ROOT x = )";
  for (const auto &row : kRows)
    EXPECT_EQ(find(parse(kBefore + row.instruction + "\n}"), "x").shape->str(),
              row.shape)
        << row.instruction;
  for (const char *instruction :
       {"convert(m)", "reshape(m)", "bitcast(m)", "broadcast(s), dimensions={}",
        "iota(), iota_dimension=0", "constant(1)", "parameter(8)",
        "custom-call(m)", "rng(s, s), distribution=rng_uniform"}) {
    absl::Status status = parseHlo(kBefore + instruction + "\n}").status();
    EXPECT_NE(std::string(status.message()).find("does not follow"),
              std::string::npos)
        << instruction << ": " << messageOf(status);
  }
}

TEST(HloParserTest, NotesUnknownOpcodesAndUndefinedComputations) {
  Program program = parse(
      "f {\n x = f32[8] parameter(0)\n z = f32[] constant(0)\n"
      " y = f32[8] braodcast(x), dimensions={0}\n"
      " u = f32[8] braodcast(y), dimensions={0}\n"
      " r = f32[] reduce(u, z), dimensions={0}, to_apply=add\n"
      " ROOT s = f32[] reduce(u, z), dimensions={0}, to_apply=add\n}");
  ASSERT_EQ(program.notes.size(), 2u);
  EXPECT_EQ(program.notes[0].kind, Note::Kind::Note);
  EXPECT_EQ(program.notes[0].place, (Place{6, 2}));
  EXPECT_EQ(program.notes[0].text,
            "computation `add` is not in this snippet: the maps of `reduce` do "
            "not depend on it");
  EXPECT_EQ(program.notes[1].kind, Note::Kind::Warning);
  EXPECT_EQ(program.notes[1].place, (Place{4, 13}));
  EXPECT_EQ(program.notes[1].text,
            "unknown opcode `braodcast`: it is taken to read every operand "
            "whole; did you mean `broadcast`?");
  EXPECT_FALSE(program.modules[0].hasHeader);
}

TEST(HloParserTest, KnowsWhichModulesAreScheduled) {
  const std::string body = "\nENTRY e { ROOT p = f32[4] parameter(0) }\n";
  const Program program = parse(
      "HloModule a, is_scheduled=true, entry_computation_layout={()->()}" +
      body + "HloModule b, is_scheduled=false" + body + "HloModule c" + body);
  ASSERT_EQ(program.modules.size(), 3u);
  EXPECT_TRUE(program.modules[0].isScheduled);
  EXPECT_FALSE(program.modules[1].isScheduled);
  EXPECT_FALSE(program.modules[2].isScheduled);
}

TEST(HloParserTest, KeepsWhatAScatterPromises) {
  const Program program = parse(R"(
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT z = f32[] add(x, y) }
ENTRY e {
  p = f32[9] parameter(0)
  i = s32[4,1] parameter(1)
  u = f32[4] parameter(2)
  a = f32[9] scatter(p, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, indices_are_sorted=true, to_apply=add
  ROOT b = f32[9] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, indices_are_sorted=false, unique_indices=true, to_apply=add
})");
  const Instruction &a = find(program, "a"), &b = find(program, "b");
  EXPECT_EQ(a.op, b.op);  // no value follows from a promise
  EXPECT_TRUE(a.indicesAreSorted && !a.uniqueIndices);
  EXPECT_TRUE(!b.indicesAreSorted && b.uniqueIndices);
}

/// Whether each instruction but the parameters has the shape that
/// `parseHloShape` makes of the text behind it in `shapes`.
void expectShapes(const std::string &text,
                  const std::vector<std::string> &shapes) {
  const Program program = parse(text);
  std::vector<std::string> found, wanted;
  for (const Instruction &i : program.modules[0].computations[0].instructions)
    if (i.parameterNumber < 0) found.push_back(i.shape->str(true));
  for (const std::string &shape : shapes)
    wanted.push_back(parseHloShape(shape)->str(true));
  EXPECT_EQ(found, wanted) << text;
}

TEST(HloParserTest, ShapesOfEqualTextsThatGoOnDifferently) {
  expectShapes(
      "f { p = f32[2,3]{1,0} parameter(0)\n"
      "a = f32[2,3] negate(p)\n"
      "b = f32[2,3] {0,1} negate(a)\n"
      "c = f32[2,3]{1,0} negate(b)\n"
      "d = f32[2,3] negate(c)\n"
      "e = f32[2,/*x*/3]{0,1} negate(d)\n"
      "f = f32[2,/* x */3]{0,1} negate(e)\n"
      "g = f32[2,/*x*/3]{0,1} negate(f)\n"
      "h = f32[2,3]{1,0}negate(g)\n"
      "i = f32[2,3]{1,0}\n negate(h)\n"
      "j = f32[2,3]{0,1:T(8,128)} negate(i)\n"
      "k = f32[2, 3] negate(j)\n"
      "l = f32[2,3]{0,1:T(8,128)} negate(k)\n"
      "ROOT m = f32[2,3] negate(l) }",
      {"f32[2,3]", "f32[2,3]{0,1}", "f32[2,3]{1,0}", "f32[2,3]",
       "f32[2,3]{0,1}", "f32[2,3]{0,1}", "f32[2,3]{0,1}", "f32[2,3]{1,0}",
       "f32[2,3]{1,0}", "f32[2,3]{0,1:T(8,128)}", "f32[2,3]",
       "f32[2,3]{0,1:T(8,128)}", "f32[2,3]"});
}

TEST(HloParserTest, TuplesOfEqualTexts) {
  expectShapes(
      "f { p = f32[2] parameter(0)\n"
      "a = (f32[2], f32[2]) tuple(p, p)\n"
      "b = (f32[2], f32[2]) tuple(p, p)\n"
      "c = (f32[2],f32[2]) tuple(p, p)\n"
      "d = (f32[2],f32[2]) tuple(p, p)\n"
      "ROOT e = f32[2] get-tuple-element((f32[2],f32[2]) d), index=1 }",
      {"(f32[2], f32[2])", "(f32[2], f32[2])", "(f32[2], f32[2])",
       "(f32[2], f32[2])", "f32[2]"});
}

TEST(HloParserTest, ATextIsShared) {
  const auto text = std::make_shared<const std::string>(
      "f { p = f32[4] parameter(0) ROOT r = f32[4] negate(p) }");
  const auto program = parseHlo(text, "shared.hlo");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program->text, text);
  EXPECT_EQ(program->path, "shared.hlo");
  const llvm::StringRef name =
      program->modules[0].computations[0].instructions[1].name;
  EXPECT_EQ(name, "r");
  EXPECT_TRUE(name.data() > text->data() &&
              name.data() < text->data() + text->size());
}

}  // namespace
}  // namespace indexical
