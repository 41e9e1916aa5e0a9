// What a piece of PTX in a kernel touches, and which registers it loads or
// stores.
//
//   mov.u32 $0, 0x0; @$2 ld.global.b32 { $0 }, [ $1 + 0 ];
//     a load of 4 bytes at operand 1, if operand 2 is true; output 0 is what is
//     loaded, else 0
#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

#include "indexical/import/llvm/endings.h"
#include "indexical/import/llvm/memory_ops.h"

namespace indexical::compiled {
namespace {

using kernels::AccessKind;
using llvm::dyn_cast;
using llvm::StringRef;

/// A statement of assembly.
struct Statement {
  StringRef op, operands;
  const llvm::Value *predicate = nullptr;
  bool isNegated = false;
};

struct Address {
  const llvm::Value *value = nullptr;
  int64_t offset = 0;
};

/// Returns the numbers of the registers among the operands, without those of
/// addresses, or nothing if another operand is among them.
std::optional<std::vector<unsigned>> registersIn(StringRef text) {
  std::vector<unsigned> numbers;
  while (true) {
    text = text.ltrim(" \t,{}");
    if (text.empty()) return numbers;
    if (text.consume_front("[")) {
      const size_t end = text.find(']');
      if (end == StringRef::npos) return std::nullopt;
      text = text.drop_front(end + 1);
      continue;
    }
    if (!text.consume_front("$") ||
        text.consumeInteger(10, numbers.emplace_back()))
      return std::nullopt;
  }
}

/// Returns the number of the register that the text sets to 0, as `$0, 0x0` of
/// a `mov`, if it is that.
std::optional<unsigned> zeroedBy(StringRef text) {
  unsigned number = 0, value = 0;
  text = text.trim();
  if (!text.consume_front("$") || text.consumeInteger(10, number))
    return std::nullopt;
  text = text.ltrim(" \t,");
  if (text.consumeInteger(0, value) || value != 0 || !text.trim().empty())
    return std::nullopt;
  return number;
}

/// Returns the types of what the call gives, one each output.
llvm::SmallVector<const llvm::Type *, 4> outputTypes(
    const llvm::CallInst &call) {
  llvm::SmallVector<const llvm::Type *, 4> types;
  if (const auto *all = dyn_cast<llvm::StructType>(call.getType()))
    types.append(all->element_begin(), all->element_end());
  else if (!call.getType()->isVoidTy())
    types.push_back(call.getType());
  return types;
}

/// Returns the bits of a type, 0 of one that has no number.
int64_t bitsOfType(const llvm::Type *type) {
  const auto bits = type->getPrimitiveSizeInBits();
  return bits.isScalable() ? 0 : static_cast<int64_t>(bits.getFixedValue());
}

}  // namespace

std::string withoutComments(StringRef text) {
  std::string plain;
  while (!text.empty()) {
    const size_t at = text.find('/');
    plain += text.take_front(at).str();
    text = text.drop_front(std::min(at, text.size()));
    if (text.starts_with("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (text.starts_with("/*")) {
      const size_t end = text.find("*/", 2);
      plain += ' ';
      text = text.drop_front(end == StringRef::npos ? text.size() : end + 2);
    } else if (!text.empty()) {
      plain += '/';
      text = text.drop_front();
    }
  }
  return plain;
}

void addAssembly(const llvm::CallInst &call, const llvm::InlineAsm &code,
                 MemoryOps &found) {
  unsigned outputs = 0;
  bool isInMemory = false;  // an operand is what an address points to
  for (const auto &constraint : code.ParseConstraints()) {
    if (constraint.Type == llvm::InlineAsm::isOutput) ++outputs;
    isInMemory |= constraint.isIndirect;
  }
  auto operand = [&](unsigned number) -> const llvm::Value * {
    return number >= outputs && number - outputs < call.arg_size()
               ? call.getArgOperand(number - outputs)
               : nullptr;
  };
  auto refuse = [&](const llvm::Twine &what) {
    found.unknown.push_back({&call, ("assembly " + what).str()});
  };
  if (isInMemory) return refuse("with operands in memory");
  /// Takes `$7` and the like from the text.
  auto takeOperand = [&](StringRef &text) -> const llvm::Value * {
    unsigned number = 0;
    text = text.ltrim();
    if (!text.consume_front("$")) return nullptr;
    const bool isBraced = text.consume_front("{");
    if (text.consumeInteger(10, number)) return nullptr;
    if (isBraced)
      text = text.drop_until([](char c) { return c == '}'; }).drop_front();
    return operand(number);
  };
  auto addressesIn = [&](StringRef text) {
    std::vector<Address> all;
    for (size_t at = text.find('['); at != StringRef::npos;
         at = text.find('[')) {
      text = text.drop_front(at + 1);
      StringRef inner = text.take_until([](char c) { return c == ']'; });
      text = text.drop_front(inner.size());
      Address address;
      address.value = takeOperand(inner);
      inner = inner.trim();
      if (inner.consume_front("+")) {
        inner = inner.ltrim();
        if (inner.consumeInteger(0, address.offset)) address.value = nullptr;
      }
      if (!inner.trim().empty()) address.value = nullptr;
      all.push_back(address);
    }
    return all;
  };
  const size_t firstOp = found.ops.size();
  bool isPlain = true;  // nothing but zeros, and then an access
  llvm::SmallVector<unsigned, 4> zeroed;
  const std::string text = withoutComments(code.getAsmString());
  llvm::SmallVector<StringRef, 8> lines;
  StringRef(text).split(lines, ';');
  // Registers that the text itself sets decide predicates that are not seen.
  for (StringRef line : lines) {
    line = line.trim(" \t\n\r{}");
    if (line.empty() || line.starts_with(".reg")) continue;
    Statement statement;
    if (line.consume_front("@")) {
      statement.isNegated = line.consume_front("!");
      statement.predicate = takeOperand(line);
      if (!statement.predicate) {
        refuse(line);
        continue;
      }
      line = line.ltrim();
    }
    statement.op =
        line.take_until([](char c) { return c == ' ' || c == '\t'; });
    statement.operands = line.drop_front(statement.op.size());
    const StringRef op = statement.op;
    const bool isLoad = op.starts_with("ld.") || op.starts_with("ldu.");
    const bool isStore = op.starts_with("st.");
    const bool isAtomic = op.starts_with("atom.") || op.starts_with("red.");
    const bool isCopy =
        op.starts_with("cp.async.ca") || op.starts_with("cp.async.cg");
    const bool isMatrixLoad = op.starts_with("ldmatrix");
    const bool isMatrixStore = op.starts_with("stmatrix");
    if (!isLoad && !isStore && !isAtomic && !isCopy && !isMatrixLoad &&
        !isMatrixStore) {
      // What moves nothing between memory and registers.
      static constexpr const char *kQuiet[] = {"mov",
                                               "cvt",
                                               "mma",
                                               "bar.",
                                               "barrier",
                                               "cp.async.commit_group",
                                               "cp.async.wait_group",
                                               "cp.async.wait_all",
                                               "wgmma.fence",
                                               "wgmma.commit_group",
                                               "wgmma.wait_group",
                                               "fence",
                                               "shfl",
                                               "vote",
                                               "redux",
                                               "activemask",
                                               "add",
                                               "sub",
                                               "mul",
                                               "mad",
                                               "fma",
                                               "and",
                                               "or",
                                               "xor",
                                               "not",
                                               "shl",
                                               "shr",
                                               "setp",
                                               "selp",
                                               "min",
                                               "max",
                                               "abs",
                                               "neg",
                                               "ex2",
                                               "lg2",
                                               "rcp",
                                               "rsqrt",
                                               "sqrt",
                                               "sin",
                                               "cos",
                                               "tanh",
                                               "prmt",
                                               "lop3",
                                               "bfe",
                                               "bfi",
                                               "bfind",
                                               "popc",
                                               "clz",
                                               "brev",
                                               "div",
                                               "rem",
                                               "griddepcontrol",
                                               "nanosleep",
                                               "membar",
                                               "isspacep",
                                               "cvta",
                                               "dp4a",
                                               "prefetch",
                                               "createpolicy",
                                               "pmevent",
                                               "applypriority"};
      const bool isQuiet = llvm::any_of(kQuiet, [&](const char *known) {
        return op == known || op.starts_with(std::string(known) + ".") ||
               (StringRef(known).ends_with(".") && op.starts_with(known));
      });
      const auto zero = op.starts_with("mov.") && !statement.predicate
                            ? zeroedBy(statement.operands)
                            : std::nullopt;
      if (zero && found.ops.size() == firstOp)
        zeroed.push_back(*zero);
      else
        isPlain = false;
      if (op.starts_with("bar.") || op.starts_with("barrier")) {
        found.barriers.push_back(&call);
        found.before.push_back(found.ops.size());
      }
      const bool isExit =
          (op == "exit" || op == "trap") && isFollowedExit(call);
      if (!isQuiet && !isExit) refuse(op);
      continue;
    }
    llvm::SmallVector<StringRef, 8> parts;
    op.split(parts, '.');
    auto has = [&](StringRef part) { return llvm::is_contained(parts, part); };
    const auto addresses = addressesIn(statement.operands);
    const size_t wanted = isCopy ? 2 : 1;
    if (addresses.size() < wanted ||
        llvm::any_of(addresses, [](const Address &a) { return !a.value; })) {
      refuse(op);
      continue;
    }
    MemoryOp made;
    made.at = &call;
    made.name = op.str();
    made.predicate = statement.predicate;
    made.isNegated = statement.isNegated;
    made.address = addresses[0].value;
    made.offset = addresses[0].offset;
    made.isShared = llvm::any_of(
        parts, [](StringRef part) { return part.starts_with("shared"); });
    if (has("local")) continue;
    if (has("const") || has("param")) {
      refuse(op);
      continue;
    }
    if (isCopy) {
      StringRef rest = statement.operands;
      rest = rest.substr(rest.rfind(']') + 1).trim(" \t,");
      int64_t bytes = 0;
      if (rest.consumeInteger(0, bytes) ||
          (bytes != 4 && bytes != 8 && bytes != 16)) {
        refuse(op);
        continue;
      }
      // Behind the number of bytes: how many are loaded, or a truth value by
      // which none is; then a policy of the cache, if the name says so.
      llvm::SmallVector<StringRef, 2> behind;
      rest.ltrim(" \t,").split(behind, ',', -1, /*KeepEmpty=*/false);
      if (op.contains("cache_hint") && !behind.empty()) behind.pop_back();
      if (behind.size() > 1) {
        refuse(op);
        continue;
      }
      const llvm::Value *limit = nullptr;
      if (!behind.empty()) {
        StringRef written = behind.front().trim();
        uint32_t number = 0;
        if (!written.getAsInteger(0, number))
          limit = llvm::ConstantInt::get(
              llvm::Type::getInt32Ty(call.getContext()), number);
        else if (written.starts_with("$"))
          limit = takeOperand(written);
        if (!limit || !limit->getType()->isIntegerTy()) {
          refuse(op);
          continue;
        }
      }
      made.kind = AccessKind::Store;
      made.isShared = true;
      made.bytes = made.elementBytes = bytes;
      made.type = absl::StrCat("i", bytes * 8);
      found.ops.push_back(made);
      made.kind = AccessKind::Load;
      made.isShared = false;
      made.address = addresses[1].value;
      made.offset = addresses[1].offset;
      if (limit && limit->getType()->isIntegerTy(1))
        made.ignored = limit;
      else if (limit)
        setSize(made, limit, call.getFunction()->getDataLayout());
      found.ops.push_back(std::move(made));
      continue;
    }
    if (isMatrixLoad || isMatrixStore) {
      made.kind = isMatrixLoad ? AccessKind::Load : AccessKind::Store;
      made.isShared = true;
      made.bytes = made.elementBytes = 16;
      made.type = "i128";
      made.lanes = has("x1") ? 8 : has("x2") ? 16 : 0;
      found.ops.push_back(std::move(made));
      continue;
    }
    const StringRef last = parts.back();
    int64_t bits = 0;
    StringRef digits = last;
    digits = digits.ltrim("bufsxl");
    if (last.starts_with("bf16"))
      bits = last == "bf16x2" ? 32 : 16;
    else if (last == "f16x2")
      bits = 32;
    else if (digits.getAsInteger(10, bits))
      bits = 0;
    if (bits < 8 || bits % 8 != 0) {
      refuse(op);
      continue;
    }
    const int64_t count = has("v8") ? 8 : has("v4") ? 4 : has("v2") ? 2 : 1;
    made.kind = isAtomic ? AccessKind::Atomic
                : isLoad ? AccessKind::Load
                         : AccessKind::Store;
    made.elementBytes = bits / 8;
    made.bytes = count * made.elementBytes;
    made.type = last.str();
    made.align = made.bytes;
    // What is loaded or stored, register by register.
    if (const auto registers = registersIn(statement.operands);
        registers && static_cast<int64_t>(registers->size()) == count &&
        !isAtomic && !has("volatile")) {
      const auto types = outputTypes(call);
      bool isWhole = true;
      for (unsigned number : *registers) {
        const llvm::Value *value = isStore ? operand(number) : nullptr;
        const llvm::Type *type = value ? value->getType()
                                 : isLoad && number < types.size()
                                     ? types[number]
                                     : nullptr;
        isWhole &= type && bitsOfType(type) == bits;
        if (isStore)
          made.parts.push_back(value);
        else
          made.outputs.push_back(number);
      }
      if (!isWhole) {
        made.parts.clear();
        made.outputs.clear();
      }
    }
    found.ops.push_back(std::move(made));
  }
  if (isPlain && found.ops.size() == firstOp + 1) {
    MemoryOp &only = found.ops.back();
    only.isElseZero =
        !only.outputs.empty() && llvm::all_of(only.outputs, [&](unsigned k) {
          return llvm::is_contained(zeroed, k);
        });
    return;
  }
  for (size_t k = firstOp; k < found.ops.size(); ++k) {
    found.ops[k].parts.clear();
    found.ops[k].outputs.clear();
  }
}

}  // namespace indexical::compiled
