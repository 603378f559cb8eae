import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../errors.ts';
import { EMPTY_LEDGER } from './rules/ledger.ts';
import type { CiLedger, Reflection } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import { readFolder } from '../platform/files/read-folder.ts';
import { readRuledOut, RULED_OUT_FOLDER, ruledOutInFix, ruledOutOnBranch } from './ruled-out-files.ts';
import type { BranchFiles } from '../workspace/deliver/branch-store.ts';

/** File of the memory branch with every try, its cost and the pushed fixes. */
export const LEDGER_FILE = 'ledger.json';
/** Folders that the memory branch stores. */
export const MEMORY_FOLDERS = ['reflections', 'memory', RULED_OUT_FOLDER] as const;

const MAX_LEDGER_BYTES = 8 * 1024 * 1024;
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_REFLECTIONS = 100;
const LINE_FILES = ['lessons.jsonl', 'audit.jsonl', 'repairs.jsonl', 'observations.jsonl'];
const WHOLE_FILES = ['insights.json', 'playbook.json', 'playbook.md'];

/** Reads the ledger of a memory branch; an empty one if the file is missing. Throws RalphError `state_damaged`. */
export async function readLedger(files: BranchFiles, branch: string): Promise<CiLedger> {
  const content = await files.read(LEDGER_FILE, MAX_LEDGER_BYTES);
  if (content === undefined) return EMPTY_LEDGER;
  const ledger = parseLedger(content.toString('utf8'));
  if (typeof ledger !== 'string') return ledger;
  throw new RalphError(`${LEDGER_FILE} on the branch ${branch} is damaged: ${ledger}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: `Restore an earlier version (git log ${branch}), or start over: git push origin --delete ${branch}`,
  });
}

/** Serialises the ledger. */
export function renderLedger(ledger: CiLedger): Buffer {
  return Buffer.from(`${JSON.stringify(ledger, null, 1)}\n`);
}

/**
 * Edits of the memory branch that store the result of a fix job: the reflections of its loop that match the schema, and
 * the known files of memory/. JSONL files are merged line by line, so that jobs of other branches lose nothing. Files
 * with other names, links and files above 5 MiB are left out.
 */
export async function memoryEdits(
  folder: string,
  loopId: string,
  files: BranchFiles,
): Promise<Map<string, Buffer>> {
  const edits = new Map<string, Buffer>();
  const names = await listNames(join(folder, 'reflections', loopId), /^\d{3,9}\.json$/);
  for (const name of names.slice(0, MAX_REFLECTIONS)) {
    const content = await readPlainFile(join(folder, 'reflections', loopId, name));
    const reflection = content && parseReflection(loopId, content);
    if (content === undefined || reflection === undefined) continue;
    edits.set(`reflections/${loopId}/${name}`, content);
    const ruledOut = await readRuledOut(ruledOutInFix(folder, reflection), reflection);
    if (ruledOut !== undefined) edits.set(ruledOutOnBranch(reflection), Buffer.from(ruledOut.text));
  }
  for (const name of WHOLE_FILES) {
    const content = await readPlainFile(join(folder, 'memory', name));
    if (content !== undefined) edits.set(`memory/${name}`, content);
  }
  for (const name of LINE_FILES) {
    const content = await readPlainFile(join(folder, 'memory', name));
    if (content === undefined) continue;
    const known = await files.read(`memory/${name}`, MAX_FILE_BYTES);
    edits.set(`memory/${name}`, mergeLines(known, content));
  }
  return edits;
}

/** The known lines, then the new ones, each once; the known lines alone if the result were above 5 MiB. */
function mergeLines(known: Buffer | undefined, fresh: Buffer): Buffer {
  const lines = new Set([...splitLines(known), ...splitLines(fresh)]);
  const text = [...lines].map((line) => `${line}\n`).join('');
  return Buffer.byteLength(text) > MAX_FILE_BYTES && known !== undefined ? known : Buffer.from(text);
}

function splitLines(content: Buffer | undefined): string[] {
  return (content?.toString('utf8') ?? '').split('\n').filter((line) => line !== '');
}

function parseLedger(text: string): CiLedger | string {
  try {
    const checked = validate('ci-ledger', parseBoundedJson(text, { maxDepth: 10 }));
    return checked.ok ? checked.value : renderProblems(checked.problems);
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

function parseReflection(loopId: string, content: Buffer): Reflection | undefined {
  try {
    const checked = validate(
      'reflection',
      parseBoundedJson(content.toString('utf8'), { maxDepth: 40, maxParts: 200_000 }),
    );
    return checked.ok && checked.value.loop_id === loopId ? checked.value : undefined;
  } catch {
    return undefined;
  }
}

async function listNames(folder: string, pattern: RegExp): Promise<string[]> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) return [];
  return (await readFolder(folder))
    .map(({ name }) => name)
    .filter((name) => pattern.test(name))
    .sort();
}

/** Content of a regular file of at most 5 MiB; undefined otherwise. */
async function readPlainFile(path: string): Promise<Buffer | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true && found.size <= MAX_FILE_BYTES ? readFile(path) : undefined;
}
