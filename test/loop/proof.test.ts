import { describe, expect, it } from 'vitest';
import { runLoop } from '../../src/loop/run.ts';
import type { LoopOptions } from '../../src/loop/options.ts';
import type { ChangeRules } from '../../src/ports.ts';
import type { AcceptanceSuite, StrengthRequest } from '../../src/ports/acceptance.ts';
import type { Criterion, Evaluation, ProofStrength, TestCase } from '../../src/schema/generated.ts';
import { NO_USAGE } from '../../src/schema/usage.ts';
import { validate } from '../../src/schema/validate.ts';
import {
  evaluation,
  failure,
  loopOptions,
  scriptedLoop,
  type Script,
  type ScriptedLoop,
} from '../support/scripted.ts';
import { SCRIPTED_USAGE } from '../support/scripted-model.ts';

const WRITTEN = 'test/slug.acceptance.test.ts';

/** Trees: `base` is green; with `+tests` the written test runs and fails, unless the tree contains `real`. */
const judge: Script['judge'] = (tree) => {
  const old: TestCase = {
    id: 'a > old',
    name: 'old',
    file: 'test/a.test.ts',
    status: tree.includes('broken') ? 'failed' : 'passed',
  };
  const own: TestCase = {
    id: 'w > slug',
    name: 'slug',
    file: WRITTEN,
    status: tree.includes('real') ? 'passed' : 'failed',
  };
  const tests = tree.includes('+tests') ? [old, own] : [old];
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return evaluation(passed, tests.length, { tests });
};

const CRITERION: Criterion = {
  id: 'C1',
  text: 'slugify joins words',
  source: 'written',
  red_before: true,
  green_after: false,
  tests: [`${WRITTEN}: slug`],
};

interface Prepared {
  readonly loop: ScriptedLoop;
  readonly asked: string[];
  readonly protectedFiles: (readonly string[])[];
}

/** A loop whose writer adds `+tests` to the tree, or nothing. */
function loopWith(
  edits: Script['edits'],
  suite: Partial<AcceptanceSuite> = {},
  from?: ScriptedLoop,
): Prepared {
  const loop = scriptedLoop({ edits, judge }, from);
  const asked: string[] = [];
  const protectedFiles: (readonly string[])[] = [];
  const found = {
    criteria: [CRITERION],
    files: [WRITTEN],
    uncovered: ['speed'],
    rejected: [],
    usage: NO_USAGE,
    ...suite,
  };
  Object.assign(loop.ports, {
    acceptance: {
      writer: 'scripted',
      prepare: () => {
        asked.push(loop.tree);
        if (found.files.length > 0) loop.tree += '+tests';
        return Promise.resolve(found);
      },
    },
    guard: {
      restoreProtected: () => Promise.resolve([]),
      protectFrom: (_tree: string, files: readonly string[]) => void protectedFiles.push(files),
    },
  });
  return { loop, asked, protectedFiles };
}

function task(over: Partial<LoopOptions['proof']> = {}): LoopOptions {
  return loopOptions({ proof: { ...loopOptions().proof, hasTask: true, ...over } });
}

