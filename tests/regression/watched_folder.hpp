// watched_folder.hpp: a folder of its own that knows which of its files were opened, by anybody.
#pragma once

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "support/fits_builder.hpp"

namespace cuphoton::xdr::test {

class watched_folder : public testing::Test {
 protected:
  watched_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "xdr-watched-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  ~watched_folder() override {
    if (watch_ >= 0) ::close(watch_);
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  void write(const std::string& name, const byte_vector& bytes) {
    std::ofstream(folder_ + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  /// Every file and what is in it.
  std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      std::ifstream stream(entry.path(), std::ios::binary);
      found[entry.path().filename().string()] = std::string((std::istreambuf_iterator<char>(stream)), {});
    }
    return found;
  }
  /// From now on openings count.
  void watch() {
    watch_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    ASSERT_GE(watch_, 0);
    ASSERT_GE(::inotify_add_watch(watch_, folder_.c_str(), IN_OPEN | IN_CREATE | IN_DELETE | IN_MODIFY), 0);
  }
  /// Names opened, made, changed or removed since the call before.
  std::set<std::string> touched() {
    std::set<std::string> names;
    alignas(inotify_event) char events[4096];
    for (ssize_t length = 0; (length = ::read(watch_, events, sizeof events)) > 0;) {
      for (ssize_t at = 0; at < length;) {
        inotify_event event{};
        std::memcpy(&event, events + at, sizeof event);
        if (event.len > 0) names.insert(events + at + sizeof event);
        at += static_cast<ssize_t>(sizeof event + event.len);
      }
    }
    return names;
  }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::filesystem::path before_;
  int watch_ = -1;
};

}  // namespace cuphoton::xdr::test
