import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { makeFolder } from '../platform/files/make-folder.ts';
import { ExitCode, RalphError } from '../errors.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { areLinked } from '../platform/git/git-folders.ts';
import { sealedText, unsealText } from '../platform/files/sealed.ts';
import { stateFolder, type StateVariables } from '../platform/files/state-folder.ts';
import { ensureRalphFolder, ralphFolder } from '../platform/ralph-folder.ts';
import { redactValue } from '../platform/redaction/redact.ts';
import type { Evaluation, GateSession } from '../schema/generated.ts';
import { validate } from '../schema/validate.ts';
import { readOwnFile } from '../platform/files/read-bounded.ts';

/** Id of the session that is started by hand. */
export const BY_HAND = 'by-hand';

/** Sessions are kept this long after their last check, for agents that continue an old one. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

/** Evaluations of a session; `ahead` was made before its agent wanted to stop. */
export type StoredEvaluation = 'baseline' | 'last' | 'ahead';

/** An evaluation, and what it is valid for. */
export interface StoredBaseline {
  readonly setup: string;
  readonly evaluation: Evaluation;
}

/** The sessions of a repository that `ralph gate` watches. */
export interface SessionStore {
  /** Undefined if there is none. Throws RalphError `state_damaged` if it cannot be read. */
  read(session: string): GateSession | undefined;
  /** Every session, the one that was used last first. Damaged ones are left out. */
  list(): readonly GateSession[];
  write(session: GateSession): Promise<void>;
  /** Undefined if it is not stored or cannot be read. */
  readEvaluation(session: string, which: StoredEvaluation): StoredBaseline | undefined;
  writeEvaluation(session: string, which: StoredEvaluation, stored: StoredBaseline): Promise<void>;
  /** Absolute path of the folder of a session, for further files of it. */
  folder(session: string): string;
  /** Removes a session; another call has no effect. */
  remove(session: string): void;
  /** Takes sessions out of the store until it is certain that they are replaced; none of them is lost if they are not. */
  setAside(sessions: readonly string[]): SessionsAside;
  /** Removes a session, and keeps the time of its start: an agent that goes on under its id is not new. */
  stop(session: GateSession): Promise<void>;
  /** ISO time at which a session began that was stopped; undefined for one that was not. */
  startOfStopped(session: string): string | undefined;
}

/** Sessions that are about to be replaced. */
export interface SessionsAside {
  putBack(): void;
  forget(): void;
}

/**
 * Opens the store. `repositoryRoot` is absolute. It lies in the user's
 * folder for state, so that an agent that removes or edits `.aiwg` does not change what it is compared with.
 */
export function openSessionStore(repositoryRoot: string, env: StateVariables = process.env): SessionStore {
  const folder = folderOf(repositoryRoot, env);
  const pathOf = (session: string, name: string): string => join(folder, folderName(session), name);
  const read = (session: string): GateSession | undefined => {
    const path = pathOf(session, SESSION_FILE);
    const text = textOf(path);
    return text === undefined ? undefined : parseSession(text, path);
  };
  const remove = (session: string): void =>
    rmSync(join(folder, folderName(session)), { recursive: true, force: true });
  return {
    read,
    list: () => listSessions(folder).sort((a, b) => lastUse(b) - lastUse(a)),
    write: (session) => writeDurably(pathOf(session.session, SESSION_FILE), sealedText(redactValue(session))),
    readEvaluation: (session, which) => parseStored(textOf(pathOf(session, `${which}.json`))),
    writeEvaluation: (session, which, stored) =>
      writeDurably(pathOf(session, `${which}.json`), JSON.stringify(redactValue(stored))),
    folder: (session) => join(folder, folderName(session)),
    remove,
    setAside: (sessions) => setAside(folder, sessions.map(folderName)),
    async stop({ session, forgotten_at, started_at }) {
      remove(session);
      await writeDurably(pathOf(session, STOPPED_FILE), forgotten_at ?? started_at);
    },
    startOfStopped(session) {
      const text = textOf(pathOf(session, STOPPED_FILE));
      return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
    },
  };
}

/** No session has such a name. */
const ASIDE = '.replaced-';

function setAside(folder: string, names: readonly string[]): SessionsAside {
  const moved = names.filter((name) => existsSync(join(folder, name)));
  const move = (from: string, to: string): void => {
    rmSync(join(folder, to), { recursive: true, force: true });
    renameSync(join(folder, from), join(folder, to));
  };
  for (const name of moved) move(name, `${ASIDE}${name}`);
  return {
    putBack: () => moved.forEach((name) => move(`${ASIDE}${name}`, name)),
    forget: () =>
      moved.forEach((name) => rmSync(join(folder, `${ASIDE}${name}`), { recursive: true, force: true })),
  };
}