describe('acceptance tests in a loop', () => {
  it('start the loop red, are protected, and prove the change that makes them green', async () => {
    const { loop, asked, protectedFiles } = loopWith(['base+tests stub', 'base+tests real']);
    const verdict = await runLoop(loop.ports, task());
    expect(asked).toEqual(['base']);
    expect(protectedFiles).toEqual([[WRITTEN]]);
    expect(loop.contexts[0]!.evaluation.passed).toBe(false);
    expect(verdict).toMatchObject({ status: 'passed', verified: true, iterations: 2, baseline_reward: 0.5 });
    expect(verdict.reason).toContain(
      'Proven by the 1 criterion of the task that was red, by tests written before the change.',
    );
    expect(verdict.proof).toEqual({
      kind: 'written',
      criteria: [{ ...CRITERION, green_after: true }],
      uncovered: ['speed'],
    });
    expect(validate('verdict', verdict)).toMatchObject({ ok: true });
    expect(loop.reflections).toHaveLength(1);
  });

  it('leave the loop unproven if the writer writes none', async () => {
    const { loop } = loopWith(['base stub'], { criteria: [], files: [] });
    const verdict = await runLoop(loop.ports, task());
    expect(verdict).toMatchObject({
      status: 'unproven',
      verified: false,
      proof: { kind: 'none', criteria: [] },
    });
    expect(loop.states.at(-1)!.status).toBe('unproven');
    expect(loop.reflections).toEqual([]);
  });

  it('are not asked for without a task text', async () => {
    const { loop, asked } = loopWith([]);
    expect(await runLoop(loop.ports, loopOptions())).toMatchObject({
      status: 'nothing_to_do',
      verified: true,
    });
    expect(asked).toEqual([]);
  });

  it('are written once in the life of a loop that is resumed', async () => {
    let stops = false;
    const first = loopWith([
      () => {
        stops = true;
        return 'base+tests stub';
      },
    ]);
    await runLoop(first.loop.ports, { ...task(), stopRequested: () => stops });
    const second = loopWith(['never', 'base+tests real'], {}, first.loop);
    const verdict = await runLoop(second.loop.ports, { ...task(), resumed: true });
    expect(second.asked).toEqual([]);
    expect(second.protectedFiles).toEqual([[WRITTEN]]);
    expect(verdict).toMatchObject({ status: 'passed', proof: { kind: 'written' } });
  });

  it('own the type errors in their files, which prove nothing more', async () => {
    const { loop } = loopWith(['base+tests real']);
    const { evaluate } = loop.ports.evaluator;
    Object.assign(loop.ports.evaluator, {
      async evaluate(request: Parameters<typeof evaluate>[0]) {
        const seen = await evaluate(request);
        const isRed = loop.tree === 'base+tests';
        const [check] = seen.checks;
        const types = {
          ...check!,
          name: 'types',
          kind: 'types',
          status: isRed ? 'fail' : 'pass',
          errors: isRed ? 1 : 0,
        };
        const error = { ...failure(1), check: 'types', file: WRITTEN };
        return {
          ...seen,
          checks: [...seen.checks, types],
          diagnostics: isRed ? [...seen.diagnostics, error] : [],
        };
      },
    });
    const verdict = await runLoop(loop.ports, task());
    expect(verdict.proof!.criteria.map(({ source }) => source)).toEqual(['written']);
  });

  it('do not make up for a regression', async () => {
    const { loop } = loopWith(['base+tests real broken']);
    const verdict = await runLoop(loop.ports, { ...task(), maxIterations: 1 });
    expect(verdict).toMatchObject({ status: 'exhausted', verified: false });
  });
});

describe('a disputed test', () => {
  const dispute = (line: string, tree: string): Prepared => {
    const prepared = loopWith([]);
    const { loop } = prepared;
    const { attempt } = loop.ports.actor;
    Object.assign(loop.ports.actor, {
      async attempt(context: Parameters<typeof attempt>[0]) {
        const made = await attempt(context);
        loop.tree = tree;
        return { ...made, message: line };
      },
    });
    return prepared;
  };

  it('ends the loop unproven and shows the reason, even with --apply-unproven only as a branch', async () => {
    const { loop } = dispute('TEST WRONG: slug: the task asks for underscores', 'base+tests other');
    const hows: string[] = [];
    const { deliver } = loop.ports.delivery;
    Object.assign(loop.ports.delivery, {
      deliver: (tree: string, how: 'tree' | 'branch') => {
        hows.push(how);
        return deliver(tree, how);
      },
    });
    const verdict = await runLoop(loop.ports, task({ applyUnproven: true }));
    expect(verdict).toMatchObject({ status: 'unproven', verified: false, iterations: 1 });
    expect(verdict.proof!.criteria[0]!.disputed).toBe('slug: the task asks for underscores');
    expect(verdict.reason).toContain('the task asks for underscores');
    expect(hows).toEqual(['branch']);
  });

  it.each([
    ['a test that the repository had before', 'TEST WRONG: old: it is wrong', 'base+tests broken'],
    ['another test than the one that fails', 'TEST WRONG: other: it is wrong', 'base+tests'],
    ['a regression beside it', 'TEST WRONG: slug: it is wrong', 'base+tests broken'],
  ])('is not accepted for %s', async (_name, line, tree) => {
    const { loop } = dispute(line, tree);
    const verdict = await runLoop(loop.ports, { ...task(), maxIterations: 1 });
    expect(verdict).toMatchObject({ status: 'exhausted', verified: false });
  });
});

