import type { RunEvent } from '../events.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';

interface Advice {
  readonly sign: RegExp;
  readonly text: string;
}

/** What programs say that miss what the sandbox keeps from them. */
const ADVICE: readonly Advice[] = [
  {
    sign: /\b(ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b|Network is unreachable|Could not resolve host|Temporary failure in name resolution/i,
    text: 'Something asked for the network, which the sandbox has not: --allow-network lets it through.',
  },
  {
    sign: /\bEROFS\b|Read-only file system/i,
    text: 'Something was to be written that is read-only in the sandbox: --sandbox-write PATH lets it through.',
  },
];

/**
 * Hands events on, and says once of each restriction that seems to be in the way how it is lifted: judged by what a
 * check or an actor said, so a guess.
 */
export function adviseOnSandbox(sandbox: Sandbox | undefined, emit: (event: RunEvent) => void): typeof emit {
  if (sandbox === undefined) return emit;
  const left = new Set(ADVICE);
  return (event) => {
    emit(event);
    const said = textOf(event);
    for (const advice of left) {
      if (!advice.sign.test(said)) continue;
      left.delete(advice);
      emit({ type: 'warning', text: advice.text });
    }
  };
}

function textOf(event: RunEvent): string {
  if (event.type === 'actor_finished') return event.trajectory.message ?? '';
  if (event.type !== 'baseline_evaluated') return '';
  return event.evaluation.diagnostics.map(({ message }) => message).join('\n');
}
