import { messageOf, RalphError } from '../../errors.ts';
import { verdictOf } from '../../loop/failed-verdict.ts';
import type { LoopPorts } from '../../loop/options.ts';
import { runLoop } from '../../loop/run.ts';
import { rememberRepairs, REPAIRS_FILE } from '../../memory/recall/repairs.ts';
import type { Repair, Verdict } from '../../schema/generated.ts';
import { readState } from '../../state/loops.ts';
import { announce } from './announce.ts';
import type { LoopRequest } from './loop-request.ts';
import type { WiredLoop } from './wire-loop.ts';
import type { Workbench } from '../workbench.ts';

/** By this time the checks of the baseline run in processes of their own, and this process is idle. */
const PREPARE_AFTER_MS = 50;

/** Runs a loop to its verdict, and stores the repairs of a verified one. */
export async function runWiredLoop(
  request: LoopRequest,
  workbench: Workbench,
  wired: WiredLoop,
): Promise<{ readonly verdict: Verdict; readonly conflict: boolean }> {
  const { ports, options, models } = wired;
  announce(request, workbench, ports.actor);
  const preparing = setTimeout(() => void models.actor?.prepare(), PREPARE_AFTER_MS);
  const verdict = await runLoop(ports, options)
    .catch((error: unknown) => endWithError(error, request, ports))
    .finally(() => clearTimeout(preparing));
  if (verdict.verified && request.project.settings.memory) await storeRepairs(request, wired.repairs());
  return { verdict, conflict: wired.delivered()?.conflict ?? false };
}

async function storeRepairs(
  { project, emit, siblings }: LoopRequest,
  repairs: readonly Repair[],
): Promise<void> {
  const store = (): Promise<string | undefined> => rememberRepairs(project.repository.root, repairs);
  const aside = siblings === undefined ? await store() : await siblings.exclusive(store);
  if (aside === undefined) return;
  emit({
    type: 'warning',
    text: `Some lines of ${REPAIRS_FILE} are damaged; the damaged file is kept as ${aside}.`,
  });
}

/** Saves the status of a loop that ended with an error, and restores the user's tree if the loop worked in place. */
async function endWithError(
  error: unknown,
  { project, loopId, task, signal, emit }: LoopRequest,
  { store, experience, workspace }: LoopPorts,
): Promise<never> {
  const status = error instanceof RalphError && error.code === 'aborted' ? 'aborted' : 'error';
  const state = await readState(project.repository.root, store.loopId).catch(() => null);
  const ended = state && ({ ...state, status, updated_at: new Date().toISOString() } as const);
  if (ended !== null) await store.saveState(ended).catch(() => undefined);
  if (project.settings.isolation === 'in-place') await workspace.restore(workspace.base);
  emit({ type: 'loop_failed', status, message: messageOf(error), verdict: verdictOf(error) });
  await experience?.conclude({ loopId, task, signal, status, attempts: state?.iteration ?? 0 });
  throw error;
}
