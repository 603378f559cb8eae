import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBench } from '../../checks/bench.ts';
import type { CheckSettings } from '../../checks/requests.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { removeFromTree, writeInTree } from '../../platform/files/write-in-tree.ts';
import type { BesideTheCode, StrengthRequest } from '../../ports/acceptance.ts';
import type { FileChange } from '../../ports/tree.ts';
import type { ChangedLines } from '../../schema/generated.ts';
import { changedBlocks, removedFiles, type ChangedBlock } from './changed-blocks.ts';
import { lineStarts } from './changed-source.ts';
import { changedWords } from './changed-words.ts';
import { coveringCommands, coveringTests } from './covering-tests.ts';
import { exchangedEntries, type ExchangedEntry } from './exchanged-entries.ts';
import { othersNotice } from './held-elsewhere.ts';
import { isManifest, looseFiles } from './loose-files.ts';
import type { TakenBack } from './put-back.ts';
import { notices, runsUntil, type Noticed, type Runs } from './tried-run.ts';

/** Most files, and most parts of a file, that are tried alone. */
const MAX_TRIED = 10;
const MAX_SHOWN = 200;

/** A part of a change, and the texts of files without it; undefined: the file is not there. */
interface Part {
  readonly texts: ReadonlyMap<string, string | undefined>;
  readonly told: ChangedLines;
  /** What is changed, by its words: the same change in another place is needed if this one is. */
  readonly words?: string;
}

/**
 * Changes of files without code, and new files of code that nothing names, which no check needs: each is taken back as a whole,
 * then block by block, and the values of JSON one at a time. All tests run, then the other checks, then what the test command
 * runs beside them. The changes of one file count as one.
 */
export async function needlessFiles(
  settings: CheckSettings,
  request: StrengthRequest,
  beside: BesideTheCode,
): Promise<TakenBack> {
  const files = looseFiles(request, beside).flatMap((change) => wholeOf(request, change, beside) ?? []);
  const all = files.length;
  if (all === 0) return { unneeded: [], untried: 0, all };
  const covering = [...coveringTests(settings, request, []), ...coveringCommands(settings, request)];
  const bench = createBench({ ...settings, root: request.root });
  const { timeoutMs, blocksMs = () => timeoutMs } = request;
  const runs = runsUntil({ request, bench, covering }, performance.now() + blocksMs(all));
  const isNoticed = (part: Pick<Part, 'texts'>): Promise<Noticed> => tryWithout(settings, runs, part.texts);
  const noticed = await isNoticed({ texts: new Map(files.flatMap(({ texts }) => [...texts])) });
  if (noticed === 'no') return { unneeded: files.map(({ told }) => told), untried: 0, all };
  const unneeded: ChangedLines[] = [];
  let untried = noticed === 'over' ? all : Math.max(0, all - MAX_TRIED);
  for (const file of noticed === 'over' ? [] : files.slice(0, MAX_TRIED)) {
    const own = all === 1 ? 'yes' : await isNoticed(file);
    if (own === 'no') unneeded.push(file.told);
    const parts = own === 'yes' ? await needlessParts(partsOf(request, file), isNoticed) : undefined;
    if (parts !== undefined) unneeded.push(...parts.unneeded);
    if (own === 'over' || parts?.isOver === true) untried++;
  }
  return { unneeded, untried, all };
}

/** Parts of a needed file that are not needed themselves, and whether some were not tried. */
async function needlessParts(
  parts: readonly Part[],
  isNoticed: (part: Part) => Promise<Noticed>,
): Promise<{ readonly unneeded: ChangedLines[]; readonly isOver: boolean }> {
  if (parts.length < 2) return { unneeded: [], isOver: false };
  const needed = new Set<string>();
  const left: Part[] = [];
  let isOver = parts.length > MAX_TRIED;
  for (const part of parts.slice(0, MAX_TRIED)) {
    const noticed = await isNoticed(part);
    if (noticed === 'over') isOver = true;
    else if (noticed === 'no') left.push(part);
    else if (part.words !== undefined) needed.add(part.words);
  }
  const unneeded = left.filter(({ words }) => words === undefined || !needed.has(words));
  return { unneeded: unneeded.map(({ told }) => told), isOver };
}

