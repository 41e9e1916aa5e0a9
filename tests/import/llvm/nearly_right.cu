// Kernels that compute what an HLO computation says, and others that nearly do;
// compiled_values_test.py has the computations. A name that ends in `_right`
// has to be the same values; no other one is.
#include "gpu.h"

#define SHUFFLE(x, by) __nvvm_shfl_sync_bfly_f32(0xffffffff, x, by, 31)
#define DOWN(x, by) __nvvm_shfl_sync_down_f32(0xffffffff, x, by, 31)
#define I (BLOCK_X * 64 + THREAD_X)

// out = a * b + a, f32[256]
__global__ void fused_right(const float *a, const float *b, float *out) {
  out[I] = a[I] * b[I] + a[I];
}
__global__ void fused_other(const float *a, const float *b, float *out) {
  out[I] = a[I] * b[I] + b[I];
}
__global__ void fused_once(const float *a, const float *b, float *out) {
  out[I] = __builtin_fmaf(a[I], b[I], a[I]);
}
__global__ void fused_next(const float *a, const float *b, float *out) {
  out[I] = a[I] * b[I] + a[I < 255 ? I + 1 : 0];
}
__global__ void fused_short(const float *a, const float *b, float *out) {
  if (I < 255) out[I] = a[I] * b[I] + a[I];
}
__global__ void fused_twice(const float *a, const float *b, float *out) {
  out[I] = a[I] * b[I] + a[I];
  if (I % 2 == 0) out[I + 1] = a[I];
}
__global__ void fused_bits(const float *a, const float *b, int *out) {
  out[I] = (int)(a[I] * b[I] + a[I]);
}
__global__ void fused_halves(const float *a, const float *b, _Float16 *out) {
  out[2 * I] = (_Float16)(a[I] * b[I] + a[I]);
  out[2 * I + 1] = (_Float16)(a[I] * b[I] + a[I]);
}
__global__ void fused_wide(const float *a, const float *b, float *out) {
  out[I] = (float)((double)a[I] * (double)b[I] + (double)a[I]);
}
__global__ void fused_ints_right(const int *a, const int *b, int *out) {
  union { int i; float f; } x, y, z;
  x.i = a[I];
  y.i = b[I];
  z.f = x.f * y.f + x.f;
  out[I] = z.i;
}
__global__ void fused_read_back(const float *a, const float *b, float *out) {
  out[I] = a[I];
  out[I] = a[I] * b[I] + out[I ^ 1];
}
__global__ void fused_volatile(volatile float *a, const float *b, float *out) {
  out[I] = a[I] * b[I] + a[I];
}

// out = maximum(a, b), f32[256]
__global__ void larger_right(const float *a, const float *b, float *out) {
  const float x = a[I], y = b[I];
  out[I] = __builtin_elementwise_maximum(x, y);
}
__global__ void larger_drops(const float *a, const float *b, float *out) {
  out[I] = __builtin_fmaxf(a[I], b[I]);
}
__global__ void larger_chosen(const float *a, const float *b, float *out) {
  out[I] = a[I] < b[I] ? b[I] : a[I];
}

// out = divide(a, b), u32[256]: unsigned
__global__ void quotient_right(const unsigned *a, unsigned *out) {
  out[I] = a[I] / 7u;
}
__global__ void quotient_signed(const int *a, int *out) { out[I] = a[I] / 7; }
__global__ void quotient_shift(const unsigned *a, unsigned *out) {
  out[I] = a[I] >> 3;
}

// out = transpose(x), f32[64,64]; blocks of 32 x 8 threads, 2 x 2 of them
#define TRANSPOSE(name, wait, row, column, width)                          \
  __global__ void name(const float *x, float *out) {                       \
    __shared__ float s[32][width];                                         \
    for (int k = 0; k < 4; ++k)                                            \
      s[THREAD_Y + 8 * k][THREAD_X] =                                      \
          x[(BLOCK_Y * 32 + THREAD_Y + 8 * k) * 64 + BLOCK_X * 32 + THREAD_X]; \
    wait;                                                                  \
    for (int k = 0; k < 4; ++k)                                            \
      out[(BLOCK_X * 32 + THREAD_Y + 8 * k) * 64 + BLOCK_Y * 32 + THREAD_X] = \
          s[row][column];                                                  \
  }
TRANSPOSE(tiled_right, __syncthreads(), THREAD_X, THREAD_Y + 8 * k, 33)
TRANSPOSE(tiled_race, , THREAD_X, THREAD_Y + 8 * k, 33)
TRANSPOSE(tiled_warps, __nvvm_barrier_sync_cnt(1, 32), THREAD_X,
          THREAD_Y + 8 * k, 33)
