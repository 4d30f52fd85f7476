#!/usr/bin/env python3
# Part of the fakequant project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the reference evaluator and the compiler to TensorFlow's records.

    golden.py --reference build/bin/fq-reference --fq-run build/bin/fq-run

Forward results and dx are TensorFlow's bit for bit (NaN equals NaN) with
denormals flushed. dmin and dmax are within 2^-22 of the sum of magnitudes of
the exact sums, and no further from them than TensorFlow's are over all
records. Exits with 1 if anything differs. Needs numpy.
"""

import argparse
import pathlib
import sys
import tempfile

import numpy as np

import exact_sums
import records
import runners

SUM_BOUND = 2.0**-22
HERE = pathlib.Path(__file__).resolve().parent


def describe_difference(got, expected, differs):
    """How many elements differ, and the first of them."""
    first = tuple(int(i) for i in np.argwhere(differs)[0])
    return (
        f"{int(np.count_nonzero(differs))} of {differs.size} elements differ, "
        f"the first at {list(first)}: got {got[first]!r}, expected {expected[first]!r}"
    )


def compare_exact(got, expected):
    """None, or the difference in bits."""
    same = got.view(np.uint32) == expected.view(np.uint32)
    differs = np.atleast_1d(~(same | (np.isnan(got) & np.isnan(expected))))
    if not differs.any():
        return None
    return describe_difference(np.atleast_1d(got), np.atleast_1d(expected), differs)


def compare_near(got, expected, atol, rtol):
    differs = ~np.isclose(got, expected, rtol=rtol, atol=atol, equal_nan=True)
    if not differs.any():
        return None
    text = describe_difference(got, expected, differs)
    return f"{text} (atol {atol:g}, rtol {rtol:g})"


class SumJudge:
    """Judges sums by the exact ones; knows how far TensorFlow's are."""

    def __init__(self, cases):
        self.tensorflow_worst = 0.0
        for case in cases:
            if case.tensorflow_sums:
                errors = self._errors(case, case.tensorflow_sums)
                self.tensorflow_worst = max(self.tensorflow_worst, errors)
        self.worst = 0.0

    @staticmethod
    def _errors(case, sums):
        return max(
            np.max(exact_sums.relative_errors(value, *exact), initial=0.0)
            for value, exact in zip(sums, exact_sums.exact_sums(case))
        )

    def compare(self, case, sums):
        """The complaints about dmin and dmax."""
        bound = min(SUM_BOUND, self.tensorflow_worst)
        complaints = []
        judged = zip(("dmin", "dmax"), sums, exact_sums.exact_sums(case))
        for name, value, (exact, magnitude) in judged:
            errors = exact_sums.relative_errors(value, exact, magnitude)
            self.worst = max(self.worst, np.max(errors, initial=0.0))
            kind = np.where(np.isnan(exact), np.isnan(value), value == exact)
            differs = np.where(np.isfinite(exact), errors > bound, ~kind)
            differs = np.atleast_1d(differs)
            if differs.any():
                text = describe_difference(
                    np.atleast_1d(value), np.atleast_1d(exact), differs
                )
                complaints.append(f"{name}: {text} (bound {bound:g} of sum |g|)")
        return complaints


def judge(case, outcome, sum_judge):
    """What is wrong with the outcome of a case."""
    if case.is_error:
        if outcome.is_diagnosed:
            return []
        return [
            f"expected a diagnostic and exit status 1 but got {outcome.error or 'results'}"
        ]
    if outcome.error:
        return [outcome.error]
    complaints = []
    for number, (got, shape) in enumerate(zip(outcome.results, case.result_shapes)):
        if got.dtype != np.float32 or got.shape != shape:
            complaints.append(
                f"result {number}: expected f32 {list(shape)} "
                f"but got {got.dtype} {list(got.shape)}"
            )
    if complaints:
        return complaints
    for number, expected in case.exact.items():
        difference = compare_exact(outcome.results[number], expected)
        if difference:
            complaints.append(f"result {number}: {difference}")
    for number, expected in case.near.items():
        difference = compare_near(outcome.results[number], *expected)
        if difference:
            complaints.append(f"result {number}: {difference}")
    if len(case.result_shapes) == 3:
        complaints += sum_judge.compare(case, outcome.results[1:])
    return complaints


