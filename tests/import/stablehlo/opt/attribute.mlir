// RUN: indexical-opt --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: indexical-opt --split-input-file --verify-diagnostics %s \
// RUN:   --emit-bytecode -o /dev/null

// The text is written in one way; names are kept.
// CHECK: map = #indexical.map<"(a)[s] -> (s, a), domain: a in [0, 7], s in [0, 3]">
module attributes {test.map = #indexical.map<"(a)[s]->(s,a), domain: a in [0,7], s in [0,3]">} {}

// -----

// CHECK: map = #indexical.map<"KNOWN EMPTY">
module attributes {test.map = #indexical.map<"KNOWN EMPTY">} {}

// -----

// expected-error @+1 {{not the text of an indexing map}}
module attributes {test.map = #indexical.map<"(d0) -> (d1), domain: d0 in [0, 1]">} {}

// -----

// expected-error @+1 {{expected string}}
module attributes {test.map = #indexical.map<7>} {}
