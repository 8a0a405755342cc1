#include "suite/settings.hpp"

#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <utility>

namespace shardbench {
namespace {

constexpr std::int64_t most_steps = 1000000, most_launches = 1000;
constexpr double longest_deadline_s = 86400;

/// float32; the other dtypes of the SDK travel between ranks, but no program trains in them.
struct TrainedDTypeReader {
  using Value = DType;
  std::optional<DType> operator()(const toml::node& node, const ValueAt& at) const {
    const auto* text = node.as_string();
    if (text != nullptr && text->get() == name_of(DType::float32)) return DType::float32;
    if (text != nullptr && dtype_named(text->get()))
      at.problems->add(fmt::format("{} is {}, but only float32 is supported so far", at.key, show(node)), at.place,
                       "set dtype = \"float32\", or leave it out");
    else
      ChoiceReader{{"float32"}}(node, at);
    return std::nullopt;
  }
};

OptionAxes read_options(TableReader& reader, std::string_view key, const std::string& table) {
  OptionAxes options;
  auto inner = reader.table(key);
  if (!inner) return options;
  for (const auto& name : inner->keys())
    options[name] = {fmt::format("{}.{}.{}", table, key, name), inner->axis(name, OptionReader{})};
  return options;
}

/// The keys that all tables share: where, and how often.
void read_ranks(TableReader& reader, Settings& settings) {
  settings.place = reader.place();
  settings.backend = reader.axis("backend", NameReader{});
  settings.world = reader.axis("world", IntegerReader{1, most_ranks});
}

void read_launches(TableReader& reader, Settings& settings) {
  settings.warmup = reader.one("warmup", IntegerReader{0, most_steps});
  settings.iterations = reader.one("iterations", IntegerReader{1, most_steps});
  settings.launches = reader.one("launches", IntegerReader{1, most_launches});
  settings.seed = reader.one("seed", IntegerReader{0, std::numeric_limits<std::int64_t>::max()});
  settings.deadline_s = reader.one("deadline_s", NumberReader{0, longest_deadline_s, false, true});
}

/// The keys that [[training]], [[pipeline]] and [defaults] share, after their own.
Settings read_common(TableReader& reader, Settings settings) {
  read_ranks(reader, settings);
  settings.model = reader.axis("model", NameReader{});
  settings.optimizer = reader.axis("optimizer", NameReader{});
  settings.dtype = reader.axis("dtype", TrainedDTypeReader{});
  settings.batch = reader.one("batch", IntegerReader{1, std::numeric_limits<std::int32_t>::max()});
  settings.steps = reader.one("steps", IntegerReader{1, most_steps});
  read_launches(reader, settings);
  settings.expect = reader.one("expect", ChoiceReader{{"ok", "diverged"}});
  settings.options = read_options(reader, "options", settings.table);
  settings.backend_options = read_options(reader, "backend_options", settings.table);
  reader.finish();
  return settings;
}

/// Any dtype of the SDK.
struct DTypeReader {
  using Value = DType;
  std::optional<DType> operator()(const toml::node& node, const ValueAt& at) const {
    ChoiceReader choice;
    for (const DType dtype : all_dtypes) choice.allowed.emplace_back(name_of(dtype));
    const auto name = choice(node, at);
    return name ? dtype_named(*name) : std::nullopt;
  }
};

/// A list of sizes, or `{ from = 8, to = "16 MiB", factor = 4 }`: from, from x factor, ... up to `to`.
Axis<std::int64_t> read_bytes(TableReader& reader, Problems& problems) {
  if (!reader.holds_table("bytes")) return reader.axis("bytes", BytesReader{});
  Axis<std::int64_t> sizes;
  auto range = *reader.table("bytes");
  const auto from = range.one("from", BytesReader{}), to = range.one("to", BytesReader{});
  const auto factor = range.one("factor", IntegerReader{2, 1024});
  range.finish();
  sizes.given = true;
  sizes.place = range.place();
  if (!from.given || !to.given)
    problems.add(fmt::format("collective.bytes has no {}", from.given ? "to" : "from"), sizes.place,
                 "write bytes = { from = 8, to = \"16 MiB\", factor = 4 }, or a list of sizes");
  if (!from.value || !to.value || factor.bad()) return sizes;
  if (*from.value > *to.value)
    problems.add(
        fmt::format("collective.bytes goes from {} to {}, but from must not be larger than to", *from.value, *to.value),
        from.place, "exchange them");
  for (std::int64_t size = *from.value; size <= *to.value; size *= factor.value.value_or(2))
    sizes.values.push_back({size, from.place});
  return sizes;
}

std::vector<std::string> collective_names() {
  std::vector<std::string> names;
  for (const Collective operation : all_collectives) names.emplace_back(name_of(operation));
  return names;
}

template <class Field>
void fall_back(Field& field, const Field& otherwise) {
  if (!field.given) field = otherwise;
}

}  // namespace

Settings read_training(TableReader reader) {
  Settings settings;
  settings.table = "training";
  settings.name = reader.one("name", NameReader{});
  settings.subject = reader.axis("strategy", NameReader{});
  settings.unit = reader.axis("unit", ChoiceReader{{"root", "layer"}});
  return read_common(reader, std::move(settings));
}

Settings read_pipeline(TableReader reader) {
  Settings settings;
  settings.table = "pipeline";
  settings.name = reader.one("name", NameReader{});
  settings.subject = reader.axis("schedule", NameReader{});
  settings.horizon = reader.axis("horizon", IntegerReader{1, most_microbatches});
  return read_common(reader, std::move(settings));
}

Settings read_collective(TableReader reader, Problems& problems) {
  Settings settings;
  settings.table = "collective";
  settings.name = reader.one("name", NameReader{});
  settings.subject = reader.axis("operation", ChoiceReader{collective_names()});
  settings.bytes = read_bytes(reader, problems);
  settings.dtype = reader.axis("dtype", DTypeReader{});
  settings.reduction = reader.axis("reduction", ChoiceReader{{"sum", "max", "min"}});
  settings.values = reader.axis("values", ChoiceReader{{"exact", "rounding"}});
  settings.in_place = reader.axis("in_place", BooleanReader{});
  read_ranks(reader, settings);
  read_launches(reader, settings);
  settings.backend_options = read_options(reader, "backend_options", settings.table);
  reader.finish();
  return settings;
}

Settings read_defaults(TableReader reader) {
  Settings settings;
  settings.table = "defaults";
  settings.unit = reader.axis("unit", ChoiceReader{{"root", "layer"}});
  settings.horizon = reader.axis("horizon", IntegerReader{1, most_microbatches});
  return read_common(reader, std::move(settings));
}

Settings with_defaults(Settings table, const Settings& defaults) {
  fall_back(table.backend, defaults.backend);
  fall_back(table.unit, defaults.unit);
  fall_back(table.model, defaults.model);
  fall_back(table.optimizer, defaults.optimizer);
  fall_back(table.dtype, defaults.dtype);
  fall_back(table.world, defaults.world);
  fall_back(table.horizon, defaults.horizon);
  fall_back(table.batch, defaults.batch);
  fall_back(table.steps, defaults.steps);
  fall_back(table.warmup, defaults.warmup);
  fall_back(table.iterations, defaults.iterations);
  fall_back(table.launches, defaults.launches);
  fall_back(table.seed, defaults.seed);
  fall_back(table.deadline_s, defaults.deadline_s);
  fall_back(table.expect, defaults.expect);
  table.options.insert(defaults.options.begin(), defaults.options.end());
  table.backend_options.insert(defaults.backend_options.begin(), defaults.backend_options.end());
  return table;
}

}  // namespace shardbench
