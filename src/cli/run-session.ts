import type { LoopSession } from '../compose/loop/loop.ts';
import { ExitCode, RalphError, type ExitCode as Code } from '../errors.ts';
import type { RunEvent } from '../events.ts';
import { openTrace, type LoopTrace } from '../trace/open-trace.ts';
import type { Verdict } from '../schema/generated.ts';
import { listenForInterrupts, type Interruption } from './interrupt.ts';
import type { OutputOptions } from './options.ts';
import { createOutput, type Output } from './output.ts';

/** Opens a loop, runs it to its verdict and sets the exit code. Interrupts are handled while it opens, too. */
export async function runSession(
  options: OutputOptions,
  open: (output: Output, interruption: Interruption) => Promise<LoopSession>,
): Promise<void> {
  const trace = await openTrace(process.env);
  const output = withTrace(await createOutput(options), trace);
  const interruption = listenForInterrupts((text) => {
    output.say(text);
    output.emit({ type: 'stop_requested' });
  });
  try {
    const session = await open(output, interruption);
    try {
      const { verdict, conflict } = await session.run();
      process.exitCode =
        conflict && verdict.verified ? ExitCode.workspace : exitCodeOf(verdict, interruption);
    } finally {
      await session.close();
    }
  } catch (error) {
    throw withInterruptExitCode(error, interruption);
  } finally {
    interruption.close();
    output.close();
    await trace.close();
  }
}

function withTrace(output: Output, trace: LoopTrace): Output {
  const emit = (event: RunEvent): void => {
    output.emit(event);
    trace.on(event);
  };
  return { ...output, emit };
}

/** 0 verified, 1 unverified, 3 budget, 8 unproven, 130 or 143 interrupted. */
function exitCodeOf({ status, verified }: Verdict, interruption: Interruption): Code {
  if (verified) return ExitCode.verified;
  if (status === 'unproven') return ExitCode.unproven;
  if (status === 'budget') return ExitCode.budget;
  return status === 'aborted' ? interruption.exitCode() : ExitCode.unverified;
}

function withInterruptExitCode(error: unknown, interruption: Interruption): unknown {
  if (!(error instanceof RalphError) || error.code !== 'aborted') return error;
  const { code, hint, message } = error;
  return new RalphError(message, { code, hint, exitCode: interruption.exitCode(), cause: error });
}