describe('rules beside the checks', () => {
  const red: Script['judge'] = (tree): Evaluation => evaluation(tree === 'base' ? 3 : 4, 4);
  /** A loop whose first tree breaks two rules. */
  const ruled = (): ScriptedLoop => {
    const loop = scriptedLoop({ edits: ['t1', 't2'], judge: red });
    const rules: ChangeRules = {
      isActing: () => false,
      examine: () =>
        Promise.resolve(loop.tree === 't1' ? ['The patch does this.', 'The patch does that.'] : []),
    };
    Object.assign(loop.ports, { rules });
    return loop;
  };

  it('fail an attempt that breaks them, and the next one is told', async () => {
    const loop = ruled();
    const verdict = await runLoop(loop.ports, task());
    expect(verdict).toMatchObject({ status: 'passed', iterations: 2 });
    expect(loop.contexts[1]!.evaluation.diagnostics).toMatchObject([
      { check: 'proof', rule: 'change-rule', message: 'The patch does this.' },
      { check: 'proof', rule: 'change-rule', message: 'The patch does that.' },
    ]);
    expect(loop.reflections).toHaveLength(1);
    expect(verdict.attempts[0]!.tampering).toEqual([]);
  });

  it('end the loop with their reason if no attempt is left', async () => {
    const verdict = await runLoop(ruled().ports, { ...task(), maxIterations: 1 });
    expect(verdict).toMatchObject({ status: 'exhausted', verified: false });
    expect(verdict.reason).toContain('The patch does this. The patch does that.');
  });
});

