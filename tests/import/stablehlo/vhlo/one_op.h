// Modules of one op of an unknown dialect, to look at one entry of bytecode:
//
//   OneOp().withType(varint(4))    module { %0 = "test.op"() : () -> f32 }
//
//   OneOp op;                      module { "test.op"() {a = "f"} : () -> () }
//   op.withAttribute(op.vhlo("string", varint(op.container.addString("f"))))
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_ONE_OP_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_ONE_OP_H

#include <initializer_list>
#include <string>

#include "llvm/Support/raw_ostream.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/import/stablehlo/bytecode.h"
#include "tests/import/stablehlo/vhlo/bytes.h"
#include "tests/import/stablehlo/vhlo/numbers.h"

namespace indexical::testing {

/// Returns as text the module that is read from the bytecode, or the message if
/// it is not read.
inline std::string textOfModule(const std::string &bytes) {
  absl::StatusOr<MlirFile> file = parseMlir(bytes, "", kTrusted);
  if (!file.ok()) return std::string(file.status().message());
  std::string text;
  llvm::raw_string_ostream out(text);
  file->modules[0].module->print(out);
  return text;
}

/// Returns the entries of a list of attributes or types: their number, and the
/// place of each.
inline std::string listOf(std::initializer_list<size_t> places) {
  std::string text = varint(places.size());
  for (size_t place : places) text += varint(place);
  return text;
}

inline std::string numbersOf(std::initializer_list<int64_t> numbers) {
  std::string text = varint(numbers.size());
  for (int64_t number : numbers) text += signedVarint(number);
  return text;
}

struct OneOp {
  Container container{6, "StableHLO_v1.20.0"};

  size_t vhlo(llvm::StringRef name, const std::string &data) {
    return container.addAttribute("vhlo", varint(attributeNumber(name)) + data);
  }
  size_t builtinString(const std::string &text) {
    return container.addAttribute(
        "builtin", varint(2) + varint(container.addString(text)));
  }

  /// The op has one result, of the type with these bytes.
  std::string withType(const std::string &type) {
    return textOf("test", "op", 2,
                  varint(1) + varint(container.addType("vhlo", type)));
  }
  /// The op has the attribute `a`.
  std::string withAttribute(size_t value) {
    const size_t dictionary = container.addAttribute(
        "builtin",
        varint(1) + varint(1) + varint(builtinString("a")) + varint(value));
    return textOf("test", "op", 1, varint(dictionary));
  }
  /// An op with these properties, and nothing else.
  std::string withProperties(const std::string &dialect,
                             const std::string &name,
                             const std::string &properties) {
    return textOf(dialect, name, 64,
                  varint(container.addProperties(properties)));
  }

 private:
  std::string textOf(const std::string &dialect, const std::string &name,
                     char mask, const std::string &data) {
    const size_t place = container.addAttribute("builtin", varint(15));
    const size_t op = container.addOp(dialect, name);
    return textOfModule(container.finish(varint(1 << 1) + varint(op) +
                                         std::string(1, mask) + varint(place) +
                                         data));
  }
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_ONE_OP_H
