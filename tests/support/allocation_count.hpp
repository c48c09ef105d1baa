// Counts every malloc of the test program (operator new ends there too), also those inside the library.
#pragma once

namespace stiction::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kCountsAllocations = false;  // sanitizers bring their own allocator
#else
inline constexpr bool kCountsAllocations = true;
#endif

// Allocations so far, by all threads.
long allocation_count();

}  // namespace stiction::test
