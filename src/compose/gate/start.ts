import { relative } from 'node:path';
import { BY_HAND, openSessionStore, type SessionStore } from '../../gate/session-store.ts';
import { hookState } from '../../gate/settings/hook-state.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import { ensureRalphFolder } from '../../platform/ralph-folder.ts';
import { gateMemory } from '../../prompts/gate.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { Evaluation, GateSession } from '../../schema/generated.ts';
import { openRepository, type Repository } from '../../workspace/repository.ts';
import { foldersOf } from '../evaluation-key.ts';
import { installedStamp } from '../installed-stamp.ts';
import type { Project } from '../project.ts';
import { evaluateBase } from './baseline.ts';
import { openGateProject, type GateCall } from './gate-project.ts';
import { openGateMemory } from './memory.ts';
import { openGateSnapshots } from './gate-snapshots.ts';
import { GATE_ID } from './gate-id.ts';
import { keepBase } from './kept-base.ts';
import { noteCommits } from './known-commits.ts';
import { withNeeded } from './needed-files.ts';
import { openSessionProject } from './session-project.ts';
import type { CheckContext } from './answer.ts';
import { decidingVariables } from './environment-of-start.ts';
import { releaseSnapshots } from './release-snapshots.ts';
import type { Listener } from './session-judge.ts';
import { settingVariables } from './variables-of-start.ts';
import { waitForLock } from './wait-for-lock.ts';

/** The start of a session. */
export interface StartRequest extends GateCall, Listener {
  /** The agent's id of the session. */
  readonly session: string;
  /** The agent's name for people. */
  readonly agent: string;
  readonly isAllGreen: boolean;
  /** Forget every session of the repository first. */
  readonly isAgain: boolean;
  /** Evaluate the tree now rather than at the first check. */
  readonly evaluates: boolean;
}

/** A session that is watched. */
export interface StartedGate {
  readonly session: GateSession;
  /** False for a session that was started before, whose base stays as it was. */
  readonly isNew: boolean;
  /** The evaluation of the start; undefined if it is left to the first check. */
  readonly baseline: Evaluation | undefined;
  /** What the agent is told. */
  readonly text: string;
}

const LOCK_WAIT_MS = 20_000;

/**
 * Stores the files of now as the base of a session. A session that an agent continues keeps its base; a start by hand begins
 * anew. Throws RalphError.
 */
export async function startGate(request: StartRequest): Promise<StartedGate> {
  const { cwd, session: id, isAgain, evaluates, signal } = request;
  const repository = await openRepository(cwd);
  ensureRalphFolder(repository.root);
  const store = openSessionStore(repository.root);
  const project = await openGateProject(request, repository);
  const lock = await waitForLock(repository.root, { loopId: GATE_ID, waitMs: LOCK_WAIT_MS, signal });
  try {
    const before = isAgain && id !== BY_HAND ? store.read(id) : undefined;
    const forgottenAt = before?.forgotten_at ?? before?.started_at ?? store.startOfStopped(id);
    const known = isAgain || id === BY_HAND ? undefined : store.read(id);
    const replaced = isAgain ? store.list().map(({ session }) => session) : id === BY_HAND ? [id] : [];
    const aside = store.setAside(replaced);
    try {
      const begun = known ?? (await beginSession(request, repository, { project, forgottenAt, store }));
      if (known === undefined) await store.write(begun);
      const evaluated = evaluates ? await evaluateStart(begun, { request, repository, store }) : undefined;
      const { session = begun, result: baseline } = evaluated ?? {};
      if (session !== begun) await store.write(session);
      const text = await renderStart(session, { project, baseline, request });
      aside.forget();
      await releaseSnapshots({ root: repository.root, store });
      return { session, isNew: known === undefined, baseline, text };
    } catch (error) {
      // A start that is refused is none, and replaces none.
      if (known === undefined) store.remove(id);
      aside.putBack();
      throw error;
    }
  } finally {
    lock.release();
  }
}

/** The evaluation of a session's base, with the ignored files that it needs. */
function evaluateStart(
  begun: GateSession,
  {
    request,
    repository,
    store,
  }: Pick<CheckContext, 'repository' | 'store'> & { readonly request: StartRequest },
): ReturnType<typeof withNeeded<Evaluation>> {
  return withNeeded(begun, async (session) => {
    const { project, carried } = await openSessionProject(request, repository, session);
    return evaluateBase(project, { ...request, carried, session, store });
  });
}

interface Begun {
  readonly project: Project;
  /** When the session began that is forgotten in favour of the new one. */
  readonly forgottenAt: string | undefined;
  readonly store: SessionStore;
}

async function beginSession(
  { session, agent, flags, env, isAllGreen }: StartRequest,
  repository: Repository,
  { project: { plan }, forgottenAt, store }: Begun,
): Promise<GateSession> {
  const now = new Date();
  const loopId = newLoopId(`gate ${agent}`, now);
  const snapshots = await openGateSnapshots(repository, loopId);
  const begun = {
    session,
    loop_id: loopId,
    agent,
    started_at: now.toISOString(),
    cwd: relative(repository.root, repository.packageStart),
    base_tree: await snapshots.snapshot(repository.root),
    root: repository.root,
    head: repository.head,
    hooks: hookState(repository.root),
    ...(forgottenAt !== undefined && { forgotten_at: forgottenAt }),
    config: { ...flags },
    variables: settingVariables(env),
    environment: decidingVariables(env),
    all_green: isAllGreen,
    installed: installedStamp(repository.root, foldersOf(plan)),
    checks: 0,
    blocks: 0,
  };
  // Without the first, a snapshot that is removed is told to the user; without the second, each changed test is the agent's.
  await keepBase(begun, { repository, snapshots, store }).catch(() => {});
  await noteCommits(session, repository, store).catch(() => {});
  return begun;
}

interface StartContext {
  readonly project: Project;
  readonly baseline: Evaluation | undefined;
  readonly request: StartRequest;
}

async function renderStart(
  session: GateSession,
  { project, baseline, request }: StartContext,
): Promise<string> {
  const { plan, settings, repository } = project;
  const experience = await openGateMemory(project, request.emit);
  const memory = await experience?.recall({
    loopId: session.loop_id,
    task: '',
    evaluation: baseline ?? NOT_EVALUATED,
  });
  const names = plan.checks.filter(({ criterion }) => criterion === undefined).map(({ name }) => name);
  const commands = settings.accept.map((command) => `\`${command}\` succeeds.`);
  const files = settings.acceptTests.map((file) => `The tests of ${file} pass.`);
  return renderPrompt(
    'gate-start',
    {
      checks: names.join(', '),
      isAllGreen: session.all_green,
      criteria: [...commands, ...files],
      ...gateMemory(memory),
    },
    repository.root,
  ).trim();
}

/** In place of an evaluation that is not known yet: it has no failure to recall lessons for. */
const NOT_EVALUATED: Evaluation = {
  passed: false,
  reward: 0,
  verification_type: 'unit_tests',
  checks: [],
  diagnostics: [],
  tests: [],
  missing_tests: [],
  delta: { fixed: [], same: [], new: [], unseen: [] },
  metrics: {
    tests_passed: 0,
    tests_failed: 0,
    tests_total: 0,
    type_errors: 0,
    lint_errors: 0,
    lint_warnings: 0,
  },
  duration_ms: 0,
};