/** Removes the sessions that were not used for a month. */
export function removeUnused(store: SessionStore): void {
  for (const one of store.list()) if (Date.now() - lastUse(one) > KEPT_MS) store.remove(one.session);
}

/** True if a session of this id is stored for the repository in the user's folder for state. */
export function hasSession(
  repositoryRoot: string,
  session: string,
  env: StateVariables = process.env,
): boolean {
  return existsSync(join(placeOf(repositoryRoot, env), folderName(session), SESSION_FILE));
}

/** Ids of agents are random; a shorter one may stand for different sessions of different repositories. */
const RANDOM_LENGTH = 16;

/**
 * Absolute path of the repository in which a session was started: the one around `cwd`, also if it is no repository any more; one of
 * which `own`, the repository around `cwd`, is another work tree; otherwise the only one. Undefined if there is none, or if the id is too short to tell.
 */
export function findSessionRoot(
  session: string,
  { cwd, own }: { readonly cwd: string; readonly own?: string | undefined },
  env: StateVariables = process.env,
): string | undefined {
  const roots = rootsOfSession(session, env);
  const place = realPathOf(cwd);
  const around = roots.filter((root) => place === root || place.startsWith(root + sep));
  if (around.length > 0) return around.reduce((one, other) => (other.length > one.length ? other : one));
  const linked = own === undefined ? [] : roots.filter((root) => areLinked(root, own));
  if (linked.length === 1) return linked[0];
  return roots.length === 1 && session.length >= RANDOM_LENGTH ? roots[0] : undefined;
}

/** Absolute paths of the repositories in which a session of this id was started. */
export function rootsOfSession(session: string, env: StateVariables = process.env): string[] {
  const all = sessionsFolder(env);
  return namesIn(all).flatMap((name) => {
    const text = textOf(join(all, name, folderName(session), SESSION_FILE));
    try {
      const found = text === undefined ? undefined : parseSession(text, name);
      return found?.hooks === undefined || found.root === undefined ? [] : [found.root];
    } catch {
      return [];
    }
  });
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const SESSION_FILE = 'session.json';
const STOPPED_FILE = 'stopped';

function sessionsFolder(env: StateVariables): string {
  return join(stateFolder(env), 'gate');
}

/** The folder of a repository's sessions; in the repository if the user has no folder for state. */
function folderOf(repositoryRoot: string, env: StateVariables): string {
  const folder = placeOf(repositoryRoot, env);
  try {
    makeFolder(folder);
    return folder;
  } catch {
    ensureRalphFolder(repositoryRoot);
    return ralphFolder(repositoryRoot).gate();
  }
}

function placeOf(repositoryRoot: string, env: StateVariables): string {
  const hash = createHash('sha256').update(realpathSync(repositoryRoot)).digest('hex').slice(0, 32);
  return join(sessionsFolder(env), hash);
}

/** Agents choose the ids, so only plain ones become names of folders; a hash keeps others apart. */
function folderName(session: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/.test(session)) return session;
  return `session-${createHash('sha256').update(session).digest('hex').slice(0, 32)}`;
}

function listSessions(folder: string): GateSession[] {
  const names = namesIn(folder).filter((name) => !name.startsWith(ASIDE));
  return names.flatMap((name) => {
    const text = textOf(`${folder}/${name}/${SESSION_FILE}`);
    try {
      return text === undefined ? [] : [parseSession(text, name)];
    } catch {
      return [];
    }
  });
}

function lastUse({ last, started_at: startedAt }: GateSession): number {
  return Date.parse(last?.at ?? startedAt);
}

function parseSession(text: string, path: string): GateSession {
  const unsealed = unsealText(text);
  const checked = unsealed.ok ? validate('gate-session', unsealed.value) : undefined;
  if (checked?.ok === true) return checked.value;
  throw new RalphError(`${path} is damaged.`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: 'Begin anew: ralph gate start --again',
  });
}

function parseStored(text: string | undefined): StoredBaseline | undefined {
  try {
    const stored = JSON.parse(text ?? '') as StoredBaseline;
    return validate('evaluation', stored.evaluation).ok ? stored : undefined;
  } catch {
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readOwnFile(path).toString('utf8');
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
