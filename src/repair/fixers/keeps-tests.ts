import { join } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { plural } from '../../platform/text/plural.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import { codeWithoutTypes } from '../syntax/code-without-types.ts';
import { nothingFixed, type FixResult } from './fix-result.ts';

/** A check that took longer is left to the evaluation of the attempt. */
const MAX_CHECK_MS = 60_000;
const MIN_TIMEOUT_MS = 20_000;
/** Room for a machine that is busier than before. */
const SLOWER = 2;

/**
 * Undoes a fixer's changes if they break a test that passed, or, with `mustRepair`, if they make no failing test pass.
 * Without `mustRepair`, changes of types, comments and layout alone are not tested.
 */
export async function keepIfTestsPass(
  context: AttemptContext,
  result: FixResult,
  { mustRepair = false } = {},
): Promise<FixResult> {
  const { before, changed } = result;
  if (changed.length === 0) return result;
  if (!mustRepair && (await isWithoutEffect(context.root, before))) return result;
  const { broken, repaired } = await testChanges(context);
  if (broken.length === 0 && (repaired > 0 || !mustRepair)) return result;
  for (const [file, text] of before) writeInTree(context.root, file, text);
  return nothingFixed(
    broken.length > 0
      ? `The fixes broke ${plural(broken.length, 'passing test')} and were undone, first ${broken[0]}.`
      : 'The fixes made no failing test pass and were undone: the failing tests come first.',
  );
}

/** `broken`: names of tests that passed and do not pass now; `repaired`: how many pass that did not. */
interface TestChanges {
  readonly broken: readonly string[];
  readonly repaired: number;
}

/** A check that does not end in time changes nothing. */
async function testChanges({ bench, evaluation, project, signal }: AttemptContext): Promise<TestChanges> {
  const broken: string[] = [];
  const passed = new Set(evaluation.tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
  let repaired = 0;
  for (const { name, kind } of project.checks) {
    const check = evaluation.checks.find((result) => result.name === name);
    if (kind !== 'tests' || check === undefined || check.status === 'error') continue;
    if (check.duration_ms > MAX_CHECK_MS) continue;
    const timeoutMs = Math.max(MIN_TIMEOUT_MS, check.duration_ms * SLOWER);
    const { tests, status, diagnostics } = await bench.run(name, { signal, timeoutMs });
    if (signal.aborted) break;
    if (diagnostics.some(({ type, test_id }) => type === 'timeout' && test_id === undefined)) continue;
    if (check.status === 'pass' && status === 'fail' && tests.length === 0) broken.push(name);
    const after = new Map(tests.map((test) => [test.id, test.status]));
    const worse = evaluation.tests.filter(
      (test) => test.status === 'passed' && after.get(test.id) === 'failed',
    );
    broken.push(...worse.map((test) => test.name));
    repaired += tests.filter((test) => test.status === 'passed' && !passed.has(test.id)).length;
  }
  return { broken, repaired };
}

async function isWithoutEffect(root: string, before: FixResult['before']): Promise<boolean> {
  for (const [file, text] of before) {
    const now = await readTreeText(join(root, file));
    if (codeWithoutTypes(file, now) !== codeWithoutTypes(file, text)) return false;
  }
  return true;
}
