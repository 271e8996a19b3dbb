"""Attacks with seeded mutations and kills; counts everything that is not an answer or a sentence.

`inputs` mutates vector files and seven other kinds of input, and reads them: in two processes, each
input with a limit of time and memory. An input is accepted, or refused with one sentence; anything
else is a traceback, a hang, or a process that has ended. Pickles in disguise are among the vectors,
and a marker shows whether one was opened. `kills` kills a run, learning curves and the server of a
study at random moments, and compares the results with undisturbed ones. `folder` runs commands in a
folder with modules that must not be imported. An input is repeated with --targets and --seeds.

    python benchmarks/attack.py inputs --vectors 20000 --others 10000
    python benchmarks/attack.py kills --kills 50
    python benchmarks/attack.py folder
    python benchmarks/attack.py inputs --targets stores --seeds 355 356
"""

import argparse
import contextlib
import faulthandler
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from random import Random

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

LONGEST = 20.0  # seconds for an input; the machine is shared
MEMORY = 6 << 30  # bytes of address space of a process
RESERVING = ("stores",)  # charts of reports reserve more address space than they need
RECYCLED = 2000  # inputs of a process
WORKERS = 2


class TooSlow(BaseException):
    """An input needs more time than it may have."""


def stop(number, frame):
    """End an input."""
    raise TooSlow


@dataclass
class Tally:
    """What happened to the inputs of a target."""

    counts: Counter = field(default_factory=Counter)
    seconds: float = 0.0
    slowest: float = 0.0
    problems: list = field(default_factory=list)

    def add(self, seed, outcome, seconds):
        """Count the outcome of an input."""
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)
        known = ("accepted", "refused", "hang", "killed", "execution")
        kind = outcome if outcome in known else "traceback"
        self.counts[kind] += 1
        if kind not in ("accepted", "refused"):
            self.problems.append((seed, outcome))


def read_inputs(target, seeds, outcomes):
    """Read inputs in this process, and send each outcome."""
    from tests.attack.targets import MARKER, attack

    warnings.simplefilter("ignore")
    os.environ["LEXISCOPE_OFFLINE"] = "1"
    os.nice(10)
    signal.signal(signal.SIGALRM, stop)
    folder = Path(tempfile.mkdtemp(prefix="lexiscope-attack-"))
    for seed in seeds:
        begun = time.perf_counter()
        outcomes.put((seed, "", 0.0))
        # A loop in compiled code ignores the first signal.
        faulthandler.dump_traceback_later(3 * LONGEST, exit=True)
        signal.setitimer(signal.ITIMER_REAL, LONGEST)
        try:
            outcome = attack(target, seed, folder)
        except TooSlow:
            outcome = "hang"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if (folder / MARKER).exists():
            outcome = "execution"
        outcomes.put((seed, outcome, time.perf_counter() - begun))
        for path in folder.iterdir():
            path.unlink() if path.is_file() else shutil.rmtree(path)
        if target not in RESERVING:  # and after the first input, which imports the package
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    faulthandler.cancel_dump_traceback_later()
    shutil.rmtree(folder)


def attacked(target, seeds, progress):
    """Read the inputs of a target in several processes."""
    tally, context = Tally(), multiprocessing.get_context("spawn")
    parts = [list(seeds)[k : k + RECYCLED] for k in range(0, len(seeds), RECYCLED)]
    running = []
    while parts or running:
        while parts and len(running) < WORKERS:
            part, queue = parts.pop(0), context.Queue()
            process = context.Process(target=read_inputs, args=(target, part, queue))
            process.start()
            running.append((process, queue, part))
        for each in list(running):
            rest = collect(each, tally)
            progress(target, sum(tally.counts.values()), len(seeds))
            if rest is not None:
                running.remove(each)
                parts += [rest] if rest else []
    return tally


def collect(running, tally):
    """Take outcomes for a moment; returns the inputs that are left once the process has ended."""
    process, queue, part = running
    alive = process.is_alive()  # before the queue is emptied
    with contextlib.suppress(Empty):
        while True:
            seed, outcome, seconds = queue.get(timeout=0.2)
            process.current = (seed, not outcome)
            if outcome:
                tally.add(seed, outcome, seconds)
    if alive:
        return None
    process.join()
    seed, unfinished = getattr(process, "current", (part[0], True))
    if unfinished:
        tally.add(seed, "killed", 0.0)
    return part[part.index(seed) + 1 :]


