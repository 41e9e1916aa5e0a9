// Every attribute of every opcode is part of what its op is, unless the table
// below says that it is not.
//
// Each attribute of each instruction of examples/every_opcode.hlo is changed,
// one at a time, in every way that is still a module, and so are the further
// attributes that instructions may have. Two instructions that differ in an
// attribute that counts must have two ops (ops/descriptor.h): else `equal`
// takes one for the other.
#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// They say something of the text, of the compilation, or of the place where an
/// instruction runs. Computations that are named are compared by what they give
/// (same/terms/program_terms.h).
const std::set<std::string> kNoPart = {
    "async_execution_thread",
    "body",
    "calls",
    "condition",
    "control-predecessors",
    "false_computation",
    "frontend_attributes",
    "indices_are_sorted",
    "kind",
    "metadata",
    "scatter",
    "select",
    "sharding",
    "to_apply",
    "true_computation",
    "unique_indices",
};

/// An attribute that the example leaves out, of an instruction of it.
struct Further {
  const char *instruction;
  const char *attribute;
};
const Further kFurther[] = {
    {"add", "metadata={op_name=\"a\"}"},
    {"add", "sharding={replicated}"},
    {"add", "frontend_attributes={a=\"1\"}"},
    {"all-gather", "channel_id=1"},
    {"all-gather", "channel_id=1, use_global_device_ids=true"},
    {"all-gather-start", "channel_id=1"},
    {"all-gather-start", "channel_id=1, use_global_device_ids=true"},
    {"all-reduce", "channel_id=1"},
    {"all-reduce-start", "channel_id=1"},
    {"all-to-all", "channel_id=1"},
    {"collective-broadcast", "channel_id=1"},
    {"collective-permute", "channel_id=1"},
    {"collective-permute-start", "channel_id=1"},
    {"compare", "type=TOTALORDER"},
    {"convolution",
     "feature_group_count=1, batch_group_count=1, "
     "operand_precision={highest,highest}"},
    {"custom-call", "backend_config=\"1\""},
    {"custom-call", "custom_call_has_side_effect=true"},
    {"custom-call", "api_version=API_VERSION_STATUS_RETURNING"},
    {"dot", "operand_precision={highest,default}"},
    {"dot", "algorithm=dot_bf16_bf16_f32"},
    {"exponential", "result_accuracy={tolerance={atol=0.1,rtol=0,ulps=0}}"},
    {"gather", "indices_are_sorted=true"},
    {"infeed", "infeed_config=\"1\""},
    {"outfeed", "outfeed_config=\"1\""},
    {"ragged-all-to-all", "channel_id=1"},
    {"reduce-scatter", "channel_id=1"},
    {"scan", "is_reverse=true"},
    {"scatter", "unique_indices=true"},
    {"send", "is_host_transfer=true"},
    {"recv", "is_host_transfer=true"},
    {"sort", "is_stable=true"},
};

/// Instructions beside those of the example, whose shapes fit several values of
/// an attribute.
constexpr char kRunning[] =
    "running4 { r = f32[4] parameter(0)  c = f32[4] parameter(1)\n"
    "  s = f32[4] add(r, c)  ROOT t = (f32[4], f32[4]) tuple(s, s) }\n";
