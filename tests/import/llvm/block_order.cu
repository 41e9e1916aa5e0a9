// Kernels whose threads share memory: whether a barrier orders what they load
// and store. The words before a kernel are the answer, the grid and the block.
#define KERNEL extern "C" __attribute__((global))
#define SHARED __attribute__((shared))
#define X __nvvm_read_ptx_sreg_tid_x()
#define Y __nvvm_read_ptx_sreg_tid_y()
#define BLOCK __nvvm_read_ptx_sreg_ctaid_x()
#define BLOCK_Y __nvvm_read_ptx_sreg_ctaid_y()
#define SYNC __nvvm_bar_sync(0)

// Tiles.

// proved, 32,32 blocks of 32,8
KERNEL void transpose(float *y, const float *x) {
  SHARED float t[32][33];
  for (int j = 0; j < 32; j += 8)
    t[Y + j][X] = x[(BLOCK_Y * 32 + Y + j) * 1024 + BLOCK * 32 + X];
  SYNC;
  for (int j = 0; j < 32; j += 8)
    y[(BLOCK * 32 + Y + j) * 1024 + BLOCK_Y * 32 + X] = t[X][Y + j];
}
// violated, 32,32 blocks of 32,8
KERNEL void transpose_no_barrier(float *y, const float *x) {
  SHARED float t[32][33];
  for (int j = 0; j < 32; j += 8)
    t[Y + j][X] = x[(BLOCK_Y * 32 + Y + j) * 1024 + BLOCK * 32 + X];
  for (int j = 0; j < 32; j += 8)
    y[(BLOCK * 32 + Y + j) * 1024 + BLOCK_Y * 32 + X] = t[X][Y + j];
}
// proved, 4,4 blocks of 16,16, --arg=3=64
KERNEL void matmul(float *c, const float *a, const float *b, int n) {
  SHARED float p[16][16], q[16][16];
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    p[Y][X] = a[(BLOCK_Y * 16 + Y) * n + k + X];
    q[Y][X] = b[(k + Y) * n + BLOCK * 16 + X];
    SYNC;
    for (int i = 0; i < 16; ++i) sum += p[Y][i] * q[i][X];
    SYNC;
  }
  c[(BLOCK_Y * 16 + Y) * n + BLOCK * 16 + X] = sum;
}
// violated, 4,4 blocks of 16,16, --arg=3=64
KERNEL void matmul_no_second_barrier(float *c, const float *a, const float *b,
                                     int n) {
  SHARED float p[16][16], q[16][16];
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    p[Y][X] = a[(BLOCK_Y * 16 + Y) * n + k + X];
    q[Y][X] = b[(k + Y) * n + BLOCK * 16 + X];
    SYNC;
    for (int i = 0; i < 16; ++i) sum += p[Y][i] * q[i][X];
  }
  c[(BLOCK_Y * 16 + Y) * n + BLOCK * 16 + X] = sum;
}
// proved, 1 blocks of 256
KERNEL void two_buffers(float *y, const float *x) {
  SHARED float s[2][256];
  float sum = 0;
  for (int k = 0; k < 64; ++k) {
    s[k & 1][X] = x[k * 256 + X];
    SYNC;
    sum += s[k & 1][255 - X];
  }
  y[X] = sum;
}
// violated, 1 blocks of 256
KERNEL void one_buffer(float *y, const float *x) {
  SHARED float s[256];
  float sum = 0;
  for (int k = 0; k < 64; ++k) {
    s[X] = x[k * 256 + X];
    SYNC;
    sum += s[255 - X];
  }
  y[X] = sum;
}
// proved, 1 blocks of 256
KERNEL void any_turns(float *y, const float *x, int n) {
  SHARED float s[256];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    s[X] = x[k * 256 + X];
    SYNC;
    sum += s[255 - X];
    SYNC;
  }
  y[X] = sum;
}

// Reductions.

