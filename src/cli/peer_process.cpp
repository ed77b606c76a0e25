// peer_process.cpp: starts the command again as the child that asks CFITSIO, and survives whatever it does there.
// posix_spawn, not fork: the parent has threads.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <cuphoton/xdr/error.hpp>

#include "cli/cfitsio_peer.hpp"
#include "cli/output.hpp"
#include "cli/peer_limits.hpp"

extern char** environ;

namespace cuphoton::xdr::cli {
namespace {

using clock = std::chrono::steady_clock;

/// Set before the command's threads start; empty where /proc/self/exe is the command.
std::vector<std::string>& starter_words() {
  static std::vector<std::string> words;
  return words;
}

/// One end or both of a pipe, closed on destruction.
struct pipe_ends {
  int read_end = -1;
  int write_end = -1;
  pipe_ends() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw error(errc::io_failed, {}, std::string("cannot make a pipe: ") + std::strerror(errno), {}, errno);
    }
    read_end = ends[0];
    write_end = ends[1];
  }
  ~pipe_ends() {
    close_read();
    close_write();
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  void close_read() { close_one(read_end); }
  void close_write() { close_one(write_end); }

 private:
  static void close_one(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
  }
};

pid_t start_child(const peer_question& question, const pipe_ends& pixels, const pipe_ends& messages) {
  const char* null_word = question.null_is_nan ? "nan" : "null";
  std::vector<std::string> words = starter_words();
  const std::string program = words.empty() ? "/proc/self/exe" : words.front();
  if (words.empty()) words.emplace_back("cuphoton");
  words.insert(words.end(),
               {"xdr", "peer-read", question.file, std::to_string(question.hdu_index),
                std::string(name(question.stored_type)), null_word, std::to_string(question.expected_bytes)});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pixels.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages.write_end, STDERR_FILENO);
  pid_t child = -1;
  const int failed = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    throw error(errc::io_failed, {}, std::string("cannot start the child for CFITSIO: ") + std::strerror(failed), {},
                failed);
  }
  return child;
}

/// Takes what is there, keeping at most `cap` bytes. False once the other end is closed.
bool drain(int descriptor, std::vector<std::uint8_t>& into, std::size_t cap) {
  std::array<std::uint8_t, 1 << 16> block;
  const ssize_t count = ::read(descriptor, block.data(), block.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  const std::size_t keep = std::min(static_cast<std::size_t>(count), cap - std::min(cap, into.size()));
  into.insert(into.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(keep));
  return count > 0;
}

/// Reads both pipes to their ends. False if time ran out first.
bool collect(pipe_ends& pixels, pipe_ends& messages, const peer_question& question, std::vector<std::uint8_t>& data,
             std::vector<std::uint8_t>& text) {
  const auto deadline = clock::now() + std::chrono::seconds(peer_seconds(question.expected_bytes));
  while (pixels.read_end >= 0 || messages.read_end >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock::now()).count();
    if (left <= 0) return false;
    std::array<pollfd, 2> waiting{{{pixels.read_end, POLLIN, 0}, {messages.read_end, POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(left)) < 0) continue;
    // One byte more than expected tells "too long" from "just right".
    if (waiting[0].revents != 0 && !drain(pixels.read_end, data, question.expected_bytes + 1)) pixels.close_read();
    if (waiting[1].revents != 0 && !drain(messages.read_end, text, 2000)) messages.close_read();
  }
  return true;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::uint64_t address_space_bytes() {
  unsigned long long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%llu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void start_peer_with(const std::vector<std::string>& starter) {
  starter_words() = starter;
}

unsigned peer_seconds(std::uint64_t expected_bytes) {
  return static_cast<unsigned>(30 + std::min<std::uint64_t>(expected_bytes / 20'000'000, 3600));
}

int limit_this_process(std::uint64_t expected_bytes) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int pixel_descriptor = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (pixel_descriptor < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    throw error(errc::io_failed, {}, "peer-read: cannot move stdout", {}, errno);
  }
  // On top of what the process has now, so that a build with sanitizers, which reserves terabytes, works too.
  const rlim_t memory = address_space_bytes() + 3 * expected_bytes + (std::uint64_t{512} << 20);
  const rlimit memory_limit{memory, memory};
  const rlim_t seconds = peer_seconds(expected_bytes);
  const rlimit cpu_limit{seconds, seconds};
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_AS, &memory_limit);
  ::setrlimit(RLIMIT_CPU, &cpu_limit);
  ::setrlimit(RLIMIT_CORE, &no_core);
  return pixel_descriptor;
}

peer_answer ask_peer(const peer_question& question) {
  if (const auto absent = peer_absent()) return {peer_outcome::refused, *absent, {}};
  pipe_ends pixels;
  pipe_ends messages;
  const pid_t child = start_child(question, pixels, messages);
  pixels.close_write();
  messages.close_write();
  peer_answer answer;
  std::vector<std::uint8_t> text;
  bool in_time = false;
  try {
    in_time = collect(pixels, messages, question, answer.pixels, text);
  } catch (...) {
    ::kill(child, SIGKILL);
    wait_for(child);
    throw;
  }
  if (!in_time) ::kill(child, SIGKILL);
  const int status = wait_for(child);
  if (!in_time) {
    return {peer_outcome::timed_out,
            "CFITSIO took over " + std::to_string(peer_seconds(question.expected_bytes)) + " s",
            {}};
  }
  if (WIFSIGNALED(status)) {
    return {peer_outcome::died, std::string("CFITSIO died: ") + ::strsignal(WTERMSIG(status)), {}};
  }
  if (WEXITSTATUS(status) != 0) {
    return {peer_outcome::refused,
            "CFITSIO refused: " + printable({reinterpret_cast<char*>(text.data()), text.size()}),
            {}};
  }
  answer.outcome = peer_outcome::pixels;
  return answer;
}

}  // namespace cuphoton::xdr::cli
