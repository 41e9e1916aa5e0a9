#include "tests/import/stablehlo/vhlo/artifact.h"

#include "mlir/IR/Operation.h"

namespace indexical::testing {

namespace {

enum Has {
  kAttributes = 1,
  kResults = 2,
  kOperands = 4,
  kRegions = 16,
  kOwnProperties = 64
};

class ModuleWriter {
 public:
  ModuleWriter(const Artifact &how)
      : how_(how),
        out_(how.bytecode, how.producer),
        values_(out_, how.hasPlaces, how.isMixed) {
    if (how.hasDialectVersion)
      out_.setVersion("vhlo", varint(1) + varint(10) + varint(0));
  }

  absl::StatusOr<std::string> write(mlir::ModuleOp module) {
    std::string ops = varint(1 << 1) + writeModule(module);
    if (!values_.problem().empty())
      return absl::UnimplementedError(values_.problem());
    return out_.finish(ops);
  }

 private:
  //===-- Values and regions ----------------------------------------------===//

  // A region's own values are numbered before those of the regions in it.
  size_t number(mlir::Region &region, size_t first) {
    size_t next = first;
    for (mlir::Block &block : region) {
      for (mlir::BlockArgument argument : block.getArguments())
        numbers_[argument] = next++;
      for (mlir::Operation &op : block)
        for (mlir::Value result : op.getResults()) numbers_[result] = next++;
    }
    return next;
  }

  std::string writeRegion(mlir::Region &region, size_t first) {
    const size_t next = number(region, first);
    size_t blocks = std::distance(region.begin(), region.end());
    if (blocks == 0) return varint(0);
    std::string text = varint(blocks) + varint(next - first);
    for (mlir::Block &block : region) text += writeBlock(block, next);
    return text;
  }

  std::string writeBlock(mlir::Block &block, size_t next) {
    const bool hasArguments = block.getNumArguments() != 0;
    std::string text = varint(block.getOperations().size() << 1 | hasArguments);
    if (hasArguments) {
      text += varint(block.getNumArguments());
      for (mlir::BlockArgument argument : block.getArguments()) {
        const size_t type = values_.type(argument.getType());
        const size_t place = values_.location(argument.getLoc());
        text +=
            varint(how_.bytecode >= 4 ? type << 1 | 1 : type) + varint(place);
      }
      // No orders of uses.
      if (how_.bytecode >= 3) text += '\0';
    }
    for (mlir::Operation &op : block) text += writeOp(&op, next);
    return text;
  }

  //===-- Ops -------------------------------------------------------------===//

  // `isIsolated`: its regions have values of their own, in a section.
  std::string writeRegions(mlir::Operation *op, bool isIsolated, size_t next) {
    std::string text = varint(op->getNumRegions() << 1 | isIsolated);
    for (mlir::Region &region : op->getRegions()) {
      std::string one = writeRegion(region, isIsolated ? 0 : next);
      text += isIsolated && how_.bytecode >= 2 ? section(4, one) : one;
    }
    return text;
  }

  std::string writeModule(mlir::ModuleOp module) {
    std::vector<mlir::NamedAttribute> attributes;
    for (mlir::NamedAttribute each : module->getAttrs())
      if (how_.bytecode < 5 || each.getName() != "sym_name")
        attributes.push_back(each);
    unsigned mask = kRegions;
    std::string text;
    if (!attributes.empty()) {
      mask |= kAttributes;
      std::string data = varint(attributes.size());
      for (mlir::NamedAttribute each : attributes)
        data += varint(values_.builtinText(each.getName().getValue())) +
                varint(values_.printed(each.getValue()));
      text += varint(out_.addAttribute("builtin", varint(1) + data));
    }
    if (how_.bytecode >= 5) {
      mask |= kOwnProperties;
      std::string name = varint(0);
      if (auto symbol = module.getSymName())
        name = varint(values_.builtinText(*symbol) << 1 | 1);
      text += varint(out_.addProperties(name + varint(0)));
    }
    const size_t op = out_.addOp("builtin", "module");
    const size_t place = values_.location(module.getLoc());
    return varint(op) + std::string(1, static_cast<char>(mask)) +
           varint(place) + text + writeRegions(module, true, 0);
  }

