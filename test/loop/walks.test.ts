import { expect, test } from 'vitest';
import { runLoop } from '../../src/loop/run.ts';
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import type { EvaluationRequest, TreeAudit } from '../../src/ports/evaluation.ts';
import { evaluation, loopOptions, scriptedLoop } from '../support/scripted.ts';

interface Setup {
  /** What the checks did to the files of the tree. */
  readonly isSame?: boolean;
  readonly hasSandbox?: boolean;
  readonly examined?: 'base';
}

/** How often the workspace was restored, repaired and stored in a loop with one attempt that changes nothing. */
async function walksOf({ isSame = true, hasSandbox = true, examined }: Setup) {
  const loop = scriptedLoop({ edits: ['base'], judge: () => evaluation(1, 4) });
  const walks = { restored: 0, repaired: 0, stored: 0 };
  const { evaluator, guard, workspace } = loop.ports;
  const audit = { isSame, tampering: [] } as unknown as TreeAudit;
  await runLoop(
    {
      ...loop.ports,
      ...(hasSandbox ? { sandbox: {} as Sandbox } : {}),
      guard: {
        ...guard,
        audit: () => Promise.resolve(audit),
        ...(examined && { examined: () => examined }),
      },
      evaluator: {
        async evaluate(request: EvaluationRequest) {
          await request.audit?.(0);
          const found = await evaluator.evaluate(request);
          const isReused = request.isSameTree === true;
          const checks = found.checks.map((it) => ({
            ...it,
            duration_ms: isReused ? 0 : 7,
            ...(isReused && { reused: it.total ?? 0 }),
          }));
          return { ...found, checks };
        },
      },
      workspace: {
        ...workspace,
        isCopy: true,
        repair: () => void walks.repaired++,
        restore: () => Promise.resolve(void walks.restored++),
        checkpoint: () => (walks.stored++, workspace.checkpoint()),
      },
    },
    loopOptions({ maxIterations: 1 }),
  );
  return walks;
}

test.each([
  ['nothing is restored after checks that left the tree, but what lies beside it is', {}, [0, 1, 1]],
  ['a tree that the guard has examined is not stored again', { examined: 'base' }, [0, 1, 0]],
  ['files that the checks changed are restored', { isSame: false }, [1, 0, 1]],
  ['without a sandbox all is restored', { hasSandbox: false, examined: 'base' }, [2, 0, 1]],
] as const)('%s', async (_, setup, [restored, repaired, stored]) => {
  expect(await walksOf(setup)).toEqual({ restored, repaired, stored });
});
