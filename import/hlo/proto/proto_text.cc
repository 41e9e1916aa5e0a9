#include "indexical/import/hlo/proto/proto_text.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/hlo/proto/attributes_text.h"
#include "indexical/import/hlo/proto/common_text.h"
#include "indexical/import/hlo/proto/instruction_fields.h"
#include "indexical/import/hlo/proto/literal_text.h"
#include "indexical/import/hlo/proto/sharding_text.h"
#include "indexical/import/hlo/proto/values.h"
#include "indexical/import/hlo/proto/wire.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

// Fields of HloModuleProto and HloComputationProto, in this order.
constexpr uint32_t kComputations = 3, kResultSharding = 12,
                   kParameterShardings = 14;
constexpr uint32_t kInstructions = 2;
namespace fields = instruction_fields;
constexpr int64_t kPred = 1;  // of PrimitiveType

bool hasComputation(const WireMessage &module) {
  bool found = false;
  module.each(kComputations, [&](StringRef bytes) {
    if (found) return;
    const WireMessage computation(bytes);
    computation.each(kInstructions, [&](StringRef instruction) {
      found |= !WireMessage(instruction).bytes(fields::kOpcode).empty();
    });
  });
  return found;
}

/// Returns the bytes of the module in a HloModuleProto, a HloProto or a
/// HloSnapshot, or none if there is none. The innermost message that has
/// computations is the module: the buffer assignment of a HloProto can look as
/// if it had some, too, and the name of a module never does.
StringRef moduleOf(StringRef bytes, int depth = 0) {
  const WireMessage message(bytes);
  if (!message.isValid()) return "";
  if (depth < 2)
    if (const StringRef inner = moduleOf(message.bytes(1), depth + 1);
        !inner.empty())
      return inner;
  return hasComputation(message) ? bytes : "";
}

/// A name as the text can have it; no other thing has it.
std::string nameFrom(StringRef given, int64_t id, llvm::StringSet<> &taken) {
  std::string name;
  for (const char c : given)
    name += llvm::isAlnum(c) || StringRef("_.-").contains(c) ? c : '_';
  if (name.empty() || llvm::isDigit(name[0]) || name[0] == '.' ||
      name[0] == '-')
    name = "_" + name;
  if (!taken.insert(name).second) {
    name += "." + std::to_string(id);
    while (!taken.insert(name).second) name += "_";
  }
  return name;
}

struct NamedInstruction {
  WireMessage message;
  std::string name;
};

class ModuleWriter {
 public:
  ModuleWriter(WireMessage module, llvm::raw_ostream &os)
      : module_(std::move(module)), os_(os) {}

  absl::Status write();

 private:
  absl::Status header();
  void aliases();
  void donors();
  absl::Status entryLayout();
  void table(StringRef title, const WireMessage &tables, uint32_t number);
  void tables();
  std::vector<int64_t> scheduleOf(int64_t computation) const;
  absl::Status computation(const WireMessage &computation, StringRef name,
                           bool isEntry);
  absl::Status instruction(const NamedInstruction &of, bool isRoot,
                           bool isInEntry);
  absl::Status entrySharding(const NamedInstruction &of, bool isRoot);
  absl::Status operands(const NamedInstruction &of);
  absl::Status argument(const NamedInstruction &of);
  absl::Status called(const NamedInstruction &of);
  absl::Status error(const NamedInstruction &of, const std::string &what) {
    return absl::InvalidArgumentError("`" + of.name + "`: " + what);
  }

  const WireMessage module_;
  llvm::SmallVector<StringRef, 0> payloads_;  // backend configurations
  llvm::raw_ostream &os_;
  std::unordered_map<int64_t, std::string> computations_;  // by id
  // Instructions of the current computation.
  std::vector<NamedInstruction> instructions_;
  std::unordered_map<int64_t, size_t> numbers_;  // by id
};

