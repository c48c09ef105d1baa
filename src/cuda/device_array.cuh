// An array in device memory.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace stiction::cuda {

inline void require(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : bytes_(count * sizeof(T)) {
    if (bytes_ > 0) require(cudaMalloc(&data_, bytes_), "cudaMalloc");
    if (bytes_ > 0) require(cudaMemset(data_, 0xff, bytes_), "cudaMemset");  // poison, see is_poison
  }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    require(cudaMemcpy(data_, host.data(), bytes_, cudaMemcpyHostToDevice), "cudaMemcpy to the GPU");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> host(bytes_ / sizeof(T));
    require(cudaMemcpy(host.data(), data_, bytes_, cudaMemcpyDeviceToHost), "cudaMemcpy from the GPU");
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace stiction::cuda
