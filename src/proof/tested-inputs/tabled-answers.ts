import { join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { withBase } from '../base-sources.ts';
import { actsOutside, makesFiles, reached } from '../replay/ambient/reached.ts';
import { repeatCalls, type RepeatableCall } from '../replay/repeat-calls.ts';
import { repeatIn, type ReplayRequest } from '../replay/replay-request.ts';
import { shownArguments } from '../replay/shown-values.ts';
import { unlikeOutside } from '../replay/unlike-outside.ts';
import { addedEntries, cellsOf, withoutEntries, type AddedEntry } from './added-entries.ts';
import { callsToTry, keyOf, neighboursIn, type Asked } from './asked-calls.ts';
import { isNothing, isOnlyHere, isSameEverywhere, isTelling } from './narrow-repair.ts';
import { leavesOf } from './neighbours.ts';

/** A changed file of data, with the entries that it has anew and that a test names. */
interface Table {
  readonly file: string;
  readonly text: string;
  readonly base: string | undefined;
  readonly entries: readonly AddedEntry[];
}

/** Fewest results and different results of neighbours in the base: a function that computes. */
const MIN_NEIGHBOURS = 6;
const MIN_RESULTS = 3;
/** A date is the natural key of a table: days off, opening hours. */
const DATE = /\d{4}-\d\d-\d\d/;

export interface TabledRequest extends ReplayRequest {
  /** Test files to run, relative to the root. */
  readonly files: readonly string[];
  /** Changed and new files without code, relative to the root. */
  readonly data: readonly string[];
}

/**
 * A sentence on a file of data that was given the results of the tested calls; undefined if there is none. Without these entries
 * the tested calls alone have other results. They are calls with several numbers, next to which the base computes results and
 * the change gives the same ones, or one for all. A table for something that has its own names, such as prices of goods, is not
 * meant: there nothing computes a result for what the table lacks. The files are put back. Never rejects for what the code does.
 */
export async function findTabledAnswer(check: Check, asked: TabledRequest): Promise<string | undefined> {
  const { request, files, data, baseText } = asked;
  const { root, signal } = request;
  const texts = files.map((file) => textOf(join(root, file)));
  if (texts.some(makesFiles)) return undefined;
  const named = new Set(texts.flatMap(cellsOf));
  const tables: Table[] = [];
  for (const file of data) tables.push(await tableOf(file, { root, baseText, named }));
  const filled = tables.filter(({ entries }) => entries.length > 0);
  const sources = filled.length === 0 ? [] : readersOf(root, files, filled);
  if (sources.length === 0) return undefined;
  const { alike } = await unlikeOutside(check, { ...asked, sources });
  for (const own of callsToTry(alike)) {
    const found = signal.aborted ? undefined : await tabledIn(check, own, { ...asked, tables: filled });
    if (found !== undefined) return found;
  }
  return undefined;
}

async function tableOf(
  file: string,
  { root, baseText, named }: Pick<TabledRequest, 'baseText'> & { root: string; named: ReadonlySet<string> },
): Promise<Table> {
  const text = textOf(join(root, file));
  const base = await baseText(file);
  const isNamed = (cell: string): boolean => named.has(cell) && isTelling(toLeaf(cell));
  const entries = addedEntries(file, text, base).filter(
    ({ cells, text: own }) => !DATE.test(own) && cells.some(isNamed),
  );
  return { file, text, base, entries };
}

/** The sources that the tests load and that name one of the files, or import what does. */
function readersOf(root: string, files: readonly string[], tables: readonly Table[]): string[] {
  const names = tables.flatMap(({ file }) => {
    const { dir, base, name } = posix.parse(file);
    const folder = posix.basename(dir);
    return [base, ...[name, folder].filter((it) => it.length > 3)];
  });
  const isReader = (path: string): boolean => {
    const text = textOf(join(root, path));
    return names.some((name) => text.includes(name));
  };
  const loaded = [...new Set(files.flatMap((file) => [...reached(root, file)]))];
  return loaded
    .filter((path) => !files.includes(path) && /\.[cm]?[jt]sx?$/.test(path))
    .filter((path) => [...reached(root, path)].some(isReader) && !actsOutside(root, path));
}

type Results = ReadonlyMap<number, string>;

async function tabledIn(
  check: Check,
  own: readonly RepeatableCall[],
  asked: TabledRequest & { readonly tables: readonly Table[] },
): Promise<string | undefined> {
  const open = own.filter(({ args }) => numbersIn(args) > 1);
  const chosen = asked.tables.map((table) => ({
    ...table,
    entries: table.entries.filter(({ cells }) => open.some((call) => isResult(cells, call))),
  }));
  const less = new Map<string, string>();
  for (const table of chosen.filter(({ entries }) => entries.length > 0)) {
    const text = withoutEntries(table.file, table, table.entries);
    if (text !== undefined) less.set(table.file, text);
  }
  if (less.size === 0) return undefined;
  const known = new Set(own.map(keyOf));
  const neighbours = own.map((call) => neighboursIn(call, known));
  const all = [...own, ...neighbours.flat()].map((call, at) => ({ ...call, at }));
  const places = new Map(all.map((call) => [keyOf(call), call.at]));
  const repeat = (): Promise<Results> => repeatCalls(all, repeatIn(check, asked));
  const now = await repeat();
  const without = await withTexts(asked.request.root, less, repeat);
  const before = await withBase({ ...asked, sources: [...asked.sources, ...asked.data] }, repeat);
  const resultOf = (results: Results, call: RepeatableCall): string | undefined =>
    results.get(places.get(keyOf(call))!);
  const repaired = own.flatMap((call, at) => {
    const was = resultOf(before, call);
    if (was === undefined || was === call.result) return [];
    const is = resultOf(without, call);
    const isDecided = is !== call.result && open.includes(call);
    return [{ call, isDecided, next: inRuns(neighbours[at]!, (it) => resultOf(before, it), now, places) }];
  });
  const decided = repaired.filter(({ isDecided }) => isDecided);
  const others = repaired.filter(({ isDecided }) => !isDecided);
  const isNarrow =
    decided.length > 0 &&
    neighbours.flat().every((it) => resultOf(without, it) === resultOf(now, it)) &&
    decided.every(({ call, next }) => isOnlyHere(call, next)) &&
    others.every(({ call, next }) => isSameEverywhere(call, next)) &&
    computes(decided.flatMap(({ next }) => next.map(({ before: was }) => was)));
  return isNarrow ? describe(decided[0]!.call, [...less.keys()][0]!) : undefined;
}

/** The neighbours that have a result in both runs, and a value in the base. */
function inRuns(
  neighbours: readonly Asked[],
  wasOf: (call: Asked) => string | undefined,
  now: Results,
  places: ReadonlyMap<string, number>,
) {
  return neighbours.flatMap((it) => {
    const [was, is] = [wasOf(it), now.get(places.get(keyOf(it))!)];
    return was === undefined || is === undefined || isNothing(was) ? [] : [{ ...it, before: was, now: is }];
  });
}

function computes(results: readonly string[]): boolean {
  return results.length >= MIN_NEIGHBOURS && new Set(results).size >= MIN_RESULTS;
}

/** Numbers in the arguments, also in their texts. */
function numbersIn(args: string): number {
  return leavesOf(args).flatMap((leaf) => String(leaf).match(/\d+(\.\d+)?/g) ?? []).length;
}

/** Whether an entry holds the result of a call: a number, or a text with one that is no translation of a text. */
function isResult(cells: readonly string[], { args, result }: RepeatableCall): boolean {
  const leaves = isNothing(result) ? [] : leavesOf(result).filter(isTelling);
  const isOfNumbers = leavesOf(args).filter((leaf) => typeof leaf === 'number').length > 1;
  return (
    leaves.some((leaf) => typeof leaf === 'number' || (isOfNumbers && /\d/.test(leaf))) &&
    leaves.every((leaf) => cells.includes(String(leaf)))
  );
}

function toLeaf(cell: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}

function describe(call: RepeatableCall, file: string): string {
  const { source, name } = call;
  return `${name} of ${source} holds only for the tested inputs: ${file} was given the expected result for the arguments ${shownArguments(call)}, and without that entry these alone have another result. Compute the result from the arguments; if the entry is meant, --allow ${file} permits it.`;
}