void ModuleWriter::table(StringRef title, const WireMessage &tables,
                         uint32_t number) {
  os_ << '\n' << title << '\n';
  size_t row = 0;
  tables.each(number, [&](StringRef bytes) {
    os_ << ++row << ' ';
    if (number <= 2) {
      writeQuoted(bytes, os_);
    } else if (const WireMessage fields(bytes); number == 3) {
      os_ << "{file_name_id=" << fields.integer(1)
          << " function_name_id=" << fields.integer(2)
          << " line=" << fields.integer(3);
      auto ifAny = [&](StringRef key, uint32_t field) {
        if (const int64_t value = fields.integer(field))
          os_ << ' ' << key << '=' << value;
      };
      ifAny("end_line", 5);
      ifAny("column", 4);
      ifAny("end_column", 6);
      os_ << '}';
    } else {
      // The text counts a caller from 2 on (import/hlo/stack_tables.h).
      os_ << "{file_location_id=" << fields.integer(1)
          << " parent_frame_id=" << fields.integer(2) + 1 << '}';
    }
    os_ << '\n';
  });
}

void ModuleWriter::tables() {
  const WireMessage tables = module_.message(17);
  if (!tables.count(4)) return;
  table("FileNames", tables, 1);
  table("FunctionNames", tables, 2);
  table("FileLocations", tables, 3);
  table("StackFrames", tables, 4);
}

/// `{ {0}: (1, {}, may-alias) }`: results that may or must share memory with
/// parameters.
void ModuleWriter::aliases() {
  const WireMessage config = module_.message(8);
  if (!config.count(1)) return;
  os_ << ", input_output_alias={ ";
  llvm::ListSeparator comma;
  config.each(1, [&](StringRef bytes) {
    const WireMessage alias(bytes);
    os_ << comma;
    writeIntegers(alias.integers(1), os_);
    os_ << ": (" << alias.integer(2) << ", ";
    writeIntegers(alias.integers(3), os_);
    os_ << (alias.integer(4) == 2 ? ", must-alias)" : ", may-alias)");
  });
  os_ << " }";
}

/// `{ (0, {}) }`: parameters whose memory may be used for something else.
void ModuleWriter::donors() {
  const WireMessage config = module_.message(18);
  if (!config.count(1)) return;
  os_ << ", buffer_donor={ ";
  llvm::ListSeparator comma;
  config.each(1, [&](StringRef bytes) {
    const WireMessage donor(bytes);
    os_ << comma << '(' << donor.integer(1) << ", ";
    writeIntegers(donor.integers(2), os_);
    os_ << ')';
  });
  os_ << " }";
}

/// `{(f32[8]{0}, s32[])->f32[8]{0}}`
absl::Status ModuleWriter::entryLayout() {
  if (!module_.has(4)) return absl::OkStatus();
  const WireMessage program = module_.message(4);
  absl::Status status = absl::OkStatus();
  os_ << ", entry_computation_layout={(";
  llvm::ListSeparator comma;
  program.each(1, [&](StringRef bytes) {
    if (!status.ok()) return;
    os_ << comma;
    status = writeShape(WireMessage(bytes), os_);
  });
  os_ << ")->";
  if (status.ok()) status = writeShape(program.message(2), os_);
  os_ << '}';
  return status;
}

absl::Status ModuleWriter::header() {
  llvm::StringSet<> none;
  os_ << "HloModule " << nameFrom(module_.bytes(1), 0, none);
  if (module_.message(7).count(1)) os_ << ", is_scheduled=true";
  aliases();
  donors();
  INDEXICAL_RETURN_IF_ERROR(entryLayout());
  const WireMessage devices = module_.message(15);
  if (devices.integer(1) > 1) os_ << ", replica_count=" << devices.integer(1);
  if (devices.integer(2) > 1) os_ << ", num_partitions=" << devices.integer(2);
  writeFrontendAttributes(module_.message(19), os_);
  os_ << '\n';
  tables();
  return absl::OkStatus();
}