def compare_order(outcome, reference):
    """dmin and dmax added in the contract's order have the reference's bits."""
    complaints = []
    if outcome.results and reference.results:
        pairs = zip(("dmin", "dmax"), outcome.results[1:], reference.results[1:])
        for name, got, expected in pairs:
            if got.shape == expected.shape and got.dtype == expected.dtype:
                difference = compare_exact(got, expected)
                if difference:
                    complaints.append(f"{name} against the reference: {difference}")
    return complaints


def judge_excluded(lite_rows, lite_cases, outcomes):
    """The tfl.fake_quant rows stay out because TFLite's arithmetic is another:
    the records say so, and so does the evaluator's answer."""
    complaints = []
    if not any(row["tf_2_21_0_cpu"]["eager"] == "DIFFERS" for row in lite_rows):
        complaints.append("no tfl.fake_quant row shows the other arithmetic any more")
    for row, case, outcome in zip(lite_rows, lite_cases, outcomes):
        if outcome.error:
            complaints.append(f"{case.name}: {outcome.error}")
            continue
        got = outcome.results[0]
        expected = records.as_f32(row["expected"], row["shape"])
        differs = bool(compare_near(got, expected, row["tolerance"]["atol"], 0))
        if differs != (row["tf_2_21_0_cpu"]["eager"] == "DIFFERS"):
            complaints.append(
                f"{case.name}: agrees with TFLite where TensorFlow does not"
            )
        if 0 in case.exact and compare_exact(got, case.exact[0]):
            complaints.append(f"{case.name}: differs from TensorFlow's args op")
    return complaints


class Tally:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def add(self, who, name, complaints):
        if not complaints:
            self.passed += 1
            return
        self.failed += 1
        for complaint in complaints:
            print(f"FAIL {who}: {name}: {complaint}", file=sys.stderr)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reference", required=True, help="the fq-reference program")
    parser.add_argument("--fq-run", help="the fq-run program")
    parser.add_argument(
        "--only-reference", action="store_true", help="leave fq-run out"
    )
    parser.add_argument("--golden", type=pathlib.Path, default=HERE)
    parser.add_argument(
        "--examples",
        type=pathlib.Path,
        default=HERE.parent.parent / "examples" / "digits_qat_step",
    )
    parser.add_argument(
        "--jobs", type=int, default=2, help="fq-run processes at a time"
    )
    arguments = parser.parse_args()
    if not arguments.only_reference and not arguments.fq_run:
        parser.error("expected --fq-run or --only-reference")
    return arguments


def main():
    arguments = parse_arguments()
    recorded = list(records.load_recorded(arguments.golden))
    digits = list(records.load_digits(arguments.examples))
    public, lite_rows = records.load_public(arguments.golden)
    cases = recorded + digits + public
    lite_cases = [records.make_lite_case(row) for row in lite_rows]
    print(
        f"{len(recorded)} recorded cases, {len(digits)} of the digits step, "
        f"{len(public)} public rows and observations "
        f"({sum(case.is_error for case in public)} of them errors); "
        f"{len(lite_rows)} tfl.fake_quant rows left out"
    )

    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sums = SumJudge(cases)
        referenced = runners.run_reference(
            arguments.reference, cases + lite_cases, folder / "reference"
        )
        for case, outcome in zip(cases, referenced):
            tally.add("reference", case.name, judge(case, outcome, sums))
        excluded = judge_excluded(lite_rows, lite_cases, referenced[len(cases) :])
        tally.add("reference", "tfl.fake_quant", excluded)
        print(
            f"largest error of a sum, by sum |g|: reference {sums.worst:.3g}, "
            f"TensorFlow {sums.tensorflow_worst:.3g}, bound {SUM_BOUND:.3g}"
        )

        if not arguments.only_reference:
            sums = SumJudge(cases)
            outcomes, lite_outcomes = runners.run_compiled(
                arguments.fq_run, cases, lite_rows, folder / "compiled", arguments.jobs
            )
            for case, outcome, reference in zip(cases, outcomes, referenced):
                complaints = judge(case, outcome, sums)
                complaints += compare_order(outcome, reference)
                tally.add("fq-run", case.name, complaints)
            for row, outcome in zip(lite_rows, lite_outcomes):
                refused = outcome.is_diagnosed and "tfl.fake_quant" in outcome.error
                complaint = (
                    f"expected a diagnostic but got {outcome.error or 'results'}"
                )
                tally.add("fq-run", row["id"], [] if refused else [complaint])
            print(f"largest error of a sum, by sum |g|: fq-run {sums.worst:.3g}")

    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
