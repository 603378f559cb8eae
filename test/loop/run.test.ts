import { describe, expect, it } from 'vitest';
import { RalphError } from '../../src/errors.ts';
import { verdictOf } from '../../src/loop/failed-verdict.ts';
import { runLoop } from '../../src/loop/run.ts';
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import type { EvaluationRequest } from '../../src/ports/evaluation.ts';
import { validate } from '../../src/schema/validate.ts';
import { evaluation, failure, loopOptions, scriptedLoop, type Script } from '../support/scripted.ts';

/** `base` passes 1 of 4; `tN` passes N of 4. */
const judge: Script['judge'] = (tree) => evaluation(tree === 'base' ? 1 : Number(tree.slice(1)), 4);

describe('runLoop', () => {
  it('emits its events in order', async () => {
    const loop = scriptedLoop({ edits: ['t2', 't4'], judge });
    const verdict = await runLoop(loop.ports, loopOptions());
    expect(loop.events.map(({ type }) => type)).toEqual([
      'baseline_started',
      'baseline_evaluated',
      'attempt_started',
      'actor_finished',
      'evaluation_started',
      'attempt_evaluated',
      'reflection_written',
      'attempt_started',
      'actor_finished',
      'evaluation_started',
      'evaluation_started',
      // The untouched tree is checked again.
      'progress',
      'attempt_evaluated',
      'delivered',
      'loop_finished',
    ]);
    expect(verdict).toMatchObject({
      status: 'passed',
      verified: true,
      reward: 1,
      baseline_reward: 0.25,
      best_iteration: 2,
      iterations: 2,
      applied: 'tree',
    });
    expect(verdict.usage).toEqual({
      input_tokens: 20,
      output_tokens: 2,
      cached_input_tokens: 10,
      cost_usd: 1,
    });
    expect(validate('verdict', verdict).ok).toBe(true);
    expect(loop.delivered).toEqual(['t4']);
  });

  it('makes no attempt if the confirmed baseline passes', async () => {
    const loop = scriptedLoop({ edits: ['t4'], judge: () => evaluation(4, 4) });
    const verdict = await runLoop(loop.ports, loopOptions());
    expect(verdict).toMatchObject({ status: 'nothing_to_do', verified: true, iterations: 0, patch: null });
    expect(loop.contexts).toHaveLength(0);
  });

  it('does not accept an attempt whose confirmation fails', async () => {
    const loop = scriptedLoop({
      edits: ['t4', 't4', 't4'],
      judge: (tree, confirm) => (confirm ? evaluation(3, 4) : judge(tree, false)),
    });
    const verdict = await runLoop(loop.ports, loopOptions({ maxIterations: 2 }));
    expect(verdict).toMatchObject({ status: 'exhausted', verified: false, reward: 0.75, applied: 'none' });
    expect(loop.delivered).toEqual([]);
  });

  it('starts each attempt from the best one so far and ends on it', async () => {
    const loop = scriptedLoop({ edits: ['t3', 't2', 't2'], judge });
    const verdict = await runLoop(loop.ports, loopOptions({ maxIterations: 3 }));
    expect(verdict).toMatchObject({ status: 'exhausted', best_iteration: 1, reward: 0.75, verified: false });
    expect(verdict.patch).toBe('.aiwg/ralph/loops/ralph-scripted-20260101-abcdef/attempts/001/patch.diff');
    expect(loop.contexts.map((context) => context.evaluation.reward)).toEqual([0.25, 0.75, 0.75]);
    expect(loop.tree).toBe('t3');
  });

  it.each([
    ['last', [0.25, 0.75, 0.5]],
    ['base', [0.25, 0.25, 0.25]],
  ] as const)('starts each attempt from the %s tree if retryFrom says so', async (retryFrom, rewards) => {
    const loop = scriptedLoop({ edits: ['t3', 't2', 't1'], judge });
    await runLoop(loop.ports, loopOptions({ maxIterations: 3, retryFrom }));
    expect(loop.contexts.map((context) => context.evaluation.reward)).toEqual(rewards);
  });

  it('counts an attempt with fewer errors as better if the rewards are equal', async () => {
    const typed = (errors: number): ReturnType<typeof evaluation> =>
      evaluation(1, 4, {
        metrics: {
          tests_passed: 1,
          tests_failed: 3,
          tests_total: 4,
          type_errors: errors,
          lint_errors: 0,
          lint_warnings: 0,
        },
      });
    const loop = scriptedLoop({
      edits: ['fewer', 'more'],
      judge: (tree) => typed({ base: 5, fewer: 2, more: 6 }[tree]!),
    });
    const verdict = await runLoop(loop.ports, loopOptions({ maxIterations: 2 }));
    expect(verdict.best_iteration).toBe(1);
  });

  it('shows each attempt the last Ω reflections, and records which', async () => {
    const loop = scriptedLoop({
      edits: ['a1', 'b1', 'c1', 'd1'],
      judge: (tree) => evaluation(1, 4, { diagnostics: [failure(tree.charCodeAt(0))] }),
    });
    await runLoop(loop.ports, loopOptions({ omega: 2, maxIterations: 4 }));
    expect(loop.contexts.map(({ reflections }) => reflections.map((r) => r.iteration))).toEqual([
      [],
      [0],
      [0, 1],
      [1, 2],
    ]);
    expect(loop.reflections.map((r) => r.previous_reflections_used)).toEqual([[], [0], [0, 1], [1, 2]]);
    expect(loop.reflections[3]!.memory_metadata).toEqual({
      omega_capacity: 2,
      current_memory_size: 2,
      reflections_in_context: [2, 3],
      window_policy: 'fifo',
      total_reflections_generated: 4,
    });
    for (const reflection of loop.reflections)
      expect(validate('reflection', reflection)).toMatchObject({ ok: true });
  });

  it.each([
    ['none', [], false],
    ['last-attempt', [], true],
    ['reflexion', [0], false],
    ['last-attempt+reflexion', [0], true],
  ] as const)('shows an attempt what the strategy %s includes', async (strategy, window, last) => {
    const loop = scriptedLoop({ edits: ['a1', 'b1'], judge });
    await runLoop(loop.ports, loopOptions({ strategy, maxIterations: 2 }));
    expect(loop.contexts[1]!.reflections.map((r) => r.iteration)).toEqual(window);
    expect(loop.contexts[1]!.lastAttempt !== undefined).toBe(last);
  });

  it('stalls after two attempts that change nothing', async () => {
    const loop = scriptedLoop({ edits: ['base', 'base', 't4'], judge, outcome: 'claimed_done' });
    const verdict = await runLoop(loop.ports, loopOptions());
    expect(verdict).toMatchObject({ status: 'stalled', iterations: 2, verified: false });
    expect(verdict.reason).toContain('The actor ended as if it were done, but it changed nothing.');
    expect(loop.reflections).toHaveLength(2);
  });

  it.each([
    ['a confined copy', true, true, false, true],
    ['the user’s own tree', false, true, false, false],
    ['a copy without a sandbox', true, false, false, false],
    ['a resumed loop', true, true, true, false],
  ])(
    'takes over the results before where nothing changed: %s',
    async (_, isCopy, hasSandbox, resumed, isSame) => {
      const loop = scriptedLoop({ edits: ['base', 'a1'], judge });
      const asked: (boolean | undefined)[] = [];
      const { evaluator, workspace } = loop.ports;
      const ports = {
        ...loop.ports,
        ...(hasSandbox ? { sandbox: {} as Sandbox } : {}),
        workspace: Object.assign(Object.create(workspace) as typeof workspace, { isCopy }),
        evaluator: {
          ...evaluator,
          evaluate(request: EvaluationRequest) {
            asked.push(request.isSameTree);
            return evaluator.evaluate(request);
          },
        },
      };
      await runLoop(ports, loopOptions({ resumed, maxIterations: 2 }));
      expect(asked).toEqual([undefined, isSame, false]);
    },
  );

  it('stalls after three attempts with the same failures and no gain', async () => {
    const loop = scriptedLoop({ edits: ['a1', 'b1', 'c1', 'd1'], judge: () => evaluation(1, 4) });
    expect(await runLoop(loop.ports, loopOptions())).toMatchObject({ status: 'stalled', iterations: 3 });
  });

  it('names the files that the actor tampered with', async () => {
    const tampering = [
      {
        kind: 'protected_edited',
        file: 'test/a.test.ts',
        detail: 'It edited test/a.test.ts; the file was put back.',
      },
    ] as const;
    const loop = scriptedLoop({ edits: ['t1'], judge, tampering: () => [...tampering] });
    const verdict = await runLoop(loop.ports, loopOptions({ maxIterations: 1 }));
    expect(verdict.attempts[0]!.tampering).toEqual(tampering);
    expect(verdict.reason).toContain('test/a.test.ts');
  });

  it('throws if a check cannot run on the untouched tree', async () => {
    const broken = evaluation(1, 4);
    broken.checks[0]!.status = 'error';
    const loop = scriptedLoop({ edits: [], judge: () => broken });
    await expect(runLoop(loop.ports, loopOptions())).rejects.toMatchObject({
      code: 'check_unrunnable',
      exitCode: 6,
    });
  });

  it('reflects on an actor that cannot run, then throws its error', async () => {
    const missing = (): never => {
      throw new RalphError('no such program', { code: 'actor_failed', exitCode: 5, hint: 'install it' });
    };
    const loop = scriptedLoop({ edits: [missing], judge });
    await expect(runLoop(loop.ports, loopOptions())).rejects.toMatchObject({
      exitCode: 5,
      hint: 'install it',
    });
    expect(loop.reflections).toHaveLength(1);
    expect(loop.reflections[0]!.actor_output.actions).toEqual([]);
  });

  it('keeps a verdict with all attempts, the patch and the usage behind the error that ends it', async () => {
    const missing = (): never => {
      throw new RalphError('no such program', { code: 'actor_failed', exitCode: 5 });
    };
    const loop = scriptedLoop({ edits: ['t2', missing], judge });
    const error: unknown = await runLoop(loop.ports, loopOptions()).catch((thrown: unknown) => thrown);
    const verdict = verdictOf(new Error('wrapped', { cause: error }));
    expect(validate('verdict', verdict).ok).toBe(true);
    expect(verdict).toMatchObject({
      loop_id: loop.ports.store.loopId,
      status: 'error',
      verified: false,
      reason: 'no such program',
      best_iteration: 1,
      reward: 0.5,
      baseline_reward: 0.25,
      iterations: 2,
      attempts: [{ iteration: 1 }, { iteration: 2, ended_early: 'no such program' }],
      applied: 'none',
    });
    expect(verdict?.attempts[0]).not.toHaveProperty('ended_early', expect.any(String));
    expect(verdict?.patch).toContain('patch.diff');
    expect(verdict?.usage.input_tokens).toBeGreaterThan(0);
    expect(verdict?.reflections).toHaveLength(2);
  });

  it('records no attempt if the disk refused a write, so that a resumed loop makes it', async () => {
    const full = (): never => {
      throw new RalphError('disk full', { code: 'workspace_unwritable', exitCode: 4 });
    };
    const loop = scriptedLoop({ edits: [full], judge });
    await expect(runLoop(loop.ports, loopOptions())).rejects.toMatchObject({ exitCode: 4 });
    expect(loop.reflections).toEqual([]);
    expect([...loop.journal.keys()]).toEqual(['baseline']);
  });

  it('evaluates the running attempt when the time budget is spent, then ends', async () => {
    const slow = async ({ signal }: { signal: AbortSignal }): Promise<string> => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 't2';
    };
    const loop = scriptedLoop({ edits: [slow], judge });
    const verdict = await runLoop(loop.ports, loopOptions({ maxTimeMs: 300 }));
    expect(verdict).toMatchObject({ status: 'budget', reward: 0.5, verified: false });
  });

  it('pauses after the running step, and continues from there when resumed', async () => {
    let asked = false;
    const stop = (): string => {
      asked = true;
      return 't4';
    };
    const first = scriptedLoop({ edits: ['t2', stop], judge });
    const paused = await runLoop(first.ports, loopOptions({ stopRequested: () => asked }));
    expect(paused).toMatchObject({ status: 'aborted', verified: false, iterations: 1 });
    expect([...first.journal.keys()]).toEqual(['baseline', '1:act', '1:evaluate', '1:reflect', '2:act']);

    const resumed = scriptedLoop({ edits: ['never', 'never'], judge }, first);
    const verdict = await runLoop(resumed.ports, loopOptions({ resumed: true }));
    expect(verdict).toMatchObject({ status: 'passed', verified: true, iterations: 2 });
    expect(resumed.contexts).toHaveLength(0);
    expect(resumed.delivered).toEqual(['t4']);
  });

  it('takes reflections from the journal of a resumed loop, without reading memory', async () => {
    const first = scriptedLoop({ edits: ['t2'], judge });
    await runLoop(first.ports, loopOptions({ maxIterations: 1 }));
    const resumed = scriptedLoop({ edits: [], judge }, first);
    resumed.reflections.length = 0;
    await runLoop(resumed.ports, loopOptions({ maxIterations: 1, resumed: true }));
    expect(resumed.events).toContainEqual(first.events.find(({ type }) => type === 'reflection_written'));
  });

  it('reads the record from memory if the journal is of an earlier version, with the path alone', async () => {
    const first = scriptedLoop({ edits: ['t2'], judge });
    await runLoop(first.ports, loopOptions({ maxIterations: 1 }));
    first.journal.set('1:reflect', 'reflections/001.json');
    const resumed = scriptedLoop({ edits: [], judge }, first);
    const verdict = await runLoop(resumed.ports, loopOptions({ maxIterations: 1, resumed: true }));
    expect(verdict.reflections).toEqual(['reflections/001.json']);
    const reflection = first.reflections[0]!;
    expect(resumed.events).toContainEqual({
      type: 'reflection_written',
      iteration: 1,
      path: 'reflections/001.json',
      reflection,
    });
  });

  it('does not record a step that was killed', async () => {
    const controller = new AbortController();
    const killed = (): string => {
      controller.abort();
      return 't4';
    };
    const loop = scriptedLoop({ edits: [killed], judge });
    await expect(runLoop(loop.ports, loopOptions({ signal: controller.signal }))).rejects.toMatchObject({
      code: 'aborted',
      exitCode: 130,
    });
    expect([...loop.journal.keys()]).toEqual(['baseline']);
  });

  it('says why the last actor ended early, although it changed something', async () => {
    const loop = scriptedLoop({ edits: ['t2'], judge, outcome: 'failed' });
    const { reason } = await runLoop(loop.ports, loopOptions({ maxIterations: 1 }));
    expect(reason).toMatch(/^The only attempt is used up\..* The last attempt ended early: ./s);
    const done = scriptedLoop({ edits: ['t2'], judge });
    expect((await runLoop(done.ports, loopOptions({ maxIterations: 1 }))).reason).not.toContain('early');
  });

  it('says what it knows of an attempt that was killed while the checks judged it', async () => {
    const controller = new AbortController();
    const loop = scriptedLoop({ edits: ['t2', 't3'], judge });
    const { evaluator } = loop.ports;
    let count = 0;
    const ports = {
      ...loop.ports,
      evaluator: {
        evaluate: async (request: Parameters<typeof evaluator.evaluate>[0]) => {
          if (++count === 3) controller.abort();
          return evaluator.evaluate(request);
        },
      },
    };
    const error: unknown = await runLoop(ports, loopOptions({ signal: controller.signal })).catch(
      (thrown: unknown) => thrown,
    );
    const verdict = verdictOf(error)!;
    expect(validate('verdict', verdict).ok).toBe(true);
    expect(verdict).toMatchObject({
      status: 'aborted',
      iterations: 1,
      best_iteration: 1,
      attempts: [
        { iteration: 1, reward: 0.5 },
        { iteration: 2, reward: null, passed: false, files_changed: 1 },
      ],
      usage: { input_tokens: 20, output_tokens: 2 },
    });
  });

  it('restores the base if the workspace is the user’s own tree', async () => {
    const loop = scriptedLoop({ edits: ['t2'], judge });
    await runLoop(loop.ports, loopOptions({ maxIterations: 1, endOn: 'base' }));
    expect(loop.tree).toBe('base');
  });

  it('saves a valid state after every attempt', async () => {
    const loop = scriptedLoop({ edits: ['t2', 't3'], judge });
    const sha = 'a'.repeat(40);
    await runLoop(loop.ports, loopOptions({ maxIterations: 2 }));
    expect(loop.states.map(({ status, iteration }) => [status, iteration])).toEqual([
      ['running', 0],
      ['running', 1],
      ['running', 2],
      ['exhausted', 2],
    ]);
    for (const state of loop.states) {
      expect(
        validate('loop-state', { ...state, base_tree: sha, ...(state.best_tree && { best_tree: sha }) }),
      ).toMatchObject({ ok: true });
    }
  });
});
