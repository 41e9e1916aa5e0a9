// The numbers of types and attributes in VHLO's bytecode.
//
// Each type and each attribute of an artifact begins with its number, a varint,
// and its fields follow. The type `tensor<2x3xf32>` is
//
//   20          kRankedTensor
//   2 (2, 3)    shape: how many sizes, then each of them with a sign
//   7           where `f32` stands among the types of this artifact; that entry
//               is the one number 4, kFloatF32
//
// A number never changes its meaning, and new ones are added behind the last.
// This one list reads artifacts of every version. Numbers of a later version
// are errors. docs/mlir.md gives the source of this list.
#ifndef INDEXICAL_IMPORT_STABLEHLO_VHLO_ENCODING_H
#define INDEXICAL_IMPORT_STABLEHLO_VHLO_ENCODING_H

#include <cstdint>

namespace indexical::vhlo {

enum AttributeCode : uint64_t {
  // 0 was the alias of an argument, and is no longer written.
  kArray = 1,                  // elements: attributes
  kBoolean = 2,                // varint
  kComparisonDirection = 3,    // varint, as are all enumerations
  kComparisonType = 4,         //
  kCustomCallApiVersion = 5,   //
  kDictionary = 6,             // pairs of attributes, name and value
  kFftType = 7,                //
  kFloat = 8,                  // type; bits, as many as the type has
  kInteger = 9,                // type; bits, as many as the type has
  kOutputOperandAlias = 10,    // svarints; svarint; svarints
  kPrecision = 11,             //
  kRngAlgorithm = 12,          //
  kRngDistribution = 13,       //
  kString = 14,                // string
  kTensor = 15,                // type; blob
  kTranspose = 16,             //
  kTypeAttribute = 17,         // type
  kTypeExtensions = 18,        // svarints
  kResultAccuracyMode = 19,    //
  kResultAccuracy = 20,        // two doubles; svarint; attribute
  kSubAxisInfo = 21,           // svarint, twice
  kAxisRef = 22,               // attribute; varint; if 1, an attribute
  kReplicaGroupMeshAxes = 23,  // attribute, twice
  kMeshAxis = 24,              // attribute; svarint
  kMesh = 25,                  // attribute; optional attribute
  kLastAttribute = kMesh,
};

enum TypeCode : uint64_t {
  kBool = 0,
  kComplex = 1,  // type
  kFloatBF16 = 2,
  kFloatF16 = 3,
  kFloatF32 = 4,
  kFloatF64 = 5,
  kFloatF8E4M3FN = 6,
  kFloatF8E5M2 = 7,
  kFunction = 8,  // types; types
  kIndex = 9,
  kIntegerSI4 = 10,
  kIntegerSI8 = 11,
  kIntegerSI16 = 12,
  kIntegerSI32 = 13,
  kIntegerSI64 = 14,
  kIntegerUI4 = 15,
  kIntegerUI8 = 16,
  kIntegerUI16 = 17,
  kIntegerUI32 = 18,
  kIntegerUI64 = 19,
  kRankedTensor = 20,              // svarints; type
  kRankedTensorWithEncoding = 21,  // attribute; svarints; type
  kToken = 22,
  kTuple = 23,             // types
  kUniformQuantized = 24,  // varint; type; type; double; svarint, three times
  kUnrankedTensor = 25,    // type
  kWitness = 26,
  kFloatF8E4M3FNUZ = 27,
  kFloatF8E5M2FNUZ = 28,
  kFloatF8E4M3B11FNUZ = 29,
  // varint; type; type; varint; svarint, twice; doubles; svarints
  kUniformQuantizedPerAxis = 30,
  kIntegerSI2 = 31,
  kIntegerUI2 = 32,
  kNone = 33,
  kFloatTF32 = 34,
  kFloatF8E4M3 = 35,
  kFloatF8E3M4 = 36,
  kFloatF4E2M1FN = 37,
  kFloatF6E2M3FN = 38,
  kFloatF6E3M2FN = 39,
  kFloatF8E8M0FNU = 40,
  kBuffer = 41,  // svarints; type
  kFuture = 42,  // types
  kLastType = kFuture,
};

}  // namespace indexical::vhlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_VHLO_ENCODING_H
