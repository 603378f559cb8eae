import { readFile } from 'node:fs/promises';
import { ExitCode, RalphError } from '../../../errors.ts';
import type { Lesson, Playbook } from '../../../schema/generated.ts';
import { writeDurably } from '../../../platform/files/durable-write.ts';
import { redact } from '../../../platform/redaction/redact.ts';
import { ralphFolder } from '../../../platform/ralph-folder.ts';
import { readFolder } from '../../../platform/files/read-folder.ts';
import { keepEarlier } from '../../../platform/files/set-aside.ts';
import { withMemoryLock } from '../../lessons/memory-lock.ts';
import { withoutWithdrawn } from '../../recall/withdrawn.ts';
import { memoryPath, readMemoryFile, writeMemoryFile, type MemoryFile } from '../common/memory-file.ts';
import { renderPlaybook } from './render.ts';

const FILE = 'playbook.json';
const TEXT_FILE = 'playbook.md';
/** Relative to the repository's root; written from `playbook.json`, for people. */
export const PLAYBOOK_FILE = memoryPath(TEXT_FILE);
const VERSION = /^playbook-(\d{4,15})\.json$/;

/** The playbook as it is; undefined where there is none, or where it is damaged. Throws RalphError where it cannot be read. */
export function readPlaybook(repositoryRoot: string): Promise<Playbook | undefined> {
  return readMemoryFile(fileOf(repositoryRoot, FILE));
}

/** The playbook as Markdown, redacted, without what `lessons` say was withdrawn; undefined where there is none. */
export async function readPlaybookText(
  repositoryRoot: string,
  lessons: readonly Lesson[],
): Promise<string | undefined> {
  const playbook = await readPlaybook(repositoryRoot);
  return playbook === undefined ? undefined : redact(renderPlaybook(withoutWithdrawn(playbook, lessons)));
}

/**
 * Puts a playbook in place: first its version in `history/`, then the file that counts, then the text for people.
 * A text that somebody edited by hand is kept beside it. Throws RalphError where the disk refuses.
 */
export function writePlaybook(repositoryRoot: string, playbook: Playbook): Promise<void> {
  return withMemoryLock(repositoryRoot, async () => {
    const before = await readPlaybook(repositoryRoot);
    if ((before?.version ?? 0) >= playbook.version)
      throw new Error(`Another process wrote version ${before!.version} of the playbook meanwhile.`);
    await writeMemoryFile(fileOf(repositoryRoot, versionName(playbook.version)), playbook);
    await writeMemoryFile(fileOf(repositoryRoot, FILE), playbook);
    await writeText(repositoryRoot, playbook, before);
  });
}

/** Changes of confidence that belong to the playbook and have been carried out since. */
export async function clearDecay(repositoryRoot: string): Promise<void> {
  await withMemoryLock(repositoryRoot, async () => {
    const now = await readPlaybook(repositoryRoot);
    if (now === undefined || now.decay.length === 0) return;
    await writeMemoryFile(fileOf(repositoryRoot, FILE), { ...now, decay: [] });
  });
}

/** Numbers of the versions that are kept, oldest first. */
export async function playbookVersions(repositoryRoot: string): Promise<number[]> {
  const entries = await readFolder(ralphFolder(repositoryRoot).inMemory('history'));
  return entries
    .flatMap(({ name }) => (VERSION.test(name) ? [Number(VERSION.exec(name)![1])] : []))
    .sort((a, b) => a - b);
}

/** One version; undefined where it is missing or damaged. */
export function readVersion(repositoryRoot: string, version: number): Promise<Playbook | undefined> {
  return readMemoryFile(fileOf(repositoryRoot, versionName(version)));
}

/**
 * Takes the words of an earlier version back as a new version; insights that it does not have wait again. Throws
 * RalphError where there is no such version.
 */
export async function rollbackPlaybook(
  repositoryRoot: string,
  version: number,
  { seq, at }: { readonly seq: number; readonly at: string },
): Promise<Playbook> {
  const wanted = await readVersion(repositoryRoot, version);
  const versions = await playbookVersions(repositoryRoot);
  if (wanted === undefined) throw unknownVersion(version, versions);
  const rolled: Playbook = {
    ...wanted,
    version: nextVersion(versions, await readPlaybook(repositoryRoot)),
    at,
    trigger: 'rollback',
    consolidated_through: seq,
    decay: [],
  };
  await writePlaybook(repositoryRoot, rolled);
  return rolled;
}

/** One above every version that was ever written. */
export function nextVersion(versions: readonly number[], now: Playbook | undefined): number {
  return Math.max(0, now?.version ?? 0, ...versions) + 1;
}

/** Saves what was refused, with the reasons; gives its path relative to the repository's root. */
export async function saveRejected(
  repositoryRoot: string,
  narrative: string,
  problems: readonly string[],
  at: string,
): Promise<string> {
  const name = `rejected/playbook-${at.replace(/[^0-9TZ]/g, '')}.md`;
  const text = ['<!-- Refused:', ...problems, '-->', '', narrative, ''].join('\n');
  await writeDurably(ralphFolder(repositoryRoot).inMemory(name), redact(text));
  return memoryPath(name);
}

async function writeText(repositoryRoot: string, now: Playbook, before: Playbook | undefined): Promise<void> {
  const path = ralphFolder(repositoryRoot).inMemory(TEXT_FILE);
  const found = await readFile(path).catch(() => undefined);
  const isOurs = before !== undefined && found?.toString('utf8') === redact(renderPlaybook(before));
  if (found !== undefined && !isOurs) await keepEarlier(path, found);
  await writeDurably(path, redact(renderPlaybook(now)));
}

function fileOf(repositoryRoot: string, name: string): MemoryFile<'playbook'> {
  return { repositoryRoot, name, schema: 'playbook' };
}

function versionName(version: number): string {
  return `history/playbook-${String(version).padStart(4, '0')}.json`;
}

function unknownVersion(version: number, versions: readonly number[]): RalphError {
  return new RalphError(`The playbook has no version ${version}.`, {
    code: 'usage',
    exitCode: ExitCode.usage,
    hint:
      versions.length === 0 ? 'It has none yet.' : `It has ${versions.join(', ')}: ralph playbook history`,
  });
}
