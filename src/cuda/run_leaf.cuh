// Leaves on the GPU: one kernel for all of them, device memory, comparison with the CPU, throughput by CUDA events.
#pragma once

#include <string>

#include "cuda/library_surfaces.cuh"
#include "cuda/run_leaf.hpp"

namespace stiction::cuda {

template <class Leaf, class T>
__global__ void evaluate_kernel(const T* in, T* out, int* codes, std::size_t cases) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < cases) evaluate_case<Leaf>(in, out, codes, cases, i);
}

template <class Leaf, class T>
void launch(const T* in, T* out, int* codes, std::size_t cases) {
  constexpr unsigned kThreads = 128;
  const auto blocks = unsigned((cases + kThreads - 1) / kThreads);
  evaluate_kernel<Leaf, T><<<blocks, kThreads>>>(in, out, codes, cases);
  require(cudaGetLastError(), Leaf::kInfo.name);
}

// What was under way when the GPU ended a kernel.
template <class Leaf, class T>
std::string name_of_run(const char* purpose) {
  return std::string(Leaf::kInfo.name) + " in " + (sizeof(T) == 8 ? "double" : "float") + ", " + purpose;
}

template <class Leaf, class T>
Results<T> evaluate_on_gpu(const std::vector<T>& in, std::size_t cases) {
  using Shape = LeafShape<Leaf>;
  const DeviceArray<T> device_in(in), device_out(Shape::kOut * cases);
  const DeviceArray<int> device_codes(Shape::kCodes * cases);
  launch<Leaf>(device_in.data(), device_out.data(), device_codes.data(), cases);
  require(cudaDeviceSynchronize(), name_of_run<Leaf, T>("comparison").c_str());
  return {cases, device_out.read(), device_codes.read()};
}

// Median of 15 launches after 3 unmeasured ones, on the cases repeated in memory until they are far larger than the
// second-level cache.
template <class Leaf, class T>
Rate measure(const std::vector<T>& in, std::size_t cases, std::size_t repeats) {
  using Shape = LeafShape<Leaf>;
  const std::size_t total = cases * repeats;
  const DeviceArray<T> once(in), many(Shape::kIn * total), out(Shape::kOut * total);
  const DeviceArray<int> codes(Shape::kCodes * total);
  for (std::size_t r = 0; r < repeats; ++r)
    require(cudaMemcpy2D(many.data() + r * cases, total * sizeof(T), once.data(), cases * sizeof(T), cases * sizeof(T),
                         Shape::kIn, cudaMemcpyDeviceToDevice),
            "cudaMemcpy2D");
  cudaEvent_t start, stop;
  require(cudaEventCreate(&start), "cudaEventCreate");
  require(cudaEventCreate(&stop), "cudaEventCreate");
  std::vector<float> times;  // [ms]
  for (int run = 0; run < 18; ++run) {
    require(cudaEventRecord(start), "cudaEventRecord");
    launch<Leaf>(many.data(), out.data(), codes.data(), total);
    require(cudaEventRecord(stop), "cudaEventRecord");
    require(cudaEventSynchronize(stop), name_of_run<Leaf, T>("throughput").c_str());
    float time = 0;
    require(cudaEventElapsedTime(&time, start, stop), "cudaEventElapsedTime");
    if (run >= 3) times.push_back(time);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  const double seconds = double(times[7]) * 1e-3;
  const double bytes = double(total) * double((Shape::kIn + Shape::kOut) * sizeof(T) + Shape::kCodes * sizeof(int));
  return {double(total) / seconds * 1e-6, bytes / seconds * 1e-9};
}

template <class Leaf, class T>
DeviceReport run_on_gpu(const std::vector<T>& in, const Results<T>& cpu, const RunSettings& settings) {
  const LibraryOnDevice<T> library;
  return {compare_devices(cpu, evaluate_on_gpu<Leaf>(in, settings.cases)),
          measure<Leaf>(in, settings.cases, settings.repeats)};
}

}  // namespace stiction::cuda
