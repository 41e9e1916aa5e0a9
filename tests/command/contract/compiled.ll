; A tile in shared memory, a load of one of two arrays, and a store whose place
; is loaded.
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [32 x float] undef
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
define ptx_kernel void @compiled(ptr %from, ptr %at, ptr %to) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %t, 8
  %one = select i1 %first, ptr %from, ptr %at
  %p = getelementptr float, ptr %one, i32 %t
  %v = load float, ptr %p
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %v, ptr addrspace(3) %q
  call void @llvm.nvvm.barrier0()
  %a = getelementptr i32, ptr %at, i32 %t
  %i = load i32, ptr %a
  %r = getelementptr float, ptr %to, i32 %i
  store float %v, ptr %r
  ret void
}
attributes #0 = { "nvvm.reqntid"="32" }
