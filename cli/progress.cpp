#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <utility>

namespace stiction::cli {
namespace {

constexpr int kWidth = 30;
volatile std::sig_atomic_t stop_requested = 0;

extern "C" void request_stop(int signal) {
  stop_requested = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

ProgressBar::ProgressBar(std::string label, int total, bool wanted)
    : label_(std::move(label)),
      total_(total),
      wanted_(wanted && isatty(STDERR_FILENO)),
      begin_(std::chrono::steady_clock::now()),
      last_(begin_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(int done) {
  if (!wanted_ || total_ <= 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  const double share = double(done) / total_, seconds = std::chrono::duration<double>(now - begin_).count();
  const int filled = int(share * kWidth);
  fmt::print(stderr, "\r\033[K{} [{:=<{}}{: <{}}] {:3.0f} %  {}/{}  {:.0f} s left", label_, "", filled, "",
             kWidth - filled, 100 * share, done, total_, done > 0 ? seconds * (1 - share) / share : 0.0);
  std::fflush(stderr);
}

StopSignal::StopSignal() {
  stop_requested = 0;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

StopSignal::~StopSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool StopSignal::requested() const {
  return stop_requested != 0;
}

}  // namespace stiction::cli
