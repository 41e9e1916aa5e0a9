#include "tests/import/stablehlo/vhlo/numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

namespace indexical::testing {

namespace {

using llvm::ArrayRef;
using llvm::StringRef;

constexpr bool kPlain = true;

constexpr VhloNumber kTypes[] = {
    {"i1", 0, kPlain},
    {"complex", 1},
    {"bf16", 2, kPlain},
    {"f16", 3, kPlain},
    {"f32", 4, kPlain},
    {"f64", 5, kPlain},
    {"f8E4M3FN", 6, kPlain},
    {"f8E5M2", 7, kPlain},
    {"func", 8},
    {"index", 9, kPlain},
    {"i4", 10, kPlain},
    {"i8", 11, kPlain},
    {"i16", 12, kPlain},
    {"i32", 13, kPlain},
    {"i64", 14, kPlain},
    {"ui4", 15, kPlain},
    {"ui8", 16, kPlain},
    {"ui16", 17, kPlain},
    {"ui32", 18, kPlain},
    {"ui64", 19, kPlain},
    {"tensor", 20},
    {"tensor with encoding", 21},
    {"!stablehlo.token", 22, kPlain},
    {"tuple", 23},
    {"quant", 24},
    {"unranked_tensor", 25},
    {"!shape.witness", 26, kPlain},
    {"f8E4M3FNUZ", 27, kPlain},
    {"f8E5M2FNUZ", 28, kPlain},
    {"f8E4M3B11FNUZ", 29, kPlain},
    {"quant_per_axis", 30},
    {"i2", 31, kPlain},
    {"ui2", 32, kPlain},
    {"none", 33, kPlain},
    {"tf32", 34, kPlain},
    {"f8E4M3", 35, kPlain},
    {"f8E3M4", 36, kPlain},
    {"f4E2M1FN", 37, kPlain},
    {"f6E2M3FN", 38, kPlain},
    {"f6E3M2FN", 39, kPlain},
    {"f8E8M0FNU", 40, kPlain},
    {"buffer", 41},
    {"future", 42},
};

constexpr VhloNumber kAttributeNumbers[] = {
    {"array", 1},
    {"bool", 2},
    {"comparison_direction", 3},
    {"comparison_type", 4},
    {"api_version", 5},
    {"dict", 6},
    {"fft_type", 7},
    {"float", 8},
    {"integer", 9},
    {"output_operand_alias", 10},
    {"precision", 11},
    {"rng_algorithm", 12},
    {"rng_distribution", 13},
    {"string", 14},
    {"tensor", 15},
    {"transpose", 16},
    {"type", 17},
    {"type_extensions", 18},
    {"result_accuracy_mode", 19},
    {"result_accuracy", 20},
    {"sub_axis_info", 21},
    {"axis_ref", 22},
    {"replica_group_mesh_axes", 23},
    {"mesh_axis", 24},
    {"mesh", 25},
};

constexpr VhloNumber kDirections[] = {
    {"EQ", 0}, {"NE", 1}, {"GE", 2}, {"GT", 3}, {"LE", 4}, {"LT", 5},
};
constexpr VhloNumber kComparisons[] = {
    {"NOTYPE", 0}, {"FLOAT", 1},    {"TOTALORDER", 2},
    {"SIGNED", 3}, {"UNSIGNED", 4},
};
constexpr VhloNumber kFfts[] = {
    {"FFT", 0},
    {"IFFT", 1},
    {"RFFT", 2},
    {"IRFFT", 3},
};
constexpr VhloNumber kPrecisions[] = {
    {"DEFAULT", 0},
    {"HIGH", 1},
    {"HIGHEST", 2},
};
constexpr VhloNumber kRngAlgorithms[] = {
    {"DEFAULT", 0},
    {"THREE_FRY", 1},
    {"PHILOX", 2},
};
constexpr VhloNumber kRngDistributions[] = {{"UNIFORM", 1}, {"NORMAL", 2}};
constexpr VhloNumber kTransposes[] = {
    {"TRANSPOSE_INVALID", 0},
    {"NO_TRANSPOSE", 1},
    {"TRANSPOSE", 2},
    {"ADJOINT", 3},
};
constexpr VhloNumber kAccuracyModes[] = {
    {"DEFAULT", 0},
    {"HIGHEST", 1},
    {"TOLERANCE", 2},
};

struct Values {
  llvm::StringLiteral attribute;
  ArrayRef<VhloNumber> values;
};
const Values kValues[] = {
    {"comparison_direction", kDirections},
    {"comparison_type", kComparisons},
    {"fft_type", kFfts},
    {"precision", kPrecisions},
    {"rng_algorithm", kRngAlgorithms},
    {"rng_distribution", kRngDistributions},
    {"transpose", kTransposes},
    {"result_accuracy_mode", kAccuracyModes},
};

unsigned numberIn(ArrayRef<VhloNumber> table, StringRef name) {
  const auto *found = llvm::find_if(
      table, [&](const VhloNumber &each) { return each.name == name; });
  if (found == table.end())
    llvm::report_fatal_error("the table has no " + llvm::Twine(name));
  return found->number;
}

}  // namespace

ArrayRef<VhloNumber> vhloTypes() { return kTypes; }
ArrayRef<VhloNumber> vhloAttributes() { return kAttributeNumbers; }

ArrayRef<VhloNumber> vhloValues(StringRef attribute) {
  for (const Values &each : kValues)
    if (each.attribute == attribute) return each.values;
  return {};
}

unsigned typeNumber(StringRef name) { return numberIn(kTypes, name); }
unsigned attributeNumber(StringRef name) {
  return numberIn(kAttributeNumbers, name);
}
unsigned valueNumber(StringRef attribute, StringRef value) {
  return numberIn(vhloValues(attribute), value);
}

}  // namespace indexical::testing
