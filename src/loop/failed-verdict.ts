import { messageOf, RalphError } from '../errors.ts';
import type { Verdict } from '../schema/generated.ts';
import type { LoopRun } from './loop-run.ts';
import { summarizeUnjudged } from './unjudged.ts';
import { blankVerdict, loopVerdict } from './verdict.ts';

const VERDICTS = new WeakMap<Error, Verdict>();

/** Keeps what a loop knew when an error ended it: its attempts, their usage, the best patch. Returns the error. */
export function withVerdict(error: unknown, loop: LoopRun): unknown {
  if (error instanceof Error) VERDICTS.set(error, failedVerdict(error, loop));
  return error;
}

/** The verdict of the loop that the error, or its cause, ended; undefined if it ended none. */
export function verdictOf(error: unknown): Verdict | undefined {
  if (!(error instanceof Error)) return undefined;
  return VERDICTS.get(error) ?? verdictOf(error.cause);
}

function failedVerdict(error: Error, loop: LoopRun): Verdict {
  const { baseline, best, attempts, options, ports, reflections, spending } = loop;
  const { loopId } = ports.store;
  const status = error instanceof RalphError && error.code === 'aborted' ? 'aborted' : 'error';
  const reason = messageOf(error);
  const { usage, elapsedMs } = spending;
  const durationMs = Math.round(elapsedMs);
  if (!loop.hasBaseline)
    return { ...blankVerdict(status, reason), loop_id: loopId, usage, duration_ms: durationMs };
  const verdict = loopVerdict({
    loopId,
    status,
    attempts,
    unjudged: summarizeUnjudged(loop),
    baseline,
    best,
    reflections,
    delivered: undefined,
    durationMs,
    maxIterations: options.maxIterations,
    usage,
    spent: undefined,
    confirmedBy: undefined,
    carried: [],
  });
  return { ...verdict, reason };
}