TRANSPOSE(tiled_lanes, __nvvm_bar_warp_sync(0xffffffff), THREAD_X,
          THREAD_Y + 8 * k, 33)
TRANSPOSE(tiled_copy, __syncthreads(), THREAD_Y + 8 * k, THREAD_X, 33)
TRANSPOSE(tiled_overlap, __syncthreads(), THREAD_X, THREAD_Y + 8 * k, 31)
TRANSPOSE(tiled_turned, __syncthreads(), THREAD_X, 31 - (THREAD_Y + 8 * k), 33)

// out = sum of rows of x, f32[8,64]; a warp a row
#define WARP_SUM(name, first, second, step, last)                   \
  __global__ void name(const float *x, float *out) {                \
    float s = x[BLOCK_X * 64 + first] + x[BLOCK_X * 64 + second];   \
    for (int by = 16; by >= last; by /= 2) s += step;               \
    if (THREAD_X == 0) out[BLOCK_X] = s;                            \
  }
WARP_SUM(lanes_right, THREAD_X, THREAD_X + 32, SHUFFLE(s, by), 1)
WARP_SUM(down_right, THREAD_X, THREAD_X + 32, DOWN(s, by), 1)
WARP_SUM(lanes_half, THREAD_X, THREAD_X + 32, SHUFFLE(s, by), 2)
WARP_SUM(lanes_twice, THREAD_X, THREAD_X, SHUFFLE(s, by), 1)
WARP_SUM(lanes_mask, THREAD_X, THREAD_X + 32,
         __nvvm_shfl_sync_bfly_f32(0xffff, s, by, 31), 1)
WARP_SUM(lanes_parts, THREAD_X, THREAD_X + 32,
         __nvvm_shfl_sync_bfly_f32(0xffffffff, s, by, 0x101f), 1)
WARP_SUM(lanes_up, THREAD_X, THREAD_X + 32,
         __nvvm_shfl_sync_up_f32(0xffffffff, s, by, 0), 1)
__global__ void lanes_last(const float *x, float *out) {
  float s = x[BLOCK_X * 64 + THREAD_X] + x[BLOCK_X * 64 + THREAD_X + 32];
  for (int by = 16; by >= 1; by /= 2) s += DOWN(s, by);
  if (THREAD_X == 31) out[BLOCK_X] = s;
}
__global__ void lanes_branch(const float *x, float *out) {
  float s = x[BLOCK_X * 64 + THREAD_X] + x[BLOCK_X * 64 + THREAD_X + 32];
  if (THREAD_X < 31)
    for (int by = 16; by >= 1; by /= 2) s += SHUFFLE(s, by);
  if (THREAD_X == 0) out[BLOCK_X] = s;
}
__global__ void lanes_product(const float *x, float *out) {
  float s = x[BLOCK_X * 64 + THREAD_X] + x[BLOCK_X * 64 + THREAD_X + 32];
  for (int by = 16; by >= 1; by /= 2) s *= SHUFFLE(s, by);
  if (THREAD_X == 0) out[BLOCK_X] = s;
}

// The same by a loop of one thread a row, and by a block of 64.
#define LOOP_SUM(name, first, count, start)                           \
  __global__ void name(const float *x, float *out) {                  \
    float s = start;                                                  \
    _Pragma("nounroll") for (int k = first; k < count; ++k)           \
        s += x[THREAD_X * 64 + k];                                    \
    out[THREAD_X] = s;                                                \
  }
LOOP_SUM(loop_right, 0, 64, 0)
LOOP_SUM(loop_less, 0, 63, 0)
LOOP_SUM(loop_more, 0, 64, 1)

#define BLOCK_SUM(name, wait, other)                                  \
  __global__ void name(const float *x, float *out) {                  \
    __shared__ float s[2];                                            \
    float v = x[BLOCK_X * 64 + THREAD_X];                             \
    for (int by = 16; by >= 1; by /= 2) v += SHUFFLE(v, by);          \
    if (THREAD_X % 32 == 0) s[THREAD_X / 32] = v;                     \
    wait;                                                             \
    if (THREAD_X == 0) out[BLOCK_X] = s[0] + s[other];                \
  }
BLOCK_SUM(block_right, __syncthreads(), 1)
BLOCK_SUM(block_race, , 1)
BLOCK_SUM(block_one, __syncthreads(), 0)

