// A transposition: blocks of 32 x 32 threads, an element each.
#include "gpu.h"

constexpr int kTile = 32;

// Lanes of a warp store elements that are a row of the result apart.
extern "C" __global__ __launch_bounds__(1024) void transpose_naive(
    const float *from, float *to, int rows, int columns) {
  const int column = BLOCK_X * kTile + THREAD_X;
  const int row = BLOCK_Y * kTile + THREAD_Y;
  to[column * rows + row] = from[row * columns + column];
}

// A tile in shared memory is read by columns: 32 lanes ask one bank.
extern "C" __global__ __launch_bounds__(1024) void transpose_tiled(
    const float *from, float *to, int rows, int columns) {
  __shared__ float tile[kTile][kTile];
  tile[THREAD_Y][THREAD_X] =
      from[(BLOCK_Y * kTile + THREAD_Y) * columns + BLOCK_X * kTile + THREAD_X];
  __syncthreads();
  to[(BLOCK_X * kTile + THREAD_Y) * rows + BLOCK_Y * kTile + THREAD_X] =
      tile[THREAD_X][THREAD_Y];
}

// Rows of 33 elements lie on all banks.
extern "C" __global__ __launch_bounds__(1024) void transpose_padded(
    const float *from, float *to, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];
  tile[THREAD_Y][THREAD_X] =
      from[(BLOCK_Y * kTile + THREAD_Y) * columns + BLOCK_X * kTile + THREAD_X];
  __syncthreads();
  to[(BLOCK_X * kTile + THREAD_Y) * rows + BLOCK_Y * kTile + THREAD_X] =
      tile[THREAD_X][THREAD_Y];
}