// proved, 4 blocks of 256
KERNEL void reduction(float *y, const float *x) {
  SHARED float s[256];
  s[X] = x[BLOCK * 256 + X];
  SYNC;
  for (int k = 128; k > 0; k >>= 1) {
    if (X < k) s[X] += s[X + k];
    SYNC;
  }
  if (X == 0) y[BLOCK] = s[0];
}
// violated, 4 blocks of 256
KERNEL void reduction_no_barrier(float *y, const float *x) {
  SHARED float s[256];
  s[X] = x[BLOCK * 256 + X];
  SYNC;
  for (int k = 128; k > 0; k >>= 1)
    if (X < k) s[X] += s[X + k];
  if (X == 0) y[BLOCK] = s[0];
}
// proved, 4 blocks of 256
KERNEL void reduction_barrier_first(float *y, const float *x) {
  SHARED float s[256];
  s[X] = x[BLOCK * 256 + X];
  for (int k = 128; k > 0; k >>= 1) {
    SYNC;
    if (X < k) s[X] += s[X + k];
  }
  if (X == 0) y[BLOCK] = s[0];
}
// violated, 4 blocks of 256
KERNEL void reduction_of_a_warp(float *y, const float *x) {
  // Lanes of a warp have no order without a barrier, volatile or not.
  SHARED volatile float s[256];
  s[X] = x[BLOCK * 256 + X];
  SYNC;
  for (int k = 128; k > 32; k >>= 1) {
    if (X < k) s[X] += s[X + k];
    SYNC;
  }
  if (X < 32) {
    s[X] += s[X + 32];
    s[X] += s[X + 16];
    s[X] += s[X + 8];
    s[X] += s[X + 4];
    s[X] += s[X + 2];
    s[X] += s[X + 1];
  }
  if (X == 0) y[BLOCK] = s[0];
}
// undecided, 4 blocks of 64
KERNEL void warp_barriers(float *y, const float *x) {
  SHARED float s[64];
  s[X] = x[BLOCK * 64 + X];
  __nvvm_bar_warp_sync(0xffffffff);
  y[BLOCK * 64 + X] = s[X ^ 1];
}
// violated, 4 blocks of 64
KERNEL void warp_barriers_for_a_block(float *y, const float *x) {
  SHARED float s[64];
  s[X] = x[BLOCK * 64 + X];
  __nvvm_bar_warp_sync(0xffffffff);
  y[BLOCK * 64 + X] = s[X ^ 32];
}
// proved, 4 blocks of 256
KERNEL void warps_then_block(float *y, const float *x) {
  SHARED float s[8];
  float v = x[BLOCK * 256 + X];
  for (int k = 16; k > 0; k >>= 1)
    v += __nvvm_shfl_sync_bfly_f32(0xffffffff, v, k, 31);
  if (X % 32 == 0) s[X / 32] = v;
  SYNC;
  if (X == 0) {
    for (int k = 1; k < 8; ++k) v += s[k];
    y[BLOCK] = v;
  }
}
// violated, 4 blocks of 256
KERNEL void warps_then_no_barrier(float *y, const float *x) {
  SHARED float s[8];
  float v = x[BLOCK * 256 + X];
  for (int k = 16; k > 0; k >>= 1)
    v += __nvvm_shfl_sync_bfly_f32(0xffffffff, v, k, 31);
  if (X % 32 == 0) s[X / 32] = v;
  if (X == 0) {
    for (int k = 1; k < 8; ++k) v += s[k];
    y[BLOCK] = v;
  }
}

// One thread's value, early returns, branches.

// proved, 4 blocks of 256
KERNEL void of_one_thread(float *y, const float *x) {
  SHARED float s;
  if (X == 0) s = x[BLOCK];
  SYNC;
  y[BLOCK * 256 + X] = s;
}
// violated, 4 blocks of 256
KERNEL void of_one_thread_no_barrier(float *y, const float *x) {
  SHARED float s;
  if (X == 0) s = x[BLOCK];
  y[BLOCK * 256 + X] = s;
}
// undecided, 4 blocks of 256
KERNEL void early_return(float *y, const float *x, int n) {
  SHARED float s[256];
  if (BLOCK * 256 + X >= n) return;
  s[X] = x[BLOCK * 256 + X];
  SYNC;
  y[BLOCK * 256 + X] = s[X ^ 1];
}
// proved, 4 blocks of 256, --arg=2=1024
KERNEL void early_return_of_none(float *y, const float *x, int n) {
  SHARED float s[256];
  if (BLOCK * 256 + X >= n) return;
  s[X] = x[BLOCK * 256 + X];
  SYNC;
  y[BLOCK * 256 + X] = s[X ^ 1];
}
// proved, 4 blocks of 256
KERNEL void early_return_of_blocks(float *y, const float *x, int n) {
  SHARED float s[256];
  if (BLOCK >= n) return;
  s[X] = x[BLOCK * 256 + X];
  SYNC;
  y[BLOCK * 256 + X] = s[X ^ 1];
}
// undecided, 4 blocks of 256
KERNEL void barrier_of_some(float *y, const float *x) {
  SHARED float s[256];
  s[X] = x[BLOCK * 256 + X];
  if (X < 128) SYNC;
  y[BLOCK * 256 + X] = s[X ^ 1];
}
// undecided, 4 blocks of 256
KERNEL void turns_of_threads(float *y, const float *x) {
  SHARED float s[256];
  float sum = 0;
  for (int k = 0; k < X; ++k) {
    s[X] = x[k * 256 + X];
    SYNC;
    sum += s[X ^ 1];
    SYNC;
  }
  y[BLOCK * 256 + X] = sum;
}
// undecided, 4 blocks of 256
KERNEL void barrier_of_a_part(float *y, const float *x) {
  SHARED float s[256];
  s[X] = x[BLOCK * 256 + X];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  y[BLOCK * 256 + X] = s[X ^ 1];
}
// proved, 4 blocks of 256
KERNEL void not_of_others(float *y, const float *x) {
  SHARED volatile float s[256];
  s[X] = x[BLOCK * 256 + X];
  if (X < 255) s[X] += 1;
  y[BLOCK * 256 + X] = s[X];
}
// proved, 4 blocks of 256
KERNEL void halves(float *y, const float *x) {
  SHARED float s[512];
  s[X] = x[BLOCK * 256 + X];
  y[BLOCK * 256 + X] = s[256 + X];
}

