import type { Ground } from '../ground.ts';
import { applyDiff, filesOfPatch } from '../patches.ts';
import { runTests, type TestResults } from '../test-results.ts';
import type { SweInstance } from './instance.ts';

/** What the tests of an instance say about a patch. */
export interface Judgement {
  /** Whether the patch applies to the base. */
  readonly applied: boolean;
  /** All tests of FAIL_TO_PASS and PASS_TO_PASS pass. */
  readonly resolved: boolean;
  /** Tests of FAIL_TO_PASS that pass now. */
  readonly fixed: number;
  /** Names of PASS_TO_PASS that do not pass. */
  readonly regressed: readonly string[];
  /** Why it is not resolved; '' if it is. */
  readonly reason: string;
}

export interface JudgeOptions {
  /** Absolute folder for workspaces. */
  readonly workspaceDir: string;
  readonly signal: AbortSignal;
}

/**
 * Applies a patch and the instance's tests to a fresh checkout, and runs the repository's tests. Changes of files that
 * the test patch changes are left out, so that a patch cannot replace the tests that judge it.
 */
export async function judgePatch(
  instance: SweInstance,
  patch: string,
  { ground, ...options }: JudgeOptions & { readonly ground: Ground },
): Promise<Judgement> {
  const none = { applied: false, resolved: false, fixed: 0, regressed: [] };
  let problem: string | undefined;
  const root = await ground.checkout('judge', async (folder) => {
    problem = await applyDiff(folder, patch, filesOfPatch(instance.testPatch));
    if (problem === undefined) await applyTests(folder, instance);
  });
  if (problem !== undefined) return { ...none, reason: `The patch does not apply: ${problem}` };
  return compareResults(instance, await runTests(root, options));
}

/** Applies an instance's tests to a checkout of its base. Throws an Error if they do not apply. */
export async function applyTests(root: string, { testPatch }: SweInstance): Promise<void> {
  const problem = await applyDiff(root, testPatch);
  if (problem !== undefined) throw new Error(`The test patch does not apply: ${problem}`);
}

/** Compares the results of a tree, which has the instance's tests, with the instance's names. */
export function compareResults(
  { failToPass, passToPass }: SweInstance,
  results: Pick<TestResults, 'passed' | 'failed'>,
): Judgement {
  const passes = passIn(results);
  const fixed = failToPass.filter(passes).length;
  const regressed = passToPass.filter((name) => !passes(name));
  const resolved = fixed === failToPass.length && regressed.length === 0;
  const reason = resolved ? '' : whyNot({ fixed, wanted: failToPass.length, regressed: regressed.length });
  return { applied: true, resolved, fixed, regressed, reason };
}

function whyNot(counts: {
  readonly fixed: number;
  readonly wanted: number;
  readonly regressed: number;
}): string {
  const { fixed, wanted, regressed } = counts;
  return `${fixed} of ${wanted} failing tests pass, and ${regressed} that passed do not.`;
}

/**
 * Whether a test passes, by its id or by its name. Names of other harnesses have no file, and join suites by a space or
 * ` > `: a name counts as passed if at least one test has it and none of these failed.
 */
function passIn({ passed, failed }: Pick<TestResults, 'passed' | 'failed'>): (name: string) => boolean {
  const passedNames = new Set([...passed].map(plainName));
  const failedNames = new Set([...failed].map(plainName));
  return (name) => passed.has(name) || (passedNames.has(plain(name)) && !failedNames.has(plain(name)));
}

/** The name of an id without its file. */
function plainName(id: string): string {
  return plain(id.includes(' > ') ? id.slice(id.indexOf(' > ') + 3) : id);
}

function plain(name: string): string {
  return name.replaceAll(' > ', ' ').trim();
}
