// Marks functions that serve CPU loops and CUDA kernels alike: one physics source.
#pragma once

#if defined(__CUDACC__)
#define STICTION_HD __host__ __device__ inline
// For large routines: a call on the device. Inlined into one another they take minutes and gigabytes to compile.
#define STICTION_HD_CALL __host__ __device__ __noinline__
#define STICTION_HD_ROUTINE STICTION_HD_CALL
#else
#define STICTION_HD inline
#define STICTION_HD_CALL inline
// For the entries of a table of routines: a call on the host too, so that the small ones do not pay for the stack and
// the registers of the large ones.
#define STICTION_HD_ROUTINE __attribute__((noinline)) inline
#endif
