import { describe, expect, it } from 'vitest';
import type { LoopPorts } from '../../src/loop/options.ts';
import { runLoop } from '../../src/loop/run.ts';
import type { TestCase } from '../../src/schema/generated.ts';
import { evaluation, failure, loopOptions, scriptedLoop, type Script } from '../support/scripted.ts';

const TESTS = ['adds', 'rounds'];

/** A tree is named by the tests that pass in it. */
const judge: Script['judge'] = (tree) => {
  const passed = TESTS.filter((id) => tree.split(' ').includes(id));
  const failed = TESTS.filter((id) => !passed.includes(id));
  return evaluation(passed.length, TESTS.length, {
    diagnostics: failed.map((id) => ({ ...failure(TESTS.indexOf(id)), test_id: id })),
    tests: TESTS.map((id): TestCase => {
      const status = passed.includes(id) ? 'passed' : 'failed';
      return { id, name: id, file: 'test/sum.test.js', status, duration_ms: 1 };
    }),
  });
};

interface Seen {
  readonly traced: string[];
  readonly learned: (readonly string[] | undefined)[];
}

/** Runs a loop. `again`: the tests that pass when the proof runs the untouched tree again. */
async function run(edits: readonly string[], again: readonly string[] = []): Promise<Seen> {
  const loop = scriptedLoop({ edits, judge });
  const seen: Seen = { traced: [], learned: [] };
  const ports: LoopPorts = {
    ...loop.ports,
    bench: {
      ...loop.ports.bench,
      async run(name, narrowing) {
        if (again.includes('none') && narrowing.times === undefined)
          throw new Error('The project has no such check.');
        const { tests, ...report } = await loop.ports.bench.run(name, narrowing);
        return {
          ...report,
          tests: tests.map((test) => (again.includes(test.id) ? { ...test, status: 'passed' } : test)),
        };
      },
    },
    tracer: {
      trace: () => Promise.resolve(undefined),
      executes({ failure: { test_id: id } }) {
        seen.traced.push(id!);
        return Promise.resolve(true);
      },
    },
    experience: {
      withhold: () => Promise.resolve(undefined),
      recall: () => Promise.resolve(undefined),
      learn({ fixesSeen }) {
        seen.learned.push(fixesSeen);
        return Promise.resolve();
      },
      conclude: () => Promise.resolve(),
      spent: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost_usd: 0 },
    },
  };
  await runLoop(ports, loopOptions());
  return seen;
}

describe('the tests that an attempt fixed', () => {
  it('are those that failed again without the change, and no further run is needed', async () => {
    expect(await run(['adds rounds'])).toEqual({ traced: [], learned: [['adds', 'rounds']] });
  });

  it('are none of those that passed again without the change', async () => {
    const { traced, learned } = await run(['adds rounds'], ['rounds']);
    expect(traced).toEqual([]);
    expect(learned).toEqual([['adds']]);
  });

  it('are traced after an attempt that started from another tree', async () => {
    const { traced, learned } = await run(['adds', 'adds rounds']);
    expect(traced).toEqual(['adds', 'rounds']);
    expect(learned).toEqual([['adds'], ['rounds']]);
  });

  it('are none of those that pass on the tree before, whatever they run', async () => {
    const { traced, learned } = await run(['adds', 'adds rounds'], ['rounds']);
    expect(traced).toEqual(['adds']);
    expect(learned).toEqual([['adds'], []]);
  });

  it('are traced where their check cannot be run again', async () => {
    const { traced, learned } = await run(['adds', 'adds rounds'], ['none']);
    expect(traced).toEqual(['adds', 'rounds']);
    expect(learned).toEqual([['adds'], ['rounds']]);
  });
});
