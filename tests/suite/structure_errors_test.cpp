#include "suite/broken_suite.hpp"

namespace shardbench {
namespace {

// What a suite is made of: schema, syntax, keys, tables, paths.
INSTANTIATE_TEST_SUITE_P(
    StructureErrors, BrokenSuite,
    testing::ValuesIn(std::vector<Broken>{
        {"SchemaMissing", replaced(training({}), "schema = 1\n", ""),
         "the suite has no schema, but schema = 1 is needed", "", "write schema = 1 in its first line"},
        {"SchemaOfAnotherVersion", replaced(training({}), "schema = 1", "schema = 2\nnonsense = true"),
         "schema is 2, but this version of Shardbench reads schema 1", "1:10",
         "set schema = 1 and follow docs/suites.md, or use a version that reads schema 2"},
        {"SchemaOfAnotherType", replaced(training({}), "schema = 1", "schema = \"1\""),
         "schema is \"1\" (a string), but an integer is needed", "1:10",
         "write schema as an integer, without quotes or a point"},
        {"Syntax", "schema = 1\n[model.m\nlayers = 4\n",
         "not valid TOML: Error while parsing table header: expected ']', saw '\\n'", "2:9",
         "correct the syntax (https://toml.io/en/v1.0.0)"},
        {"SyntaxKeyTwice", "schema = 1\nname = \"a\"\nname = \"b\"\n",
         "not valid TOML: Error while parsing key-value pair: cannot redefine existing string 'name'", "3:8",
         "correct the syntax (https://toml.io/en/v1.0.0)"},
        {"SyntaxIntegerTooLarge", training({.more = "seed = 99999999999999999999\n"}),
         "not valid TOML: Error while parsing decimal integer: '99999999999999999999' is not representable in 64 bits",
         "9:28", "correct the syntax (https://toml.io/en/v1.0.0)"},
        {"NotUtf8", "schema = 1\nname = \"\xff\"\n", "not valid TOML: Encountered invalid utf-8 sequence", "2:8",
         "correct the syntax (https://toml.io/en/v1.0.0)"},
        {"Empty", "", "the suite has no schema, but schema = 1 is needed", "", "write schema = 1 in its first line"},
        {"NoTables", "schema = 1\n", "the suite has no case", "",
         "add a [[training]], [[pipeline]] or [[collective]] table"},
        {"UnknownKeyAtTop", replaced(training({}), "schema = 1", "schema = 1\nnmae = \"x\""),
         "unknown key \"nmae\" in the suite", "2:1",
         "did you mean \"name\"? allowed: schema, name, reference, phases, plugins, model, optimizer, defaults, "
         "training, "
         "pipeline, collective, gate"},
        {"UnknownTable", training({.more = "[pluginz]\npath = [\"x\"]\n"}), "unknown key \"pluginz\" in the suite",
         "9:2",
         "did you mean \"plugins\"? allowed: schema, name, reference, phases, plugins, model, optimizer, defaults, "
         "training, "
         "pipeline, collective, gate"},
        {"UnknownKeyInTraining", training({.more = "wrold = 2\n"}), "unknown key \"wrold\" in [[training]]", "9:1",
         "did you mean \"world\"? allowed: name, strategy, unit, backend, world, model, optimizer, dtype, batch, "
         "steps, warmup, iterations, launches, seed, deadline_s, expect, options, backend_options"},
        {"UnknownKeyWithoutNearOne", training({.more = "zzzzzzz = 2\n"}), "unknown key \"zzzzzzz\" in [[training]]",
         "9:1",
         "allowed: name, strategy, unit, backend, world, model, optimizer, dtype, batch, steps, warmup, iterations, "
         "launches, seed, deadline_s, expect, options, backend_options"},
        {"HorizonInTraining", training({.more = "horizon = 2\n"}), "unknown key \"horizon\" in [[training]]", "9:1",
         "allowed: name, strategy, unit, backend, world, model, optimizer, dtype, batch, steps, warmup, iterations, "
         "launches, seed, deadline_s, expect, options, backend_options"},
        {"UnitInPipeline", pipeline({.more = "unit = \"root\"\n"}), "unknown key \"unit\" in [[pipeline]]", "10:1",
         "allowed: name, schedule, horizon, backend, world, model, optimizer, dtype, batch, steps, warmup, iterations, "
         "launches, seed, deadline_s, expect, options, backend_options"},
        {"StrategyInDefaults", training({.more = "[defaults]\nstrategy = \"ddp\"\n"}),
         "unknown key \"strategy\" in [defaults]", "10:1",
         "allowed: unit, horizon, backend, world, model, optimizer, dtype, batch, steps, warmup, iterations, launches, "
         "seed, deadline_s, expect, options, backend_options"},
        {"UnknownKeyInPlugins", training({.more = "[plugins]\npaths = [\".\"]\n"}),
         "unknown key \"paths\" in [plugins]", "10:1", "did you mean \"path\"? allowed: path"},
        {"UnknownKeyInGate", training({.more = "[gate]\ntreshold = 0.1\n"}), "unknown key \"treshold\" in [gate]",
         "10:1",
         "did you mean \"threshold\"? allowed: threshold, launches, significance, confirming_launches, "
         "most_confirming_launches, confirming_significance, metric"},
        {"UnknownKeyOfAMetric", training({.more = "[gate.metric.update_s]\nbeter = \"smaller\"\n"}),
         "unknown key \"beter\" in [gate.metric.update_s]", "10:1",
         "did you mean \"better\"? allowed: threshold, launches, better"},
        {"DirectionOfAMetric", training({.more = "[gate.metric.update_s]\nbetter = \"less\"\n"}),
         "gate.metric.update_s.better is \"less\", but \"smaller\" or \"larger\" or \"neither\" is needed", "10:10",
         "set better to one of these"},
        {"OneLaunchDecidesNothing", training({.more = "[gate]\nlaunches = 1\n"}),
         "gate.launches is 1, but an integer from 2 to 1000 is needed", "10:12", "set launches = 2 or more"},
        {"TableInsteadOfList", replaced(training({}), "[[training]]", "[training]"),
         "training is a table, but a list of tables is needed", "5:1", "write [[training]], with two brackets"},
        {"ListOfValuesInsteadOfTables", replaced(training({}), "schema = 1", "schema = 1\npipeline = [3]"),
         "pipeline is 3 (an integer), but a list of tables is needed", "2:13", "write [[pipeline]], with two brackets"},
        {"ValueInsteadOfTable", replaced(training({}), "schema = 1", "schema = 1\ndefaults = 3"),
         "defaults is 3 (an integer), but a table is needed", "2:12",
         "write [defaults] on a line of its own and its keys below"},
        {"ModelNotATable", training({.more = "[model]\nn = 3\n"}), "model.n is 3 (an integer), but a table is needed",
         "10:1", "write [model.NAME], and n = ... below it"},
        {"ModelNameWithASpace", training({.more = "[model.\"a b\"]\nlayers = 1\nwidth = 1\n"}),
         "the name \"a b\" in [model] has other characters than letters, digits, '-', '_' and '.'", "9:8", "rename it"},
        {"NameOfAnotherType", replaced(training({}), "schema = 1", "schema = 1\nname = 3"),
         "name is 3 (an integer), but a name is needed", "2:8",
         "write name = \"...\" with letters, digits, '-', '_' and '.'"},
        {"NameWithASlash", replaced(training({}), "schema = 1", "schema = 1\nname = \"a/b\""),
         "name is \"a/b\" (a string), but a name is needed", "2:8",
         "write name = \"...\" with letters, digits, '-', '_' and '.'"},
        {"PluginPathNotAList", training({.more = "[plugins]\npath = \"plugins\"\n"}),
         "plugins.path is \"plugins\" (a string), but a list is needed", "10:8", "write path = [...]"},
        {"PluginPathThatIsNotThere", training({.more = "[plugins]\npath = [\"not-there\"]\n"}),
         "plugins.path has \"not-there\", but \"not-there\" does not exist", "10:9",
         "build the plugin first, or correct the path: it is relative to the suite's folder"},
        {"ReferenceThatIsNotThere", replaced(training({}), "schema = 1", "schema = 1\nreference = \"not-there.toml\""),
         "the reference file \"not-there.toml\" does not exist", "2:13",
         "check the path; the path is relative to the suite's folder"},
        {"ReferenceThatIsAFolder", replaced(training({}), "schema = 1", "schema = 1\nreference = \"..\""),
         "\"..\" is a folder, but a reference file is needed", "2:13",
         "name a file in it; the path is relative to the suite's folder"},
    }),
    name_of_broken);

}  // namespace
}  // namespace shardbench
