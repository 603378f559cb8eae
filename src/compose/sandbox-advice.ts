import type { RunEvent } from '../events.ts';
import type { Diagnostic, Evaluation } from '../schema/generated.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';

interface Advice {
  /** Output of programs that the sandbox restricts. */
  readonly sign: RegExp;
  readonly text: string;
}

const ADVICE: readonly Advice[] = [
  {
    sign: /\b(ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b|Network is unreachable|Could not resolve host|Temporary failure in name resolution/i,
    text: 'A program asked for the network, which the sandbox blocks: --allow-network permits it.',
  },
  {
    sign: /\bEROFS\b|Read-only file system/i,
    text: 'A program tried to write to a path that is read-only in the sandbox: --sandbox-write PATH permits it.',
  },
  {
    sign: /\bEFBIG\b|File too large/,
    text: 'A program wrote a larger file than the sandbox allows: --limits file=GIB changes the limit.',
  },
  {
    sign: /\bfork: (retry: )?Resource temporarily unavailable|Cannot fork|\bspawn \S+ EAGAIN|pthread_create: Resource temporarily/,
    text: 'A program started more processes than the sandbox allows: --limits processes=N changes the limit.',
  },
];

/**
 * Forwards events, and warns once per restriction of the sandbox that the output of a check or an actor suggests. A
 * guess: the output may have other causes.
 */
export function adviseOnSandbox(sandbox: Sandbox | undefined, emit: (event: RunEvent) => void): typeof emit {
  if (sandbox === undefined) return emit;
  const unused = new Set(ADVICE);
  return (event) => {
    emit(event);
    const output = outputOf(event);
    for (const advice of unused) {
      if (!advice.sign.test(output)) continue;
      unused.delete(advice);
      emit({ type: 'warning', text: advice.text });
    }
  };
}

/** The advice that the failures of an evaluation in a sandbox suggest, one sentence each. */
export function sandboxAdvice({ diagnostics }: Evaluation): string[] {
  const output = textOf(diagnostics);
  return ADVICE.filter(({ sign }) => sign.test(output)).map(({ text }) => text);
}

function outputOf(event: RunEvent): string {
  if (event.type === 'actor_finished') return event.trajectory.message ?? '';
  if (event.type !== 'baseline_evaluated') return '';
  return textOf(event.evaluation.diagnostics);
}

function textOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(({ message }) => message).join('\n');
}
