import type { Evaluation, Reflection } from '../schema/generated.ts';
import type { LoopRun } from './loop-run.ts';
import { withRuledOut } from './ruled-out.ts';
import { omegaFor, selectWindow } from './window.ts';

/**
 * The reflections that an attempt is shown: the Ω window over the loop's own. Places that they leave empty go to the
 * newest reflections of earlier loops at the same task, placed before the loop's own. Empty for a strategy without
 * reflections. `iteration` is the attempt's, 1-based; `evaluation` that of the tree it starts from.
 */
export async function windowFor(
  loop: LoopRun,
  iteration: number,
  evaluation: Evaluation,
): Promise<Reflection[]> {
  const { earlier = [], omega, strategy } = loop.options;
  if (!strategy.includes('reflexion')) return [];
  const episodes = await episodesBefore(loop, iteration);
  const own = ownWindow(loop, episodes, evaluation).map((reflection) => {
    const attempt = loop.attempts[reflection.iteration];
    return withRuledOut(reflection, attempt?.trajectory.ruled_out.edits);
  });
  if (earlier.length === 0) return own;
  const places = omegaFor(omega, loop.baseline.verification_type, [...earlier, ...own]) - own.length;
  return places <= 0 ? own : [...earlier.slice(-places), ...own];
}

/** Stored reflections of this loop on the attempts before `iteration`, which is 1-based. */
export async function episodesBefore({ ports }: LoopRun, iteration: number): Promise<Reflection[]> {
  const episodes = await ports.memory.episodes(ports.store.loopId);
  return episodes.filter((reflection) => reflection.iteration < iteration - 1);
}

/** The Ω window over reflections of this loop. */
export function ownWindow(
  { baseline, options }: LoopRun,
  reflections: readonly Reflection[],
  { diagnostics }: Evaluation,
): Reflection[] {
  const { windowPolicy: policy, windowTokens: maxTokens } = options;
  const omega = omegaFor(options.omega, baseline.verification_type, reflections);
  return selectWindow(reflections, { omega, policy, maxTokens, failures: diagnostics });
}
