#include "plugin/descriptor.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace shardbench {
namespace {

using testing::error_of;
using testing::fixture;

constexpr const char* use_headers = "rebuild the plugin with the headers of shardbench " SHARDBENCH_VERSION;
constexpr const char* use_macros = "write the descriptor with the macros of shardbench/plugin.hpp";

TEST(Descriptor, IsReadFromTheFile) {
  const auto info = read_plugin(fixture("right"), "suite");
  EXPECT_EQ(info.kind, PluginKind::schedule);
  EXPECT_EQ(info.name, "right");
  EXPECT_EQ(info.version, "1.2");
  EXPECT_EQ(info.description, "a schedule for tests");
  EXPECT_EQ(info.torch_version, "");
  EXPECT_EQ(info.file, fixture("right"));
  EXPECT_EQ(info.origin, "suite");
  const std::map<std::string, std::vector<std::string>> options{{"order", {"up", "down"}}, {"depth", {"*"}}};
  EXPECT_EQ(info.options, options);
}

TEST(Descriptor, GivesNoEntryPointsFromTheFile) {
  const auto descriptor = read_descriptor(fixture("right"));
  EXPECT_EQ(descriptor.schedule_plan, nullptr);
  EXPECT_EQ(descriptor.schedule_law, nullptr);
}

TEST(Descriptor, IsReadThoughTheLibraryCannotBeLoaded) {
  EXPECT_EQ(read_plugin(fixture("undefined"), "suite").name, "right");
}

TEST(Descriptor, SaysWhetherTheCompilerOptimized) {
  EXPECT_FALSE(read_plugin(fixture("unoptimized"), "suite").optimized);
  PluginDescriptor optimized = read_descriptor(fixture("unoptimized"));
  optimized.optimized = 1;
  EXPECT_TRUE(refusals(optimized).empty());
}

// Its types have other layouts, which the switch's name and the size of the probe both tell.
TEST(Descriptor, TellsADebugStandardLibrary) {
  const auto all = refusals(read_descriptor(fixture("glibcxx_debug")));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].problem.starts_with("its layout is 'libstdc++ ")) << all[0].problem;
  EXPECT_NE(all[0].problem.find(", _GLIBCXX_DEBUG"), std::string::npos) << all[0].problem;
  EXPECT_TRUE(all[0].problem.ends_with("', but this driver's is '" SHARDBENCH_LAYOUT "'")) << all[0].problem;
  EXPECT_EQ(all[1].problem.find("its layout_bytes is "), 0U);
  const auto error = error_of([] { read_plugin(fixture("glibcxx_debug"), "suite"); });
  EXPECT_EQ(error.problem(), all[0].problem + " (and 1 more: shardbench list --plugin FILE names them)");
}

struct RefusedFixture {
  const char* fixture;
  std::string problem;
  std::string cure;
};

void PrintTo(const RefusedFixture& refusal, std::ostream* out) { *out << refusal.fixture; }

class RefusedDescriptors : public ::testing::TestWithParam<RefusedFixture> {};

TEST_P(RefusedDescriptors, NamesFieldBothValuesFileAndCure) {
  const auto file = fixture(GetParam().fixture);
  const auto error = error_of([&] { read_plugin(file, "suite"); });
  EXPECT_EQ(error.problem(), GetParam().problem);
  EXPECT_EQ(error.where(), file.string());
  EXPECT_EQ(error.cure(), GetParam().cure);
}

const std::string size = std::to_string(sizeof(PluginDescriptor));

INSTANTIATE_TEST_SUITE_P(
    All, RefusedDescriptors,
    ::testing::Values(
        RefusedFixture{"magic", "its magic is not 'SHRDBNCH', so its constant shardbench_plugin is no descriptor",
                       use_macros},
        RefusedFixture{"struct_size", "its struct_size is 8, but this driver's is " + size, use_headers},
        RefusedFixture{
            "larger",
            "its struct_size is " + std::to_string(sizeof(PluginDescriptor) + 8) + ", but this driver's is " + size,
            use_headers},
        RefusedFixture{"larger_lying",
                       "its descriptor is " + std::to_string(sizeof(PluginDescriptor) + 1) +
                           " or more bytes, but should be " + size,
                       use_macros},
        RefusedFixture{"abi", "its abi is 999, but this driver's is " + std::to_string(plugin_abi), use_headers},
        RefusedFixture{"kind", "its kind is 7, but the kinds are 1 (comm), 2 (strategy) and 3 (schedule)", use_macros},
        RefusedFixture{"core_version",
                       "its core_version is 'xxxxxxxxxxxxxxx', but this driver's is '" SHARDBENCH_SDK_VERSION "'",
                       use_headers},
        RefusedFixture{"compiler", "its compiler is 'xxx', but this driver's is '" SHARDBENCH_COMPILER "'",
                       "rebuild the plugin with compiler version " SHARDBENCH_COMPILER
                       ", or shardbench with the plugin's"},
        RefusedFixture{"libstdcxx",
                       "its libstdcxx_abi is 'cxx11 0', but this driver's is '" SHARDBENCH_LIBSTDCXX_ABI "'",
                       "rebuild the plugin with the same _GLIBCXX_USE_CXX11_ABI as shardbench"},
        RefusedFixture{"layout", "its layout is 'xxx', but this driver's is '" SHARDBENCH_LAYOUT "'",
                       "rebuild the plugin with the standard library and the switches of shardbench"},
        RefusedFixture{"layout_bytes", "its layout_bytes is 8, but this driver's is " + std::to_string(layout_bytes),
                       "rebuild the plugin without switches that change the layout of types (-D_GLIBCXX_DEBUG, "
                       "-fpack-struct)"},
        RefusedFixture{"utf8", "its version is not UTF-8", use_macros},
        RefusedFixture{"torch_schedule", "its torch_version is '2.5.1', but this driver's is ''",
                       "leave it empty: only strategies use LibTorch"},
        RefusedFixture{"torch_strategy",
                       "its torch_version is '2.5.1', but this driver's is '" SHARDBENCH_TORCH_VERSION "'",
                       "rebuild the plugin with LibTorch " SHARDBENCH_TORCH_VERSION},
        RefusedFixture{"launched_schedule", "its launcher is 'mpirun', but must be empty: only a comm backend has one",
                       use_macros},
        RefusedFixture{"launcher", "its launcher is 'ssh', but must be 'fork' or 'mpirun'", use_macros},
        RefusedFixture{"endless", "its description has no end within its 160 bytes", use_macros},
        RefusedFixture{"control", "its description contains control characters, but must be one line of text",
                       use_macros},
        RefusedFixture{"bad_name", "its name is 'Right-1', but a name is made of a to z, 0 to 9 and '_'",
                       "rename the plugin"},
        RefusedFixture{"no_name", "its name is '', but a name is made of a to z, 0 to 9 and '_'", "rename the plugin"},
        RefusedFixture{"bad_options", "its options are 'order', but 'order' has no '='",
                       "write them as \"partition=greedy|flat;bucket_mb=*\""},
        RefusedFixture{"number", "its descriptor is 4 bytes, but should be " + size, use_macros},
        RefusedFixture{"function", "it exports no constant shardbench_plugin, so it is no plugin",
                       "write the descriptor with SHARDBENCH_COMM, SHARDBENCH_STRATEGY or SHARDBENCH_SCHEDULE"}),
    [](const auto& refusal) { return std::string(refusal.param.fixture); });

}  // namespace
}  // namespace shardbench