def inputs(chosen):
    """Attack the readers, and print a table."""
    from tests.attack.targets import TARGETS

    others = len(TARGETS) - 1
    begun = time.monotonic()
    print("| input | files | accepted | refused | tracebacks | hangs | killed | executions | "
          "slowest |\n|---|---|---|---|---|---|---|---|---|", flush=True)  # fmt: skip
    problems = []
    for target in chosen.targets or TARGETS:
        number = chosen.vectors if target == "vectors" else -(-chosen.others // others)
        seeds = range(*chosen.seeds) if chosen.seeds else range(number)
        found = attacked(target, seeds, progress_line(begun))
        counts = found.counts
        shown = (counts[each] for each in ("accepted", "refused", "traceback", "hang", "killed"))
        print(f"| {target} | {len(seeds):,} | " + " | ".join(f"{n:,}" for n in shown)
              + f" | {counts['execution']} | {found.slowest:.1f} s |", flush=True)  # fmt: skip
        problems += [(target, *problem) for problem in found.problems]
    for target, seed, outcome in problems:
        print(f"\n{target} {seed}: {outcome}")
    return bool(problems)


def progress_line(begun):
    """A function that prints the progress of a target and the time left, on a terminal."""

    def show(target, done, total):
        seconds = time.monotonic() - begun
        if done and sys.stderr.isatty():
            left = seconds / done * (total - done)
            print(
                f"\r{target}: {done:,} of {total:,}, {left:,.0f} s left ", end="", file=sys.stderr
            )

    return show


SCRIPT = """
import sys
if __name__ == "__main__":
    from lexiscope import Execution
    from lexiscope.experiments.curves.run import measure
    from benchmarks.attack import curve_plan
    measure(curve_plan(), Execution(sys.argv[1]))
"""


def curve_plan():
    """Learning curves that take some seconds."""
    from tests.experiments.curves.test_curves import plan

    from lexiscope.experiments.curves.protocol import Protocol

    return plan(protocol=Protocol(repeats=20, sizes=("20", "30", "40", "100%")))


def rows_of(store, table, columns):
    """The rows of a table; none before it exists."""
    import sqlite3

    if not store.exists():
        return []
    with contextlib.closing(sqlite3.connect(store, timeout=60)) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if table not in names:
            return []
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return database.execute(f"SELECT {columns} FROM {table} ORDER BY 1").fetchall()


def kill_repeatedly(start, store, table, columns, kills, rng):
    """Kill a process at random moments of its work; returns the rows that were lost or changed."""
    lost, acknowledged = 0, {}
    for _ in range(kills):
        process = start()
        before, target = len(acknowledged), rng.uniform(1, 12)
        while process.poll() is None and len(rows_of(store, table, columns)) < before + target:
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.05))
        process.kill()
        process.communicate()
        if process.returncode == 0:
            break
        found = {row[0]: row for row in rows_of(store, table, columns)}
        lost += sum(found.get(key) != row for key, row in acknowledged.items())
        acknowledged = found
        print(f"curves: killed with {len(found)} points, {lost} lost", file=sys.stderr, flush=True)
    return lost


def kill_curves(kills, folder, rng):
    """Kill learning curves; returns kills, lost and doubled points, and differing ones."""
    from lexiscope import Execution
    from lexiscope.experiments.curves.run import measure

    columns = "id, predicted, validation, selected"
    measure(curve_plan(), Execution(folder / "whole.sqlite"))
    whole = rows_of(folder / "whole.sqlite", "curve_point", columns)
    (folder / "script.py").write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    done, lost, doubled, differing, turn = 0, 0, 0, 0, 0
    while done < kills:
        store = folder / f"{turn}.sqlite"
        started = []

        def start(store=store, started=started):
            command = [sys.executable, "script.py", str(store)]
            started.append(subprocess.Popen(command, cwd=folder, env=environment))
            return started[-1]

        lost += kill_repeatedly(start, store, "curve_point", columns, min(10, kills - done), rng)
        done += sum(process.returncode < 0 for process in started)
        start().communicate()
        found = rows_of(store, "curve_point", columns)
        doubled += len(found) - len({row[0] for row in found})
        differing += len(set(found) ^ set(whole))
        turn += 1
        print(f"learning curves: {done} of {kills} kills, {lost} lost, {doubled} doubled, "
              f"{differing} differing", file=sys.stderr, flush=True)  # fmt: skip
    return done, lost, doubled, differing


def kill_runs(kills, folder, rng):
    """Kill runs; returns kills, lost and doubled cells, differing results, orphans."""
    import json

    from tests.evaluation.test_backends import still_there
    from tests.evaluation.test_interrupted_runs import (
        DATASETS,
        alive,
        check_whole,
        descendants,
        finished_cells,
        plan,
        started,
    )
    from tests.evaluation.toys import write

    import lexiscope

    sys.path.insert(0, str(ROOT))
    toys = folder / "toys"
    toys.mkdir()
    write(toys, "slow")
    lexiscope.tasks.__path__.append(str(toys))
    os.environ["TOY_PAUSE"] = "0"
    undisturbed = json.loads(json.dumps(lexiscope.run(**plan()).to_dict()))
    store, done, lost, differing, left_behind = folder / "s.sqlite", 0, 0, 0, 0
    while done < kills:
        store.unlink(missing_ok=True)
        before, cells = 0, 0
        while done < kills and cells < 4 * DATASETS - 6:
            process = started(folder, rng.choice(("serial", "processes")), pause="0.1")
            # Before the last cells: a finished run would wait for its output to be read.
            wanted = min(cells + rng.randint(1, 12), 4 * DATASETS - 4)
            while process.poll() is None and finished_cells(store) < wanted:
                time.sleep(0.02)
            time.sleep(rng.uniform(0, 0.1))
            family = descendants(process.pid)
            process.kill()
            process.communicate()
            left_behind += len(still_there(lambda family=family: alive(family)))
            before, cells = cells, finished_cells(store)
            lost += max(0, before - cells)
            done += process.returncode < 0
            print(f"run: {done} kills, {lost} lost", file=sys.stderr, flush=True)
        last = started(folder, "serial", pause="0")
        found = json.loads(last.communicate()[0])
        check_whole(store)
        differing += sum(
            found[key] != undisturbed[key]
            for key in ("results", "comparisons", "coverage", "failures")
        )
        print(f"run: {done} of {kills} kills, {lost} lost, {differing} differing, {left_behind} "
              "processes left behind", file=sys.stderr, flush=True)  # fmt: skip
    return done, lost, 0, differing, left_behind


