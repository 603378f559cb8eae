import { MOST_BLOCKS } from '../../gate/blocks.ts';
import type { Decision } from '../../gate/decision.ts';
import { renderBlock, toldStep } from '../../gate/message.ts';
import { describePass } from '../../gate/pass-text.ts';
import type { TreeId } from '../../ports/tree.ts';
import { deltaOf } from '../../schema/compare-failures.ts';
import type { Diagnostic, Evaluation, GateAnswer, GateSession } from '../../schema/generated.ts';
import type { Repository } from '../../workspace/repository.ts';
import type { Snapshots } from '../../workspace/snapshots/snapshots.ts';
import { packageAdvice } from '../install-advice.ts';
import type { CheckContext, Settled } from './answer.ts';
import { requireSamePackages } from './baseline.ts';
import { judgeTree } from './judge.ts';
import {
  changedNeeded,
  goneFiles,
  isNeeded,
  notesOnIgnored,
  unknownFiles,
  withNeeded,
} from './needed-files.ts';
import { movedBase } from './moved-head.ts';
import { releaseSnapshots } from './release-snapshots.ts';
import type * as remember from './remember.ts';
import { describeUnknown, withBase } from './session-base.ts';
import { openSessionProject } from './session-project.ts';
import { describeInstalled } from './session-judge.ts';
import { requireSettingsOfStart } from './settings-of-start.ts';

const NOTHING_CHANGED = 'No file has changed since the start.';
const NOTHING_OTHER = 'Every file is as at the start, or as in commits that are not the agent’s.';

/** By then the checks run, and this process only waits for them. */
const CHECKS_RUN_MS = 300;

interface JudgeStep {
  readonly session: GateSession;
  readonly tree: TreeId;
  readonly snapshots: Snapshots;
}

/** A judgement that is not stored yet, with the session that it belongs to. */
interface JudgedAnew extends Settled {
  readonly session: GateSession;
}

/** Judges a tree of a session, and remembers the result. Throws RalphError. */
export async function judgeAnew(
  { request, repository, store }: CheckContext,
  { session: given, tree, snapshots }: JudgeStep,
): Promise<JudgedAnew> {
  const { emit, signal, said, isLimited } = request;
  const at = new Date().toISOString();
  const based = await withBase(given, repository, { snapshots, tree, store });
  const root = request.trees === undefined ? repository.root : undefined;
  const asked = { ...based.session, all_green: given.all_green || request.isAllGreen };
  const compared = await comparedWith(asked, request, { repository, snapshots, store });
  const { isOwn, head } = compared;
  // Before they are read: what they ask for must not be done.
  await requireSettingsOfStart({ session: compared.session, tree, snapshots, root });
  const openedFirst = await openSessionProject(request, repository, given);
  requireSamePackages(openedFirst.project, compared.session);
  const { accept, acceptTests } = openedFirst.project.settings;
  const asksNothing = accept.length + acceptTests.length === 0 && !asked.all_green;
  const isSame =
    tree === compared.session.base_tree && changedNeeded(based.session, repository.root).length === 0;
  if (isSame && asksNothing) {
    const { watched, programs, surroundings } = openedFirst;
    const text = isOwn ? NOTHING_CHANGED : NOTHING_OTHER;
    const answer = {
      at,
      tree,
      programs,
      surroundings,
      ...head,
      passed: true,
      text,
      notes: [...compared.notes],
    };
    return { ...based, answer, watched, isKnown: false };
  }
  const remembering = loadLater();
  const { session, result } = await withNeeded(compared.session, async (session) => {
    const isFirst = session === compared.session;
    const opened = isFirst ? openedFirst : await openSessionProject(request, repository, session);
    const judgement = await judgeTree(opened.project, tree, {
      session,
      store,
      snapshots,
      ...opened,
      emit,
      signal,
    });
    return isNeeded(judgement) ? judgement : { opened, judgement };
  });
  const { opened, judgement } = result;
  const { project, watched, carried, programs, surroundings } = opened;
  const noted = { at, tree, programs, surroundings, ...head };
  const context = { session, store, snapshots, carried, programs, surroundings, emit, signal };
  await releaseSnapshots({ root: repository.root, store, kept: tree });
  const { rememberBlock, rememberPass } = await remembering();
  signal.throwIfAborted();
  const { evaluation, baseline, previous } = judgement;
  const gone = await goneFiles(project, baseline);
  const read = { root: repository.root, carried, baseline, gone };
  const packages = baseline.passed ? [] : describeInstalled(project, session);
  const notes = [...based.notes, ...notesOnIgnored(session, read), ...packages];
  const moved = request.trees === undefined ? await movedSince(tree, repository, snapshots) : [];
  const decision = withSetBack(withMoved(judgement.decision, moved), compared);
  // The session does not store a flag of one check.
  const stored = { ...session, base_tree: based.session.base_tree, all_green: given.all_green };
  const judged = { session: stored, evaluation, baseline, watched, isKnown: false };
  if (decision.passed) {
    await rememberPass(project, { ...context, judgement, said });
    const isCertain = unknownFiles(session, read).length + gone.length + packages.length === 0;
    const newNotes = [
      ...compared.notes,
      ...judgement.newNeeds,
      ...(await describeUnknown(session.base_tree, { snapshots, tree })),
      ...flakyTests(evaluation),
      ...packageAdvice(project, baseline),
    ];
    return {
      ...judged,
      notes,
      answer: { ...noted, passed: true, text: describePass(decision, { isCertain }), notes: newNotes },
    };
  }
  const { path, reflection } = await rememberBlock(project, { ...context, judgement, said });
  const { failures, missing, unmet } = decision;
  const isDoubt = evaluation.passed && failures.length + missing.length + unmet.length === 0;
  const insight = isDoubt ? undefined : reflection.self_reflection.actionable_insights[0];
  const next = toldStep(nextStep(decision, insight), decision);
  const text = renderBlock({
    decision,
    next,
    before: toldBefore(session, decision),
    delta: deltaOf(
      { ...evaluation, diagnostics: [...decision.failures] },
      {
        ...previous,
        diagnostics: session.all_green ? previous.diagnostics : unlessKnown(previous, baseline),
      },
    ),
    number: isLimited ? session.blocks + 1 : 0,
    limit: MOST_BLOCKS,
    repository: repository.root,
  });
  const undo = decision.forbidden.length > 0;
  return { ...judged, notes, answer: { ...noted, passed: false, text, next, undo, reflection: path } };
}

