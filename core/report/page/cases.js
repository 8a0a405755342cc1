/// What is read off the cases: groups, labels, medians and their spread between launches.

/// The value of an identity column, a setting or a quantity, by its name.
function value(c, name) {
  if (name in c.identity) return c.identity[name];
  if (name in c.settings) return c.settings[name];
  return c.values[name];
}

/// The fields of `names` in which the cases differ.
function varying(cases, names) {
  return names.filter((name) => new Set(cases.map((c) => value(c, name))).size > 1);
}

/// A field and its value in words, for labels: "batch 32", "zero3".
function said(name, v) {
  if (v === "" || missing(v)) return "";
  return name === "world" ? ranks(v) : ["batch", "horizon", "unit"].includes(name) ? name + " " + v : String(v);
}
function words(c, names) { return names.map((name) => said(name, value(c, name))).filter(Boolean).join(", "); }

/// [[label, cases]] by the fields, told apart by those in which the cases differ.
function grouped(cases, fields) {
  const differ = varying(cases, fields), groups = new Map();
  for (const c of cases) {
    const label = words(c, differ) || "all";
    groups.set(label, (groups.get(label) || []).concat([c]));
  }
  return [...groups];
}

/// "zero3, 4 ranks", and what else tells it from the others of its chart.
function caseLabel(c, more) { return words(c, ["strategy", "schedule", "world", ...more]); }

/// As few of the fields as it takes to give each case of a chart a label of its own.
function telling(cases, names) {
  const labels = (fields) => new Set(cases.map((c) => caseLabel(c, fields))).size;
  return names.reduce((fields, name) => (labels([...fields, name]) > labels(fields) ? [...fields, name] : fields), []);
}

/// By world, then as in the suite.
function byWorld(cases) { return cases.slice().sort((a, b) => a.identity.world - b.identity.world); }

/// The rank with the largest value, so that its parts add up to it.
function largestRank(c, name) {
  return c.ranks.reduce((most, rank) => (!most || rank.values[name] > most.values[name] ? rank : most), null);
}

function median(numbers) {
  const sorted = numbers.slice().sort((a, b) => a - b), middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/// Medians of the launches of a case, in seconds.
function launchMedians(c) { return c.launches.filter((l) => l.length).map(median); }

/// How much longer `c` takes than `base`: the ratio of the medians, and the least and the greatest ratio of any two of
/// their launches where both have several.
function timeRatio(c, base) {
  const a = launchMedians(c), b = launchMedians(base);
  if (!a.length || !b.length) return null;
  const spread = a.length > 1 && b.length > 1 ? [Math.min(...a) / Math.max(...b), Math.max(...a) / Math.min(...b)] : null;
  return { ratio: c.values.step_median_s / base.values.step_median_s, spread };
}

/// In words: what a ratio says. Within 15 % nothing is a difference (two runs of the same move by 7 %), nor where the ranges
/// of the launches overlap; the tables of a run say the same.
function ratioWords(r) {
  if (!r) return "";
  const overlap = r.spread && r.spread[0] <= 1 && r.spread[1] >= 1;
  if (overlap || (r.ratio <= 1.15 && r.ratio >= 1 / 1.15)) return "no difference";
  return (r.ratio > 1 ? "longer" : "shorter") + (r.spread ? "" : ", of one launch");
}
function spreadText(r) { return r && r.spread ? ratio(r.spread[0]) + " to " + ratio(r.spread[1]) : ""; }