constexpr char kMore[] = R"(
  q = f32[4,4] parameter(14)
  w = f32[4] parameter(15)
  image.2 = f32[4,8,8,4] parameter(16)
  kernel.2 = f32[3,3,?,4] parameter(17)
  broadcast.2 = f32[4,4] broadcast(w), dimensions={0}
  concatenate.2 = f32[?,?] concatenate(q, q), dimensions={0}
  pad.2 = f32[?,?] pad(q, constant), padding=1_1x0_0
  transpose.2 = f32[4,4] transpose(q), dimensions={1,0}
  batch-norm-training.2 = (f32[4,4], f32[4], f32[4]) batch-norm-training(q, w, w), epsilon=0.001, feature_index=1
  batch-norm-inference.2 = f32[4,4] batch-norm-inference(q, w, w, w, w), epsilon=0.001, feature_index=1
  batch-norm-grad.2 = (f32[4,4], f32[4], f32[4]) batch-norm-grad(q, w, w, w, q), epsilon=0.001, feature_index=1
  convolution.2 = f32[?,8,8,4] convolution(image.2, kernel.2), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=2, batch_group_count=1
  convolution.3 = f32[?,8,8,4] convolution(image.2, kernel.2), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, batch_group_count=2
  dot.2 = f32[4,4] dot(q, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  reduce.2 = f32[4] reduce(q, constant), dimensions={0}, to_apply=sum
  scaled-dot.2 = f32[4,4] scaled-dot(q, q, q, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  scan.2 = (f32[4,4], f32[4]) scan(q, w), dimensions={0}, num_carries=1, to_apply=running4
  topk.2 = (f32[4,?], s32[4,?]) topk(x), k=2, largest=true
  tuple.2 = (f32[4,6], f32[4,6]) tuple(x, y)
  get-tuple-element.2 = f32[4,6] get-tuple-element(tuple.2), index=0
  dynamic-slice.2 = f32[?,?] dynamic-slice(x, i, i), dynamic_slice_sizes={2,3}
  all-gather.2 = f32[?,?] all-gather(x), dimensions={0}, replica_groups={{0,1},{2,3}}
  all-gather-start.2 = (f32[4,6], f32[?,?]) all-gather-start(x), dimensions={0}, replica_groups={{0,1},{2,3}}
  all-reduce.2 = f32[4,6] all-reduce(x), replica_groups={{0,1},{2,3}}, to_apply=sum
  all-reduce-start.2 = f32[4,6] all-reduce-start(x), replica_groups={{0,1},{2,3}}, to_apply=sum
  all-reduce-start.3 = (f32[4,6], f32[4,6]) all-reduce-start(x), replica_groups={{0,1},{2,3}}, to_apply=sum
  collective-reduce.2 = f32[4,6] collective-reduce(x), replica_groups={{0,1},{2,3}}, to_apply=sum
  reduce-scatter.2 = f32[?,?] reduce-scatter(x), dimensions={0}, replica_groups={{0,1},{2,3}}, to_apply=sum
)";

/// They cannot be changed alone, for another attribute or a shape must fit, or
/// there is one value only.
const std::set<std::string> kTied = {
    "domain/domain",
    "gather/collapsed_slice_dims",
    "gather/index_vector_dim",
    "gather/offset_dims",
    "map/dimensions",
    "ragged-dot/lhs_contracting_dims",
    "ragged-dot/lhs_ragged_dims",
    "ragged-dot/rhs_group_dims",
    "scan/num_carries",
    "scatter/index_vector_dim",
    "scatter/inserted_window_dims",
    "scatter/update_window_dims",
};

std::string contentOf(const std::string &path) {
  std::ifstream file(path);
  std::stringstream buffer;
  buffer << file.rdbuf();
  return buffer.str();
}

/// Words that stand for others.
const std::vector<std::vector<std::string>> kWords = {
    {"true", "false"},
    {"LT", "GE"},
    {"FFT", "IFFT", "RFFT"},
    {"NO_TRANSPOSE", "TRANSPOSE"},
    {"rng_uniform", "rng_normal"},
    {"rng_philox", "rng_three_fry"},
    {"b01f_01io->b01f", "b10f_01io->b01f", "b01f_10io->b01f"},
    {"\"f\"", "\"g\""},
    {"highest", "default"},
    {"TOTALORDER", "UNSIGNED"},
    {"dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3"},
    {"\"1\"", "\"2\""},
    {"API_VERSION_STATUS_RETURNING", "API_VERSION_TYPED_FFI"},
    {"pad=1_1x1_1", "pad=0_2x1_1"},
    {"pad=1_1x0_0", "pad=0_2x0_0"},
    {"size=2x2 stride=2x2", "size=1x2 stride=2x2 pad=0_0x0_0"},
    {"0.1", "0.2"},
    {"kLoop", "kInput"},
};

/// The value with one number, word or order changed.
std::vector<std::string> changesOf(const std::string &value) {
  std::vector<std::string> changes;
  for (const auto &words : kWords)
    for (const std::string &from : words) {
      const size_t at = value.find(from);
      if (at == std::string::npos) continue;
      for (const std::string &to : words)
        if (to != from)
          changes.push_back(std::string(value).replace(at, from.size(), to));
    }
  for (size_t i = 0; i < value.size(); ++i) {
    if (!llvm::isDigit(value[i]) || (i > 0 && llvm::isDigit(value[i - 1])))
      continue;
    size_t end = i;
    while (end < value.size() && llvm::isDigit(value[end])) ++end;
    const int64_t number = std::stoll(value.substr(i, end - i));
    for (int64_t to : {number + 1, number - 1, number + 2})
      if (to >= 0)
        changes.push_back(value.substr(0, i) + std::to_string(to) +
                          value.substr(end));
  }
  // Two entries that stand beside each other, the other way round.
  static const std::pair<const char *, const char *> kPairs[] = {
      {"{0,1}", "{1,0}"}, {"{1,0}", "{0,1}"}, {"{2,3}", "{3,2}"}};
  for (const auto &[from, to] : kPairs)
    if (const size_t at = value.find(from); at != std::string::npos)
      changes.push_back(std::string(value).replace(at, 5, to));
  return changes;
}

struct Attribute {
  std::string key, value;
  size_t begin = 0, end = 0;  ///< of the value, in the line
};

/// `key=value` behind the operands.
std::vector<Attribute> attributesOf(const std::string &line) {
  std::vector<Attribute> all;
  int depth = 0;
  size_t start = std::string::npos, from = line.find(" = ") + 3;
  bool behindOperands = false;
  auto finish = [&](size_t end) {
    if (start == std::string::npos) return;
    const std::string text = line.substr(start, end - start);
    const size_t equals = text.find('=');
    if (equals != std::string::npos)
      all.push_back({text.substr(text.find_first_not_of(' '),
                                 equals - text.find_first_not_of(' ')),
                     text.substr(equals + 1), start + equals + 1, end});
  };
  for (size_t i = from; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') {
      --depth;
      // A tuple's shape is in parentheses, too, and no comma follows it.
      if (c == ')' && depth == 0 &&
          (i + 1 == line.size() || line[i + 1] == ','))
        behindOperands = true;
    }
    if (c != ',' || depth != 0 || !behindOperands) continue;
    finish(i);
    start = i + 1;
  }
  finish(line.size());
  return all;
}

