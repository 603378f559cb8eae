import { expect, test } from 'vitest';
import { runLoop } from '../../src/loop/run.ts';
import type { Diagnostic, Reflection } from '../../src/schema/generated.ts';
import { evaluation, loopOptions, scriptedLoop, type Script } from '../support/scripted.ts';

const judge: Script['judge'] = (tree) => evaluation(tree === 'base' ? 1 : Number(tree.slice(1)), 4);

/** Reflections of another loop, which ended without success. */
async function earlierReflections(): Promise<Reflection[]> {
  const loop = scriptedLoop({ edits: ['t2', 't3', 't2'], judge });
  await runLoop(loop.ports, loopOptions({ maxIterations: 3 }));
  return loop.reflections.map((reflection) => ({ ...reflection, loop_id: 'ralph-earlier-20260101-aaaaaa' }));
}

const shown = ({ reflections }: { readonly reflections: readonly Reflection[] }): string[] =>
  reflections.map(
    ({ loop_id, iteration }) => `${loop_id.startsWith('ralph-earlier') ? 'earlier' : 'own'} ${iteration}`,
  );

test('fills places of the window that this loop leaves empty with reflections of earlier loops', async () => {
  const earlier = await earlierReflections();
  const loop = scriptedLoop({ edits: ['t2', 't2', 't3', 't2'], judge });
  await runLoop(loop.ports, loopOptions({ earlier, omega: 2, maxIterations: 4 }));
  expect(loop.contexts.map(shown)).toEqual([
    ['earlier 1', 'earlier 2'],
    ['earlier 2', 'own 0'],
    ['own 0', 'own 1'],
    ['own 1', 'own 2'],
  ]);
});

test('records and announces the numbers of this loop’s reflections only', async () => {
  const earlier = await earlierReflections();
  const loop = scriptedLoop({ edits: ['t2', 't3'], judge });
  await runLoop(loop.ports, loopOptions({ earlier, omega: 3, maxIterations: 2 }));
  expect(loop.reflections.map((made) => [made.context_injected, made.previous_reflections_used])).toEqual([
    [true, []],
    [true, [0]],
  ]);
  const windows = loop.events.flatMap((event) => (event.type === 'attempt_started' ? [event.window] : []));
  expect(windows).toEqual([[], [1]]);
});

test('shows no reflections of earlier loops under a strategy without reflections', async () => {
  const loop = scriptedLoop({ edits: ['t2'], judge });
  await runLoop(
    loop.ports,
    loopOptions({ earlier: await earlierReflections(), strategy: 'last-attempt', maxIterations: 1 }),
  );
  expect(loop.contexts.map(shown)).toEqual([[]]);
});

/** Failing trees of a loop whose one check is a command without a report. */
const byCommand =
  (command: string): Script['judge'] =>
  () => {
    const { checks, ...rest } = evaluation(0, 1);
    const failure: Diagnostic = {
      type: 'other',
      message: 'Exit code 1.',
      severity: 'error',
      check: 'accept',
      fingerprint: 'exit-1',
    };
    return { ...rest, checks: [{ ...checks[0]!, name: 'accept', command }], diagnostics: [failure] };
  };

test.each([
  ['another command failed in the same words', 'test -f src/y.js', 0],
  ['the same command failed', 'test -f src/x.js', 1],
])('of another task it is told only where the failure is the same: %s', async (_, command, count) => {
  const before = scriptedLoop({ edits: ['t1'], judge: byCommand('test -f src/x.js') });
  await runLoop(before.ports, loopOptions({ maxIterations: 1, task: 'Write x' }));
  const earlier = before.reflections.map((one) => ({
    ...one,
    loop_id: 'ralph-earlier-20260101-aaaaaa',
    task_description: 'Write x',
  }));
  const loop = scriptedLoop({ edits: ['t2'], judge: byCommand(command) });
  await runLoop(loop.ports, loopOptions({ earlier, omega: 3, maxIterations: 1, task: 'Write y' }));
  expect(loop.contexts.map((context) => shown(context).length)).toEqual([count]);
});

const TEST: Diagnostic = {
  ...{ type: 'test_failure', check: 'tests', severity: 'error', message: '6 == 7' },
  ...{ expected: '7', received: '6', file: 'test/v.test.js', rule: 'sums', test_id: 'test/v.test.js > sums' },
  fingerprint: 'aaaaaaaaaaaa',
};

/** Failing trees of a loop with one test. */
const byTest =
  (change: Partial<Diagnostic>): Script['judge'] =>
  () => {
    const failure = { ...TEST, ...change };
    const tests = [{ id: failure.test_id!, name: failure.rule!, status: 'failed' as const }];
    return { ...evaluation(0, 1), tests, diagnostics: [failure] };
  };

const renamed = { rule: 'adds up', test_id: 'test/v.test.js > adds up', fingerprint: 'bbbbbbbbbbbb' };
const moved = { file: 'test/w.test.js', test_id: 'test/w.test.js > sums', fingerprint: 'cccccccccccc' };

const unloaded = (file: string): Partial<Diagnostic> => ({
  ...{ rule: '(file)', file, test_id: `${file} > (file)`, fingerprint: `f-${file}` },
  ...{ message: `Cannot load ${file}`, expected: undefined, received: undefined },
});

test.each<[string, Partial<Diagnostic>, number, Partial<Diagnostic>?]>([
  ['the test was renamed', renamed, 1],
  ['its file was renamed', moved, 1],
  ['another test of the file fails', { ...renamed, expected: '9', received: '1', message: '1 == 9' }, 0],
  ['another test of another file fails', { ...moved, rule: 'parses', test_id: 'test/w.test.js > parses' }, 0],
  ['another file does not load', unloaded('test/w.test.js'), 0, unloaded('test/v.test.js')],
  ['the same file does not load', unloaded('test/v.test.js'), 1, unloaded('test/v.test.js')],
])('of another task it is told where %s', async (_, change, count, first = {}) => {
  const before = scriptedLoop({ edits: ['t1'], judge: byTest(first) });
  await runLoop(before.ports, loopOptions({ maxIterations: 1, task: 'Write x' }));
  const earlier = before.reflections.map((one) => ({ ...one, loop_id: 'ralph-earlier-20260101-aaaaaa' }));
  const loop = scriptedLoop({ edits: ['t2'], judge: byTest(change) });
  await runLoop(loop.ports, loopOptions({ earlier, omega: 3, maxIterations: 1, task: 'Write y' }));
  expect(loop.contexts.map((context) => shown(context).length)).toEqual([count]);
});

test('an attempt of an earlier loop that changed nothing takes no place of one that did', async () => {
  const all = await earlierReflections();
  const earlier = all.map((one, index) =>
    index < 2 ? one : { ...one, actor_output: { ...one.actor_output, files_modified: [] } },
  );
  const loop = scriptedLoop({ edits: ['t2'], judge });
  await runLoop(loop.ports, loopOptions({ earlier, omega: 1, maxIterations: 1 }));
  expect(loop.contexts.map(shown)).toEqual([['earlier 1']]);
});
