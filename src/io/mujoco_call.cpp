// Handlers of MuJoCo's warnings and errors. Without them MuJoCo prints to the terminal, writes MUJOCO_LOG.TXT and ends
// the process on an error.
#include "io/mujoco_call.hpp"

#include <cstdio>
#include <cstdlib>

#include <stiction/error.hpp>

namespace stiction::detail {

namespace {

using Handler = void (*)(const char*);

std::mutex one_call;  // held as long as a MujocoCall lives

// What the handlers share. The compiler may warn from threads of its own, so the list has a lock.
struct Shared {
  std::mutex lock;
  std::vector<std::string> warnings;
  Handler previous_warning = nullptr;
  Handler previous_error = nullptr;
};
Shared shared;

thread_local bool calling = false;  // this thread is inside a MujocoCall

void collect_warning(const char* text) {
  const std::scoped_lock hold(shared.lock);
  shared.warnings.emplace_back(text);
}

void throw_error(const char* text) {
  if (calling) throw Error(std::string("MuJoCo: ") + text);
  if (shared.previous_error) return shared.previous_error(text);
  std::fprintf(stderr, "MuJoCo: %s\n", text);
  std::exit(EXIT_FAILURE);
}

}  // namespace

MujocoCall::MujocoCall() : turn_(one_call) {
  shared.warnings.clear();
  shared.previous_warning = mju_user_warning;
  shared.previous_error = mju_user_error;
  mju_user_warning = collect_warning;
  mju_user_error = throw_error;
  calling = true;
}

MujocoCall::~MujocoCall() {
  calling = false;
  mju_user_warning = shared.previous_warning;
  mju_user_error = shared.previous_error;
}

std::vector<std::string> MujocoCall::warnings() const {
  const std::scoped_lock hold(shared.lock);
  return shared.warnings;
}

}  // namespace stiction::detail
