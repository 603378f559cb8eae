import { MOST_BLOCKS } from '../../gate/blocks.ts';
import type { Decision } from '../../gate/decision.ts';
import { renderBlock } from '../../gate/message.ts';
import { describePass } from '../../gate/pass-text.ts';
import type { TreeId } from '../../ports.ts';
import { deltaOf } from '../../checks/score/delta.ts';
import type { Diagnostic, Evaluation, GateSession } from '../../schema/generated.ts';
import { foldersOf, surroundingsStamp } from '../evaluation-key.ts';
import type { CheckContext, Settled } from './check.ts';
import { openGateProject } from './gate-project.ts';
import { judgeTree } from './judge.ts';
import { releaseSnapshots } from './release-snapshots.ts';
import { rememberBlock, rememberPass } from './remember.ts';

const NOTHING_CHANGED = 'No file has changed since the start.';

interface JudgeStep {
  readonly session: GateSession;
  readonly tree: TreeId;
}

/** Judges a tree of a session, and remembers the result. Throws RalphError. */
export async function judgeAnew(
  { request, repository, store }: CheckContext,
  { session, tree }: JudgeStep,
): Promise<Settled> {
  const { emit, signal, said, isLimited } = request;
  const { cwd, config } = session;
  const project = await openGateProject({
    ...request,
    cwd: cwd === '' ? repository.root : `${repository.root}/${cwd}`,
    flags: { ...config, ...request.flags },
  });
  const { plan, settings } = project;
  const watched = {
    folders: foldersOf(plan),
    carry: [...settings.carry, ...(plan.carry ?? []).map((path) => `/${path}`)],
  };
  const at = new Date().toISOString();
  const noted = { at, tree, surroundings: await surroundingsStamp(repository, watched) };
  const asksNothing = settings.accept.length + settings.acceptTests.length === 0 && !session.all_green;
  if (tree === session.base_tree && asksNothing) {
    const text = NOTHING_CHANGED;
    return { answer: { ...noted, passed: true, text }, watched, isKnown: false };
  }
  const context = { session, store, emit, signal };
  const judgement = await judgeTree(project, tree, context);
  await releaseSnapshots({ root: repository.root, store, kept: tree });
  signal.throwIfAborted();
  const { decision, evaluation, baseline, previous } = judgement;
  const judged = { evaluation, baseline, watched, isKnown: false };
  if (decision.passed) {
    await rememberPass(project, { ...context, judgement, said });
    return { ...judged, answer: { ...noted, passed: true, text: describePass(decision) } };
  }
  const { path, reflection } = await rememberBlock(project, { ...context, judgement, said });
  const next = nextStep(decision, reflection.self_reflection.actionable_insights[0]);
  const text = renderBlock({
    decision,
    next,
    before: session.last?.passed === false ? (session.last.next ?? '') : '',
    delta: deltaOf(decision.failures, unlessKnown(previous, baseline)),
    number: isLimited ? session.blocks + 1 : 0,
    limit: MOST_BLOCKS,
    repository: repository.root,
  });
  return { ...judged, answer: { ...noted, passed: false, text, next, reflection: path } };
}

/** Forbidden changes come first: while they stand, no check can be believed. */
function nextStep({ forbidden }: Decision, insight: string | undefined): string {
  return (forbidden[0] ?? insight ?? '').slice(0, 2000);
}

/** Failures of the check before that the base does not have. */
function unlessKnown({ diagnostics }: Evaluation, baseline: Evaluation): Diagnostic[] {
  const known = new Set(baseline.diagnostics.map(({ test_id: id, fingerprint }) => id ?? fingerprint));
  return diagnostics.filter(({ test_id: id, fingerprint }) => !known.has(id ?? fingerprint));
}
