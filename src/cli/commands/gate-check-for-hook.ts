import type { CheckAnswer, CheckRequest } from '../../compose/gate/answer.ts';
import { checkGate } from '../../compose/gate/check.ts';
import { RalphError } from '../../errors.ts';
import { MOST_BLOCKS } from '../../gate/blocks.ts';
import type { HookAnswer } from '../../gate/dialects/dialect.ts';
import { DIALECTS, type HookName } from '../../gate/dialects/index.ts';
import { BY_HAND } from '../../gate/session-store.ts';
import { plural } from '../../platform/text/plural.ts';
import { answerHook, type HookContext } from './gate-hook.ts';

/** Options of a check from the command line. */
export type GivenCheck = Pick<CheckRequest, 'flags' | 'isAllGreen' | 'env'>;

/**
 * `ralph gate check --hook NAME`: the answer in the agent's format. It is called at every stop of an agent, so modules that an
 * unchanged tree does not need are loaded later.
 */
export async function gateCheckForHook(hook: HookName, given: GivenCheck): Promise<void> {
  await answerHook(hook, (context) => checkForHook(hook, given, context));
}

async function checkForHook(hook: HookName, given: GivenCheck, context: HookContext): Promise<HookAnswer> {
  const { call, input, signal, emit } = context;
  const dialect = DIALECTS[hook];
  if (call.isInterrupted) return dialect.passed();
  const isGit = hook === 'git';
  const cwd = call.cwd ?? process.cwd();
  const answer = await checkGate({
    ...given,
    cwd,
    calledFrom: call.calledFrom,
    session: call.session ?? BY_HAND,
    agent: dialect.title,
    isContinued: call.isContinued,
    isLimited: !isGit,
    said: call.said,
    trees: isGit ? await treesFor(input) : undefined,
    signal,
    emit,
  }).catch(async (error: unknown) => {
    if (isGit && (await isFirstCommit(error, cwd))) return undefined;
    throw error;
  });
  if (answer === undefined) return dialect.passed(FIRST_COMMIT);
  if (answer.passed) {
    const said = [...(answer.isNoteworthy ? [answer.text] : []), ...answer.notes];
    return dialect.passed(said.length === 0 ? undefined : `ralph gate: ${said.join(' ')}`);
  }
  return answer.isSpent ? dialect.passed(describeSpent(answer)) : dialect.blocked(answer.text);
}

const FIRST_COMMIT =
  'ralph gate: this is the first commit. It has nothing to be compared with, and was not judged.';

/** Whether the error is that there is no commit yet, on any branch. */
async function isFirstCommit(error: unknown, cwd: string): Promise<boolean> {
  if (!(error instanceof RalphError) || error.code !== 'no_commits') return false;
  const { runGit } = await import('../../platform/git/git.ts');
  const { exitCode, stdout } = await runGit(['rev-list', '--all', '-n1'], { cwd });
  return exitCode === 0 && stdout.length === 0;
}

async function treesFor(input: string): Promise<NonNullable<CheckRequest['trees']>> {
  const { isPush, treesOfIndex, treesOfPush } = await import('../../compose/gate/committed-trees.ts');
  const lines = input.split('\n').map((line) => line.trim());
  return isPush(lines) ? treesOfPush(lines) : treesOfIndex(process.env['GIT_INDEX_FILE']);
}

/** For the user of an agent that is let go although its work is not done. */
function describeSpent({ text, session }: CheckAnswer): string {
  const [, ...rest] = text.split('\n');
  return `ralph gate: NOT verified. The agent was told ${plural(MOST_BLOCKS, 'time')} and is let go.\n${rest.join('\n').trim()}\nTo compare with the files of now: ralph gate start --again. Reflections: ralph reflections list --loop ${session.loop_id}`;
}
