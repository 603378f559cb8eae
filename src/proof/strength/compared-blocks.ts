import { diffLines } from 'diff';
import type { ParsedSource } from '../../repair/syntax/parse.ts';
import { removedFiles, type ChangedBlock } from './changed-blocks.ts';
import { baseOf, changesCode, revertOf, type ChangedSource } from './changed-source.ts';
import { movedOut } from './moved-declarations.ts';
import { renamedBase } from './renamed-base.ts';

/** Most lines in which two texts may differ. */
const MAX_CHANGED = 4000;
/** Share of a new file's lines that it has from another file, if its code was moved. */
const MOVED = 0.5;
/** Shorter lines, such as `});`, stand everywhere. */
const SHORT = 4;

/**
 * The same sources with the blocks in which they differ by more than names and places: a variable that has another name, and code
 * that was moved to a new file, is compared with what it was. A source in which nothing else differs keeps its blocks.
 */
export function withoutRenamings(sources: readonly ChangedSource[], patch: string): ChangedSource[] {
  const bases = new Map(sources.map((source) => [source.file, baseOf(source)]));
  const left = new Set(sources.flatMap(({ parsed }) => linesOf(parsed.text)));
  const origins = [...bases.values(), ...removedFiles(patch).values()];
  const compared = sources.map((source) => {
    const { file, parsed } = source;
    const base = bases.get(file)!;
    const origin = base.trim() === '' ? originOf(parsed, origins) : base;
    if (origin === undefined) return source;
    const renamed = renamedBase(file, origin, parsed);
    if (renamed === base) return source;
    const own = blocksBetween(file, renamed, parsed.text).filter(
      // What a new file does not take over may be elsewhere.
      ({ lines, before }) =>
        origin === base || lines > 0 || linesOf(before.join('\n')).some((line) => !left.has(line)),
    );
    return own.some((block) => changesCode(parsed, [revertOf(source, block)]))
      ? { ...source, blocks: own }
      : source;
  });
  const isMoved = movedOut(sources);
  return compared.map((source) => {
    const own = source.blocks.filter((block) => !isMoved(source, block));
    return own.length > 0 ? { ...source, blocks: own } : source;
  });
}

/** The text from which a new file has most of its lines. */
function originOf({ text }: ParsedSource, origins: readonly string[]): string | undefined {
  const lines = linesOf(text);
  const shared = origins.map((origin) => {
    const known = new Set(linesOf(origin));
    return lines.filter((line) => known.has(line)).length;
  });
  const most = Math.max(0, ...shared);
  return most > 0 && most >= lines.length * MOVED ? origins[shared.indexOf(most)] : undefined;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORT);
}

function blocksBetween(file: string, before: string, after: string): ChangedBlock[] {
  const blocks: ChangedBlock[] = [];
  let line = 1;
  let removed: string[] = [];
  for (const change of diffLines(before, after, { maxEditLength: MAX_CHANGED }) ?? []) {
    if (change.removed) removed = change.value.replace(/\n$/, '').split('\n');
    if (change.added) {
      blocks.push({ file, line, lines: change.count, before: removed });
      removed = [];
    } else if (!change.removed && removed.length > 0) {
      blocks.push({ file, line, lines: 0, before: removed });
      removed = [];
    }
    if (!change.removed) line += change.count;
  }
  return removed.length > 0 ? [...blocks, { file, line, lines: 0, before: removed }] : blocks;
}
