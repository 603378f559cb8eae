import { mayHaveChanged, withChangingTitles } from '../../checks/score/changing-titles.ts';
import { ExitCode, RalphError } from '../../errors.ts';
import { throwIfUnrunnable } from '../../loop/loop-errors.ts';
import { refuseCommands, refuseTestFiles } from '../../loop/proof/refuse-unprovable.ts';
import type { Evaluation, GateSession } from '../../schema/generated.ts';
import { setupKey } from '../evaluation-key.ts';
import { hashOf } from '../installed-stamp.ts';
import type { Judge } from '../judge.ts';
import { NO_TASK, proofOptions } from '../loop/task-proof.ts';
import type { Project } from '../project.ts';
import { findNeeded, mayNeedMore, type Needed } from './needed-files.ts';
import { openSessionJudge, packageChangedSince, type SessionContext } from './session-judge.ts';

/** Evaluates the base of a session, unless that is known. Throws RalphError if a check cannot run. */
export async function evaluateBase(project: Project, context: SessionContext): Promise<Evaluation | Needed> {
  return baselineOf(await openSessionJudge(project, context), project, context);
}

/**
 * The evaluation of the base of a session: stored, or made now; or the ignored files that it needs first. Throws RalphError if a
 * check cannot run.
 */
export async function baselineOf(
  judge: Judge,
  project: Project,
  context: SessionContext,
): Promise<Evaluation | Needed> {
  const stored = storedBaseline(project, context);
  if (stored !== undefined) return stored;
  context.emit({ type: 'progress', text: 'running the checks on the files of the start' });
  return unlessNeeding(await evaluate(judge, context), project, context);
}

async function unlessNeeding(
  baseline: Evaluation,
  project: Project,
  context: SessionContext,
): Promise<Evaluation | Needed> {
  const needed = mayNeedMore(context.session) ? await findNeeded(project, context.session, baseline) : [];
  return needed.length > 0 ? { needed } : storeBaseline(baseline, project, context);
}

/**
 * The same while the agent works: on a busy machine a test may fail for lack of time, and what is red at the start does not
 * block. So what is red must be red each time, else the base is left to the stop, and the answer is undefined, also the next
 * time.
 */
export async function baselineAhead(
  judge: Judge,
  project: Project,
  context: SessionContext,
): Promise<Evaluation | Needed | undefined> {
  const stored = storedBaseline(project, context);
  if (stored !== undefined) return stored;
  const { session, store } = context;
  if (packageChangedSince(project, session) !== undefined) return undefined;
  const restless = `restless ${setupOf(project, context)}`;
  if (store.readEvaluation(session.session, 'ahead')?.setup === restless) return undefined;
  const first = await evaluate(judge, context);
  if (first.passed || resultsOf(first) === resultsOf(await evaluate(judge, context)))
    return unlessNeeding(first, project, context);
  await store.writeEvaluation(session.session, 'ahead', { setup: restless, evaluation: first });
  return undefined;
}

/** Evaluates the base, whatever is stored. */
export async function evaluate(judge: Judge, { signal }: SessionContext): Promise<Evaluation> {
  const { workspace } = judge;
  await workspace.restore(workspace.base);
  const baseline = await judge.evaluateBase({ setAside: 'always', signal });
  signal.throwIfAborted();
  return baseline;
}

function resultsOf({ checks, tests, diagnostics }: Evaluation): string {
  const results = [
    ...checks.map(({ name, status }) => `${name} ${status}`),
    ...tests.map(({ id, status }) => `${id} ${status}`),
    ...diagnostics.map(({ fingerprint }) => fingerprint),
  ];
  return JSON.stringify(results.sort());
}

function setupOf(project: Project, { session }: SessionContext): string {
  const { base_tree: base, needed = [], environment = {} } = session;
  return [setupKey(project), base, hashOf(environment), ...needed.map(({ file }) => file)].join(' ');
}

/**
 * Throws RalphError if somebody changed an installed package since the start. With it the checks would be red before the work as
 * after it, and a check that was red before does not block; or green after it for a source that is broken.
 */
export function requireSamePackages(project: Project, session: GateSession): void {
  const changed = packageChangedSince(project, session);
  if (changed === undefined) return;
  throw new RalphError(
    `${changed} of the installed packages was changed since the start, not by a package manager.`,
    {
      code: 'no_dependencies',
      exitCode: ExitCode.check,
      hint: 'Install the packages anew, for example with npm ci.',
    },
  );
}

/**
 * The evaluation of the base with the tests named by their places whose titles are others in each run, by a second run of the base; stored for
 * the session. Undefined if a tree that lacks tests of the base shows no such titles.
 */
export async function withoutTitles(
  judge: Judge,
  { baseline, evaluation }: { readonly baseline: Evaluation; readonly evaluation: Evaluation },
  project: Project,
  context: SessionContext,
): Promise<Evaluation | undefined> {
  if (!mayHaveChanged(evaluation.missing_tests, baseline.tests, evaluation.tests)) return undefined;
  const tests = withChangingTitles(baseline.tests, (await evaluate(judge, context)).tests);
  if (tests === baseline.tests) return undefined;
  return storeBaseline({ ...baseline, tests: [...tests] }, project, context);
}

/** The evaluation of this session, or a green one of another session that began with the same files: a red one may be red for its packages. */
function storedBaseline(project: Project, context: SessionContext): Evaluation | undefined {
  const { session, store } = context;
  const setup = setupOf(project, context);
  const alike = store.list().filter((one) => one.base_tree === session.base_tree);
  const own = store.readEvaluation(session.session, 'baseline');
  if (own?.setup === setup) return own.evaluation;
  return alike
    .map((one) => store.readEvaluation(one.session, 'baseline'))
    .find((one) => one?.setup === setup && one.evaluation.passed)?.evaluation;
}

/** Stores the evaluation of the base for the session. Throws RalphError for one by which nothing can be judged. */
export async function storeBaseline(
  baseline: Evaluation,
  project: Project,
  context: SessionContext,
): Promise<Evaluation> {
  const { session, store } = context;
  refuseCommands(baseline, project.plan.checks);
  throwIfUnrunnable(baseline);
  refuseTestFiles(baseline, { proof: proofOptions(project, NO_TASK) });
  const setup = setupOf(project, context);
  await store.writeEvaluation(session.session, 'baseline', { setup, evaluation: baseline });
  return baseline;
}