def kill_study(kills):
    """Kill the server of a study, by the benchmark for it."""
    command = [sys.executable, str(ROOT / "benchmarks" / "study_load.py"), "kill", "--kills",
               str(kills)]  # fmt: skip
    subprocess.run(command, check=True)


def kills(chosen):
    """Kill programs, and print what they lost."""
    os.nice(10)
    rng = Random(chosen.seed)
    wanted = chosen.programs or ["run", "curves", "study"]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for program, kill in (("run", kill_runs), ("curves", kill_curves)):
            if program in wanted:
                found = kill(chosen.kills, Path(folder), rng)
                failed |= any(found[1:])
                print(f"{program}: {found[0]} kills, {found[1]} lost, {found[2]} doubled, "
                      f"{found[3]} differing at the end", flush=True)  # fmt: skip
    if "study" in wanted:
        kill_study(chosen.kills)
    return failed


def folder(chosen):
    """Run commands among hostile modules; returns whether one was imported."""
    from tests.attack.test_current_folder import MODULES

    os.nice(10)
    failed = False
    names = sorted({*MODULES, *(n for n in sys.stdlib_module_names if not n.startswith("_"))})
    with tempfile.TemporaryDirectory() as parent:
        where = Path(parent, "downloaded")
        where.mkdir()
        marker = Path(parent, "executed")
        for name in names:
            canary = f"open({str(marker)!r}, 'a').write('{name}\\n')\n"
            (where / f"{name}.py").write_text(canary)
        for number, name in enumerate("ab"):
            text = f"3 2\ncat 1 0\ndog 0 1\nsun {number} 1\n"
            (where / f"{name}.vec").write_text(text)
        (where / "pairs.tsv").write_text("cat\tdog\t9\ncat\tsun\t1\ndog\tsun\t4\n")
        (where / "text.txt").write_text("the cat drinks tea and the dog drinks milk .\n" * 50)
        start = Path(parent, "start.py")
        start.write_text(
            "from lexiscope.cli.main import main\nif __name__ == '__main__':\n    main()\n"
        )
        run = ["run", "a.vec", "b.vec", "--dataset", "pairs.tsv", "--task", "similarity"]
        commands = (
            run, [*run, "--jobs", "2", "--force"],
            [*run, "--jobs", "2", "--force", "--backend", "dask"],
            ["report"], ["export", "--format", "csv", "-o", "out"], ["doctor"], ["tasks"],
            ["convert", "a.vec", "c.safetensors"],
            ["train", "svd", "text.txt", "-o", "t.vec", "--dimension", "2"],
            ["neighbours", "a.vec", "cat"], ["data", "list"], ["trainers"],
        )  # fmt: skip
        for command in commands:
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "LEXISCOPE_OFFLINE": "1"}
            ended = subprocess.run([sys.executable, start, *command], cwd=where, env=environment,
                                   capture_output=True, text=True, check=False)  # fmt: skip
            executed = marker.read_text().split() if marker.exists() else []
            marker.unlink(missing_ok=True)
            failed |= bool(executed) or "Traceback" in ended.stderr
            print(f"{' '.join(command)}: exit {ended.returncode}, executed: "
                  f"{', '.join(executed) or 'nothing'}", flush=True)  # fmt: skip
            if ended.returncode:
                print(ended.stderr[-500:])
    return failed


def main():
    """Run the attack that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    commands = parser.add_subparsers(required=True)
    reading = commands.add_parser("inputs")
    reading.add_argument("--vectors", type=int, default=20_000)
    reading.add_argument("--others", type=int, default=10_000)
    reading.add_argument("--targets", nargs="+")
    reading.add_argument("--seeds", nargs=2, type=int, metavar=("FIRST", "END"))
    reading.set_defaults(attack=inputs)
    killing = commands.add_parser("kills")
    killing.add_argument("--kills", type=int, default=50)
    killing.add_argument("--seed", type=int, default=0)
    killing.add_argument("--programs", nargs="+", choices=["run", "curves", "study"])
    killing.set_defaults(attack=kills)
    commands.add_parser("folder").set_defaults(attack=folder)
    chosen = parser.parse_args()
    sys.exit(chosen.attack(chosen))


if __name__ == "__main__":
    main()
