#pragma once
#include <string>
#include <vector>

namespace shardbench::testing {

/// How a bug is caught.
enum class Caught {
  invariant,  ///< the case is red by the invariant of that name
  rank,       ///< a rank refuses to go on: the case is `crashed`, with that text in its detail
  suite       ///< the suite is refused before anything runs, with that text
};

/// One fault of a plugin of this folder.
struct PlantedBug {
  std::string plugin;
  std::string bug;        ///< value of its option `bug`
  std::string fault;      ///< what is wrong, for a person
  std::string caught_by;  ///< the invariant, or the text
  Caught how = Caught::invariant;
  int from_world = 2;  ///< in smaller worlds the bug has no effect, and the case has to be green
  std::string optimizer = "adamw";
  std::string model = "odd";  ///< "large": 131,584 parameters

  bool pipeline() const { return plugin == "planted_gpipe" || plugin == "planted_1f1b"; }
};

/// Every planted bug.
const std::vector<PlantedBug>& planted_bugs();

/// The worlds that a bug is run in.
std::vector<int> worlds_of(const PlantedBug& bug);

/// A suite of every bug that is not refused in it, in all its worlds, and of the right plugins: those of this folder
/// with bug = none, and those that are shipped.
std::string suite_of_all();

/// A suite of one case with that bug.
std::string suite_of(const PlantedBug& bug);

}  // namespace shardbench::testing
