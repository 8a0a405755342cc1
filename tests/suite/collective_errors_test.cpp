#include "suite/broken_suite.hpp"

namespace shardbench {
namespace {

/// A suite of one [[collective]] table, in its line 2.
std::string collective(const std::string& keys) { return "schema = 1\n[[collective]]\n" + keys; }

INSTANTIATE_TEST_SUITE_P(
    CollectiveErrors, BrokenSuite,
    testing::ValuesIn(std::vector<Broken>{
        {"NoOperation", collective("world = 2\n"), "[[collective]] has no operation", "2:1",
         "set operation = \"all_reduce\", here or in [defaults]"},
        {"NoBytes", collective("world = 2\noperation = \"all_reduce\"\n"), "[[collective]] has no bytes", "2:1",
         "set bytes = \"64 KiB\", here or in [defaults]"},
        {"UnknownOperation", collective("world = 2\noperation = \"all_reduse\"\nbytes = 8\n"),
         "collective.operation is \"all_reduse\", but \"barrier\" or \"broadcast\" or \"all_reduce\" or "
         "\"reduce_scatter\" or \"all_gather\" or \"all_to_all\" or \"send\" or \"reduce_scatter_all_gather\" or "
         "\"send_tags\" or \"send_order\" or \"send_both_ways\", or a list of such, is needed",
         "4:13", "did you mean \"all_reduce\"? set operation to one of these"},
        {"UnknownKey", collective("world = 2\noperation = \"barrier\"\nbites = 8\n"),
         "unknown key \"bites\" in [[collective]]", "5:1",
         "did you mean \"bytes\"? allowed: name, operation, bytes, dtype, reduction, values, in_place, backend, "
         "world, warmup, iterations, launches, seed, deadline_s, backend_options"},
        {"HalfAnElement", collective("world = 2\noperation = \"all_reduce\"\nbytes = [8, 10]\n"),
         "bytes is 10, but an element of float32 has 4 bytes", "5:13", "set bytes to 8 or 12"},
        {"LessThanAnElement",
         collective("world = 2\noperation = \"all_reduce\"\nbytes = 4\ndtype = [\"float32\", \"int64\"]\n"),
         "bytes is 4, but an element of int64 has 8 bytes", "5:9", "set bytes to 8"},
        {"UnitOfAThousand", collective("world = 2\noperation = \"all_reduce\"\nbytes = \"64 kB\"\n"),
         "collective.bytes is \"64 kB\" (a string), but bytes from 1 to 2147483647, or a list of such, is needed",
         "5:9", "write bytes as an integer, or as a text with B, KiB, MiB or GiB: \"64 KiB\""},
        {"TooLarge", collective("world = 2\noperation = \"all_reduce\"\nbytes = \"4 GiB\"\n"),
         "collective.bytes is \"4 GiB\", but bytes from 1 to 2147483647, or a list of such, is needed", "5:9",
         "write bytes as an integer, or as a text with B, KiB, MiB or GiB: \"64 KiB\""},
        {"Nothing", collective("world = 2\noperation = \"all_reduce\"\nbytes = 0\n"),
         "collective.bytes is 0, but bytes from 1 to 2147483647, or a list of such, is needed", "5:9",
         "write bytes as an integer, or as a text with B, KiB, MiB or GiB: \"64 KiB\""},
        {"RangeWithoutAnEnd", collective("world = 2\noperation = \"all_reduce\"\nbytes = { from = 8 }\n"),
         "collective.bytes has no to", "5:9",
         "write bytes = { from = 8, to = \"16 MiB\", factor = 4 }, or a list of sizes"},
        {"RangeBackwards", collective("world = 2\noperation = \"all_reduce\"\nbytes = { from = \"1 KiB\", to = 8 }\n"),
         "collective.bytes goes from 1024 to 8, but from must not be larger than to", "5:18", "exchange them"},
        {"RangeThatStands",
         collective("world = 2\noperation = \"all_reduce\"\nbytes = { from = 8, to = 64, factor = 1 }\n"),
         "collective.bytes.factor is 1, but an integer from 2 to 1024 is needed", "5:39", "set factor = 2 or more"},
        {"UnevenBlocks", collective("world = [2, 4]\noperation = [\"all_reduce\", \"all_to_all\"]\nbytes = 8\n"),
         "bytes is 8, so 2 elements of float32, but all_to_all gives each of 4 ranks as many", "5:9",
         "set bytes to a multiple of 16, or give all_to_all a table of its own"},
        {"SendToNobody", collective("world = [1, 2]\noperation = \"send\"\nbytes = 8\n"),
         "world is 1, but send needs another rank", "3:10", "set world = 2 or more, or give send a table of its own"},
        {"MessagesToNobody", collective("world = 1\noperation = \"send_order\"\nbytes = 8\n"),
         "world is 1, but send_order needs another rank", "3:9",
         "set world = 2 or more, or give send_order a table of its own"},
        {"RoundingOfAGather", collective("world = 2\noperation = \"all_gather\"\nbytes = 8\nvalues = \"exact\"\n"),
         "values is given, but no operation of the table has one", "6:10",
         "remove values, or add an operation that has one"},
        {"RoundingOfIntegers",
         collective("world = 2\noperation = \"all_reduce\"\nbytes = 8\n"
                    "dtype = [\"float32\", \"int32\"]\nvalues = \"rounding\"\n"),
         "values is \"rounding\", but int32 is never rounded", "7:10",
         "give it a table of its own, without \"int32\" in dtype"},
        {"RoundingOfAMaximum",
         collective("world = 2\noperation = \"all_reduce\"\nbytes = 8\n"
                    "reduction = \"max\"\nvalues = \"rounding\"\n"),
         "values is \"rounding\", but max is never rounded", "7:10",
         "give it a table of its own, without \"max\" in reduction"},
        {"InPlaceOfABroadcast", collective("world = 2\noperation = \"broadcast\"\nbytes = 8\nin_place = true\n"),
         "in_place is given, but no operation of the table has one", "6:12",
         "remove in_place, or add an operation that has one"},
        {"BytesOfABarrier", collective("world = 2\noperation = \"barrier\"\nbytes = 8\n"),
         "bytes is given, but no operation of the table has one", "5:9",
         "remove bytes, or add an operation that has one"},
        {"ReductionOfAGather", collective("world = 2\noperation = \"all_gather\"\nbytes = 8\nreduction = \"max\"\n"),
         "reduction is given, but no operation of the table has one", "6:13",
         "remove reduction, or add an operation that has one"},
        {"UnknownBackend", collective("world = 2\noperation = \"barrier\"\nbackend = \"glo\"\n"),
         "backend is \"glo\", but no plugin of that name was found", "5:11",
         "did you mean \"gloo\"? found: gloo (`shardbench list` says where, and what was refused)"},
        {"UnknownOption", collective("world = 2\noperation = \"barrier\"\nbackend_options = { mod = \"sync\" }\n"),
         "collective.backend_options.mod: no backend used here (gloo) has an option \"mod\"", "5:27",
         "did you mean \"mode\"? their options: mode (gloo), port (gloo)"},
        {"TooManyCollectives",
         collective("world = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\noperation = [\"all_reduce\", \"reduce_scatter\"]\n"
                    "bytes = { from = 8, to = \"1 GiB\" }\ndtype = [\"float32\", \"float64\", \"uint8\", \"int32\"]\n"
                    "reduction = [\"sum\", \"max\", \"min\"]\nbackend_options = { mode = [\"sync\", \"async\"] }\n"),
         "the suite has at least 13440 cases, but 10000 are the most", "2:1", "split it into several suites"},
    }),
    name_of_broken);

}  // namespace
}  // namespace shardbench
