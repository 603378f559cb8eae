import type { CheckAnswer, CheckRequest } from '../../compose/gate/answer.ts';
import { checkGate } from '../../compose/gate/check.ts';
import { isPush, treesOfIndex, treesOfPush } from '../../compose/gate/committed-trees.ts';
import { ExitCode, RalphError } from '../../errors.ts';
import { MOST_BLOCKS } from '../../gate/blocks.ts';
import type { HookAnswer } from '../../gate/dialects/dialect.ts';
import { DIALECTS, type HookName } from '../../gate/dialects/index.ts';
import { BY_HAND } from '../../gate/session-store.ts';
import { blankVerdict, summarizeCheck } from '../../loop/verdict.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Verdict } from '../../schema/generated.ts';
import { confirmTrust } from '../confirm-trust.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { createOutput, printResult } from '../output.ts';
import { answerHook, type HookContext } from './gate-hook.ts';
import { BY_HAND_TITLE, flagsOf, type GateOptions } from './gate-options.ts';

/** `ralph gate check`: exit 0 if the agent may stop, 1 if not; a hook gets the answer in its agent's format. */
export async function gateCheckCommand(options: GateOptions): Promise<void> {
  const { hook, allGreen = false, ...rest } = options;
  const given = { flags: flagsOf(rest), isAllGreen: allGreen, env: process.env };
  if (hook === undefined) return checkByHand(given, options);
  await answerHook(hook, (context) => checkForHook(hook, given, context));
}

type Given = Pick<CheckRequest, 'flags' | 'isAllGreen' | 'env'>;

async function checkForHook(hook: HookName, given: Given, context: HookContext): Promise<HookAnswer> {
  const { call, input, signal, emit } = context;
  const dialect = DIALECTS[hook];
  if (call.isInterrupted) return dialect.passed();
  const isGit = hook === 'git';
  const answer = await checkGate({
    ...given,
    cwd: call.cwd ?? process.cwd(),
    session: call.session ?? BY_HAND,
    agent: dialect.title,
    isContinued: call.isContinued,
    isLimited: !isGit,
    said: call.said,
    trees: isGit ? treesFor(input) : undefined,
    signal,
    emit,
  });
  if (answer.passed) {
    const said = [...(answer.isNoteworthy ? [answer.text] : []), ...answer.notes];
    return dialect.passed(said.length === 0 ? undefined : `ralph gate: ${said.join(' ')}`);
  }
  return answer.isSpent ? dialect.passed(describeSpent(answer)) : dialect.blocked(answer.text);
}

function treesFor(input: string): NonNullable<CheckRequest['trees']> {
  const lines = input.split('\n').map((line) => line.trim());
  return isPush(lines) ? treesOfPush(lines) : treesOfIndex(process.env['GIT_INDEX_FILE']);
}

/** For the user of an agent that is let go although its work is not done. */
function describeSpent({ text, session }: CheckAnswer): string {
  const [, ...rest] = text.split('\n');
  return `ralph gate: NOT verified. The agent was told ${plural(MOST_BLOCKS, 'time')} and is let go.\n${rest.join('\n').trim()}\nTo compare with the files of now: ralph gate start --again. Reflections: ralph reflections list --loop ${session.loop_id}`;
}

async function checkByHand(given: Given, options: GateOptions): Promise<void> {
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
