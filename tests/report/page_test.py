"""The report's page in a headless Chromium: no complaint of the browser, the charts have the numbers of the CSV files, and
the tables sort, filter and open by keyboard.

    page_test.py SHARDBENCH RESULTS     RESULTS is a run of the notebook's suite
"""

import copy
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from browser import Browser

PROGRAM, RESULTS = sys.argv[1], pathlib.Path(sys.argv[2])
HOSTILE = "</script><img src=x onerror=\"document.title='broken'\"><!--"
DATASETS = """Object.fromEntries(Chart.getChart(%s).data.datasets.map((d) => [d.label, d.data]))"""


def rows_of(name):
    with open(RESULTS / name, newline="") as file:
        return list(csv.DictReader(file))


def document():
    return json.loads((RESULTS / "results.json").read_text())


def shown(page, selector="#cases table"):
    """The texts of a table's body, row by row."""
    return page.value("""[...document.querySelectorAll('%s > tbody > tr:not(.detail)')]
        .map((row) => [...row.children].map((cell) => cell.textContent))""" % selector)


def collectives(run):
    """A hand-made result of one collective over two backends and three launches: 8 B and 16 MiB, the second 4 times slower."""
    template = run["cases"][1]
    run["cases"] = []
    for backend, factor in (("gloo", 1), ("mpi", 4)):
        for size, seconds in ((8, 20e-6), (16 << 20, 8e-3)):
            c = copy.deepcopy(template)
            medians = [seconds * (factor if size > 8 else 1) * spread for spread in (1.0, 0.9, 1.1)]
            c.update(case="collective/all_reduce/%s/bytes=%d" % (backend, size), program="collective", strategy="",
                     operation="all_reduce", backend=backend, transport="tcp on lo", model="", unit="", optimizer="")
            c["settings"]["array_bytes"] = size
            c["quantities"] = {"step_median_s": medians[0], "algbw_Bps": size / medians[0], "busbw_Bps": size / medians[0]}
            launch = c["launches"][0]
            c["launches"] = [dict(copy.deepcopy(launch), samples=dict(launch["samples"], seconds=[m, m])) for m in medians]
            run["cases"].append(c)
    return run


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.results = pathlib.Path(cls.folder.name) / "results"
        cls.results.mkdir()
        cls.browser = Browser()
        cls.page = cls.open(cls, RESULTS)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def open(self, results, options=(), **how):
        file = pathlib.Path(self.folder.name) / "report.html"
        subprocess.run([PROGRAM, "report", str(results), *options, "-o", str(file)], check=True, stdout=subprocess.DEVNULL)
        return self.browser.open(file, **how)

    def open_changed(self, run, **how):
        (self.results / "results.json").write_text(json.dumps(run))
        return self.open(self.results, **how)

    def datasets(self, chart, page=None):
        return (page or self.page).value(DATASETS % json.dumps(chart))

    def test_the_browser_has_nothing_to_complain_about(self):
        self.assertEqual(self.page.complaints(), [])
        self.assertIn("Green: all 24 cases are right", self.page.value("document.getElementById('verdict').textContent"))

    def test_bytes_at_rest_are_those_of_the_csv(self):
        cases = [c for c in rows_of("results.csv") if c["program"] == "training"]
        cases.sort(key=lambda c: int(c["world"]))  # the page's order: by world, then as in the suite
        self.assertEqual(self.page.value("Chart.getChart('chart-rest').data.labels"),
                         ["%s, %s rank%s" % (c["strategy"], c["world"], "" if c["world"] == "1" else "s") for c in cases])
        charted = self.datasets("chart-rest")
        for role in ("weights", "gradients", "optimizer"):
            self.assertEqual(charted[role], [int(c[role + "_bytes"]) for c in cases], role)

    def test_peaks_are_those_of_the_rank_with_the_largest(self):
        largest = {}
        for row in rows_of("ranks.csv"):
            best = largest.get(row["case"])
            if row["program"] == "training" and (best is None or int(row["peak_bytes"]) > int(best["peak_bytes"])):
                largest[row["case"]] = row
        cases = sorted(largest.values(), key=lambda c: int(c["world"]))
        for role, numbers in self.datasets("chart-peak").items():
            self.assertEqual(numbers, [int(c["peak_%s_bytes" % role]) for c in cases], role)

    def test_in_flight_over_the_horizon(self):
        cases = [c for c in rows_of("results.csv") if c["program"] == "pipeline"]
        horizons = sorted({int(c["horizon"]) for c in cases})
        self.assertEqual(self.page.value("Chart.getChart('chart-in-flight').data.labels"), horizons)
        for schedule in ("gpipe", "1f1b"):
            want = {int(c["horizon"]): int(c["in_flight"]) for c in cases if c["schedule"] == schedule}
            self.assertEqual(self.datasets("chart-in-flight")[schedule + ", 2 ranks"], [want[h] for h in horizons])

    def test_another_choice_shows_other_numbers(self):
        page = self.open(RESULTS)
        page.value("""(() => { const select = document.getElementById('chart-in-flight').closest('figure').querySelector('select');
            select.selectedIndex = 1; select.dispatchEvent(new Event('change')); })()""")
        peaks = [int(c["saved_peak"]) for c in rows_of("results.csv") if c["schedule"] == "1f1b"]
        self.assertEqual(self.datasets("chart-in-flight", page)["1f1b, 2 ranks"], peaks)

    def test_time_ratios(self):
        cases = {(c["strategy"], c["world"]): float(c["step_median_s"]) for c in rows_of("results.csv") if c["strategy"]}
        want = [cases[s, w] / cases["ddp", w] for w in "1248" for s in ("zero1", "zero2", "zero3")]
        for charted, ratio in zip(self.datasets("chart-times")["step time as a ratio to ddp"], want, strict=True):
            self.assertAlmostEqual(charted, ratio)

    def test_every_chart_has_a_name_and_a_table(self):
        self.assertTrue(self.page.value("""[...document.querySelectorAll('canvas')].every((canvas) => canvas.getAttribute('role') === 'img'
            && canvas.getAttribute('aria-label') && canvas.closest('figure').querySelector('table caption').textContent)"""))
        self.assertTrue(self.page.value("[...document.querySelectorAll('select, input')].every((field) => field.labels.length === 1)"))

    def test_sorting_by_keyboard(self):
        page = self.open(RESULTS)
        want = [(c["case"], int(c["peak_bytes"])) for c in rows_of("results.csv")]
        page.value("[...document.querySelectorAll('#cases th button')].find((b) => b.textContent.startsWith('peak')).focus()")
        for direction in ("ascending", "descending"):
            page.key("Enter", 13)
            self.assertEqual(page.value("document.querySelector('#cases th[aria-sort]').ariaSort"), direction)
            want.sort(key=lambda c: c[1], reverse=direction == "descending")
            self.assertEqual([row[4].replace(",", "") for row in shown(page)], [str(c[1]) for c in want])
        self.assertEqual(page.value("document.querySelectorAll('#cases th[aria-sort]').length"), 1)

    def test_filter_and_details(self):
        page = self.open(RESULTS)
        page.value("(() => { const f = document.getElementById('filter'); f.value = 'zero3 world=4'; f.dispatchEvent(new Event('input')); })()")
        self.assertEqual(page.value("document.getElementById('shown').textContent"), "1 of 24 cases")
        (row,) = shown(page)
        case = next(c for c in rows_of("results.csv") if c["case"] == row[1])
        self.assertEqual(case["strategy"] + case["world"], "zero34")
        page.value("document.querySelector('#cases .opener').focus()")
        page.key("Enter", 13)
        self.assertEqual(page.value("document.querySelector('#cases .opener').ariaExpanded"), "true")
        details = page.value("document.querySelector('#cases .detail').textContent")
        recorded = next(c for c in document()["cases"] if c["case"] == case["case"])
        for outcome in recorded["invariants"]:
            self.assertIn(outcome["name"], details)
        for seconds in recorded["launches"][0]["samples"]["seconds"]:
            self.assertIn(("%.6g" % seconds).rstrip("0"), details)
        self.assertIn("rank 3", details)

    def test_red_cases_are_named_and_found(self):
        run = document()
        run["cases"][3].update(status="failed", detail="rest_equals_law: 1 in place of 2")
        run["cases"][3]["quantities"]["invariants_failed"] = 1
        page = self.open_changed(run)
        self.assertIn("Red: 1 of 24 cases is not right: 1 failed", page.value("document.getElementById('verdict').textContent"))
        self.assertIn("1 in place of 2", page.value("document.querySelector('.red-list').textContent"))

    def test_hostile_texts_stay_text(self):
        run = document()
        run["run"]["suite"] = HOSTILE
        for c in run["cases"]:
            for field in ("case", "strategy", "transport", "model", "detail", "options"):
                c[field] = HOSTILE + (c[field] or "") + HOSTILE
            c["invariants"][0].update(name=HOSTILE, verdict="failed", message=HOSTILE)
        run["cases"][0]["status"] = "crashed"
        page = self.open_changed(run)
        page.value("document.querySelector('#cases .opener').click()")
        self.assertEqual(page.complaints(), [])
        self.assertEqual(page.value("document.querySelectorAll('img').length"), 0)
        self.assertEqual(page.value("document.querySelectorAll('script').length"), 3)
        self.assertEqual(page.value("document.title"), HOSTILE + " - Shardbench report")
        self.assertEqual(page.value("document.querySelector('h1').textContent"), HOSTILE)
        self.assertTrue(page.value("document.querySelector('#cases .opener').textContent").startswith(HOSTILE))

    def test_collectives_side_by_side(self):
        page = self.open_changed(collectives(document()))
        self.assertEqual(page.complaints(), [])
        self.assertEqual(page.value("Chart.getChart('chart-collectives').data.labels"), [8, 16 << 20])
        charted = self.datasets("chart-collectives", page)
        self.assertEqual(charted["gloo, tcp on lo"], [20e-6, 8e-3])
        self.assertEqual(charted["mpi, tcp on lo"], [20e-6, 32e-3])
        table = shown(page, "#backends table")
        self.assertEqual([row[4:] for row in table if "mpi" in row[1]],
                         [["1.00", "no difference", "0.818 to 1.22"], ["4.00", "longer", "3.27 to 4.89"]])

    def test_training_on_two_backends_side_by_side(self):
        run = document()
        for c in copy.deepcopy(run["cases"][:2]):
            c.update(case=c["case"].replace("gloo", "mpi"), backend="mpi", options="transport=tcp")
            c["spec"].update(backend="mpi", backend_options={"transport": "tcp"})
            c["quantities"]["step_median_s"] *= 2
            run["cases"].append(c)
        page = self.open_changed(run)
        self.assertEqual(page.complaints(), [])
        (charted,) = self.datasets("chart-backend-steps", page).values()
        self.assertEqual(charted, [2])

    def test_a_comparison_beside_the_results_is_shown(self):
        run = document()
        run["run"]["started"] = "2026-12-01T02:30:00Z"
        changed = run["cases"][5]
        for rank in changed["launches"][0]["ranks"]:
            rank["quantities"]["peak_bytes"] += 1
        changed["quantities"]["peak_bytes"] += 1
        del run["cases"][0]
        (self.results / "results.json").write_text(json.dumps(run))
        done = subprocess.run([PROGRAM, "compare", str(RESULTS), str(self.results), "-o", str(self.results / "comparison.json")],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 3, done.stderr)
        page = self.open(self.results)
        self.assertEqual(page.complaints(), [])
        self.assertIn("Red: 1 regression", page.value("document.getElementById('verdict').textContent"))
        row = next(row for row in shown(page, "#changes table") if row[0].endswith("larger"))
        bytes_now = changed["quantities"]["peak_bytes"]
        self.assertEqual(row[1:5], [changed["case"], "peak_bytes", "{:,}".format(bytes_now - 1), "{:,}".format(bytes_now)])
        self.assertTrue(any(row[0] == "gone case" for row in shown(page, "#changes table")))
        (self.results / "comparison.json").unlink()

    def test_a_busy_machine_and_noisy_cases_are_said(self):
        run = document()
        run["load"] = {"seconds": 60.0, "load_before": 0.5, "load_after": 2.5, "others_share": 0.31, "stolen_share": 0.0,
                       "busy": True, "niceness": 5, "governor": "powersave", "lowest_MHz": 800.0, "highest_MHz": 3400.0}
        (self.results / "results.json").write_text(json.dumps(run))
        times = [1.0, 1.6, 0.7, 2.5, 0.9]
        metric = {"metric": "step_median_s", "verdict": "same", "regression": False, "better": "smaller", "base": 1.0,
                  "new": 1.0, "ratio": 1.0, "p": 0.5, "detectable_slowdown": 0.41, "too_noisy": True,
                  "launches": {"base": times, "new": times}}
        verdicts = {"schema_version": 1, "base": [], "new": [], "allowed": [], "confirmed": True, "regressions": 0,
                    "cases": [{"case": run["cases"][0]["case"], "metrics": [metric], "metrics_new": [], "metrics_gone": [],
                               "checks_gone": []}], "cases_new": [], "cases_gone": []}
        (self.results / "comparison.json").write_text(json.dumps(verdicts))
        page = self.open(self.results)
        self.assertEqual(page.complaints(), [])
        self.assertIn("1 case is too noisy to show a slowdown of 25 %", page.value("document.getElementById('verdict').textContent"))
        self.assertEqual(shown(page, "#changes table"), [[run["cases"][0]["case"], "step_median_s", "41 %"]])
        self.assertIn("the machine was busy: other processes took 31 % of its CPU time (5 % or more count)",
                      page.value("document.getElementById('busy').textContent"))
        self.assertIn(["CPU frequency governor", "powersave"], shown(page, "#environment table"))
        (self.results / "comparison.json").unlink()

    def test_a_history_shows_what_changed_and_when(self):
        history = pathlib.Path(self.folder.name) / "history"
        run = document()
        run["cases"] = run["cases"][1:3]
        times = [0.002 * (1 + 0.01 * (night % 3)) * (1.4 if night >= 12 else 1) for night in range(24)]
        added = []
        for night, seconds in enumerate(times):
            run["run"]["started"] = "2026-11-%02dT02:30:00Z" % (night + 1)
            run["run"]["environment"]["commit"] = "%012x" % night
            run["cases"][0]["quantities"]["step_median_s"] = seconds
            folder = pathlib.Path(self.folder.name) / ("night%d" % night)
            folder.mkdir()
            (folder / "results.json").write_text(json.dumps(run))
            added += ["--add", str(folder)]
        subprocess.run([PROGRAM, "history", str(history)] + added, check=True, capture_output=True)
        page = self.open(folder, options=["--history", str(history)])
        self.assertEqual(page.complaints(), [])
        self.assertEqual(self.datasets("chart-history", page)["step_median_s"], times)
        (change,) = shown(page, "#history > .scroll table")
        self.assertEqual(change[:2] + change[4:], [run["cases"][0]["case"], "step_median_s", "%012x .. %012x" % (11, 12)])

    def test_nothing_overflows_on_a_phone_and_dark_colours_are_used(self):
        for dark, ground in ((False, "rgb(255, 255, 255)"), (True, "rgb(18, 22, 28)")):
            page = self.open(RESULTS, width=390, height=844, mobile=True, dark=dark)
            self.assertEqual(page.value("document.documentElement.scrollWidth"), 390)
            self.assertEqual(page.value("getComputedStyle(document.body).backgroundColor"), ground)

    def test_print_shows_all_of_every_table(self):
        page = self.open(RESULTS)
        page.call("Emulation.setEmulatedMedia", media="print")
        self.assertTrue(page.value("[...document.querySelectorAll('.scroll')].every((e) => getComputedStyle(e).overflow === 'visible')"))
        self.assertEqual(page.complaints(), [])

    def test_a_run_without_cases(self):
        run = document()
        run["cases"] = []
        page = self.open_changed(run)
        self.assertEqual(page.complaints(), [])
        self.assertIn("Red: no case ran", page.value("document.getElementById('verdict').textContent"))


