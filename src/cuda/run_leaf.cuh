// Leaves on the GPU: one kernel for all of them, device memory, comparison with the CPU, throughput by CUDA events.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "cuda/library_surfaces.cuh"
#include "cuda/run_leaf.hpp"

namespace stiction::cuda {

template <class Leaf, class T>
__global__ void evaluate_kernel(const T* in, T* out, int* codes, const SurfaceT<T>* library, std::size_t cases) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < cases) evaluate_case<Leaf>(in, out, codes, library, cases, i);
}

template <class Leaf, class T>
void launch(const T* in, T* out, int* codes, const LibraryOnDevice<T>& library, std::size_t cases) {
  constexpr unsigned kThreads = 128;
  const auto blocks = unsigned((cases + kThreads - 1) / kThreads);
  evaluate_kernel<Leaf, T><<<blocks, kThreads>>>(in, out, codes, library.data(), cases);
  require(cudaGetLastError(), Leaf::kInfo.name);
}

// What was under way when the GPU ended a kernel.
template <class Leaf, class T>
std::string name_of_run(const char* purpose) {
  return std::string(Leaf::kInfo.name) + " in " + (sizeof(T) == 8 ? "double" : "float") + ", " + purpose;
}

template <class Leaf, class T>
Results<T> evaluate_on_gpu(const std::vector<T>& in, const LibraryOnDevice<T>& library, std::size_t cases) {
  using Shape = LeafShape<Leaf>;
  const DeviceArray<T> device_in(in), device_out(Shape::kOut * cases);
  const DeviceArray<int> device_codes(Shape::kCodes * cases);
  launch<Leaf>(device_in.data(), device_out.data(), device_codes.data(), library, cases);
  require(cudaDeviceSynchronize(), name_of_run<Leaf, T>("comparison").c_str());
  return {cases, device_out.read(), device_codes.read()};
}

class LaunchTimer {
 public:
  LaunchTimer() {
    require(cudaEventCreate(&start_), "cudaEventCreate");
    require(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  LaunchTimer(const LaunchTimer&) = delete;
  LaunchTimer& operator=(const LaunchTimer&) = delete;
  ~LaunchTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  // [ms] median of `launches`, an odd number.
  template <class Leaf, class T>
  float median(int launches, const T* in, T* out, int* codes, const LibraryOnDevice<T>& library, std::size_t cases) {
    std::vector<float> times(std::size_t(launches), 0.0f);
    for (float& time : times) {
      require(cudaEventRecord(start_), "cudaEventRecord");
      launch<Leaf>(in, out, codes, library, cases);
      require(cudaEventRecord(stop_), "cudaEventRecord");
      require(cudaEventSynchronize(stop_), name_of_run<Leaf, T>("throughput").c_str());
      require(cudaEventElapsedTime(&time, start_, stop_), "cudaEventElapsedTime");
    }
    const auto middle = times.begin() + launches / 2;
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
  }

 private:
  cudaEvent_t start_{}, stop_{};
};

// Median of 15 launches after 3 unmeasured ones, on the cases repeated in memory until they are far larger than the
// second-level cache; of leaves that take long for the cases once, and so do not wait for memory, of 3 on those.
template <class Leaf, class T>
Rate measure(const std::vector<T>& in, const LibraryOnDevice<T>& library, std::size_t cases, std::size_t repeats) {
  using Shape = LeafShape<Leaf>;
  constexpr float kLong = 50;  // [ms]
  const DeviceArray<T> once(in);
  const DeviceArray<T> out(Shape::kOut * cases * repeats);
  const DeviceArray<int> codes(Shape::kCodes * cases * repeats);
  LaunchTimer timer;
  std::size_t total = cases;
  float time = timer.median<Leaf>(1, once.data(), out.data(), codes.data(), library, cases);
  if (time > kLong) {
    time = timer.median<Leaf>(3, once.data(), out.data(), codes.data(), library, cases);
  } else {
    total = cases * repeats;
    const DeviceArray<T> many(Shape::kIn * total);
    for (std::size_t r = 0; r < repeats; ++r)
      require(cudaMemcpy2D(many.data() + r * cases, total * sizeof(T), once.data(), cases * sizeof(T),
                           cases * sizeof(T), Shape::kIn, cudaMemcpyDeviceToDevice),
              "cudaMemcpy2D");
    timer.median<Leaf>(3, many.data(), out.data(), codes.data(), library, total);
    time = timer.median<Leaf>(15, many.data(), out.data(), codes.data(), library, total);
  }
  const double seconds = double(time) * 1e-3;
  const double bytes = double(total) * double((Shape::kIn + Shape::kOut) * sizeof(T) + Shape::kCodes * sizeof(int));
  return {double(total) / seconds * 1e-6, bytes / seconds * 1e-9};
}

template <class Leaf, class T>
DeviceReport run_on_gpu(const std::vector<T>& in, const Results<T>& cpu, const RunSettings& settings) {
  const LibraryOnDevice<T> library;
  return {compare_devices(cpu, evaluate_on_gpu<Leaf>(in, library, settings.cases)),
          measure<Leaf>(in, library, settings.cases, settings.repeats)};
}

}  // namespace stiction::cuda
