import { startGate, type StartRequest } from '../../compose/gate/start.ts';
import { DIALECTS } from '../../gate/dialects/index.ts';
import { BY_HAND } from '../../gate/session-store.ts';
import { RalphError } from '../../errors.ts';
import type { Evaluation } from '../../schema/generated.ts';
import { confirmTrust } from '../confirm-trust.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { createOutput, printResult } from '../output.ts';
import { answerHook } from './gate-hook.ts';
import { BY_HAND_TITLE, flagsOf, type GateOptions } from './gate-options.ts';

interface GateStartOptions extends GateOptions {
  readonly again?: boolean;
}

/** `ralph gate start`: for a hook, the checks wait for the first `check`, so that the agent starts at once. */
export async function gateStartCommand(options: GateStartOptions): Promise<void> {
  const { hook, allGreen = false, again = false, ...rest } = options;
  const given = { flags: flagsOf(rest), isAllGreen: allGreen, isAgain: again, env: process.env };
  if (hook === undefined) return startByHand(given, options);
  const dialect = DIALECTS[hook];
  await answerHook(hook, async ({ call, signal, emit }) => {
    const { text } = await startGate({
      ...given,
      cwd: call.cwd ?? process.cwd(),
      session: call.session ?? BY_HAND,
      agent: dialect.title,
      evaluates: false,
      signal,
      emit,
    });
    return dialect.started(text);
  });
}

type Given = Pick<StartRequest, 'flags' | 'isAllGreen' | 'isAgain' | 'env'>;

async function startByHand(given: Given, options: GateStartOptions): Promise<void> {
  const output = await createOutput({ ...options, format: options.format === 'text' ? 'text' : 'json' });
  const interruption = listenForInterrupts(output.say, 1);
  const { signal } = interruption;
  try {
    const { session, baseline } = await startGate({
      ...given,
      cwd: process.cwd(),
      confirm: confirmTrust(),
      session: BY_HAND,
      agent: BY_HAND_TITLE,
      evaluates: true,
      signal,
      emit: output.emit,
    });
    output.close();
    printResult(options, { ...session, baseline: summaryOf(baseline!) }, (chalk) => [
      `${chalk.bold('gate started')}  ${describeBaseline(baseline!)}`,
      'next: ralph gate check    when the work is done',
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new RalphError('Stopped.', { code: 'aborted', exitCode: interruption.exitCode() });
  } finally {
    interruption.close();
    output.close();
  }
}

function summaryOf({ passed, reward, checks }: Evaluation) {
  return { passed, reward, checks: checks.map(({ name, status, detail }) => ({ name, status, detail })) };
}

function describeBaseline({ checks }: Evaluation): string {
  const red = checks
    .filter(({ status }) => status === 'fail')
    .map(({ name, detail }) => `${name}: ${detail}`);
  return red.length === 0
    ? 'Every check passes.'
    : `Red from the start, and no reason to block: ${red.join('; ')}`;
}
