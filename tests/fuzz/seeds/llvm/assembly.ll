@s = internal addrspace(3) global [64 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @k(ptr addrspace(1) %x, ptr byval({ i32, i32 }) %y) {
  %t = tail call i32 asm "mov.u32 $0, %tid.x;", "=r"()
  %c = icmp ult i32 %t, 7
  %a = getelementptr i32, ptr addrspace(1) %x, i32 %t
  %v = call { i32, i32 } asm sideeffect "mov.u32 $0, 0x0; mov.u32 $1, 0x0; @$3 ld.global.v2.b32 { $0, $1 }, [ $2 + 8 ];", "=r,=r,l,b"(ptr addrspace(1) %a, i1 %c)
  %w = extractvalue { i32, i32 } %v, 0
  %b = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %w, ptr addrspace(3) %b
  call void @llvm.nvvm.barrier0()
  call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 4, $2;", "r,l,r"(ptr addrspace(3) %b, ptr addrspace(1) %a, i32 %t)
  %o = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %g = addrspacecast ptr addrspace(1) %a to ptr
  call void @f(ptr %g)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %g, ptr align 4 %y, i64 7, i1 false)
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
