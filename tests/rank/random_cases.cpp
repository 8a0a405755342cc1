#include "rank/random_cases.hpp"

#include <algorithm>
#include <random>

#include "plugins/schedules/tried.hpp"

namespace shardbench::testing {
namespace {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  /// From `least` to `most`, both included; not by a distribution of the library, which differs between machines.
  int between(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<std::uint32_t>(most - least + 1));
  }
  bool flip() { return between(0, 1) == 1; }
  template <class List>
  const auto& pick(const List& list) {
    return list[static_cast<std::size_t>(between(0, static_cast<int>(std::size(list)) - 1))];
  }
  std::string one_of(std::initializer_list<const char*> list) {
    return data(list)[between(0, static_cast<int>(list.size()) - 1)];
  }

 private:
  std::mt19937 random_;
};

/// Many small ones, some that the optimizer's vector of 16 divides, some of any size.
int width(Dice& dice) {
  switch (dice.between(0, 3)) {
    case 0: return dice.between(1, 4);
    case 1: return dice.between(1, 20);
    case 2: return 16 * dice.between(1, 12);
    default: return dice.between(1, 200);
  }
}

int rows(Dice& dice, int most) {
  switch (dice.between(0, 2)) {
    case 0: return dice.between(1, std::min(most, 4));
    case 1: return dice.between(1, std::min(most, 32));
    default: return dice.between(1, most);
  }
}

/// 1 to 5, rarely up to 8: more ranks than cores take turns.
int world(Dice& dice) { return dice.between(0, 19) == 0 ? dice.between(6, 8) : dice.between(1, 5); }

/// A table of a suite, line by line: in one expression the dice would fall in an order of the compiler's choice.
class Table {
 public:
  void header(const std::string& name) { text_ += name + "\n"; }
  void set(const std::string& key, const std::string& value) { text_ += key + " = " + value + "\n"; }
  void set(const std::string& key, int value) { set(key, std::to_string(value)); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_model(Table& table, Dice& dice, const std::string& name, int layers) {
  std::string widths = std::to_string(width(dice));
  for (int l = 0; l < layers; ++l) widths += ", " + std::to_string(width(dice));
  table.header("[model." + name + "]");
  table.set("widths", "[" + widths + "]");
  table.set("bias", dice.one_of({"true", "false"}));
  table.set("activation", dice.one_of({"'none'", "'relu'"}));
  table.set("loss", dice.one_of({"'sum'", "'mse'"}));
}

void add_training(Table& table, Dice& dice, const std::string& model) {
  add_model(table, dice, model, dice.between(1, 6));
  table.header("[[training]]");
  table.set("model", "'" + model + "'");
  const std::string strategy = dice.one_of({"'ddp'", "'zero1'", "'zero2'", "'zero3'", "'fsdp2'"});
  table.set("strategy", strategy);
  if (strategy == "'zero1'") table.set("options.partition", dice.one_of({"'greedy'", "'flat'"}));
  table.set("unit", dice.one_of({"'root'", "'layer'"}));
  table.set("optimizer", dice.one_of({"'adamw'", "'sgd'", "'momentum'"}));
  table.set("world", world(dice));
  table.set("batch", rows(dice, 400));
}

/// What a schedule makes of a number of ranks.
struct Shape {
  std::string schedule;
  int chunks = 1, microbatches = 1;
  bool has_chunks = true;  ///< as an option
};

Shape shape_of_schedule(Dice& dice, int ranks) {
  const Tried& tried = dice.pick(all_schedules());
  Shape shape{tried.name, dice.pick(tried.chunks)};
  shape.has_chunks = tried.chunks != std::vector<int>{1};
  do shape.microbatches = dice.between(1, 20);
  while (!tried.takes(ranks, shape.microbatches));
  return shape;
}

void add_pipeline(Table& table, Dice& dice, const std::string& model) {
  const int ranks = world(dice);
  const bool shuffled = dice.between(0, 9) == 0;
  const Shape shape =
      shuffled ? Shape{"shuffled", dice.between(1, 3), dice.between(1, 12)} : shape_of_schedule(dice, ranks);
  add_model(table, dice, model, ranks * shape.chunks + dice.between(0, 3));
  table.header("[[pipeline]]");
  table.set("model", "'" + model + "'");
  table.set("schedule", "'" + shape.schedule + "'");
  if (shape.has_chunks) table.set("options.chunks", shape.chunks);
  if (shuffled) table.set("options.seed", dice.between(0, 7));
  if (shuffled) table.set("options.split", dice.one_of({"'no'", "'yes'", "'mixed'"}));
  table.set("optimizer", dice.one_of({"'none'", "'adamw'", "'sgd'", "'momentum'"}));
  table.set("world", ranks);
  table.set("horizon", shape.microbatches);
  table.set("batch", shape.microbatches * rows(dice, 400 / shape.microbatches));
}

}  // namespace

std::vector<RandomCase> random_cases(std::uint32_t seed, int count) {
  Dice dice(seed);
  std::vector<RandomCase> cases;
  for (int i = 0; i < count; ++i) {
    const std::string model = "m" + std::to_string(i);
    Table table;
    if (dice.flip())
      add_training(table, dice, model);
    else
      add_pipeline(table, dice, model);
    cases.push_back({model, table.text()});
  }
  return cases;
}

std::string suite_of(const std::vector<RandomCase>& cases, const std::string& shuffled) {
  std::string text = "schema = 1\nplugins.path = ['" + shuffled + "']\n" +
                     "[defaults]\nsteps = 2\nwarmup = 0\niterations = 1\ndeadline_s = 300\n";
  for (const RandomCase& one : cases) text += "\n" + one.table;
  return text;
}

}  // namespace shardbench::testing
