// RUN: %external_dialect | FileCheck %s

// CHECK: ring.rotate reads (exact):
// CHECK-NEXT: (d0, d1) -> (d0, (d1 + 3) mod 8), domain: d0 in [0, 1], d1 in [0, 7]
// CHECK: ring.mirror reads (exact):
// CHECK-NEXT: (d0, d1) -> (-d0 + 1, -d1 + 7)
// CHECK: main reads of x (exact):
// CHECK-NEXT: (d0, d1) -> (-d1 + 1, -((d0 + 5) mod 8) + 7), domain: d0 in [0, 7], d1 in [0, 1]
// CHECK: x is read by main (exact):
// CHECK-NEXT: (d0, d1) -> (-((d1 + 5) mod 8) + 7, -d0 + 1), domain: d0 in [0, 1], d1 in [0, 7]
