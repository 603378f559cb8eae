import { posix } from 'node:path';
import { ExitCode, RalphError, messageOf, usageError } from '../errors.ts';
import type { LoopState } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { isLoopId } from '../platform/loop-id.ts';
import { nearest } from '../platform/text/nearest.ts';
import { RALPH_PATHS, ralphFolder } from '../platform/ralph-folder.ts';
import { readFolder } from '../platform/files/read-folder.ts';
import { unsealText } from '../platform/files/sealed.ts';
import { startedState } from './started-state.ts';
import { readOwnFile } from '../platform/files/read-bounded.ts';

/** The loops of a repository. */
export interface LoopList {
  /** Newest first, by their start. */
  readonly loops: readonly LoopState[];
  /** Loops whose state cannot be read. */
  readonly damaged: readonly DamagedState[];
}

/** A state file that cannot be read. */
export interface DamagedState {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly problem: string;
}

/** Lists every loop of the repository; damaged states are listed apart. Does not reject for the content of a file. */
export async function listLoops(repositoryRoot: string): Promise<LoopList> {
  const loops: LoopState[] = [];
  const damaged: DamagedState[] = [];
  for (const loopId of await loopIds(repositoryRoot)) {
    const state = await tryReadState(repositoryRoot, loopId);
    if (typeof state !== 'string') loops.push(state);
    else damaged.push({ path: RALPH_PATHS.state(loopId), problem: state });
  }
  return { loops: loops.sort(newestFirst), damaged };
}

/** Reads the saved state of a loop; null if it has none. Throws RalphError `state_damaged` with the file and its problem. */
export async function readState(repositoryRoot: string, loopId: string): Promise<LoopState | null> {
  const state = await tryReadState(repositoryRoot, loopId);
  if (typeof state !== 'string') return state;
  if (state === NO_STATE) return null;
  throw new RalphError(`${RALPH_PATHS.state(loopId)} is damaged: ${state}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: `Set it aside and restore it from the journal: ralph resume ${loopId}`,
  });
}

/**
 * Reads the state to resume a loop from: the saved one, or the first one in the journal if the saved one is damaged or
 * missing. Null if there is neither. Throws RalphError `state_damaged` if both are damaged.
 */
export async function readResumableState(repositoryRoot: string, loopId: string): Promise<LoopState | null> {
  const state = await tryReadState(repositoryRoot, loopId);
  if (typeof state !== 'string') return state;
  return startedState(repositoryRoot, loopId) ?? readState(repositoryRoot, loopId);
}

/**
 * Finds the loop with the given id, or the newest one. Throws RalphError: `usage` for text that is not a loop id, such as a
 * path; `unknown_loop`, with similar ids, if there is no such loop.
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
  throw unknownLoop(`There is no loop ${given}.`, similarIds(given, known));
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

function similarIds(given: string, known: readonly string[]): string[] {
  const near = nearest(given, known);
  const containing = known.filter((loopId) => loopId.includes(given.replace(/-+$/, '')));
  return [...new Set([...(near === undefined ? [] : [near]), ...containing])].slice(0, 3);
}

function unknownLoop(message: string, near: readonly string[]): RalphError {
  const hint = near.length === 0 ? 'Start one: ralph run "what to do"' : `Did you mean ${near.join(' or ')}?`;
  return new RalphError(message, { code: 'unknown_loop', exitCode: ExitCode.usage, hint });
}

async function loopIds(repositoryRoot: string): Promise<string[]> {
  const entries = await readFolder(ralphFolder(repositoryRoot).loops());
  return entries
    .filter((entry) => entry.isDirectory() && isLoopId(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** The state, or its problem. */
async function tryReadState(repositoryRoot: string, loopId: string): Promise<LoopState | string> {
  let text: string;
  try {
    text = readOwnFile(ralphFolder(repositoryRoot).state(loopId)).toString('utf8');
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
