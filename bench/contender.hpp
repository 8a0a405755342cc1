#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "shardbench/comm.hpp"

namespace shardbench::bench {

inline constexpr std::size_t largest = 16U << 20U;  ///< bytes of the largest array
inline constexpr Deadline never = Deadline::max();

/// A benchmark's name and what all ranks do in one iteration.
struct Contender {
  std::string name;
  std::function<void()> run;
};

inline void finish(const std::unique_ptr<Work>& work) { work->wait(never); }

/// The words after the program and the plugin: options of the backend (key=value), and what is Google Benchmark's.
struct Words {
  Words(int argc, char** argv) : rest{argv[0]} {
    for (int i = 2; i < argc; ++i) {
      const std::string text = argv[i];
      const auto equals = text.find('=');
      if (text.starts_with("--") || equals == std::string::npos)
        rest.push_back(argv[i]);
      else
        options[text.substr(0, equals)] = text.substr(equals + 1);
    }
  }
  std::map<std::string, std::string> options;
  std::vector<char*> rest;
};

}  // namespace shardbench::bench
