import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../errors.ts';
import { EMPTY_LEDGER } from './rules/ledger.ts';
import { renderPlaybook } from '../memory/passes/playbook/render.ts';
import type { CiLedger, Insights, Lesson, Playbook, Reflection } from '../schema/generated.ts';
import { renderProblems, validate, type SchemaName } from '../schema/validate.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import { sealedLine, sealedText, unsealText } from '../platform/files/sealed.ts';
import { redact } from '../platform/redaction/redact.ts';
import { LINE_FILES, lastSeq, newLines, parseLessons, validRecord } from './memory-lines.ts';
import { auditOf } from './rules/lesson-audit.ts';
import { mergeJobInsights, mergeJobPlaybook } from './rules/merged-records.ts';
import { readPlainFile } from './plain-files.ts';
import { readFolder } from '../platform/files/read-folder.ts';
import { readRuledOut, RULED_OUT_FOLDER, ruledOutInFix, ruledOutOnBranch } from './ruled-out-files.ts';
import type { BranchFiles } from '../workspace/deliver/branch-store.ts';

/** File of the memory branch with every try, its cost and the pushed fixes. */
export const LEDGER_FILE = 'ledger.json';
/** Folders that the memory branch stores. */
export const MEMORY_FOLDERS = ['reflections', 'memory', RULED_OUT_FOLDER] as const;

/** The history of lessons, which publish writes itself. */
const AUDIT_FILE = 'memory/audit.jsonl';

const MAX_LEDGER_BYTES = 8 * 1024 * 1024;
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_REFLECTIONS = 100;
const MAX_WHOLE_BYTES = 512 * 1024;
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
 * files of memory/ that match their schema. All are merged into what the branch holds, within the share of one loop, so
 * that nothing of other jobs is lost or replaced. Other files, links and whatever is larger are left out.
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
    const path = `reflections/${loopId}/${name}`;
    // The job says which loop it ran: it must not replace what another one left.
    const isKnown = (await files.read(path, MAX_FILE_BYTES)) !== undefined;
    if (content === undefined || reflection === undefined || isKnown) continue;
    edits.set(path, content);
    const ruledOut = await readRuledOut(ruledOutInFix(folder, reflection), reflection);
    if (ruledOut !== undefined) edits.set(ruledOutOnBranch(reflection), Buffer.from(ruledOut.text));
  }
  const lines = await mergedLines(folder, loopId, files);
  const audit = await auditLines(lines.get('lessons.jsonl'), loopId, files);
  if (audit !== undefined) edits.set(AUDIT_FILE, audit);
  for (const [name, { merged, isChanged }] of lines)
    if (isChanged) edits.set(`memory/${name}`, Buffer.from(merged.map((line) => `${line}\n`).join('')));
  const linesOf = (name: keyof typeof LINE_FILES): readonly string[] => lines.get(name)?.merged ?? [];
  for (const [path, text] of await mergedRecords(folder, files, {
    lessons: parseLessons(linesOf('lessons.jsonl')).values(),
    seq: lastSeq(linesOf('observations.jsonl')),
  }))
    edits.set(path, Buffer.from(text));
  return edits;
}

/** True if a record on the memory branch is of this loop. */
export async function knowsLoop(files: BranchFiles, loopId: string): Promise<boolean> {
  const names = Object.keys(LINE_FILES).map((name) => `memory/${name}`);
  for (const path of [...names, `reflections/${loopId}/001.json`]) {
    const text = (await files.read(path, MAX_FILE_BYTES))?.toString('utf8') ?? '';
    if (new RegExp(`"loop_id"\\s*:\\s*"${loopId}"`).test(text)) return true;
  }
  return false;
}

/** The history of lessons with what the new lines change; undefined if that is nothing. */
async function auditLines(
  lessons: MergedFile | undefined,
  loopId: string,
  files: BranchFiles,
): Promise<Buffer | undefined> {
  if (lessons?.isChanged !== true) return undefined;
  const before = parseLessons(lessons.known);
  const after = parseLessons(lessons.merged.slice(lessons.known.length)).values();
  const at = new Date().toISOString();
  const rows = [...after].flatMap((lesson) => auditOf(before.get(lesson.id), lesson, { loopId, at }) ?? []);
  const known = splitLines(await files.read(AUDIT_FILE, MAX_FILE_BYTES));
  const text = Buffer.from([...known, ...rows.map(sealedLine)].map((line) => `${line}\n`).join(''));
  return rows.length > 0 && text.length <= MAX_FILE_BYTES ? text : undefined;
}

interface MergedFile {
  readonly known: readonly string[];
  readonly merged: readonly string[];
  readonly isChanged: boolean;
}

async function mergedLines(
  folder: string,
  loopId: string,
  files: BranchFiles,
): Promise<ReadonlyMap<string, MergedFile>> {
  const found = new Map<string, MergedFile>();
  for (const [name, schema] of Object.entries(LINE_FILES)) {
    const content = await readPlainFile(join(folder, 'memory', name), MAX_FILE_BYTES);
    const known = splitLines(await files.read(`memory/${name}`, MAX_FILE_BYTES));
    const fresh = newLines(known, splitLines(content), { schema, loopId });
    const merged = [...known, ...fresh];
    const bytes = merged.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    const isChanged = fresh.length > 0 && bytes <= MAX_FILE_BYTES;
    found.set(name, { known, merged: isChanged ? merged : known, isChanged });
  }
  return found;
}

async function mergedRecords(
  folder: string,
  files: BranchFiles,
  stored: { readonly lessons: Iterable<Lesson>; readonly seq: number },
): Promise<[path: string, text: string][]> {
  const edits: [string, string][] = [];
  const insights = await readBoth<Insights>('insights.json', 'insights', { folder, files });
  if (insights.job !== undefined)
    edits.push([
      'memory/insights.json',
      sealedText(mergeJobInsights(insights.branch, insights.job, stored.seq)),
    ]);
  const playbook = await readBoth<Playbook>('playbook.json', 'playbook', { folder, files });
  if (playbook.job === undefined) return edits;
  const merged = mergeJobPlaybook(playbook.branch, playbook.job, stored);
  return [
    ...edits,
    ['memory/playbook.json', sealedText(merged)],
    ['memory/playbook.md', redact(renderPlaybook(merged))],
  ];
}

/** A record of the job and of the branch; undefined where it is missing or does not match its schema. */
async function readBoth<T>(
  name: string,
  schema: SchemaName,
  { folder, files }: { readonly folder: string; readonly files: BranchFiles },
): Promise<{ readonly job: T | undefined; readonly branch: T | undefined }> {
  const parse = (content: Buffer | undefined): T | undefined =>
    content && (validRecord(schema, unsealText(content.toString('utf8'))) as T | undefined);
  return {
    job: parse(await readPlainFile(join(folder, 'memory', name), MAX_WHOLE_BYTES)),
    branch: parse(await files.read(`memory/${name}`, MAX_FILE_BYTES)),
  };
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