class RefusalTest(unittest.TestCase):
    def refused(self, *arguments):
        done = subprocess.run([PROGRAM, "report", *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("shardbench: "), 1, done.stderr)
        return done.stderr

    def test_no_such_folder(self):
        self.assertIn("/nowhere", self.refused("/nowhere"))

    def test_damaged_and_newer_results(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "results.json"
            text = (RESULTS / "results.json").read_text()
            file.write_text(text[:len(text) // 2])
            self.assertIn("results.json", self.refused(folder))
            file.write_text(json.dumps(dict(json.loads(text), schema_version=99)))
            self.assertIn("99", self.refused(folder))
            self.assertFalse((pathlib.Path(folder) / "report.html").exists())

    def test_a_comparison_that_is_damaged_or_newer(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "results.json").write_text((RESULTS / "results.json").read_text())
            file = pathlib.Path(folder) / "comparison.json"
            for text, said in (('{"schema_version": 1', "damaged"), ('{"schema_version": 1}', "base"), ('{"schema_version": 99}', "99")):
                file.write_text(text)
                problem = self.refused(folder)
                self.assertIn(said, problem)
                self.assertIn("comparison.json", problem)

    def test_a_history_that_is_not_there(self):
        self.assertIn("/nowhere", self.refused(RESULTS, "--history", "/nowhere"))

    def test_a_place_that_cannot_be_written(self):
        self.assertIn("/nowhere", self.refused(RESULTS, "-o", "/nowhere/report.html"))

    def test_markdown_goes_to_standard_output_or_a_file(self):
        done = subprocess.run([PROGRAM, "report", str(RESULTS), "--markdown"], capture_output=True, text=True, check=True)
        self.assertIn("Green: all 24 cases are right", done.stdout)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "summary.md"
            subprocess.run([PROGRAM, "report", str(RESULTS), "--markdown", "-o", str(file)], check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(file.read_text(), done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
