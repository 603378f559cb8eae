import { existsSync } from 'node:fs';
import { ExitCode, RalphError } from '../../../errors.ts';
import type { Lesson, Playbook } from '../../../schema/generated.ts';
import { writeDurably } from '../../../platform/files/durable-write.ts';
import { redact } from '../../../platform/redaction/redact.ts';
import { ralphFolder } from '../../../platform/ralph-folder.ts';
import { readFolder } from '../../../platform/files/read-folder.ts';
import { keepEarlier } from '../../../platform/files/set-aside.ts';
import { withMemoryLock } from '../../lessons/memory-lock.ts';
import { withoutWithdrawn } from '../../lessons/withdrawn.ts';
import { readJsonFile, writeJsonFile, type JsonFile } from '../../files/json-file.ts';
import { absoluteMemoryPath, memoryPath } from '../../files/memory-folder.ts';
import { renderPlaybook } from './render.ts';
import { safeLines } from './safe-lines.ts';
import { readOwnFile } from '../../../platform/files/read-bounded.ts';

const FILE = 'playbook.json';
const TEXT_FILE = 'playbook.md';
/** Relative to the repository's root; generated from `playbook.json` for people to read. */
export const PLAYBOOK_FILE = memoryPath(TEXT_FILE);
const VERSION = /^playbook-(\d{4,15})\.json$/;

/** The stored playbook; undefined where it is missing or damaged. Throws RalphError where it cannot be read. */
export function readPlaybook(repositoryRoot: string): Promise<Playbook | undefined> {
  return readJsonFile(fileIn(repositoryRoot, FILE));
}

/** The playbook as redacted Markdown, without withdrawn lessons and unsafe lines; undefined where there is none. `lessons`: of every status. */
export async function readPlaybookText(
  repositoryRoot: string,
  lessons: readonly Lesson[],
): Promise<string | undefined> {
  const playbook = await readPlaybook(repositoryRoot);
  return playbook === undefined
    ? undefined
    : safeLines(redact(renderPlaybook(withoutWithdrawn(playbook, lessons))));
}

/**
 * Stores a playbook: first its version in `history/`, then `playbook.json`, then the Markdown. Markdown that was edited
 * by hand is first copied beside it. Throws RalphError where the disk refuses, and Error where another process stored
 * this version or a later one.
 */
export function writePlaybook(repositoryRoot: string, playbook: Playbook): Promise<void> {
  return withMemoryLock(repositoryRoot, async () => {
    const before = await readPlaybook(repositoryRoot);
    if ((before?.version ?? 0) >= playbook.version)
      throw new Error(`Another process has stored version ${before!.version} of the playbook.`);
    await writeJsonFile(fileIn(repositoryRoot, versionName(playbook.version)), playbook);
    await writeJsonFile(fileIn(repositoryRoot, FILE), playbook);
    await writeText(repositoryRoot, playbook, before);
  });
}

/** Clears the playbook's pending confidence changes once the lesson store has applied them. */
export async function clearDecay(repositoryRoot: string): Promise<void> {
  await withMemoryLock(repositoryRoot, async () => {
    const now = await readPlaybook(repositoryRoot);
    if (now === undefined || now.decay.length === 0) return;
    await writeJsonFile(fileIn(repositoryRoot, FILE), { ...now, decay: [] });
  });
}

/** Numbers of the versions in `history/`, oldest first. */
export async function playbookVersions(repositoryRoot: string): Promise<number[]> {
  const entries = await readFolder(ralphFolder(repositoryRoot).inMemory('history'));
  return entries
    .flatMap(({ name }) => (VERSION.test(name) ? [Number(VERSION.exec(name)![1])] : []))
    .sort((a, b) => a - b);
}

/** One version from `history/`; undefined where it is missing or damaged. */
export function readVersion(repositoryRoot: string, version: number): Promise<Playbook | undefined> {
  return readJsonFile(fileIn(repositoryRoot, versionName(version)));
}

/**
 * Stores an earlier version again under a new number; insights that are not in it become pending again. Throws
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

/** The number after the highest existing version. */
export function nextVersion(versions: readonly number[], now: Playbook | undefined): number {
  return Math.max(0, now?.version ?? 0, ...versions) + 1;
}

/** Saves a rejected rewrite with the reasons; returns its path relative to the repository's root. */
export async function saveRejected(
  repositoryRoot: string,
  narrative: string,
  problems: readonly string[],
  at: string,
): Promise<string> {
  const name = `rejected/playbook-${at.replace(/[^0-9TZ]/g, '')}.md`;
  const text = ['<!-- Rejected:', ...problems, '-->', '', narrative, ''].join('\n');
  await writeDurably(absoluteMemoryPath(repositoryRoot, name), redact(text));
  return memoryPath(name);
}

async function writeText(repositoryRoot: string, now: Playbook, before: Playbook | undefined): Promise<void> {
  const path = absoluteMemoryPath(repositoryRoot, TEXT_FILE);
  const found = existsSync(path) ? readOwnFile(path) : undefined;
  const isGenerated = before !== undefined && found?.toString('utf8') === redact(renderPlaybook(before));
  if (found !== undefined && !isGenerated) await keepEarlier(path, found);
  await writeDurably(path, redact(renderPlaybook(now)));
}

function fileIn(repositoryRoot: string, name: string): JsonFile<'playbook'> {
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
      versions.length === 0
        ? 'There is no version yet.'
        : `Versions: ${versions.join(', ')}. See ralph playbook history.`,
  });
}