/// The ids of a computation's instructions in the order in which they run.
std::vector<int64_t> ModuleWriter::scheduleOf(int64_t computation) const {
  std::vector<int64_t> ids;
  module_.message(7).each(1, [&](StringRef bytes) {
    const WireMessage entry(bytes);
    if (entry.integer(1) == computation) ids = entry.message(2).integers(1);
  });
  return ids;
}

absl::Status ModuleWriter::operands(const NamedInstruction &of) {
  llvm::ListSeparator comma;
  for (int64_t id : of.message.integers(fields::kOperands)) {
    const auto it = numbers_.find(id);
    if (it == numbers_.end())
      return absl::InvalidArgumentError("there is no operand with the id " +
                                        std::to_string(id));
    os_ << comma << '%' << instructions_[it->second].name;
  }
  return absl::OkStatus();
}

/// Writes the text between the parentheses.
absl::Status ModuleWriter::argument(const NamedInstruction &of) {
  const StringRef opcode = of.message.bytes(fields::kOpcode);
  if (opcode == "parameter") {
    os_ << of.message.integer(fields::kParameterNumber);
    return absl::OkStatus();
  }
  if (opcode != "constant") return operands(of);
  if (of.message.has(fields::kLiteral))
    return writeLiteral(of.message.message(fields::kLiteral), os_);
  os_ << "{...}";
  return absl::OkStatus();
}

absl::Status ModuleWriter::called(const NamedInstruction &of) {
  std::vector<std::string> names;
  for (int64_t id : of.message.integers(fields::kCalled)) {
    const auto it = computations_.find(id);
    if (it == computations_.end())
      return error(of,
                   "there is no computation with the id " + std::to_string(id));
    names.push_back(it->second);
  }
  const auto ids = of.message.integers(fields::kOperands);
  const bool isByPredicate =
      !ids.empty() && instructions_[numbers_[ids[0]]]
                              .message.message(fields::kShape)
                              .integer(2) == kPred;
  writeCalled(of.message.bytes(fields::kOpcode), names, isByPredicate, os_);
  return absl::OkStatus();
}

/// The module's own shardings of parameters and of the result, which a
/// partitioner keeps and the text of HLO does not have.
absl::Status ModuleWriter::entrySharding(const NamedInstruction &of,
                                         bool isRoot) {
  if (of.message.has(fields::kSharding)) return absl::OkStatus();
  std::optional<WireMessage> sharding;
  if (of.message.bytes(fields::kOpcode) == "parameter") {
    int64_t number = of.message.integer(fields::kParameterNumber);
    module_.each(kParameterShardings, [&](StringRef bytes) {
      if (number-- == 0) sharding = WireMessage(bytes);
    });
  } else if (isRoot && module_.has(kResultSharding)) {
    sharding = module_.message(kResultSharding);
  }
  if (!sharding) return absl::OkStatus();
  os_ << ", sharding=";
  return writeSharding(*sharding, os_);
}

absl::Status ModuleWriter::instruction(const NamedInstruction &of, bool isRoot,
                                       bool isInEntry) {
  const StringRef opcode = of.message.bytes(fields::kOpcode);
  if (!of.message.isValid() || opcode.empty() ||
      !llvm::all_of(opcode, [](char c) {
        return llvm::isAlnum(c) || c == '-' || c == '_';
      }))
    return error(of, "the instruction is damaged: it has no opcode");
  os_ << (isRoot ? "  ROOT %" : "  %") << of.name << " = ";
  if (auto status = writeShape(of.message.message(fields::kShape), os_);
      !status.ok())
    return error(of, std::string(status.message()));
  os_ << ' ' << opcode << '(';
  if (auto status = argument(of); !status.ok())
    return error(of, std::string(status.message()));
  os_ << ')';
  INDEXICAL_RETURN_IF_ERROR(called(of));
  if (auto status = writeAttributes(of.message, payloads_, os_); !status.ok())
    return error(of, std::string(status.message()));
  if (isInEntry)
    if (auto status = entrySharding(of, isRoot); !status.ok())
      return error(of, std::string(status.message()));
  llvm::SmallVector<StringRef, 2> before;
  for (int64_t id : of.message.integers(fields::kPredecessors))
    if (const auto it = numbers_.find(id); it != numbers_.end())
      before.push_back(instructions_[it->second].name);
  if (!before.empty()) {
    os_ << ", control-predecessors={";
    llvm::ListSeparator comma;
    for (StringRef name : before) os_ << comma << '%' << name;
    os_ << '}';
  }
  os_ << '\n';
  return absl::OkStatus();
}

