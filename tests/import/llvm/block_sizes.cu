// Kernels that ask for the sizes of their launch: NVIDIA's code reads them in
// registers, AMD's loads them. The last one takes a structure by value, which
// either GPU's code loads.
#include "gpu.h"

#ifdef __AMDGCN__
#define THREADS_X __builtin_amdgcn_workgroup_size_x()
#define THREADS_Y __builtin_amdgcn_workgroup_size_y()
#define BLOCKS_X (__builtin_amdgcn_grid_size_x() / THREADS_X)
#define BLOCKS_Y (__builtin_amdgcn_grid_size_y() / THREADS_Y)
#else
#define THREADS_X __nvvm_read_ptx_sreg_ntid_x()
#define THREADS_Y __nvvm_read_ptx_sreg_ntid_y()
#define BLOCKS_X __nvvm_read_ptx_sreg_nctaid_x()
#define BLOCKS_Y __nvvm_read_ptx_sreg_nctaid_y()
#endif

extern "C" __global__ void axpy(const float *x, float *y, int n) {
  const int i = BLOCK_X * THREADS_X + THREAD_X;
  if (i < n) y[i] += 2 * x[i];
}

// Each thread goes on behind all threads of the grid.
extern "C" __global__ void strided(const float *x, float *y, int n) {
  for (int i = BLOCK_X * THREADS_X + THREAD_X; i < n; i += THREADS_X * BLOCKS_X)
    y[i] = x[n - 1 - i];
}

extern "C" __global__ void square(const float *x, float *y) {
  const int width = THREADS_X * BLOCKS_X, height = THREADS_Y * BLOCKS_Y;
  const int i = BLOCK_X * THREADS_X + THREAD_X;
  const int j = BLOCK_Y * THREADS_Y + THREAD_Y;
  y[i * height + j] = x[j * width + i];
}

struct Strides {
  const float *x;
  float *y;
  int n;
  int steps[3];
  char flag;
  long first;
};

extern "C" __global__ void fields(Strides s) {
  const int i = BLOCK_X * THREADS_X + THREAD_X;
  if (i < s.n && s.flag)
    s.y[i * s.steps[1] + s.first] = s.x[i * s.steps[0]];
}
