// Calls of MuJoCo's parser and compiler, one at a time, with its warnings and errors caught instead of printed.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <mujoco/mujoco.h>

namespace stiction::detail {

struct DeleteSpec {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
};
struct DeleteModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
using SpecPointer = std::unique_ptr<mjSpec, DeleteSpec>;
using ModelPointer = std::unique_ptr<mjModel, DeleteModel>;

// While one lives, this thread may call MuJoCo: other threads that want to wait, warnings are collected, and an error
// inside MuJoCo is thrown as Error. MuJoCo's handlers are global, so they are put back at the end; what other threads
// raise through them meanwhile goes to the handlers that were there before.
class MujocoCall {
 public:
  MujocoCall();
  ~MujocoCall();
  MujocoCall(const MujocoCall&) = delete;
  MujocoCall& operator=(const MujocoCall&) = delete;

  // What MuJoCo warned about so far.
  std::vector<std::string> warnings() const;

 private:
  std::unique_lock<std::mutex> turn_;
};

}  // namespace stiction::detail
