// A product of two matrices of n x n elements, blocks of 16 x 16 threads.
#include "gpu.h"

constexpr int kTile = 16;

// Each thread reads a row and a column: 2 n elements of global memory.
extern "C" __global__ __launch_bounds__(256) void matmul_naive(
    const float *a, const float *b, float *c, int n) {
  const int row = BLOCK_Y * kTile + THREAD_Y;
  const int column = BLOCK_X * kTile + THREAD_X;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// Tiles in shared memory: a block reads each element once.
extern "C" __global__ __launch_bounds__(256) void matmul_tiled(
    const float *a, const float *b, float *c, int n) {
  __shared__ float tileOfA[kTile][kTile], tileOfB[kTile][kTile];
  const int row = BLOCK_Y * kTile + THREAD_Y;
  const int column = BLOCK_X * kTile + THREAD_X;
  float sum = 0;
  for (int from = 0; from < n; from += kTile) {
    tileOfA[THREAD_Y][THREAD_X] = a[row * n + from + THREAD_X];
    tileOfB[THREAD_Y][THREAD_X] = b[(from + THREAD_Y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum += tileOfA[THREAD_Y][k] * tileOfB[k][THREAD_X];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