absl::Status ModuleWriter::computation(const WireMessage &computation,
                                       StringRef name, bool isEntry) {
  instructions_.clear();
  numbers_.clear();
  llvm::StringSet<> taken;
  computation.each(kInstructions, [&](StringRef bytes) {
    NamedInstruction each{WireMessage(bytes), ""};
    const int64_t id = each.message.integer(fields::kId);
    each.name = nameFrom(each.message.bytes(1), id, taken);
    numbers_[id] = instructions_.size();
    instructions_.push_back(std::move(each));
  });
  const int64_t root = computation.integer(6);
  std::vector<int64_t> order = scheduleOf(computation.integer(5));
  // A schedule is of all instructions, or of no use.
  const bool isOrdered =
      order.size() == instructions_.size() &&
      llvm::all_of(order, [&](int64_t id) { return numbers_.count(id); });
  os_ << '\n' << (isEntry ? "ENTRY %" : "%") << name << " {\n";
  for (size_t i = 0; i < instructions_.size(); ++i) {
    const NamedInstruction &each =
        instructions_[isOrdered ? numbers_[order[i]] : i];
    INDEXICAL_RETURN_IF_ERROR(
        instruction(each, each.message.integer(fields::kId) == root, isEntry));
  }
  os_ << '}';
  if (const StringRef thread = computation.bytes(8);
      !thread.empty() && thread != "main") {
    os_ << ", execution_thread=";
    writeQuoted(thread, os_);
  }
  os_ << '\n';
  return absl::OkStatus();
}

absl::Status ModuleWriter::write() {
  module_.each(22, [&](StringRef payload) { payloads_.push_back(payload); });
  INDEXICAL_RETURN_IF_ERROR(header());
  llvm::StringSet<> taken;
  module_.each(kComputations, [&](StringRef bytes) {
    const WireMessage computation(bytes);
    const int64_t id = computation.integer(5);
    computations_[id] = nameFrom(computation.bytes(1), id, taken);
  });
  absl::Status status = absl::OkStatus();
  module_.each(kComputations, [&](StringRef bytes) {
    if (!status.ok()) return;
    const WireMessage each(bytes);
    const int64_t id = each.integer(5);
    status = computation(each, computations_[id], id == module_.integer(6));
  });
  return status;
}

}  // namespace

bool looksLikeHloProto(StringRef bytes) {
  // The fields 1 (a module, or a name), 2 and 3 of bytes. No word begins so.
  constexpr StringRef kFirst = "\x0a\x12\x1a";
  return !bytes.empty() && kFirst.contains(bytes.front()) &&
         !moduleOf(bytes).empty();
}

absl::StatusOr<std::string> hloTextOfProto(StringRef bytes) {
  const StringRef module = moduleOf(bytes);
  if (module.empty())
    return absl::InvalidArgumentError("there is no HLO module in these bytes");
  std::string text;
  llvm::raw_string_ostream os(text);
  INDEXICAL_RETURN_IF_ERROR(ModuleWriter(WireMessage(module), os).write());
  return text;
}

}  // namespace indexical
