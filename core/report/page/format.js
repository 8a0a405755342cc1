/// How numbers are shown. Bytes are decimal (1 MB is 1e6 bytes) where they are rounded; tables have them exactly.

function missing(value) { return value === null || value === undefined || Number.isNaN(value); }

function scaled(value, units, base) {
  let index = 0;
  while (Math.abs(value) >= base && index + 1 < units.length) { value /= base; ++index; }
  const digits = Math.abs(value) >= 100 || value === Math.round(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits) + " " + units[index];
}

/// "2.11 MB"
function bytes(value) { return missing(value) ? "" : scaled(value, ["B", "kB", "MB", "GB", "TB"], 1000); }

/// Sizes of messages, which are powers of two: "16 MiB"
function binary(value) { return scaled(value, ["B", "KiB", "MiB", "GiB"], 1024); }

/// "2,105,344"
function exact(value) {
  return missing(value) ? "" : Number(value).toLocaleString("en-US", { maximumFractionDigits: 6 });
}

/// "2.88 ms"
function seconds(value) {
  if (missing(value)) return "";
  const size = Math.abs(value);
  const [factor, unit] = size >= 1 ? [1, "s"] : size >= 1e-3 ? [1e3, "ms"] : size >= 1e-6 ? [1e6, "µs"] : [1e9, "ns"];
  return (value * factor).toPrecision(3) + " " + unit;
}

/// "0.87"
function ratio(value) { return missing(value) ? "" : value >= 100 ? value.toFixed(0) : value.toPrecision(3); }

/// By the unit of its column.
function quantity(name, value) {
  const unit = (DATA.columns[name] || {}).unit;
  if (missing(value)) return "";
  if (unit === "s") return seconds(value);
  if (unit === "B/s") return bytes(value) + "/s";
  if (unit === "bytes" || unit === "count") return exact(value);
  return String(Number(Number(value).toPrecision(9)));
}

function plural(count, one, many) { return exact(count) + " " + (count === 1 ? one : many || one + "s"); }

/// "1 rank", "4 ranks"
function ranks(world) { return plural(Number(world), "rank"); }
