#include "indexical/import/python/uses.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"

namespace indexical::python {
namespace {

using llvm::StringRef;

/// Functions whose first argument is a pointer.
bool takesPointer(StringRef name) {
  static constexpr StringRef kNames[] = {
      "load",           "store",
      "make_block_ptr", "make_tensor_descriptor",
      "advance",        "_experimental_make_tensor_descriptor"};
  return llvm::is_contained(kNames, name) || name.starts_with("atomic_");
}

bool isFloatLiteral(const Node *node) {
  if (node->kind == NodeKind::Unary) return isFloatLiteral(node->parts[0]);
  return node->kind == NodeKind::Number &&
         !node->text.starts_with_insensitive("0x") &&
         node->text.find_first_of(".eE") != StringRef::npos;
}

class UseFinder {
 public:
  UseFinder(const ModuleText &module, const FunctionText &function,
            std::map<StringRef, Uses> &known)
      : module_(module), function_(function), known_(known) {}

  Uses run() {
    for (const Parameter &parameter : function_.parameters)
      parameters_.insert(parameter.name);
    if (function_.body) {
      collect(*function_.body);
      find(*function_.body);
    }
    return std::move(uses_);
  }

 private:
  void assigned(const Node &target, const Node *value) {
    if (target.kind == NodeKind::Name) locals_[target.text].push_back(value);
    if (target.kind != NodeKind::Tuple || value->kind != NodeKind::Tuple ||
        value->parts.size() != target.parts.size())
      return;
    for (auto [each, of] : llvm::zip(target.parts, value->parts))
      assigned(*each, of);
  }

  /// Finds what each local name is assigned.
  void collect(const Node &node) {
    if (node.kind == NodeKind::Assign)
      for (const Node *target : llvm::drop_end(node.parts))
        assigned(*target, node.parts.back());
    if (node.kind == NodeKind::Annotated && node.parts[2])
      assigned(*node.parts[0], node.parts[2]);
    if (node.kind >= NodeKind::Expression)
      for (const Node *part : node.parts)
        if (part) collect(*part);
  }

  /// Returns the parameters on which an address is based: the leftmost of a
  /// sum, through local names.
  std::set<StringRef> bases(const Node *node) {
    if (!node || ++steps_ > kMostSteps) return {};
    switch (node->kind) {
      case NodeKind::Name: {
        std::set<StringRef> found;
        if (const auto local = locals_.find(node->text);
            local != locals_.end() && open_.insert(node->text).second) {
          for (const Node *value : local->second)
            for (StringRef base : bases(value)) found.insert(base);
          open_.erase(node->text);
        }
        if (found.empty() && parameters_.count(node->text))
          found.insert(node->text);
        return found;
      }
      case NodeKind::Binary: {
        if (node->text != "+" && node->text != "-") return {};
        auto found = bases(node->parts[0]);
        if (node->text == "+" && (found.empty() || !isAddress(found))) {
          auto other = bases(node->parts[1]);
          if (!other.empty() && (found.empty() || isAddress(other)))
            return other;
        }
        return found;
      }
      case NodeKind::Subscript:
        return bases(node->parts[0]);
      case NodeKind::Conditional: {
        auto found = bases(node->parts[1]);
        for (StringRef base : bases(node->parts[2])) found.insert(base);
        return found;
      }
      case NodeKind::Call: {
        const Node *callee = node->parts[0];
        if (callee->kind != NodeKind::Attribute) return {};
        static constexpr StringRef kOfSelf[] = {"to", "advance", "cast",
                                                "broadcast_to"};
        static constexpr StringRef kOfFirst[] = {"advance",
                                                 "multiple_of",
                                                 "max_contiguous",
                                                 "broadcast_to",
                                                 "make_block_ptr",
                                                 "cast",
                                                 "make_tensor_descriptor"};
        if (callee->parts[0]->kind == NodeKind::Name &&
            callee->parts[0]->text == "tl") {
          if (!llvm::is_contained(kOfFirst, callee->text) ||
              node->parts.size() < 2)
            return {};
          return bases(argument(*node, 0, "base"));
        }
        if (llvm::is_contained(kOfSelf, callee->text))
          return bases(callee->parts[0]);
        return {};
      }
      default:
        return {};
    }
  }

  /// Whether names alone are known to be pointers.
  bool isAddress(const std::set<StringRef> &names) const {
    return llvm::any_of(
        names, [&](StringRef name) { return uses_.pointers.count(name) > 0; });
  }

  const Node *argument(const Node &call, size_t place, StringRef name) {
    size_t at = 0;
    for (const Node *part : llvm::drop_begin(call.parts)) {
      if (part->kind == NodeKind::Keyword) {
        if (part->text == name) return part->parts[0];
        continue;
      }
      if (at++ == place) return part;
    }
    return nullptr;
  }

  void usesFloat(const Node *node) {
    if (node->kind == NodeKind::Name && parameters_.count(node->text) &&
        !locals_.count(node->text))
      uses_.floats.insert(node->text);
  }

  void findCall(const Node &node) {
    const Node *callee = node.parts[0];
    StringRef last = callee->text;
    if (callee->kind == NodeKind::Attribute ||
        (callee->kind == NodeKind::Name && module_.imports.count(last))) {
      if (takesPointer(last)) {
        const Node *base =
            argument(node, 0, last == "make_block_ptr" ? "base" : "pointer");
        for (StringRef name : bases(base)) uses_.pointers.insert(name);
      }
      return;
    }
    if (callee->kind != NodeKind::Name) return;
    const JitFunction *called = module_.find(last);
    if (!called || !called->text.body) return;
    const auto [found, isNew] = known_.try_emplace(last);
    if (isNew && known_.size() <= kMostFunctions)
      found->second = UseFinder(module_, called->text, known_).run();
    for (auto [place, parameter] : llvm::enumerate(called->text.parameters)) {
      const Node *given = argument(node, place, parameter.name);
      if (!given) continue;
      if (found->second.pointers.count(parameter.name))
        for (StringRef name : bases(given)) uses_.pointers.insert(name);
      if (found->second.floats.count(parameter.name)) usesFloat(given);
    }
  }

  void find(const Node &node) {
    if (node.kind == NodeKind::Call) findCall(node);
    if (node.kind == NodeKind::Compare && node.parts.size() == 2) {
      if (isFloatLiteral(node.parts[1])) usesFloat(node.parts[0]);
      if (isFloatLiteral(node.parts[0])) usesFloat(node.parts[1]);
    }
    if (node.kind == NodeKind::Binary && node.text == "/" &&
        isFloatLiteral(node.parts[1]))
      usesFloat(node.parts[0]);
    for (const Node *part : node.parts)
      if (part) find(*part);
  }

  /// Each of which one that calls it may read within itself.
  static constexpr size_t kMostFunctions = 64;
  static constexpr int64_t kMostSteps = 100'000;
  const ModuleText &module_;
  const FunctionText &function_;
  std::set<StringRef> parameters_, open_;
  std::map<StringRef, std::vector<const Node *>> locals_;
  std::map<StringRef, Uses> &known_;
  int64_t steps_ = 0;
  Uses uses_;
};

}  // namespace

Uses usesOf(const ModuleText &module, const FunctionText &function) {
  std::map<StringRef, Uses> known;
  return UseFinder(module, function, known).run();
}

}  // namespace indexical::python