interface Compared {
  readonly session: GateSession;
  readonly notes: readonly string[];
  /** The base is that of the start. */
  readonly isOwn: boolean;
  /** For the record of the answer. */
  readonly head: Pick<GateAnswer, 'head' | 'branch' | 'base'>;
}

/** The session as it is compared now: with the files of commits that are not the agent's. */
async function comparedWith(
  session: GateSession,
  { trees }: CheckContext['request'],
  judged: Pick<CheckContext, 'repository' | 'store'> & Pick<JudgeStep, 'snapshots'>,
): Promise<Compared> {
  if (trees !== undefined) return { session, notes: [], isOwn: true, head: {} };
  const { base, notes } = await movedBase(session, judged);
  const isOwn = base === session.base_tree;
  const { head: commit, branch } = judged.repository;
  const head = { head: commit, branch: branch ?? '', ...(!isOwn && { base }) };
  return { session: isOwn ? session : { ...session, base_tree: base }, notes, isOwn, head };
}

/** The modules that remember are loaded while the checks run, or when they are asked for. */
function loadLater(): () => Promise<typeof remember> {
  const load = (): Promise<typeof remember> => import('./remember.ts');
  // A load that fails is repeated by who asks for it.
  const timer = setTimeout(() => void load().catch(() => {}), CHECKS_RUN_MS);
  return () => {
    clearTimeout(timer);
    return load();
  };
}

/** A sentence on tests that failed and passed when they ran again. */
function flakyTests({ tests }: Evaluation): string[] {
  const ids = tests.filter(({ flaky }) => flaky).map(({ id }) => id);
  if (ids.length === 0) return [];
  const more = ids.length > MOST_SHOWN ? ` and ${ids.length - MOST_SHOWN} more` : '';
  return [`Flaky, passed twice when run again: ${ids.slice(0, MOST_SHOWN).join(', ')}${more}.`];
}

const MOST_SHOWN = 5;

/** Files of the user's tree that changed since it was stored, for the judgement is not about them. */
async function movedSince(tree: TreeId, { root }: Repository, snapshots: Snapshots): Promise<string[]> {
  const now = await snapshots.snapshot(root);
  if (now === tree) return [];
  return (await snapshots.entryChanges(tree, now)).map(({ path }) => path.toString('utf8'));
}

function withMoved(decision: Decision, moved: readonly string[]): Decision {
  if (moved.length === 0 || !decision.passed) return decision;
  const shown = moved.slice(0, MOST_SHOWN).join(', ');
  const more = moved.length > MOST_SHOWN ? ` and ${moved.length - MOST_SHOWN} more` : '';
  const text = `Files changed while the checks ran: ${shown}${more}. End what changes them; the files of then are judged when you stop again.`;
  return { ...decision, passed: false, others: [text] };
}

/** Who set a branch back is to be told what is compared with what. */
function withSetBack(decision: Decision, { notes, isOwn }: Pick<Compared, 'notes' | 'isOwn'>): Decision {
  return decision.passed || !isOwn ? decision : { ...decision, others: [...decision.others, ...notes] };
}

/** The step that the agent was told before; a change that it has taken back since is called so. */
function toldBefore({ last }: GateSession, { forbidden }: Decision): string {
  if (last?.passed !== false || last.next === undefined) return '';
  return last.undo === true && !forbidden.includes(last.next) ? `${last.next} That is done.` : last.next;
}

/**
 * Forbidden changes come first: while they stand, no check can be believed. None where every check passes: the sentence on what is
 * doubted says what to do.
 */
function nextStep({ forbidden }: Decision, insight: string | undefined): string {
  return (forbidden[0] ?? insight ?? '').slice(0, 2000);
}

/** Failures of the check before that the base does not have. */
function unlessKnown({ diagnostics }: Evaluation, baseline: Evaluation): Diagnostic[] {
  const known = new Set(baseline.diagnostics.map(({ test_id: id, fingerprint }) => id ?? fingerprint));
  return diagnostics.filter(({ test_id: id, fingerprint }) => !known.has(id ?? fingerprint));
}