async function tryWithout(
  settings: CheckSettings,
  runs: Runs,
  texts: ReadonlyMap<string, string | undefined>,
): Promise<Noticed> {
  const { root } = runs.request;
  const originals = new Map([...texts.keys()].map((file) => [file, bytesOf(root, file)]));
  const put = (contents: ReadonlyMap<string, string | Buffer | undefined>): void => {
    for (const [file, content] of contents)
      if (content === undefined) removeFromTree(root, file);
      else writeInTree(root, file, content);
  };
  try {
    put(texts);
    const noticed = await notices(runs, new Map());
    return noticed === 'no' ? await othersNotice(settings, runs, false) : noticed;
  } finally {
    put(originals);
  }
}

/** Undefined for a file that is not there, or is none. */
function bytesOf(root: string, file: string): Buffer | undefined {
  const isThere = lstatSync(join(root, file), { throwIfNoEntry: false })?.isFile() === true;
  return isThere ? readFileSync(join(root, file)) : undefined;
}

/** A file as the base has it; undefined where the patch does not tell its text. */
function wholeOf(
  { root, changes }: StrengthRequest,
  { path, kind }: FileChange,
  { task }: BesideTheCode,
): Part | undefined {
  const lines = { file: path, line: 1, lines: 0 };
  if (kind === 'deleted') {
    const before = removedFiles(changes.patch).get(path);
    return before === undefined
      ? undefined
      : { texts: new Map([[path, before]]), told: { ...lines, whole: 'deleted' } };
  }
  if (kind === 'added') {
    const isFile = bytesOf(root, path) !== undefined;
    return isFile ? { texts: new Map([[path, undefined]]), told: { ...lines, whole: 'added' } } : undefined;
  }
  const blocks = blocksOf(changes.patch, path);
  const text = bytesOf(root, path)?.toString('utf8');
  if (text === undefined || blocks.length === 0) return undefined;
  if (isManifest(path)) return manifestPart(path, without(text, blocks), text, task);
  const { line, lines: count } = blocks[0]!;
  return {
    texts: new Map([[path, without(text, blocks)]]),
    told: { file: path, line, lines: blocks.length === 1 ? count : 1 },
  };
}

/** A manifest with the values that the base has, unless the task names their keys, and all new ones. */
function manifestPart(path: string, base: string, text: string, task: string): Part | undefined {
  const asked = (now: string): ExchangedEntry[] =>
    (exchangedEntries(base, now) ?? []).filter(({ key }) => !isNamedIn(task, key));
  const [first] = asked(text);
  if (first === undefined) return undefined;
  let now = text;
  for (let entry: ExchangedEntry | undefined = first; entry !== undefined; [entry] = asked(now))
    now = entry.text;
  const { line, removed } = first;
  return { texts: new Map([[path, now]]), told: { file: path, line, lines: 1, ...(removed && { removed }) } };
}

function isNamedIn(task: string, key: string): boolean {
  return new RegExp(`(?<!\\w)${escapeRegExp(key)}`, 'i').test(task);
}

function blocksOf(patch: string, path: string): ChangedBlock[] {
  return changedBlocks(patch).filter(({ file }) => file === path);
}

/** The text with the lines of the base in the place of the blocks. */
function without(text: string, blocks: readonly ChangedBlock[]): string {
  const starts = lineStarts(text);
  return [...blocks]
    .sort((a, b) => b.line - a.line)
    .reduce((now, { line, lines, before }) => {
      const start = starts[line - 1] ?? text.length;
      const end = starts[line - 1 + lines] ?? text.length;
      return now.slice(0, start) + before.map((it) => `${it}\n`).join('') + now.slice(end);
    }, text);
}

/** The values of a JSON file that the change sets anew or takes out, or the blocks of another file. */
function partsOf({ root, changes }: StrengthRequest, { texts, told: { file, whole } }: Part): Part[] {
  const text = bytesOf(root, file)?.toString('utf8');
  const base = texts.get(file);
  if (whole !== undefined || text === undefined || base === undefined) return [];
  const entries = exchangedEntries(base, text);
  if (entries !== undefined)
    return entries.map(({ text: reverted, line, removed }) => ({
      texts: new Map([[file, reverted]]),
      told: { file, line, lines: 1, ...(removed && { removed: removed.slice(0, MAX_SHOWN) }) },
    }));
  const lines = text.split('\n');
  return blocksOf(changes.patch, file).map((block) => {
    const { line, lines: count, before } = block;
    const now = lines.slice(line - 1, line - 1 + count);
    return {
      texts: new Map([[file, without(text, [block])]]),
      told: { file, line, lines: count },
      words: JSON.stringify(changedWords(before.join('\n'), now.join('\n'))),
    };
  });
}
