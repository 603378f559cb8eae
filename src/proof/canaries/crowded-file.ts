import { randomInt } from 'node:crypto';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { Tampering, TestCase } from '../../schema/generated.ts';
import { toolOf } from '../../tools.ts';
import { hasRun, passingCanary } from './canary.ts';
import { plainNames, renderCanaries, type CanaryNames } from './canary-tests.ts';
import { passes, type FlippedFile } from '../flipped-tests.ts';
import { withWrong, type WrongExpectation } from './wrong-expectations.ts';

/** Most wrong expectations of a test that are tried. */
const MAX_CHANGES = 3;

/** A test file in which several wrong expectations are tried at once, with canaries behind its tests. */
export interface CrowdedFile {
  /** Relative to the root. */
  readonly file: string;
  readonly text: string;
  /** Undefined where the runner has no canaries. */
  readonly canaries: CanaryNames | undefined;
  readonly tests: readonly CrowdedTest[];
}

interface CrowdedTest {
  readonly changes: readonly WrongExpectation[];
  /** Copies of the test, each with one of the changes; with one copy it has the first of them. */
  readonly copies: number;
}

/**
 * Writes a test once for each of its changes, in the order of its expectations: code that lets only its first failures pass
 * lets the first copy pass. The canaries come last, so that no failure is seen before those of the tests themselves.
 */
export function crowd(
  check: Check,
  { file, source, changes }: FlippedFile,
  now: readonly TestCase[],
): CrowdedFile {
  const tests = changes.map((all): CrowdedTest => {
    const tried = all.slice(0, MAX_CHANGES);
    const isCopied =
      check.plan.tool !== 'ava' &&
      mayBeCopied(
        tried,
        source,
        now.filter((test) => test.file === file),
      );
    return { changes: tried, copies: isCopied ? tried.length : 1 };
  });
  const edits = tests.map(({ changes: [first, ...more], copies }) =>
    copies === 1 ? first! : copied([first!, ...more], source),
  );
  const dialect = toolOf(check.plan.tool).dialect?.canary;
  const word = Array.from({ length: 7 }, () => String.fromCharCode(97 + randomInt(26))).join('');
  const canaries = dialect && plainNames(word);
  const text = withWrong(source, edits);
  const appended = dialect && `${text}\n${renderCanaries(dialect, word, canaries)}`;
  return { file, text: appended ?? text, canaries, tests };
}

/** A test whose name is its own, and which counts nothing by its name. */
function mayBeCopied(
  [first, ...more]: readonly WrongExpectation[],
  source: string,
  now: readonly TestCase[],
): boolean {
  const { whole, test, isTable } = first!;
  if (whole === undefined || isTable || more.some((it) => it.whole?.from !== whole.from)) return false;
  const isUnique = now.filter(({ name }) => name === test).length === 1;
  return isUnique && !/snapshot/i.test(source.slice(whole.from, whole.to));
}

function copied(changes: readonly WrongExpectation[], source: string): WrongExpectation {
  const { from, to } = changes[0]!.whole!;
  const texts = changes.map((it) =>
    withWrong(source.slice(from, to), [{ ...it, from: it.from - from, to: it.to - from }]),
  );
  return { ...changes[0]!, from, to, text: texts.join('\n') };
}

/** The result of one run of a crowded file. */
export interface CrowdResult {
  readonly tampering: readonly Tampering[];
  /** Changes that are left to be tried one by one, by test. */
  readonly left: readonly (readonly WrongExpectation[])[];
  /** Canaries and all tests with a wrong expectation ran and failed. */
  readonly canFail: boolean;
}

/** A copy that does not fail proves nothing by itself: it may depend on the copy before it. */
export function judgeCrowd({ file, canaries, tests }: CrowdedFile, report: CheckReport): CrowdResult {
  const own = report.tests.filter((test) => test.file === file);
  const isCanary = ({ name }: TestCase): boolean =>
    canaries !== undefined && (name === canaries.control || name.startsWith(canaries.canary));
  const plain = { ...report, tests: own.filter((test) => !isCanary(test)) };
  const single = tests.filter(({ copies }) => copies === 1).map(({ changes: [first] }) => first!);
  const left = tests.map(({ changes, copies }) => {
    if (copies === 1) return changes.slice(1);
    const cases = plain.tests.filter(({ name }) => name === changes[0]!.test);
    return cases.length === copies && cases.every(({ status }) => status === 'failed') ? [] : changes;
  });
  const tampering = [
    ...single.flatMap((change) => toothless(file, change, plain)),
    ...(canaries === undefined ? [] : passingCanary(file, own, canaries)),
  ];
  const haveFailed = tests.every(
    ({ changes, copies }, at) => copies === 1 || left[at]!.length < changes.length,
  );
  const canFail = canaries !== undefined && hasRun(own, canaries) && tampering.length === 0 && haveFailed;
  return { tampering, left, canFail };
}

/** Tampering if the changed test passed. A name that several tests have must have passed in all of them. */
export function toothless(file: string, change: WrongExpectation, report: CheckReport): Tampering[] {
  if (!passes(file, change, report)) return [];
  const detail = `"${change.test}" of ${file} passes with a wrong expected value, so it cannot fail with this change. The code must not change how it is tested.`;
  return [{ kind: 'canary_passed', file, detail: detail.slice(0, 2_000) }];
}
