target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @loop_1(ptr noalias dereferenceable(1024) %x, ptr noalias dereferenceable(1024) %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !0
  %s = shl i32 %b, 7
  %n = or i32 %s, %t
  %v = load float, ptr %x
  %w = fneg float %v
  %q = getelementptr float, ptr %y, i32 %n
  store float %v, ptr %q
  store float %w, ptr %q
  ret void
}
attributes #0 = { "nvvm.reqntid"="128,1,1" }
!0 = !{i32 0, i32 2}
