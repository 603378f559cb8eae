import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../errors.ts';
import { EMPTY_LEDGER } from './github/ledger.ts';
import type { CiLedger, Reflection } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import { readFolder } from '../platform/files/read-folder.ts';
import { readRuledOut, RULED_OUT_FOLDER, ruledOutInFix, ruledOutOnBranch } from './ruled-out-files.ts';
import type { BranchFiles } from '../workspace/deliver/branch-store.ts';

/** What the memory branch holds: what was tried, and what the loops learned. */
export const LEDGER_FILE = 'ledger.json';
/** The folders of the memory branch. */
export const MEMORY_FOLDERS = ['reflections', 'memory', RULED_OUT_FOLDER] as const;

const MAX_LEDGER_BYTES = 8 * 1024 * 1024;
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_REFLECTIONS = 100;
const LINE_FILES = ['lessons.jsonl', 'audit.jsonl', 'repairs.jsonl', 'observations.jsonl'];
const WHOLE_FILES = ['insights.json', 'playbook.json', 'playbook.md'];

/** The ledger of a memory branch; an empty one where there is none. Throws RalphError `state_damaged`. */
export async function readLedger(files: BranchFiles, branch: string): Promise<CiLedger> {
  const content = await files.read(LEDGER_FILE, MAX_LEDGER_BYTES);
  if (content === undefined) return EMPTY_LEDGER;
  const ledger = parseLedger(content.toString('utf8'));
  if (typeof ledger !== 'string') return ledger;
  throw new RalphError(`${LEDGER_FILE} on the branch ${branch} is damaged: ${ledger}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: `Put an earlier one back (git log ${branch}), or begin anew: git push origin --delete ${branch}`,
  });
}

/** The ledger as it is stored. */
export function renderLedger(ledger: CiLedger): Buffer {
  return Buffer.from(`${JSON.stringify(ledger, null, 1)}\n`);
}

/**
 * What a fixing job learned, as edits of the memory branch: its loop's reflections, each checked by the schema, and the
 * files of memory/. Lines are added to those that are there, so that jobs of other branches lose nothing. Files of other
 * names, links and what is too large are left out.
 */
export async function memoryEdits(
  folder: string,
  loopId: string,
  files: BranchFiles,
): Promise<Map<string, Buffer>> {
  const edits = new Map<string, Buffer>();
  const names = await namesOf(join(folder, 'reflections', loopId), /^\d{3,9}\.json$/);
  for (const name of names.slice(0, MAX_REFLECTIONS)) {
    const content = await contentOf(join(folder, 'reflections', loopId, name));
    const reflection = content && parseReflection(loopId, content);
    if (content === undefined || reflection === undefined) continue;
    edits.set(`reflections/${loopId}/${name}`, content);
    const ruledOut = await readRuledOut(ruledOutInFix(folder, reflection), reflection);
    if (ruledOut !== undefined) edits.set(ruledOutOnBranch(reflection), Buffer.from(ruledOut.text));
  }
  for (const name of WHOLE_FILES) {
    const content = await contentOf(join(folder, 'memory', name));
    if (content !== undefined) edits.set(`memory/${name}`, content);
  }
  for (const name of LINE_FILES) {
    const content = await contentOf(join(folder, 'memory', name));
    if (content === undefined) continue;
    const known = await files.read(`memory/${name}`, MAX_FILE_BYTES);
    edits.set(`memory/${name}`, joinLines(known, content));
  }
  return edits;
}

/** The lines of both, those that are there first; of lines that are the same, one. */
function joinLines(known: Buffer | undefined, fresh: Buffer): Buffer {
  const lines = new Set([...linesOf(known), ...linesOf(fresh)]);
  const text = [...lines].map((line) => `${line}\n`).join('');
  return Buffer.byteLength(text) > MAX_FILE_BYTES && known !== undefined ? known : Buffer.from(text);
}

function linesOf(content: Buffer | undefined): string[] {
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

async function namesOf(folder: string, pattern: RegExp): Promise<string[]> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) return [];
  return (await readFolder(folder))
    .map(({ name }) => name)
    .filter((name) => pattern.test(name))
    .sort();
}

/** Of a regular file that is not too large. */
async function contentOf(path: string): Promise<Buffer | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true && found.size <= MAX_FILE_BYTES ? readFile(path) : undefined;
}
