#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <utility>

#include "plugin/descriptor.hpp"
#include "support.hpp"

namespace shardbench {
namespace {

using testing::bytes_of;
using testing::error_of;
using testing::fixture;
using testing::Folder;

std::string refusal_of(const std::filesystem::path& file) {
  const auto error = error_of([&] { read_descriptor(file); });
  EXPECT_EQ(error.where(), file.string());
  return error.problem() + "; " + error.cure();
}

Elf64_Ehdr header_of(const std::vector<char>& bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

/// A right plugin with one byte replaced.
std::filesystem::path patched(const Folder& folder, std::size_t offset, char value) {
  auto bytes = bytes_of(fixture("right"));
  bytes.at(offset) = value;
  return folder.write("patched.so", bytes);
}

TEST(WrongFile, IsMissing) {
  EXPECT_EQ(refusal_of("/nowhere/x.so"), "there is no such file; name the plugin's .so file");
}

TEST(WrongFile, IsAFolder) {
  const Folder folder;
  EXPECT_EQ(refusal_of(folder.path()), "it is not a regular file; name the plugin's .so file");
}

TEST(WrongFile, IsAPipeThatNobodyWrites) {
  const Folder folder;
  const auto pipe = folder.path() / "pipe.so";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of(pipe), "it is not a regular file; name the plugin's .so file");
}

TEST(WrongFile, IsText) {
  const Folder folder;
  const std::string text = "name = \"ddp\"\n";
  EXPECT_EQ(refusal_of(folder.write("text.so", {text.begin(), text.end()})),
            "it is not a shared library: it does not begin with the ELF magic; name the plugin's .so file");
}

TEST(WrongFile, IsEmpty) {
  const Folder folder;
  EXPECT_EQ(refusal_of(folder.write("empty.so", {})),
            "it is not a shared library: it does not begin with the ELF magic; name the plugin's .so file");
}

TEST(WrongFile, IsALibraryWithoutDescriptor) {
  EXPECT_EQ(refusal_of(LIBRARY_WITHOUT_DESCRIPTOR),
            "it exports no constant shardbench_plugin, so it is no plugin; write the descriptor with SHARDBENCH_COMM, "
            "SHARDBENCH_STRATEGY or SHARDBENCH_SCHEDULE");
}

TEST(WrongFile, IsTruncated) {
  const Folder folder;
  auto bytes = bytes_of(fixture("right"));
  const auto header = header_of(bytes);
  bytes.resize(bytes.size() / 2);
  EXPECT_EQ(refusal_of(folder.write("half.so", bytes)),
            "it is truncated or damaged: its table of section headers should be the " +
                std::to_string(header.e_shnum * sizeof(Elf64_Shdr)) + " bytes from " + std::to_string(header.e_shoff) +
                ", but the file has " + std::to_string(bytes.size()) + "; rebuild or copy it again");
}

TEST(WrongFile, IsFor32Bit) {
  const Folder folder;
  EXPECT_EQ(refusal_of(patched(folder, EI_CLASS, ELFCLASS32)),
            "it is not a 64-bit little-endian ELF file; rebuild the plugin for this machine");
}

TEST(WrongFile, IsForAnotherMachine) {
  const Folder folder;
  const auto header = header_of(bytes_of(fixture("right")));
  EXPECT_EQ(refusal_of(patched(folder, offsetof(Elf64_Ehdr, e_machine), EM_386)),
            "it is for ELF machine 3, but this one is " + std::to_string(header.e_machine) +
                "; rebuild the plugin for this machine");
}

TEST(WrongFile, IsAnObjectFile) {
  const Folder folder;
  EXPECT_EQ(refusal_of(patched(folder, offsetof(Elf64_Ehdr, e_type), ET_REL)),
            "it is ELF type 1, but a shared library is 3; link the plugin as a shared library "
            "(CMake: add_library(... MODULE ...))");
}

TEST(WrongFile, HasSectionHeadersOfAnotherSize) {
  const Folder folder;
  EXPECT_EQ(refusal_of(patched(folder, offsetof(Elf64_Ehdr, e_shentsize), 1)),
            "it is damaged: its section headers are 1 bytes each, but 64 is right; rebuild or copy it again");
}

TEST(WrongFile, HasNoSegmentThatHoldsTheDescriptor) {
  const Folder folder;
  EXPECT_THAT(refusal_of(patched(folder, offsetof(Elf64_Ehdr, e_phnum), 0)),
              ::testing::MatchesRegex("it is damaged: no segment of the file holds the [0-9]+ bytes at address [0-9]+; "
                                      "rebuild or copy it again"));
}

/// Reads a damaged file as the catalogue would. It may be refused or, where the damage is elsewhere, taken.
bool taken(const std::filesystem::path& file) {
  try {
    read_plugin(file, "fuzz");
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Under AddressSanitizer and UBSan these two are the proof that no file reads outside of itself.
TEST(DamagedFile, CutAtAnyLengthIsRefused) {
  const Folder folder;
  const auto whole = bytes_of(fixture("right"));
  for (std::size_t length = 0; length < whole.size(); length += length < 1024 ? 7 : 211)
    EXPECT_FALSE(taken(folder.write("cut.so", {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)})))
        << length;
}

/// The ranges of a right plugin that its reading depends on: headers, dynamic symbols and their names; and all of it.
std::vector<std::pair<std::uint64_t, std::uint64_t>> sensitive_ranges(const std::vector<char>& whole) {
  const auto header = header_of(whole);
  const auto sections = header.e_shnum * sizeof(Elf64_Shdr);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges{{0, sizeof header},
                                                              {header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)},
                                                              {header.e_shoff, sections},
                                                              {0, whole.size()}};
  std::vector<Elf64_Shdr> table(header.e_shnum);
  std::memcpy(table.data(), whole.data() + header.e_shoff, sections);
  for (const auto& section : table)
    if (section.sh_type == SHT_DYNSYM)
      for (const auto& part : {section, table.at(section.sh_link)}) ranges.emplace_back(part.sh_offset, part.sh_size);
  return ranges;
}

TEST(DamagedFile, WithRandomBytesIsTakenOrRefusedAndNeverCrashes) {
  const Folder folder;
  const auto whole = bytes_of(fixture("right"));
  const auto ranges = sensitive_ranges(whole);
  ASSERT_EQ(ranges.size(), 6u);
  std::mt19937_64 random(20260131);
  int refused = 0;
  constexpr int rounds = 3000;
  for (int round = 0; round < rounds; ++round) {
    auto bytes = whole;
    const auto flips = 1 + random() % 8;
    for (std::uint64_t flip = 0; flip < flips; ++flip) {
      const auto& [begin, length] = ranges[random() % ranges.size()];
      const std::uint64_t values[] = {random(), 0, 0xff, 0x7f};
      bytes.at(begin + random() % length) = static_cast<char>(values[random() % 4]);
    }
    refused += !taken(folder.write("flipped.so", bytes));
  }
  EXPECT_GT(refused, rounds / 10);  // the damage does reach what is read
  EXPECT_LT(refused, rounds);
}

}  // namespace
}  // namespace shardbench
