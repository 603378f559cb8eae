import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../errors.ts';
import { EMPTY_LEDGER } from './rules/ledger.ts';
import { renderPlaybook } from '../memory/passes/playbook/render.ts';
import type { CiLedger, Lesson, Playbook, Reflection } from '../schema/generated.ts';
import { renderProblems, validate, type SchemaName } from '../schema/validate.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import { unsealLine, unsealText, type Unsealed } from '../platform/files/sealed.ts';
import { redact } from '../platform/redaction/redact.ts';
import { readPlainFile } from './plain-files.ts';
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
/** Share of one loop in each file of lines. A loop adds a few lines; more would push out those of other loops. */
const MAX_NEW_LINES = 200;
const MAX_NEW_BYTES = 256 * 1024;
const MAX_LINE_CHARS = 64 * 1024;
const MAX_WHOLE_BYTES = 512 * 1024;
const LINE_FILES = {
  'lessons.jsonl': 'lesson',
  'audit.jsonl': 'lesson-audit',
  'repairs.jsonl': 'repair',
  'observations.jsonl': 'observation',
} as const satisfies Record<string, SchemaName>;
const PLAYBOOK = 'playbook.json';
const WHOLE_FILES = {
  'insights.json': 'insights',
  [PLAYBOOK]: 'playbook',
} as const satisfies Record<string, SchemaName>;

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
 * Edits of the memory branch that store the result of a fix job: the reflections of its loop and the records in known
 * files of memory/ that match their schema, at most 200 new lines and 256 KiB for each file of lines. Lines are merged,
 * so that jobs of other branches lose nothing; a line cannot pin a lesson. The playbook's text is made from its record.
 * Other files, links and whatever is larger are left out.
 */
export async function memoryEdits(
  folder: string,
  loopId: string,
  files: BranchFiles,
): Promise<Map<string, Buffer>> {
  const edits = new Map<string, Buffer>();
  const names = await listNames(join(folder, 'reflections', loopId), /^\d{3,9}\.json$/);
  for (const name of names.slice(0, MAX_REFLECTIONS)) {
    const content = await readPlainFile(join(folder, 'reflections', loopId, name), MAX_FILE_BYTES);
    const reflection = content && parseReflection(loopId, content);
    if (content === undefined || reflection === undefined) continue;
    edits.set(`reflections/${loopId}/${name}`, content);
    const ruledOut = await readRuledOut(ruledOutInFix(folder, reflection), reflection);
    if (ruledOut !== undefined) edits.set(ruledOutOnBranch(reflection), Buffer.from(ruledOut.text));
  }
  for (const [name, schema] of Object.entries(WHOLE_FILES)) {
    const content = await readPlainFile(join(folder, 'memory', name), MAX_WHOLE_BYTES);
    const record = content && validRecord(schema, unsealText(content.toString('utf8')));
    if (content === undefined || record === undefined) continue;
    edits.set(`memory/${name}`, content);
    if (name === PLAYBOOK)
      edits.set('memory/playbook.md', Buffer.from(redact(renderPlaybook(record as Playbook))));
  }
  for (const [name, schema] of Object.entries(LINE_FILES)) {
    const content = await readPlainFile(join(folder, 'memory', name), MAX_FILE_BYTES);
    if (content === undefined) continue;
    const known = splitLines(await files.read(`memory/${name}`, MAX_FILE_BYTES));
    const fresh = newLines(known, splitLines(content), schema);
    const merged = Buffer.from([...known, ...fresh].map((line) => `${line}\n`).join(''));
    if (fresh.length > 0 && merged.length <= MAX_FILE_BYTES) edits.set(`memory/${name}`, merged);
  }
  return edits;
}

/** The lines that are not known yet and match their schema, within the share of one loop. */
function newLines(known: readonly string[], lines: readonly string[], schema: SchemaName): string[] {
  const seen = new Set(known);
  const pinned = schema === 'lesson' ? pinnedIds(known) : new Set();
  const fresh: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (seen.has(line) || line.length > MAX_LINE_CHARS) continue;
    seen.add(line);
    const record = validRecord(schema, unsealLine(line, parseLine));
    if (record === undefined) continue;
    if (schema === 'lesson' && (record as Lesson).pinned && !pinned.has((record as Lesson).id)) continue;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_NEW_BYTES) break;
    fresh.push(line);
    if (fresh.length === MAX_NEW_LINES) break;
  }
  return fresh;
}

/** Ids of the lessons that a person pinned: the last line of an id counts. */
function pinnedIds(lines: readonly string[]): Set<string> {
  const ids = new Set<string>();
  for (const line of lines) {
    const lesson = validRecord('lesson', unsealLine(line, parseLine)) as Lesson | undefined;
    if (lesson?.pinned === true) ids.add(lesson.id);
    else if (lesson !== undefined) ids.delete(lesson.id);
  }
  return ids;
}

function parseLine(text: string): unknown {
  return parseBoundedJson(text, { maxDepth: 20 });
}

function validRecord(schema: SchemaName, read: Unsealed): unknown {
  if (!read.ok) return undefined;
  const checked = validate(schema, read.value);
  return checked.ok ? checked.value : undefined;
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
