import { posix } from 'node:path';
import type { RunEvent } from '../../events.ts';
import type { SessionStore } from '../../gate/session-store.ts';
import { cannotBeUndone } from '../../loop/tampering.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Config, Evaluation, GateSession, Tampering } from '../../schema/generated.ts';
import { changedPackage } from '../../workspace/protect/changed-packages.ts';
import { foreignProgram } from '../../workspace/protect/foreign-programs.ts';
import { matcherOf } from '../../workspace/globs.ts';
import type { EntryChange } from '../../workspace/snapshots/tree-changes.ts';
import { foldersOf } from '../evaluation-key.ts';
import { installedStamp, stampOfNothing } from '../installed-stamp.ts';
import { openJudge, type Judge, type JudgeRequest } from '../judge.ts';
import type { Project } from '../project.ts';
import type { SessionProject } from './session-project.ts';

/** How a judgement is stopped and observed. */
export interface Listener {
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** A session, and where its evaluations are kept. */
export interface SessionContext extends Listener, Pick<JudgeRequest, 'snapshots' | 'carried'> {
  readonly session: GateSession;
  readonly store: SessionStore;
}

/** A session, and stamps of what its checks read beside the tree. */
export interface JudgeContext extends SessionContext, Pick<SessionProject, 'programs' | 'surroundings'> {}

/** Opens the judge of a session. Throws RalphError where no workspace can be opened. */
export function openSessionJudge(
  project: Project,
  { session, snapshots, carried, emit }: SessionContext,
): Promise<Judge> {
  return openJudge(project, {
    ...{ snapshots, carried },
    loopId: session.loop_id,
    base: session.base_tree,
    task: '',
    mayStandStill: true,
    // They are installed in the user's folder, and the user is told of them.
    mayAddPackages: true,
    watchedSince: watchedSince(project, session),
    emit,
  });
}

/** The audit watches installed packages since the start, unless a package manager has run since. */
function watchedSince(project: Project, session: GateSession): number | undefined {
  return isInstalledAsThen(project, session) ? Date.parse(session.started_at) : undefined;
}

function isInstalledAsThen({ repository, plan }: Project, { installed }: GateSession): boolean {
  return installed !== undefined && installedStamp(repository.root, foldersOf(plan)) === installed;
}

/** A sentence on packages that were installed since the start of a session: the checks of the start ran with them. */
export function describeInstalled(project: Project, session: GateSession): string[] {
  if (session.installed === undefined || isInstalledAsThen(project, session)) return [];
  return [
    'Packages were installed since the start: the checks of the start ran with those of now, for others are not stored.',
  ];
}

/**
 * An installed file that somebody changed by hand since the start of a session, or a link that was put in the place of a package;
 * relative to the root. Where nothing was installed at the start, only programs that belong to no package count.
 */
export function packageChangedSince(project: Project, session: GateSession): string | undefined {
  const { repository, plan } = project;
  const places = foldersOf(plan);
  if (session.installed === undefined) return undefined;
  const folders = places.map((folder) => posix.join(folder, 'node_modules'));
  const sinceMs = Date.parse(session.started_at);
  if (session.installed === stampOfNothing(places)) {
    const programs = folders.map((folder) => foreignProgram(repository.root, folder, sinceMs));
    return programs.find((program) => program !== undefined);
  }
  return changedPackage({
    ...{ repository: repository.root, folders, sinceMs },
    mayBeInstalled: !isInstalledAsThen(project, session),
  });
}

/** A tree that lies in the workspace, with the protected files of the base. */
export interface Placed {
  /** The tree with these files. */
  readonly judged: TreeId;
  readonly tampering: readonly Tampering[];
}

/** Puts a tree into the workspace of the judge, and the protected files of the base in their places. */
export async function placeTree(
  judge: Judge,
  { tree, baseline, session }: { tree: TreeId; baseline: Evaluation; session: GateSession },
): Promise<Placed> {
  const { guard, workspace, snapshots } = judge;
  judge.noteBaseline(baseline);
  await workspace.restore(tree);
  const ownSettings = changedSettings(await snapshots.entryChanges(workspace.base, tree), session);
  const tampering = [...(await guard.restoreProtected()), ...ownSettings];
  return { judged: await workspace.checkpoint(), tampering };
}

interface Compared {
  readonly redByChance?: readonly string[];
  readonly baseline: Evaluation;
  readonly previous: Evaluation;
  readonly context: SessionContext;
}

/** Evaluates the tree in the workspace as a loop does before it accepts one. */
export function evaluatePlaced(
  judge: Judge,
  { judged, tampering }: Placed,
  { baseline, previous, redByChance = [], context: { signal } }: Compared,
): Promise<Evaluation> {
  const refused = tampering.filter(cannotBeUndone);
  const how = { baseline, previous, refused, redByChance, mayBeFlaky: true, signal };
  return judge.evaluateCandidate(judged, how);
}

/** Files with ralph's own settings: what they allow counts only from the next session on. */
const OWN_SETTINGS = matcherOf(['ralph.config.{js,mjs,cjs,ts,mts,cts,json}']);

function changedSettings(changes: readonly EntryChange[], { config }: GateSession): Tampering[] {
  const { allow = [] } = config as Config;
  const isAllowed = matcherOf(allow);
  return changes.flatMap(({ path, before, after }) => {
    const file = path.toString('utf8');
    if (!OWN_SETTINGS(file) || isAllowed(file)) return [];
    const kind =
      before === undefined
        ? 'protected_added'
        : after === undefined
          ? 'protected_deleted'
          : 'protected_edited';
    return [{ kind, file, detail: `${file} was changed, but the verdict depends on it.` } as const];
  });
}
