// Marks functions that serve CPU loops and CUDA kernels alike: one physics source.
#pragma once

#if defined(__CUDACC__)
#define STICTION_HD __host__ __device__ inline
// For large routines: a call on the device. Inlined into one another they take minutes and gigabytes to compile.
#define STICTION_HD_CALL __host__ __device__ __noinline__
#else
#define STICTION_HD inline
#define STICTION_HD_CALL inline
#endif
