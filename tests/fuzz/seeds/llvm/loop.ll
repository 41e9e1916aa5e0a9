target triple = "nvptx64-nvidia-cuda"
@table = internal constant [4 x i32] [i32 3, i32 1, i32 4, i32 1]
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr dereferenceable(4096) %x, ptr %y, i32 %n) "nvvm.reqntid"="32" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !0
  %r = mul i32 %b, 32
  %a = add i32 %r, %t
  %is = icmp slt i32 %a, 100
  br i1 %is, label %head, label %end
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %s = phi i32 [ 1, %entry ], [ %s2, %next ]
  %p = phi ptr [ %x, %entry ], [ %q, %next ]
  %o = xor i32 %t, %i
  %e = and i32 %o, 3
  %g = getelementptr [4 x i32], ptr @table, i32 0, i32 %e
  %k = load i32, ptr %g
  switch i32 %k, label %next [ i32 3, label %then
    i32 4, label %then ]
then:
  %w = getelementptr i32, ptr %p, i32 %s
  %v = load <2 x float>, ptr %w, align 8
  %z = getelementptr i64, ptr %y, i32 %a
  store <2 x float> %v, ptr %z
  br label %next
next:
  %q = getelementptr i8, ptr %p, i64 16
  %s2 = shl i32 %s, 1
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 5
  br i1 %go, label %head, label %end
end:
  ret void
}
!0 = !{i32 0, i32 4}
