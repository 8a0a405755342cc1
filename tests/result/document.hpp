#pragma once
#include <gtest/gtest.h>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace shardbench::testing {

/// Fails when a document in the source tree is not `text`. With SHARDBENCH_WRITE_DOCS set, writes it instead.
inline void expect_document(const std::string& name, const std::string& text) {
  const std::string path = std::string(SHARDBENCH_SOURCE_DIR) + "/" + name;
  if (std::getenv("SHARDBENCH_WRITE_DOCS") != nullptr) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    ASSERT_TRUE(out.good()) << "cannot write " << path;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_EQ(written, text) << name
                           << " is stale. Rewrite it with: SHARDBENCH_WRITE_DOCS=1 ctest --test-dir <build folder> "
                           << "-R '_docs_test$'";
}

}  // namespace shardbench::testing
