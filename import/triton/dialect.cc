#include "indexical/import/triton/dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"

#include "indexical/import/triton/op_hints.h"
#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/op_typing.h"

namespace indexical::triton {
namespace {

using llvm::StringRef;

/// Returns the text between the first `<` and the last `>` of a type's or an
/// attribute's symbol; it is kept as it is.
StringRef bodyOf(StringRef symbol) {
  const size_t open = symbol.find('<');
  if (open == StringRef::npos) return "";
  return symbol.substr(open + 1, symbol.rfind('>') - open - 1);
}

StringRef nameOf(StringRef symbol) {
  return symbol.take_until([](char c) { return c == '<'; }).rtrim();
}

}  // namespace

/// The dialect of one namespace: it allows any op and any type.
class NamespaceDialect : public mlir::Dialect {
 public:
  NamespaceDialect(StringRef name, mlir::MLIRContext *context, mlir::TypeID id)
      : mlir::Dialect(name, context, id) {
    allowUnknownOperations();
    allowUnknownTypes();
  }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    return ParseOpHook(parseOpSyntax);
  }

  mlir::Type parseType(mlir::DialectAsmParser &parser) const override;
  void printType(mlir::Type type,
                 mlir::DialectAsmPrinter &printer) const override;
  mlir::Attribute parseAttribute(mlir::DialectAsmParser &parser,
                                 mlir::Type) const override;
  void printAttribute(mlir::Attribute attribute,
                      mlir::DialectAsmPrinter &printer) const override;
};

/// The namespace `tt`, which owns the types and attributes of all namespaces.
class TtDialect : public NamespaceDialect {
 public:
  explicit TtDialect(mlir::MLIRContext *context)
      : NamespaceDialect("tt", context, mlir::TypeID::get<TtDialect>()) {
    addTypes<NamedType>();
    addAttributes<NamedAttr>();
  }
  static constexpr llvm::StringLiteral getDialectNamespace() {
    return llvm::StringLiteral("tt");
  }
  OpHints hints;
};

// Each namespace is a class of its own, as MLIR's registry wants it.
#define INDEXICAL_NAMESPACE(Class, text)                                 \
  class Class : public NamespaceDialect {                                \
   public:                                                               \
    explicit Class(mlir::MLIRContext *context)                           \
        : NamespaceDialect(text, context, mlir::TypeID::get<Class>()) {} \
    static constexpr llvm::StringLiteral getDialectNamespace() {         \
      return llvm::StringLiteral(text);                                  \
    }                                                                    \
  }
INDEXICAL_NAMESPACE(TtgDialect, "ttg");
INDEXICAL_NAMESPACE(TtngDialect, "ttng");
INDEXICAL_NAMESPACE(NvwsDialect, "nvws");
INDEXICAL_NAMESPACE(AmdgDialect, "amdg");
INDEXICAL_NAMESPACE(AmdGpuDialect, "amdgpu");
INDEXICAL_NAMESPACE(TritonGpuDialect, "triton_gpu");
INDEXICAL_NAMESPACE(TritonNvidiaGpuDialect, "triton_nvidia_gpu");
INDEXICAL_NAMESPACE(XlaDialect, "xla");
INDEXICAL_NAMESPACE(XlaGpuDialect, "xla_gpu");
INDEXICAL_NAMESPACE(TritonXlaDialect, "triton_xla");
INDEXICAL_NAMESPACE(XtileDialect, "xtile");
INDEXICAL_NAMESPACE(GpuDialect, "gpu");
INDEXICAL_NAMESPACE(LlvmDialect, "llvm");
INDEXICAL_NAMESPACE(NvvmDialect, "nvvm");
INDEXICAL_NAMESPACE(ProtonDialect, "proton");
INDEXICAL_NAMESPACE(ProtonGpuDialect, "proton_gpu");
INDEXICAL_NAMESPACE(RocdlDialect, "rocdl");
// Those of forks.
INDEXICAL_NAMESPACE(TlxDialect, "tlx");
INDEXICAL_NAMESPACE(NvgDialect, "nvg");
INDEXICAL_NAMESPACE(NvgpuDialect, "nvgpu");
INDEXICAL_NAMESPACE(GluonDialect, "gluon");
INDEXICAL_NAMESPACE(TtigDialect, "ttig");
INDEXICAL_NAMESPACE(TritonIntelGpuDialect, "triton_intel_gpu");
INDEXICAL_NAMESPACE(TtiDialect, "tti");
#undef INDEXICAL_NAMESPACE

namespace {

/// Parses `<8x16xf16, #shared, #smem, mutable, 2x8x16>`: the tensor with its
/// layout, and words, attributes and sizes behind it. Returns null if it is
/// none.
mlir::Type parseMemory(mlir::DialectAsmParser &parser) {
  llvm::SmallVector<int64_t> shape;
  mlir::Type element;
  mlir::Attribute layout;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseComma() ||
      parser.parseAttribute(layout))
    return {};
  bool isMemory = false;
  if (parseMemoryTail(parser, isMemory)) return {};
  if (parser.parseGreater()) return {};
  return mlir::RankedTensorType::get(shape, element, layout);
}

/// Whether it is the name of a descriptor of a box of an array, or of one of
/// pixels (im2col).
bool isDescriptorKind(StringRef kind) {
  return kind == "tt.tensordesc" || kind.ends_with(".tensordesc_im2col");
}

/// Parses `<tensor<64x64xf16, #shared>>`, or `<64x64xf16, #shared>` of newer
/// Triton. Returns null if it is neither.
mlir::Type parseDescriptor(mlir::DialectAsmParser &parser) {
  llvm::SmallVector<int64_t> shape;
  mlir::Type element;
  mlir::Attribute layout;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout))
    return {};
  if (parser.parseGreater()) return {};
  if (shape.empty()) return element;
  return mlir::RankedTensorType::get(shape, element, layout);
}

}  // namespace

