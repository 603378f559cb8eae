import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { ExitCode, RalphError, messageOf, usageError } from '../errors.ts';
import type { LoopState } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { isLoopId } from '../platform/loop-id.ts';
import { nearest } from '../platform/text/nearest.ts';
import { RALPH_FOLDER, ralphPath } from '../platform/ralph-folder.ts';
import { readFolder } from '../platform/files/read-folder.ts';
import { unsealText } from '../platform/files/sealed.ts';
import { startedState } from './started-state.ts';

export interface LoopList {
  /** Newest first, by the time they began. */
  readonly loops: readonly LoopState[];
  /** Loops whose state cannot be shown, and why. */
  readonly damaged: readonly DamagedState[];
}

export interface DamagedState {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly problem: string;
}

/** Every loop of the repository. A damaged state is named and left out. Never rejects for what a file holds. */
export async function listLoops(repositoryRoot: string): Promise<LoopList> {
  const loops: LoopState[] = [];
  const damaged: DamagedState[] = [];
  for (const loopId of await loopIds(repositoryRoot)) {
    const state = await tryReadState(repositoryRoot, loopId);
    if (typeof state !== 'string') loops.push(state);
    else damaged.push({ path: statePath(loopId), problem: state });
  }
  return { loops: loops.sort(newestFirst), damaged };
}

/**
 * The saved state of one loop; null where it ended before it had saved any. Throws RalphError
 * `state_damaged` with the file and what is wrong.
 */
export async function readState(repositoryRoot: string, loopId: string): Promise<LoopState | null> {
  const state = await tryReadState(repositoryRoot, loopId);
  if (typeof state !== 'string') return state;
  if (state === NO_STATE) return null;
  throw new RalphError(`${statePath(loopId)} is damaged: ${state}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: `It is set aside and written again from the journal by: ralph resume ${loopId}`,
  });
}

/**
 * What a loop is resumed from: its saved state, or, where that is damaged or was never saved, the one that its journal
 * began with. Null where neither is there. Throws RalphError `state_damaged` where the journal does not help.
 */
export async function readResumableState(repositoryRoot: string, loopId: string): Promise<LoopState | null> {
  const state = await tryReadState(repositoryRoot, loopId);
  if (typeof state !== 'string') return state;
  return startedState(repositoryRoot, loopId) ?? readState(repositoryRoot, loopId);
}

/**
 * The loop that was asked for, or the newest. Throws RalphError: `usage` where the text is no loop id (a
 * path, an escape), `unknown_loop` where there is no such loop, with the nearest ids.
 */
export async function resolveLoopId(repositoryRoot: string, given?: string): Promise<string> {
  if (given === undefined) return newestLoop(repositoryRoot);
  if (!isLoopId(given)) {
    throw usageError(
      `${JSON.stringify(given.slice(0, 120))} is not a loop id.`,
      'Loop ids look like ralph-fix-login-20260125-x7k2p9. List them: ralph list',
    );
  }
  const known = await loopIds(repositoryRoot);
  if (known.includes(given)) return given;
  throw unknownLoop(`There is no loop ${given}.`, likelyMeant(given, known));
}

const NO_STATE = 'no state was saved';

async function newestLoop(repositoryRoot: string): Promise<string> {
  const { loops, damaged } = await listLoops(repositoryRoot);
  const others = damaged.map(({ path }) => posix.basename(posix.dirname(path)));
  const begun = others.flatMap((loopId) => startedState(repositoryRoot, loopId) ?? []);
  const [newest] = [...loops, ...begun].sort(newestFirst);
  if (newest !== undefined) return newest.loop_id;
  throw unknownLoop('No loop has run in this repository.', others.slice(0, 3));
}

function likelyMeant(given: string, known: readonly string[]): string[] {
  const near = nearest(given, known);
  const containing = known.filter((loopId) => loopId.includes(given.replace(/-+$/, '')));
  return [...new Set([...(near === undefined ? [] : [near]), ...containing])].slice(0, 3);
}

function unknownLoop(message: string, near: readonly string[]): RalphError {
  const hint = near.length === 0 ? 'Start one: ralph run "what to do"' : `Did you mean ${near.join(' or ')}?`;
  return new RalphError(message, { code: 'unknown_loop', exitCode: ExitCode.usage, hint });
}

async function loopIds(repositoryRoot: string): Promise<string[]> {
  const folder = ralphPath(repositoryRoot, 'loops');
  const entries = await readFolder(folder);
  return entries
    .filter((entry) => entry.isDirectory() && isLoopId(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** The state, or what is wrong with it. */
async function tryReadState(repositoryRoot: string, loopId: string): Promise<LoopState | string> {
  let text: string;
  try {
    text = await readFile(ralphPath(repositoryRoot, 'loops', loopId, 'state.json'), 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? NO_STATE : messageOf(error);
  }
  const read = unsealText(text);
  if (!read.ok) return read.problem;
  const checked = validate('loop-state', read.value);
  if (!checked.ok) return renderProblems(checked.problems);
  if (checked.value.loop_id !== loopId) return `it is the state of ${checked.value.loop_id}`;
  return checked.value;
}

function newestFirst(a: LoopState, b: LoopState): number {
  return Date.parse(b.started_at) - Date.parse(a.started_at) || b.loop_id.localeCompare(a.loop_id);
}

function statePath(loopId: string): string {
  return posix.join(RALPH_FOLDER, 'loops', loopId, 'state.json');
}