class Example {
 public:
  Example() {
    std::istringstream text(contentOf("examples/every_opcode.hlo"));
    std::string line;
    while (std::getline(text, line)) {
      if (StringRef(line).starts_with("ENTRY")) addAll(kRunning);
      if (StringRef(line).starts_with("  ROOT root")) addAll(kMore);
      lines_.push_back(line);
    }
  }

  /// The lines of the entry's instructions.
  std::vector<size_t> instructions() const {
    std::vector<size_t> numbers;
    bool inEntry = false;
    for (size_t n = 0; n < lines_.size(); ++n) {
      if (StringRef(lines_[n]).starts_with("ENTRY")) inEntry = true;
      if (inEntry && lines_[n].find(" = ") != std::string::npos)
        numbers.push_back(n);
    }
    return numbers;
  }
  const std::string &line(size_t n) const { return lines_[n]; }
  static std::string nameOf(const std::string &line) {
    StringRef name = StringRef(line).split(" = ").first.trim();
    name.consume_front("ROOT ");
    return name.str();
  }

  /// Returns the op of the instruction in line `n` if that line is replaced by
  /// `text`, or nothing if the module is then refused.
  std::optional<Op> opOf(size_t n, const std::string &text) const {
    std::string all;
    for (size_t i = 0; i < lines_.size(); ++i)
      all += (i == n ? text : lines_[i]) + "\n";
    auto program = parseHlo(all);
    if (!program.ok()) return std::nullopt;
    const Module &module = program->modules[0];
    const Computation &entry = module.computations[module.entry];
    return entry.instructions[entry.find(nameOf(text))].op;
  }

 private:
  void addAll(const std::string &more) {
    std::istringstream text(more);
    std::string line;
    while (std::getline(text, line)) lines_.push_back(line);
  }
  std::vector<std::string> lines_;
};