mlir::Type NamespaceDialect::parseType(mlir::DialectAsmParser &parser) const {
  const StringRef symbol = parser.getFullSymbolSpec();
  const std::string kind = (getNamespace() + "." + nameOf(symbol)).str();
  StringRef word;
  if (parser.parseKeyword(&word)) return {};
  mlir::Type content;
  if (kind == "tt.ptr") {
    if (parser.parseLess() || parser.parseType(content)) return {};
    int64_t space = 0;
    if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(space))
      return {};
    if (parser.parseGreater()) return {};
  } else if (StringRef(kind).ends_with(".memdesc")) {
    content = parseMemory(parser);
  } else if (isDescriptorKind(kind)) {
    content = parseDescriptor(parser);
  }
  mlir::MLIRContext *context = parser.getContext();
  context->getOrLoadDialect<TtDialect>();
  return NamedType::get(context, StringRef(kind),
                        content && (kind == "tt.ptr" || isDescriptorKind(kind))
                            ? StringRef()
                            : bodyOf(symbol),
                        content);
}

void NamespaceDialect::printType(mlir::Type type,
                                 mlir::DialectAsmPrinter &printer) const {
  const auto named = llvm::cast<NamedType>(type);
  printer << named.kind().split('.').second;
  if (!named.body().empty())
    printer << "<" << named.body() << ">";
  else if (named.content())
    printer << "<" << named.content() << ">";
}

mlir::Attribute NamespaceDialect::parseAttribute(mlir::DialectAsmParser &parser,
                                                 mlir::Type) const {
  const StringRef symbol = parser.getFullSymbolSpec();
  const std::string kind = (getNamespace() + "." + nameOf(symbol)).str();
  mlir::Attribute parameters;
  StringRef word;
  if (parser.parseKeyword(&word)) return {};
  const StringRef body = bodyOf(symbol).trim();
  // Behind the dictionary there may be more: `<{…}, alignment = 16>`.
  if (body.starts_with("{") || body.starts_with("\"")) {
    if (parser.parseLess()) return {};
    if (parser.parseAttribute(parameters)) return {};
  }
  StringRef text = body;
  if (auto quoted = llvm::dyn_cast_or_null<mlir::StringAttr>(parameters))
    text = quoted.getValue();
  mlir::MLIRContext *context = parser.getContext();
  context->getOrLoadDialect<TtDialect>();
  return NamedAttr::get(context, StringRef(kind), text, parameters);
}

void NamespaceDialect::printAttribute(mlir::Attribute attribute,
                                      mlir::DialectAsmPrinter &printer) const {
  const auto named = llvm::cast<NamedAttr>(attribute);
  printer << named.kind().split('.').second;
  if (!named.body().empty()) printer << "<" << named.body() << ">";
}

OpHints &hintsOf(mlir::MLIRContext &context) {
  return context.getOrLoadDialect<TtDialect>()->hints;
}

void OpHints::apply(mlir::OpAsmParser &parser, StringRef name,
                    llvm::SmallVectorImpl<mlir::Type> &types) {
  const auto at = llvm::dyn_cast<mlir::FileLineColLoc>(
      parser.getEncodedSourceLoc(parser.getNameLoc()));
  if (!at) return;
  const LineAndColumn place{at.getLine(), at.getColumn()};
  guessed.insert(place);
  for (size_t k = 0; k < types.size(); ++k) {
    if (const auto known = results.find({place, k}); known != results.end())
      types[k] = known->second;
    else if (const auto other = ofName.find({name.str(), k});
             other != ofName.end() && llvm::isa<mlir::NoneType>(types[k]))
      types[k] = other->second;
  }
}

std::unique_ptr<mlir::MLIRContext> makeTritonContext() {
  mlir::DialectRegistry registry;
  registry.insert<
      TtDialect, TtgDialect, TtngDialect, NvwsDialect, AmdgDialect,
      AmdGpuDialect, TritonGpuDialect, TritonNvidiaGpuDialect, XlaDialect,
      XlaGpuDialect, TritonXlaDialect, XtileDialect, GpuDialect, LlvmDialect,
      NvvmDialect, ProtonDialect, ProtonGpuDialect, RocdlDialect, TlxDialect,
      NvgDialect, NvgpuDialect, GluonDialect, TtigDialect,
      TritonIntelGpuDialect, TtiDialect, mlir::arith::ArithDialect,
      mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
      mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::ub::UBDialect>();
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  context->loadDialect<TtDialect>();
  return context;
}

std::string textOf(mlir::Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const auto named = llvm::dyn_cast<NamedAttr>(attribute);
  if (!named) {
    os << attribute;
    return text;
  }
  os << '#' << named.kind();
  if (named.body().empty()) return text;
  // An alias stands in the text of the body.
  const auto parameters = named.parameters();
  if (!parameters || !named.body().contains('#')) {
    os << '<' << named.body() << '>';
    return text;
  }
  os << "<{";
  llvm::interleaveComma(parameters, os, [&](mlir::NamedAttribute each) {
    os << each.getName().getValue() << " = " << textOf(each.getValue());
  });
  os << "}>";
  return text;
}

bool isPointer(mlir::Type type) { return pointeeOf(type) != nullptr; }

mlir::Type pointeeOf(mlir::Type type) {
  const auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  const auto pointer =
      llvm::dyn_cast<NamedType>(tensor ? tensor.getElementType() : type);
  if (!pointer || !pointer.pointee()) return {};
  if (!tensor) return pointer.pointee();
  return mlir::RankedTensorType::get(tensor.getShape(), pointer.pointee(),
                                     tensor.getEncoding());
}

}  // namespace indexical::triton