// Atomic operations, loops that wait, variables of one place.

// proved, 4 blocks of 256
KERNEL void counts(int *y, const int *x) {
  SHARED int s[256];
  s[X] = 0;
  SYNC;
  __atomic_fetch_add(&s[x[BLOCK * 256 + X] & 255], 1, __ATOMIC_RELAXED);
  SYNC;
  y[BLOCK * 256 + X] = s[X];
}
// undecided, 4 blocks of 256
KERNEL void counts_no_barrier(int *y, const int *x) {
  SHARED int s[256];
  s[X] = 0;
  SYNC;
  __atomic_fetch_add(&s[x[BLOCK * 256 + X] & 255], 1, __ATOMIC_RELAXED);
  y[BLOCK * 256 + X] = s[X];
}
// undecided, 4 blocks of 256
KERNEL void waiting(float *y, const float *x) {
  SHARED float s;
  SHARED volatile int ready;
  if (X == 0) ready = 0;
  SYNC;
  if (X == 0) {
    s = x[BLOCK];
    __nvvm_membar_cta();
    ready = 1;
  }
  while (ready == 0) {
  }
  y[BLOCK * 256 + X] = s;
}
// undecided, 4 blocks of 256
KERNEL void waiting_for_a_count(float *y, const float *x) {
  SHARED float s[256];
  SHARED int done;
  if (X == 0) done = 0;
  SYNC;
  s[X] = x[BLOCK * 256 + X];
  __atomic_fetch_add(&done, 1, __ATOMIC_ACQ_REL);
  while (__atomic_fetch_add(&done, 0, __ATOMIC_ACQ_REL) < 256) {
  }
  y[BLOCK * 256 + X] = s[255 - X];
}
extern SHARED float floats[];
extern SHARED int integers[];
// violated, 4 blocks of 256
KERNEL void of_one_place(float *y, const int *x) {
  integers[X] = x[BLOCK * 256 + X];
  y[BLOCK * 256 + X] = floats[255 - X];
}
// undecided, 4 blocks of 256
KERNEL void of_a_loaded_place(float *y, const float *x, const int *i) {
  SHARED float s[256];
  s[i[X] & 255] = x[BLOCK * 256 + X];
  y[BLOCK * 256 + X] = s[X];
}
// proved, 4 blocks of 256
KERNEL void of_a_loaded_place_behind(float *y, const float *x, const int *i) {
  SHARED float s[256];
  s[i[X] & 255] = x[BLOCK * 256 + X];
  SYNC;
  y[BLOCK * 256 + X] = s[X];
}

// Pointers that change places, scans, and turns that memory decides.

// proved, 1 blocks of 256
KERNEL void two_places(float *y, const float *x) {
  SHARED float s[512];
  float *now = s, *next = s + 256;
  now[X] = x[X];
  SYNC;
  for (int k = 0; k < 8; ++k) {
    next[X] = now[(X + 1) & 255];
    SYNC;
    float *last = now;
    now = next;
    next = last;
  }
  y[X] = now[X];
}
// violated, 1 blocks of 256
KERNEL void two_places_no_barrier(float *y, const float *x) {
  SHARED float s[512];
  float *now = s, *next = s + 256;
  now[X] = x[X];
  SYNC;
  for (int k = 0; k < 8; ++k) {
    next[X] = now[(X + 1) & 255];
    float *last = now;
    now = next;
    next = last;
  }
  y[X] = now[X];
}
// proved, 1 blocks of 256
KERNEL void scan(float *y, const float *x) {
  SHARED float s[256];
  s[X] = x[X];
  SYNC;
  for (int k = 1; k < 256; k *= 2) {
    float v = X >= k ? s[X - k] : 0;
    SYNC;
    s[X] += v;
    SYNC;
  }
  y[X] = s[X];
}
// violated, 1 blocks of 256
KERNEL void scan_one_barrier(float *y, const float *x) {
  SHARED float s[256];
  s[X] = x[X];
  SYNC;
  for (int k = 1; k < 256; k *= 2) {
    float v = X >= k ? s[X - k] : 0;
    s[X] += v;
    SYNC;
  }
  y[X] = s[X];
}
// undecided, 1 blocks of 256
KERNEL void barriers_of_both_branches(float *y, const float *x) {
  SHARED float s[256];
  if (X < 128) {
    s[X] = x[X];
    SYNC;
    y[X] = s[255 - X];
  } else {
    s[X] = x[X] + 1;
    SYNC;
    y[X] = s[255 - X];
  }
}
// proved, 1 blocks of 256
KERNEL void loaded_turns(float *y, const float *x, const int *n) {
  SHARED float s[256];
  float sum = 0;
  for (int k = *n; k > 0; k -= 3) {
    s[X] = x[k + X];
    SYNC;
    sum += s[255 - X];
    SYNC;
  }
  y[X] = sum;
}