describe('the strength of a proof', () => {
  const strength = (caught: number, over: Partial<ProofStrength> = {}): ProofStrength => ({
    tried: 4,
    caught,
    survivors: [{ file: 'src/a.ts', line: 7, before: 'replaceAll', after: 'replace' }].slice(0, 4 - caught),
    unexecuted: [],
    unneeded: [],
    complete: true,
    duration_ms: 5,
    ...over,
  });
  const red: Script['judge'] = (tree): Evaluation => evaluation(tree === 'base' ? 3 : 4, 4);
  const measured = (results: readonly ProofStrength[]): ScriptedLoop => {
    const loop = scriptedLoop({ edits: ['t1', 't2'], judge: red });
    let index = 0;
    Object.assign(loop.ports, { strength: { measure: () => Promise.resolve(results[index++]) } });
    return loop;
  };

  it('is in the verdict', async () => {
    const verdict = await runLoop(measured([strength(3)]).ports, task({ timeMs: 1000 }));
    expect(verdict).toMatchObject({
      verified: true,
      proof: { kind: 'repair', strength: { caught: 3, tried: 4 } },
    });
    expect(validate('verdict', verdict)).toMatchObject({ ok: true });
  });

  it('says of a question which answer no check misses', async () => {
    const unneeded = [{ file: 'a.js', line: 3, lines: 1, added: 'made++\n  < 3', always: true }];
    const { ports } = measured([strength(4, { unneeded })]);
    const verdict = await runLoop(ports, { ...task({ timeMs: 1000 }), maxIterations: 1 });
    expect(verdict.verified).toBe(false);
    expect(verdict.reason).toContain(
      'No check notices if "made++ < 3" at a.js:3 is always true, so nothing shows that it is right. Leave the question out, or add a test in which it is false; --allow a.js permits it.',
    );
    expect(validate('verdict', verdict)).toMatchObject({ ok: true });
  });

  it.each([
    ['deleted', 'the deletion of LICENSE is taken back'],
    ['added', 'the new file LICENSE is taken back'],
  ] as const)('names a whole file that is %s', async (whole, sentence) => {
    const unneeded = [{ file: 'LICENSE', line: 1, lines: 0, whole }];
    const loop = measured([strength(4, { unneeded })]);
    const asked: StrengthRequest[] = [];
    const { measure } = loop.ports.strength!;
    Object.assign(loop.ports.strength!, { measure: (it: StrengthRequest) => (asked.push(it), measure(it)) });
    const verdict = await runLoop(loop.ports, { ...task({ timeMs: 1000 }), maxIterations: 1 });
    expect(verdict.reason).toContain(sentence);
    expect(asked).toMatchObject([{ beside: { task: expect.any(String) } }]);
  });

  it('is not measured with --proof-time 0s', async () => {
    const verdict = await runLoop(measured([]).ports, task());
    expect(verdict.proof).not.toHaveProperty('strength');
  });

  it('with a change that no check needs fails the attempt, and says how to go on', async () => {
    const needless = { unneeded: [{ file: 'src/a.ts', line: 7, lines: 2 }] };
    const loop = measured([strength(4, needless), strength(4)]);
    const verdict = await runLoop(loop.ports, task({ timeMs: 1000 }));
    expect(verdict).toMatchObject({ status: 'passed', iterations: 2 });
    expect(verdict.attempts.map(({ passed }) => passed)).toEqual([false, true]);
    expect(loop.contexts[1]!.evaluation.diagnostics).toMatchObject([
      { check: 'proof', file: 'src/a.ts', line: 7, rule: 'needless-change' },
    ]);
    const only = await runLoop(measured([strength(4, needless)]).ports, {
      ...task({ timeMs: 1000 }),
      maxIterations: 1,
    });
    expect(only.reason).toContain('src/a.ts:7-8');
    expect(only.reason).toContain('--allow src/a.ts');
  });

  it('with such a change in a file that may be changed accepts it', async () => {
    const needless = { unneeded: [{ file: 'src/a.ts', line: 7, lines: 2 }] };
    const options = task({ timeMs: 1000, isAllowed: (path: string) => path === 'src/a.ts' });
    const verdict = await runLoop(measured([strength(4, needless)]).ports, options);
    expect(verdict).toMatchObject({ verified: true, proof: { strength: { ...needless } } });
  });

  it('below --min-proof fails the attempt, whose reflection gets the survivors', async () => {
    const loop = measured([strength(3), strength(4)]);
    const verdict = await runLoop(loop.ports, task({ timeMs: 1000, minShare: 0.8 }));
    expect(verdict).toMatchObject({ status: 'passed', iterations: 2, proof: { strength: { caught: 4 } } });
    expect(verdict.attempts.map(({ passed }) => passed)).toEqual([false, true]);
    expect(loop.contexts[1]!.evaluation.diagnostics).toMatchObject([
      { check: 'proof', file: 'src/a.ts', line: 7, rule: 'weak-proof' },
    ]);
  });

  describe('with survivors and a writer', () => {
    const MORE = 'test/more.test.ts';
    /** A loop whose writer adds `more` to a passing tree; `green` says whether the result with it passes. */
    const strengthening = (
      results: readonly ProofStrength[],
      { green = true, files = [MORE], from = undefined as ScriptedLoop | undefined } = {},
    ) => {
      const scripted = loopWith(['base+tests real', 'base+tests real again'], {}, from);
      const { loop } = scripted;
      const survivors: number[] = [];
      const without: (readonly string[])[] = [];
      let index = 0;
      const { acceptance, delivery } = loop.ports;
      const added: TestCase = {
        id: 'm > more',
        name: 'more',
        file: MORE,
        status: green ? 'passed' : 'failed',
      };
      Object.assign(loop.ports, {
        strength: { measure: () => Promise.resolve(results[index++]) },
        acceptance: {
          ...acceptance,
          strengthen: (_request: unknown, missed: readonly unknown[]) => {
            survivors.push(missed.length);
            loop.tree += ' more';
            return Promise.resolve({
              criteria: [],
              files,
              uncovered: [],
              rejected: [],
              usage: SCRIPTED_USAGE,
            });
          },
        },
        evaluator: {
          evaluate: () => {
            const seen = judge(loop.tree, false);
            const tests = loop.tree.includes('more') ? [...seen.tests, added] : seen.tests;
            const passed = tests.filter(({ status }) => status === 'passed').length;
            return Promise.resolve(evaluation(passed, tests.length, { tests }));
          },
        },
        delivery: {
          deliver: (tree: string, how: 'tree', files: readonly string[]) => {
            without.push(files);
            return delivery.deliver(tree, how, files);
          },
        },
      });
      return { loop, survivors, without };
    };

    it('delivers the additions that the result passes and that leave fewer survivors', async () => {
      const { loop, survivors, without } = strengthening([strength(3), strength(4)]);
      const verdict = await runLoop(loop.ports, task({ timeMs: 1000, keepTests: false }));
      expect(survivors).toEqual([1]);
      expect(loop.delivered).toEqual(['base+tests real more']);
      expect(without).toEqual([[WRITTEN, MORE]]);
      expect(verdict).toMatchObject({
        status: 'passed',
        proof: { kind: 'written', strength: { caught: 4, added: [MORE] } },
      });
      expect(verdict.proof!.criteria).toHaveLength(1);
      expect(verdict.usage.input_tokens).toBeGreaterThan(SCRIPTED_USAGE.input_tokens);
      expect(validate('verdict', verdict)).toMatchObject({ ok: true });
      const again = strengthening([], { from: loop });
      expect(await runLoop(again.loop.ports, { ...task({ timeMs: 1000 }), resumed: true })).toMatchObject({
        proof: { strength: { added: [MORE] } },
      });
      expect(again.survivors).toEqual([]);
    });

    it.each([
      ['fail on the result', [strength(3), strength(4)], { green: false }],
      ['leave as many survivors', [strength(3), strength(3)], {}],
      ['are none', [strength(3)], { files: [] }],
    ])('leaves out additions that %s', async (_name, results, how) => {
      const { loop } = strengthening(results, how);
      const verdict = await runLoop(loop.ports, task({ timeMs: 1000 }));
      expect(loop.delivered).toEqual(['base+tests real']);
      expect(verdict).toMatchObject({ status: 'passed', proof: { strength: { caught: 3 } } });
      expect(verdict.proof!.strength).not.toHaveProperty('added');
    });

    it('asks nobody if everything is caught, or enough for --min-proof', async () => {
      const strong = strengthening([strength(4)]);
      await runLoop(strong.loop.ports, task({ timeMs: 1000 }));
      const enough = strengthening([strength(3)]);
      await runLoop(enough.loop.ports, task({ timeMs: 1000, minShare: 0.7 }));
      expect([...strong.survivors, ...enough.survivors]).toEqual([]);
    });

    it('fails the attempt without the additions if the proof stays below --min-proof', async () => {
      const weak = (caught: number): ProofStrength => ({ ...strength(caught), tried: 10 });
      const { loop, survivors } = strengthening([weak(2), weak(4), weak(3), weak(9)]);
      const verdict = await runLoop(loop.ports, task({ timeMs: 1000, minShare: 0.8 }));
      expect(survivors).toHaveLength(2);
      expect(verdict.attempts.map(({ passed }) => passed)).toEqual([false, true]);
      expect(loop.contexts[1]!.evaluation.diagnostics.map(({ rule }) => rule)).toContain('weak-proof');
      expect(loop.delivered).toEqual(['base+tests real again more']);
    });
  });

  it.each([
    [
      'nothing could be measured',
      [strength(0, { tried: 0, reason: 'no test runs the change.' })],
      /nothing could be measured \(no test runs the change\)/,
    ],
    ['too few are caught', [strength(3)], /the tests catch 3 of 4 mutants of the change/],
  ])('with --min-proof is said if %s', async (_name, results, reason) => {
    const verdict = await runLoop(measured(results).ports, {
      ...task({ timeMs: 1000, minShare: 0.8 }),
      maxIterations: 1,
    });
    expect(verdict).toMatchObject({ status: 'exhausted', verified: false });
    expect(verdict.reason).toMatch(reason);
  });
});
