; Two kernels that load what another thread stores in shared memory: without a
; barrier, and after a warp's exchange.
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [32 x float] poison
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
define ptx_kernel void @raced(ptr %to) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float 1.0, ptr addrspace(3) %q
  %u = sub i32 31, %t
  %r = getelementptr float, ptr addrspace(3) @tile, i32 %u
  %v = load float, ptr addrspace(3) %r
  %p = getelementptr float, ptr %to, i32 %t
  store float %v, ptr %p
  ret void
}
define ptx_kernel void @exchanged(ptr %to) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %t, ptr addrspace(3) %q
  %u = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 0, i32 31)
  %w = sub i32 31, %t
  %r = getelementptr i32, ptr addrspace(3) @tile, i32 %w
  %v = load i32, ptr addrspace(3) %r
  %p = getelementptr i32, ptr %to, i32 %t
  store i32 %v, ptr %p
  ret void
}
attributes #0 = { "nvvm.reqntid"="32" }
