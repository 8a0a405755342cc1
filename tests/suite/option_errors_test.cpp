#include "suite/broken_suite.hpp"

namespace shardbench {
namespace {

// Options of plugins, and the ids that cases get.
INSTANTIATE_TEST_SUITE_P(
    OptionErrors, BrokenSuite,
    testing::ValuesIn(std::vector<Broken>{
        {"NoneDeclaresIt", training({.strategy = "[\"ddp\", \"zero1\"]", .more = "options = { partion = \"flat\" }\n"}),
         "training.options.partion: no strategy used here (ddp, zero1) has an option \"partion\"", "9:23",
         "did you mean \"partition\"? their options: partition (zero1)"},
        {"NoneHasOptions", training({.more = "options = { partition = \"flat\" }\n"}),
         "training.options.partition: no strategy used here (ddp) has an option \"partition\"", "9:25",
         "their options: none"},
        {"ValueNotAllowed",
         training({.strategy = "[\"ddp\", \"zero1\"]", .more = "options = { partition = [\"greedy\", \"flatt\"] }\n"}),
         "training.options.partition is \"flatt\", but zero1 allows greedy, flat", "9:36",
         "did you mean \"flat\"? set partition to one of these"},
        {"BackendDoesNotDeclareIt", training({.more = "backend_options = { mod = \"sync\" }\n"}),
         "training.backend_options.mod: no backend used here (gloo) has an option \"mod\"", "9:27",
         "did you mean \"mode\"? their options: mode (gloo), port (gloo)"},
        {"BackendDoesNotAllowIt", training({.more = "backend_options = { mode = \"polling\" }\n"}),
         "training.backend_options.mode is \"polling\", but gloo allows sync, async", "9:28",
         "set mode to one of these"},
        {"FloatValue", training({.strategy = "\"zero1\"", .more = "options = { partition = 1.5 }\n"}),
         "training.options.partition is 1.5 (a float), but a text without spaces, an integer or a boolean, or a list "
         "of such, is needed",
         "9:25", "write partition = \"...\""},
        {"ValueWithASpace", training({.more = "backend_options = { port = \"a b\" }\n"}),
         "training.backend_options.port is \"a b\" (a string), but a text without spaces, an integer or a boolean, or "
         "a list of such, is needed",
         "9:28", "write port = \"...\""},
        {"OptionsNotATable", training({.more = "options = \"flat\"\n"}),
         "training.options is \"flat\" (a string), but a table is needed", "9:11", "write options = { ... }"},
        {"EmptyList", training({.strategy = "\"zero1\"", .more = "options = { partition = [] }\n"}),
         "training.options.partition is an empty list, but at least one value is needed", "9:25",
         "name a value, or leave the key out"},
        {"SameValueTwice", training({.more = "backend_options = { port = [1, \"1\"] }\n"}),
         "training.backend_options.port has \"1\" twice, first at line 9, column 29", "9:32", "remove one of them"},
        {"DefaultThatNobodyDeclares", training({.more = "[defaults]\noptions = { partition = \"flat\" }\n"}),
         "defaults.options.partition: no strategy or schedule used here (ddp) has an option \"partition\"", "10:25",
         "their options: none"},
        {"DefaultBackendOptionThatNobodyDeclares", training({.more = "[defaults.backend_options]\nmoed = \"sync\"\n"}),
         "defaults.backend_options.moed: no backend used here (gloo) has an option \"moed\"", "10:8",
         "did you mean \"mode\"? their options: mode (gloo), port (gloo)"},
        {"TwoCasesWithOneId",
         training({}) + "[[training]]\nstrategy = [\"zero1\", \"ddp\"]\nworld = 2\nmodel = \"m\"\nsteps = 9\n",
         "two cases have the id training/ddp/gloo/m/world=2/unit=root/adamw: one from line 5, one from line 9", "9:1",
         "give the two tables different names (name = \"...\"), or remove the case from one of them"},
    }),
    name_of_broken);

}  // namespace
}  // namespace shardbench
