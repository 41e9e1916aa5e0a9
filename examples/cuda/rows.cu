// Sums and softmax of rows of 1024 elements.
#include "gpu.h"

constexpr int kColumns = 1024, kThreads = 256;

// A thread sums a row of its own: lanes are a row apart.
extern "C" __global__ __launch_bounds__(kThreads) void reduce_naive(
    const float *from, float *to) {
  const int row = BLOCK_X * kThreads + THREAD_X;
  float sum = 0;
  for (int column = 0; column < kColumns; ++column)
    sum += from[row * kColumns + column];
  to[row] = sum;
}

// A block sums a row: lanes read neighbours.
extern "C" __global__ __launch_bounds__(kThreads) void reduce_by_block(
    const float *from, float *to) {
  __shared__ float sums[kThreads];
  float sum = 0;
  for (int column = THREAD_X; column < kColumns; column += kThreads)
    sum += from[BLOCK_X * kColumns + column];
  sums[THREAD_X] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (THREAD_X < half) sums[THREAD_X] += sums[THREAD_X + half];
    __syncthreads();
  }
  if (THREAD_X == 0) to[BLOCK_X] = sums[0];
}

// The sum of a number of each thread of a block.
static __attribute__((device)) float sumOfBlock(float own) {
  __shared__ float sums[kThreads];
  sums[THREAD_X] = own;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (THREAD_X < half) sums[THREAD_X] += sums[THREAD_X + half];
    __syncthreads();
  }
  return sums[0];
}

// The softmax of a row by a block, to the base 2. A thread has four elements in
// a row, one at a time: reads and writes of a warp have gaps.
extern "C" __global__ __launch_bounds__(kThreads) void softmax_gaps(
    const float *from, float *to) {
  const int first = BLOCK_X * kColumns + THREAD_X * 4;
  float x[4], sum = 0;
  for (int k = 0; k < 4; ++k) {
    x[k] = __builtin_exp2f(from[first + k]);
    sum += x[k];
  }
  sum = sumOfBlock(sum);
  for (int k = 0; k < 4; ++k) to[first + k] = x[k] / sum;
}

// The same elements as one vector of 16 bytes.
typedef float float4 __attribute__((ext_vector_type(4)));
extern "C" __global__ __launch_bounds__(kThreads) void softmax_vectors(
    const float4 *from, float4 *to) {
  const int number = BLOCK_X * (kColumns / 4) + THREAD_X;
  const float4 x = __builtin_elementwise_exp2(from[number]);
  to[number] = x / sumOfBlock(x.x + x.y + x.z + x.w);
}
