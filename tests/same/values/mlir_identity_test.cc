// Two modules of MLIR that compute something else are not equal by values.
//
// Each row is two functions that differ in what other tools' ops say or do: the
// bytes of a resource, a property, the end of a region, the order of effects, a
// type between ops that nobody knows. A module is equal to itself, unless it
// names bytes that are not there.
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/module_values.h"

namespace indexical::testing {
namespace {

struct Pair {
  const char *title;
  std::string first, second;
};

std::string function(const std::string &body) {
  return "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> "
         "tensor<4xf32> {\n" +
         body + "\n return %r : tensor<4xf32>\n}\n";
}

std::string scaledBy(const std::string &bytes) {
  return function(
             " %c = stablehlo.constant dense_resource<scale> : tensor<4xf32>\n"
             " %r = stablehlo.multiply %c, %x : tensor<4xf32>") +
         "{-# dialect_resources: { builtin: { scale: \"0x04000000" + bytes +
         "\" } } #-}\n";
}

std::string resourceOf(const std::string &key) {
  return function(" %r = stablehlo.constant dense_resource<" + key +
                  "> : tensor<4xf32>");
}

std::string withProperty(const std::string &property) {
  return function(" %r = \"other.scale\"(%x) <{by = " + property +
                  "}> : (tensor<4xf32>) -> tensor<4xf32>");
}

std::string withRegion(const std::string &end) {
  return function(
      " %r = \"other.map\"(%x, %y) ({\n ^bb0(%a: f32, %b: f32):\n  " + end +
      "\n }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>");
}

std::string throughType(const std::string &type) {
  return function(" %t = \"other.to\"(%x) : (tensor<4xf32>) -> " + type +
                  "\n %r = \"other.from\"(%t) : (" + type +
                  ") -> tensor<4xf32>");
}

std::string twice(const std::string &between) {
  return function(" %a = \"other.get\"() : () -> tensor<4xf32>\n" + between +
                  " %b = \"other.get\"() : () -> tensor<4xf32>\n"
                  " %r = stablehlo.subtract %a, %b : tensor<4xf32>");
}

std::string fromMemory(const std::string &before) {
  return "func.func @main(%m: memref<4xf32>, %v: f32, %i: index) -> f32 {\n" +
         before +
         " %r = memref.load %m[%i] : memref<4xf32>\n"
         " return %r : f32\n}\n";
}

const Pair kPairs[] = {
    {"the bytes of a resource", scaledBy("0000803f0000803f0000803f0000803f"),
     scaledBy("0000803f0000803f0000803f00000040")},
    {"resources without bytes", resourceOf("one"), resourceOf("two")},
    {"a property", withProperty("1 : i32"), withProperty("2 : i32")},
    {"an attribute of a terminator",
     withRegion("\"other.yield\"(%a) {k = 1 : i32} : (f32) -> ()"),
     withRegion("\"other.yield\"(%a) {k = 2 : i32} : (f32) -> ()")},
    {"a terminator", withRegion("\"other.yield\"(%a) : (f32) -> ()"),
     withRegion("\"other.break\"(%a) : (f32) -> ()")},
    {"an op without results",
     withRegion("\"other.print\"(%a) : (f32) -> ()\n  \"other.yield\"(%a) : "
                "(f32) -> ()"),
     withRegion("\"other.print\"(%b) : (f32) -> ()\n  \"other.yield\"(%a) : "
                "(f32) -> ()")},
    {"a parameter of a type", throughType("!other.t<1>"),
     throughType("!other.t<2>")},
    {"the encoding of a type", throughType("tensor<4xf32, #other.e<1>>"),
     throughType("tensor<4xf32, #other.e<2>>")},
    {"the sign of a type", throughType("tensor<4xsi8>"),
     throughType("tensor<4xi8>")},
    {"a tensor or a vector", throughType("tensor<4xf32>"),
     throughType("vector<4xf32>")},
    {"an effect between two reads", twice(""),
     twice(" \"other.set\"(%x) : (tensor<4xf32>) -> ()\n")},
    {"two reads of what may change, and nothing", twice(""),
     function(" %r = stablehlo.subtract %x, %x : tensor<4xf32>")},
    {"a store before a load", fromMemory(""),
     fromMemory(" memref.store %v, %m[%i] : memref<4xf32>\n")},
};

bool areEqual(const std::string &a, const std::string &b) {
  const auto first = importMlir(a), second = importMlir(b);
  EXPECT_TRUE(first.ok()) << first.status() << a;
  EXPECT_TRUE(second.ok()) << second.status() << b;
  if (!first.ok() || !second.ok()) return false;
  const auto equality =
      compareValues(first->modules[0], second->modules[0], {}, {});
  return equality.ok() && equality->isEqual;
}

TEST(MlirIdentity, WhatIsNotTheSameIsNotEqual) {
  for (const Pair &pair : kPairs) {
    SCOPED_TRACE(pair.title);
    EXPECT_FALSE(areEqual(pair.first, pair.second));
    const bool isKnown =
        !llvm::StringRef(pair.title).starts_with("resources without");
    EXPECT_EQ(areEqual(pair.first, pair.first), isKnown);
  }
}

/// A type whose values are calibrated has no storage type.
TEST(MlirIdentity, CalibratedTypes) {
  const std::string type = "tensor<4x!quant.calibrated<f32<-1.0:1.0>>>";
  const std::string module = "func.func @main(%x: " + type + ") -> " + type +
                             " {\n return %x : " + type + "\n}\n";
  EXPECT_TRUE(areEqual(module, module));
}

}  // namespace
}  // namespace indexical::testing