  // The dictionary, or that and the attributes that have no names.
  std::string writeAttributes(
      mlir::Operation *op,
      const std::vector<std::pair<std::string, size_t>> &own,
      const std::set<std::string> &taken, unsigned *mask) {
    const bool apart = how_.bytecode >= 5 && !how_.inDictionary;
    std::map<std::string, size_t> dictionary;
    std::string properties, text;
    for (const auto &[name, value] : own)
      if (apart)
        properties += varint(value);
      else
        dictionary[name] = value;
    for (mlir::NamedAttribute each : op->getAttrs())
      if (!taken.count(each.getName().str()))
        dictionary[each.getName().str()] = values_.attribute(each.getValue());
    if (!dictionary.empty()) {
      *mask |= kAttributes;
      std::string data = varint(dictionary.size());
      for (const auto &[name, value] : dictionary)
        data += varint(values_.builtinText(name)) + varint(value);
      text += varint(out_.addAttribute("builtin", varint(1) + data));
    }
    if (apart && !own.empty()) {
      *mask |= kOwnProperties;
      text += varint(out_.addProperties(properties));
    }
    return text;
  }

  // The types of its results, and its operands.
  std::string writeUses(mlir::Operation *op, unsigned *mask) {
    std::string text;
    if (op->getNumResults() != 0) {
      *mask |= kResults;
      text += varint(op->getNumResults());
      for (mlir::Type type : op->getResultTypes())
        text += varint(values_.type(type));
    }
    if (op->getNumOperands() != 0) {
      *mask |= kOperands;
      text += varint(op->getNumOperands());
      for (mlir::Value operand : op->getOperands())
        text += varint(numbers_.lookup(operand));
    }
    return text;
  }

  // VHLO has one `return`, which in a function is that of the function. A
  // stablehlo.return there is not VHLO's.
  static bool isNotVhlo(mlir::Operation *op) {
    llvm::StringRef name = op->getName().getStringRef();
    return name == "stablehlo.return" &&
           op->getParentOp()->getName().getStringRef() == "func.func";
  }

  // An op that is not VHLO's, with a dictionary that MLIR prints.
  std::string writeOther(mlir::Operation *op, size_t next) {
    unsigned mask = 0;
    std::string text;
    if (auto attributes = op->getAttrDictionary(); !attributes.empty()) {
      mask |= kAttributes;
      text += varint(values_.printed(attributes));
    }
    text += writeUses(op, &mask);
    if (op->getNumRegions() != 0) {
      mask |= kRegions;
      text += writeRegions(op, false, next);
    }
    const size_t index = out_.addOp(op->getName().getDialectNamespace().str(),
                                    op->getName().stripDialect().str());
    const size_t place = values_.location(op->getLoc());
    return varint(index) + std::string(1, static_cast<char>(mask)) +
           varint(place) + text;
  }

  std::string writeOp(mlir::Operation *op, size_t next) {
    llvm::StringRef dialect = op->getName().getDialectNamespace();
    if (dialect != "stablehlo" && dialect != "func") {
      // The text of this one has what its dictionary leaves out.
      if (!how_.isMixed || op->getNumSuccessors() != 0 ||
          op->getName().getStringRef() == "check.expect_close")
        values_.refuse("the op " + op->getName().getStringRef().str());
      return writeOther(op, next);
    }
    if (isNotVhlo(op))
      values_.refuse("the op " + op->getName().getStringRef().str());
    std::set<std::string> taken;
    unsigned version = 1, mask = 0;
    auto own = vhloAttributes(op, how_.newest, values_, &version, &taken);
    std::string name =
        op->getName().stripDialect().str() + "_v" + std::to_string(version);
    if (how_.ops) how_.ops->insert(name);
    std::string text = writeAttributes(op, own, taken, &mask);
    text += writeUses(op, &mask);
    if (op->getNumRegions() != 0) {
      mask |= kRegions;
      text += writeRegions(op, name == "func_v1", next);
    }
    const size_t index = out_.addOp("vhlo", name);
    const size_t place = values_.location(op->getLoc());
    return varint(index) + std::string(1, static_cast<char>(mask)) +
           varint(place) + text;
  }

  const Artifact &how_;
  Container out_;
  ValueWriter values_;
  llvm::DenseMap<mlir::Value, size_t> numbers_;
};

}  // namespace

absl::StatusOr<std::string> writeArtifact(mlir::ModuleOp module,
                                          const Artifact &how) {
  return ModuleWriter(how).write(module);
}

}  // namespace indexical::testing
