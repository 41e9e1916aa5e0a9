// Triton's IR as MLIR's parser reads it: types, layouts, and the syntax of ops.
//
//   %7 = tt.addptr %5, %6 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
//
// MLIR on Debian has no dialects of Triton. The dialects here are as much of
// them as a reader needs: every namespace (tt, ttg, ttng, triton_xla, xtile,
// xla, and the older triton_gpu) is a dialect that allows any op. One tolerant
// parser reads the custom syntax of all of them: operands, words, lists in
// brackets, attributes, and types behind the colon. A table says, for the ops
// that are known, which types the operands have. An op that is not in the table
// is read as far as its results, without its operands, and has the attribute
// `indexical.unknown`.
//
// Source of the syntax: Triton's TritonOps.td and TritonGPUOps.td, and files as
// Triton 3.1 to 3.7 and XLA print them.
#ifndef INDEXICAL_IMPORT_TRITON_DIALECT_H
#define INDEXICAL_IMPORT_TRITON_DIALECT_H

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Types.h"

namespace indexical::triton {

/// The storage of all types. It holds the name with its namespace, the text
/// between the angle brackets, and the type that a pointer points to, or the
/// tensor that a piece of shared memory or a descriptor is of.
struct NamedTypeStorage : mlir::TypeStorage {
  using KeyTy = std::tuple<llvm::StringRef, llvm::StringRef, mlir::Type>;
  explicit NamedTypeStorage(const KeyTy &key) : key(key) {}
  bool operator==(const KeyTy &other) const { return key == other; }
  static NamedTypeStorage *construct(mlir::TypeStorageAllocator &allocator,
                                     const KeyTy &key) {
    return new (allocator.allocate<NamedTypeStorage>()) NamedTypeStorage(
        {allocator.copyInto(std::get<0>(key)),
         allocator.copyInto(std::get<1>(key)), std::get<2>(key)});
  }
  KeyTy key;
};

/// A type of one of the namespaces: `!tt.ptr<f32>` has the name `tt.ptr` and
/// the pointee f32; `!ttg.memdesc<8x16xf16, #shared, #smem>` has the name, the
/// text, and the content tensor<8x16xf16, #shared>.
class NamedType
    : public mlir::Type::TypeBase<NamedType, mlir::Type, NamedTypeStorage> {
 public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "tt.named";
  llvm::StringRef kind() const { return std::get<0>(getImpl()->key); }
  llvm::StringRef body() const { return std::get<1>(getImpl()->key); }
  /// Returns the type that the pointer points to, or null for a type that is
  /// not a pointer.
  mlir::Type pointee() const {
    return kind() == "tt.ptr" ? content() : nullptr;
  }
  /// Returns the type that a pointer points to or shared memory holds, or null
  /// for other types.
  mlir::Type content() const { return std::get<2>(getImpl()->key); }
};

struct NamedAttrStorage : mlir::AttributeStorage {
  using KeyTy = std::tuple<llvm::StringRef, llvm::StringRef, mlir::Attribute>;
  explicit NamedAttrStorage(const KeyTy &key) : key(key) {}
  bool operator==(const KeyTy &other) const { return key == other; }
  static NamedAttrStorage *construct(mlir::AttributeStorageAllocator &allocator,
                                     const KeyTy &key) {
    return new (allocator.allocate<NamedAttrStorage>()) NamedAttrStorage(
        {allocator.copyInto(std::get<0>(key)),
         allocator.copyInto(std::get<1>(key)), std::get<2>(key)});
  }
  KeyTy key;
};

/// An attribute of one of the namespaces: `#ttg.blocked<{order = [0], …}>` has
/// the name `ttg.blocked`, its text, and the dictionary of its parameters.
class NamedAttr : public mlir::Attribute::AttrBase<NamedAttr, mlir::Attribute,
                                                   NamedAttrStorage> {
 public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "tt.named_attr";
  llvm::StringRef kind() const { return std::get<0>(getImpl()->key); }
  llvm::StringRef body() const { return std::get<1>(getImpl()->key); }
  /// Returns the text as a dictionary, or null if it is not one.
  mlir::DictionaryAttr parameters() const {
    return llvm::dyn_cast_or_null<mlir::DictionaryAttr>(
        std::get<2>(getImpl()->key));
  }
};

/// Returns a context with these dialects and MLIR's arith, math, scf, cf and
/// func.
std::unique_ptr<mlir::MLIRContext> makeTritonContext();

/// Returns whether the type is a pointer, or a tensor of pointers.
bool isPointer(mlir::Type type);

/// Returns the type that a pointer points to, or null for another type. For a
/// tensor of pointers that is a tensor of the same shape and encoding.
mlir::Type pointeeOf(mlir::Type type);

/// Returns the attribute as Triton prints it, `#ttg.blocked<{…}>`, with those
/// that aliases name written out.
std::string textOf(mlir::Attribute attribute);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_DIALECT_H