TEST(AttributeIdentityTest, EveryAttributeIsPartOfTheOp) {
  const Example example;
  std::set<std::string> seen, changed;  // `pad/padding`
  int64_t changes = 0;
  for (size_t n : example.instructions()) {
    const std::string &line = example.line(n);
    const std::string name = Example::nameOf(line);
    std::vector<std::string> starts = {line};
    for (const Further &further : kFurther)
      if (name == further.instruction)
        starts.push_back(line + ", " + further.attribute);
    const auto plain = example.opOf(n, line);
    ASSERT_TRUE(plain) << line;
    for (const std::string &start : starts) {
      const auto own = example.opOf(n, start);
      ASSERT_TRUE(own) << start;
      if (start != line) {
        const std::string key = attributesOf(start).back().key;
        EXPECT_EQ(*own == *plain, kNoPart.count(key) > 0) << start;
      }
      for (const Attribute &attribute : attributesOf(start)) {
        const std::string what =
            StringRef(name).split('.').first.str() + "/" + attribute.key;
        if (kNoPart.count(attribute.key)) continue;
        // Which is a name, but of a transfer says from where it comes.
        const bool isTransfer = StringRef(start).contains(" recv(") ||
                                StringRef(start).contains(" send(");
        bool isChanged = attribute.key == "channel_id";
        for (const std::string &value : changesOf(attribute.value)) {
          const std::string other = start.substr(0, attribute.begin) + value +
                                    start.substr(attribute.end);
          const auto op = example.opOf(n, other);
          if (!op || what == "map/dimensions") continue;
          isChanged = true;
          ++changes;
          EXPECT_EQ(*op == *own, attribute.key == "channel_id" && !isTransfer)
              << start << "\n"
              << other;
        }
        seen.insert(what);
        if (isChanged) changed.insert(what);
      }
    }
  }
  for (const std::string &what : seen)
    EXPECT_NE(changed.count(what), kTied.count(what)) << what;
  EXPECT_GT(changes, 300);
  std::printf("%d changes of %zu attributes\n", static_cast<int>(changes),
              changed.size());
}

/// A start in the text reads as the op that it starts.
TEST(AttributeIdentityTest, AStartIsTheOpThatItStarts) {
  const std::pair<const char *, const char *> kForms[] = {
      {"s = f32[8] all-gather(x), ",
       "s = (f32[4], f32[8]) all-gather-start(x), "},
      {"s = f32[4] all-reduce(x), ", "s = f32[4] all-reduce-start(x), "},
      {"s = f32[4] all-reduce(x), ",
       "s = (f32[4], f32[4]) all-reduce-start(x), "},
      {"s = f32[4] collective-permute(x), ",
       "s = (f32[4], f32[4], u32[], u32[]) collective-permute-start(x), "},
      {"s = f32[2] reduce-scatter(x), ",
       "s = ((f32[4]), f32[2], u32[]) reduce-scatter-start(x), "},
      {"s = f32[4] all-to-all(x), ",
       "s = ((f32[4]), f32[4], u32[]) all-to-all-start(x), "},
  };
  auto opOf = [](const std::string &line) {
    // A channel makes groups of partitions, and of replicas and partitions.
    const bool isOverOne = StringRef(line).contains("permute") ||
                           StringRef(line).contains("all-to-all");
    auto program =
        parseHlo("HloModule m, replica_count=2, num_partitions=" +
                 std::string(isOverOne ? "2" : "1") +
                 "\n"
                 "sum { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
                 "  ROOT s = f32[] add(a, b) }\n"
                 "ENTRY e {\n x = f32[4] parameter(0)\n ROOT " +
                 line + " }\n");
    EXPECT_TRUE(program.ok()) << program.status() << line;
    if (!program.ok()) return Op::none();
    const Computation &entry = program->modules[0].computations[1];
    Op op = entry.instructions[entry.root].op;
    if (const auto *start = op.as<StartOp>()) return start->inner;
    return op;
  };
  for (const auto &[sync, start] : kForms) {
    std::string attributes = "replica_groups={{0,1}}, to_apply=sum";
    if (StringRef(sync).contains("permute"))
      attributes = "source_target_pairs={{0,1},{1,0}}";
    else if (!StringRef(sync).contains("all-reduce"))
      attributes += ", dimensions={0}";
    for (const char *channel : {"", ", channel_id=3"})
      EXPECT_EQ(opOf(sync + attributes + channel),
                opOf(start + attributes + channel))
          << start << attributes << channel;
    EXPECT_NE(opOf(sync + attributes),
              opOf(start + attributes + ", channel_id=3"))
        << start;
  }
}

}  // namespace
}  // namespace indexical
