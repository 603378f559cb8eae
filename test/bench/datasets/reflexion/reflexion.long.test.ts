import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { benchReflexion } from '../../../../bench/datasets/reflexion/index.ts';
import type { ReflexionReport } from '../../../../bench/datasets/reflexion/report.ts';
import { temporaryFolder, writeFiles } from '../../../support/repositories.ts';
import { lineOf, RIGHT, WRONG } from './sample.ts';

const hasPython = execaSync('python3', ['--version'], { reject: false }).exitCode === 0;
const { signal } = new AbortController();

function logWith(...lines: Record<string, unknown>[]): string {
  const folder = temporaryFolder();
  writeFiles(folder, { 'log.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
  return join(folder, 'log.jsonl');
}

async function bench(file: string, results?: string): Promise<[ReflexionReport, string[]]> {
  const finished: string[] = [];
  const report = await benchReflexion({
    file,
    results,
    python: 'python3',
    jobs: 2,
    signal,
    onResult: ({ id }) => finished.push(id),
  });
  return [report, finished];
}

describe.runIf(hasPython)('benchReflexion', { timeout: 240_000 }, () => {
  it('replays answers and reflections through the loop', async () => {
    const file = logWith(
      lineOf(),
      lineOf({
        task_id: 'Sample/second',
        reflections: ['The sign is wrong.'],
        implementations: [WRONG, RIGHT],
      }),
      lineOf({ task_id: 'Sample/unknown', reflections: ['One.', 'Two.'] }),
      lineOf({
        task_id: 'Sample/never',
        reflections: ['One.'],
        implementations: [WRONG, WRONG],
        is_solved: false,
      }),
      // A program that ends the process before its tests ran has passed none.
      lineOf({ task_id: 'Sample/exit', solution: '    import os; os._exit(0)', is_solved: false }),
      lineOf({ task_id: 'Sample/endless', solution: '    while True: pass', is_solved: false }),
    );
    const [report] = await bench(file);
    expect(report).toMatchObject({
      complete: true,
      total: { problems: 6, solved_in_log: 3, verified: 3 },
      differences: [],
      attempts: 10,
      stored_answers: 8,
      reflections: 4,
    });
    expect(report.problems).toMatchObject([
      { id: 'Sample/add', verified: true, replayed: 1 },
      { id: 'Sample/second', verified: true, replayed: 2, reflections: 1 },
      { id: 'Sample/unknown', verified: true, replayed: 3, reflections: 2 },
      { id: 'Sample/never', verified: false, replayed: 2, error: expect.stringContaining('AssertionError') },
      { id: 'Sample/exit', verified: false },
      { id: 'Sample/endless', verified: false, timed_out: true },
    ]);
  });

  it('tries the reason of each difference', async () => {
    const file = logWith(
      lineOf({ solution: `import math\n\ndef add(a, b):\n${RIGHT}\n\ndef abs(a):\n    return 0` }),
      lineOf({ task_id: 'Sample/borrows', solution: '    return int(math.fsum([a, b]))' }),
      lineOf({ task_id: 'Sample/spoiled', solution: '    return a + b + abs(0 - 1) - 1', is_solved: false }),
      lineOf({
        task_id: 'Sample/left',
        implementations: [RIGHT, WRONG],
        reflections: ['?'],
        is_solved: false,
      }),
      lineOf({ task_id: 'Sample/false', solution: WRONG }),
    );
    const [report] = await bench(file);
    expect(report.differences).toMatchObject([
      {
        id: 'Sample/borrows',
        kind: 'shared process',
        reason: expect.stringMatching(/name 'math' is not defined.*`math` is from Sample\/add/),
      },
      {
        id: 'Sample/spoiled',
        kind: 'shared process',
        reason: expect.stringContaining('`abs` is from Sample/add'),
      },
      { id: 'Sample/left', kind: 'earlier answer' },
      { id: 'Sample/false', kind: 'not explained', log_solved: true, verified: false },
    ]);
  });

  it('goes on after the results of an earlier run', async () => {
    const file = logWith(lineOf(), lineOf({ task_id: 'Sample/second' }));
    const results = join(temporaryFolder(), 'results.jsonl');
    const [first] = await bench(file, results);
    const [second, finished] = await bench(file, results);
    expect(second.problems).toEqual(first.problems);
    expect(finished).toEqual(['Sample/add', 'Sample/second']);
  });
});
