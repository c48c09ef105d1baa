// Marks functions that serve CPU loops and CUDA kernels alike: one physics source.
#pragma once

#if defined(__CUDACC__)
#define STICTION_HD __host__ __device__ inline
#else
#define STICTION_HD inline
#endif
