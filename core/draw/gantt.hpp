#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "result/text_style.hpp"
#include "shardbench/schedule.hpp"
#include "simulate/simulate.hpp"

namespace shardbench {

/// A step of a pipeline as boxes in time, in one or several parts below each other on one scale of time: what was
/// simulated above what was executed.
struct Gantt {
  struct Box {
    double begin = 0, end = 0;
    Action action;
    bool second_chunk = false;  ///< of the rank's stages, in turn: neighbours look different
  };
  struct Row {
    std::string label, note;  ///< on its left and on its right
    std::vector<Box> boxes;   ///< by time
  };
  struct Part {
    std::string title;
    std::vector<Row> rows;
    std::size_t left_out = 0;  ///< ranks in the middle that have no row
  };
  std::string title, subtitle;
  std::vector<Part> parts;

  /// The end of the last box.
  double end() const;
  std::size_t boxes() const;
};

/// A row per rank, of more than 64 the first and the last 32: its actions with their begins and ends, which both have
/// the plan's shape, and a note.
Gantt::Part gantt_part(std::string title, const Plan& plan, const std::vector<std::vector<double>>& begins,
                       const std::vector<std::vector<double>>& ends, const std::vector<std::string>& notes);

/// The simulated step; each rank's idle time inside its span and in the makespan are its note.
Gantt::Part gantt_part(std::string title, const Plan& plan, const Simulation& simulation);

/// How a Gantt chart looks on a terminal. Kinds differ by their letter, chunks by its case, and only
/// then by colour.
struct GanttStyle {
  TextStyle text = {};
  bool unicode = false;
  std::size_t columns = 80;  ///< of the terminal
};

/// A line per rank, as wide as the terminal allows, with a legend. A box has its letter and microbatch where they fit;
/// a column that several boxes share shows the one that fills most of it.
std::string gantt_text(const Gantt& gantt, const GanttStyle& style);

/// The chart as one self-contained SVG document, light or dark as the reader's system asks, with title, description and
/// a tooltip for every box. Throws `Error` where there are more than 50000 boxes.
std::string gantt_svg(const Gantt& gantt);

}  // namespace shardbench
