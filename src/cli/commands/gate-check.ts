import type { CheckAnswer } from '../../compose/gate/answer.ts';
import { checkGate } from '../../compose/gate/check.ts';
import { ExitCode, RalphError } from '../../errors.ts';
import { BY_HAND } from '../../gate/session-store.ts';
import { blankVerdict, summarizeCheck } from '../../loop/verdict.ts';
import type { Verdict } from '../../schema/generated.ts';
import { confirmTrust } from '../confirm-trust.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { createOutput, printResult } from '../output.ts';
import { gateCheckForHook, type GivenCheck } from './gate-check-for-hook.ts';
import { BY_HAND_TITLE, flagsOf, type GateOptions } from './gate-options.ts';

/** `ralph gate check`: exit 0 if the agent may stop, 1 if not, another one if nothing was judged; a hook gets the answer in its agent's format. */
export async function gateCheckCommand(options: GateOptions): Promise<void> {
  const { hook, allGreen = false, ...rest } = options;
  const given = { flags: flagsOf(rest), isAllGreen: allGreen, env: process.env };
  await (hook === undefined ? checkByHand(given, options) : gateCheckForHook(hook, given));
}

async function checkByHand(given: GivenCheck, options: GateOptions): Promise<void> {
  const startMs = performance.now();
  const output = await createOutput({ ...options, format: options.format === 'text' ? 'text' : 'json' });
  const interruption = listenForInterrupts(output.say, 1);
  const { signal } = interruption;
  try {
    const answer = await checkGate({
      ...given,
      cwd: process.cwd(),
      confirm: confirmTrust(),
      session: BY_HAND,
      agent: BY_HAND_TITLE,
      isContinued: true,
      isLimited: false,
      said: '',
      signal,
      emit: output.emit,
    });
    output.close();
    const verdict = toVerdict(answer, performance.now() - startMs);
    printResult(options, verdict, () => [answer.text, ...answer.notes]);
    process.exitCode = answer.passed ? ExitCode.verified : ExitCode.unverified;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new RalphError('Stopped.', { code: 'aborted', exitCode: interruption.exitCode() });
  } finally {
    interruption.close();
    output.close();
  }
}

function toVerdict(
  { passed, text, session, evaluation, baseline }: CheckAnswer,
  durationMs: number,
): Verdict {
  const path = session.last?.reflection;
  return {
    ...blankVerdict(passed ? 'passed' : 'failed', text),
    loop_id: session.loop_id,
    verified: passed,
    reward: evaluation?.reward ?? 0,
    baseline_reward: baseline?.reward ?? 0,
    checks: evaluation?.checks.map(summarizeCheck) ?? [],
    reflections: path === undefined ? [] : [path],
    duration_ms: Math.round(durationMs),
  };
}
