// What clang needs to compile CUDA C++ and HIP to LLVM's IR without an SDK.
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#ifdef __AMDGCN__
#define GPU(nvidia, amd) __builtin_amdgcn_##amd()
#define __syncthreads() (__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup"), __builtin_amdgcn_s_barrier())
#else
#define GPU(nvidia, amd) __nvvm_read_ptx_sreg_##nvidia()
#endif
#define THREAD_X GPU(tid_x, workitem_id_x)
#define THREAD_Y GPU(tid_y, workitem_id_y)
#define BLOCK_X GPU(ctaid_x, workgroup_id_x)
#define BLOCK_Y GPU(ctaid_y, workgroup_id_y)
