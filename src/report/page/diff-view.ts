import { renderCount } from '../count.ts';
import { anchors } from './anchors.ts';
import { changedParts, type ChangedPart } from './changed-part.ts';
import { cutText } from './figures.ts';
import { highlightLines, type CodeRun } from './highlight.ts';
import { html, type Markup } from './markup.ts';
import type { PatchFile, PatchHunk, PatchLine } from './patch.ts';

/** Options of `renderDiff`. */
export interface DiffRequest {
  readonly iteration: number;
  readonly files: readonly PatchFile[];
  /** The attempt that this one started from, with its files; 0 is the base, without files. */
  readonly start: { readonly iteration: number; readonly files: readonly PatchFile[] };
  /** Ids of the lines that are linked to. */
  readonly linked: ReadonlySet<string>;
  /** Maximum number of lines. */
  readonly maxLines: number;
}

/** A rendered diff. */
export interface DiffView {
  readonly markup: Markup;
  /** Number of shown lines. */
  readonly lines: number;
  /** Number of lines left out. */
  readonly hidden: number;
}

/** Maximum characters of one line. */
const MAX_COLUMNS = 400;

/**
 * Renders the diff against the base by file. Lines that the attempt changed itself are highlighted; lines inherited from
 * the attempt that it started from are paler, and files that are inherited unchanged are only named.
 */
export function renderDiff(request: DiffRequest): DiffView {
  const { iteration, files, start, linked, maxLines } = request;
  const before = new Map(start.files.map((file) => [file.path, file]));
  let room = maxLines;
  let hidden = 0;
  const own: Markup[] = [];
  const inherited: Markup[] = [];
  for (const [index, file] of files.entries()) {
    const id = anchors.file(iteration, index);
    const earlier = before.get(file.path);
    if (earlier?.identity === file.identity && !hasLinked(file, index, iteration, linked)) {
      inherited.push(html`<li id="${id}">${renderFileName(file)}</li>`);
      continue;
    }
    const hunks = fitHunks(file.hunks, room);
    const shown = lengthOf(hunks);
    const left = lengthOf(file.hunks) - shown;
    room -= shown;
    hidden += left;
    const isOwn = ownLines(file, earlier);
    const idOf = (line: number): string | null => {
      const place = anchors.line(iteration, index, line);
      return linked.has(place) ? place : null;
    };
    own.push(
      html`<section class="file">
        <h5 id="${id}">${renderFileName(file)}</h5>
        ${renderHunks(file, hunks, { iteration, isOwn, idOf })}${left > 0 && html`<p class="note">${renderCount(left, 'line')} left out.</p>`}
      </section>`,
    );
  }
  const from = start.iteration;
  const rest =
    inherited.length > 0 &&
    html`<div class="inherited">
      <p class="note">Unchanged since <a href="#${anchors.attempt(from)}">attempt ${from}</a>:</p>
      <ul>
        ${inherited}
      </ul>
    </div>`;
  return { markup: html`${own}${rest}`, lines: maxLines - room, hidden };
}

function renderFileName({ path, kind, linesAdded, linesDeleted }: PatchFile): Markup {
  const word = kind === 'modified' ? null : html` <span class="tag">${kind}</span>`;
  return html`<code>${path}</code>${word} <span class="plus">+${linesAdded}</span>
    <span class="minus">−${linesDeleted}</span>`;
}

function renderHunks(
  { path, hunks: all }: PatchFile,
  hunks: readonly PatchHunk[],
  { iteration, ...context }: Omit<HunkContext, 'path'> & { readonly iteration: number },
): Markup | null {
  if (all.length === 0)
    return html`<p class="note">No lines: a binary file, an empty file, or a change of the mode only.</p>`;
  if (hunks.length === 0) return null;
  return html`<div
    class="code"
    tabindex="0"
    role="group"
    aria-label="Change of ${path} in attempt ${iteration}"
  >
    <table class="diff">
      <tbody>
        ${hunks.map((hunk) => renderHunk(hunk, { path, ...context }))}
      </tbody>
    </table>
  </div>`;
}

function lengthOf(hunks: readonly PatchHunk[]): number {
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0);
}

function hasLinked(
  { hunks }: PatchFile,
  index: number,
  iteration: number,
  linked: ReadonlySet<string>,
): boolean {
  return (
    linked.size > 0 &&
    hunks.some(({ lines }) =>
      lines.some(({ after }) => after !== null && linked.has(anchors.line(iteration, index, after))),
    )
  );
}

/** The hunks that fit into `room` lines; the last one may be cut. */
function fitHunks(hunks: readonly PatchHunk[], room: number): PatchHunk[] {
  const kept: PatchHunk[] = [];
  let left = room;
  for (const hunk of hunks) {
    if (left <= 0) break;
    kept.push(hunk.lines.length <= left ? hunk : { ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return kept;
}

/** Returns a test for lines that the attempt changed itself. Each inherited line matches one equal line. */
function ownLines(file: PatchFile, earlier: PatchFile | undefined): (line: PatchLine) => boolean {
  const inherited = new Map<string, number>();
  const keyOf = ({ sign, text }: PatchLine): string => sign + text;
  for (const line of (earlier?.hunks ?? []).flatMap(({ lines }) => lines))
    if (line.sign !== ' ') inherited.set(keyOf(line), (inherited.get(keyOf(line)) ?? 0) + 1);
  const own = new Set<PatchLine>();
  for (const line of file.hunks.flatMap(({ lines }) => lines)) {
    if (line.sign === ' ') continue;
    const rest = inherited.get(keyOf(line)) ?? 0;
    if (rest > 0) inherited.set(keyOf(line), rest - 1);
    else own.add(line);
  }
  return (line) => own.has(line);
}

interface HunkContext {
  readonly path: string;
  readonly isOwn: (line: PatchLine) => boolean;
  readonly idOf: (line: number) => string | null;
}

function renderHunk({ heading, lines }: PatchHunk, { path, isOwn, idOf }: HunkContext): Markup {
  const parts = changedParts(lines);
  const cut = lines.map((line) => ({ ...line, text: cutText(line.text, MAX_COLUMNS) }));
  const after = highlightSide(path, cut, '+');
  const before = highlightSide(path, cut, '-');
  const first = lines[0];
  const place = first === undefined ? '' : `from line ${first.after ?? first.before}`;
  return html`<tr class="hunk">
      <th colspan="4" scope="rowgroup">${place}${heading === '' ? '' : `  ${heading}`}</th>
    </tr>
    ${lines.map((line, index) => {
      const runs = (line.sign === '-' ? before : after).get(index) ?? [];
      const id = line.after === null ? null : idOf(line.after);
      return renderLine(line, { runs, part: parts[index]!, isOwn: isOwn(line), id });
    })}`;
}

/** Highlights one side of a hunk as a whole, so that strings and comments over several lines are recognised. */
function highlightSide(
  path: string,
  lines: readonly PatchLine[],
  sign: '+' | '-',
): ReadonlyMap<number, readonly CodeRun[]> {
  const side = lines.flatMap((line, index) => (line.sign === ' ' || line.sign === sign ? [index] : []));
  const runs = highlightLines(
    path,
    side.map((index) => lines[index]!.text),
  );
  return new Map(side.map((index, place) => [index, runs[place] ?? []]));
}

const CLASSES = { '+': 'ins', '-': 'del', ' ': '' } as const;

function renderLine(
  line: PatchLine,
  {
    runs,
    part,
    isOwn,
    id,
  }: {
    readonly runs: readonly CodeRun[];
    readonly part: ChangedPart | null;
    readonly isOwn: boolean;
    readonly id: string | null;
  },
): Markup {
  const classes = `${CLASSES[line.sign]}${line.sign !== ' ' && !isOwn ? ' old' : ''}`;
  const attributes = html`${classes === '' ? '' : html` class="${classes}"`}${id === null ? '' : html` id="${id}"`}`;
  return html`<tr${attributes}><td>${line.before ?? ''}</td><td>${line.after ?? ''}</td><td>${line.sign === '-' ? '−' : line.sign}</td><td>${markRuns(runs, part).map(renderRun)}</td></tr>`;
}

interface MarkedRun extends CodeRun {
  readonly isMarked: boolean;
}

/** Splits runs at the start and the end of the changed part. */
function markRuns(runs: readonly CodeRun[], part: ChangedPart | null): MarkedRun[] {
  if (part === null || part.start >= part.end) return runs.map((run) => ({ ...run, isMarked: false }));
  const marked: MarkedRun[] = [];
  let column = 0;
  for (const { kind, text } of runs) {
    const [start, end] = [part.start - column, part.end - column].map((at) =>
      Math.min(text.length, Math.max(0, at)),
    ) as [number, number];
    const pieces = [text.slice(0, start), text.slice(start, end), text.slice(end)];
    for (const [index, piece] of pieces.entries())
      if (piece !== '') marked.push({ kind, text: piece, isMarked: index === 1 });
    column += text.length;
  }
  return marked;
}

function renderRun({ kind, text, isMarked }: MarkedRun): Markup {
  const run = kind === null ? html`${text}` : html`<span class="${KIND_CLASSES[kind]}">${text}</span>`;
  return isMarked ? html`<mark>${run}</mark>` : run;
}

const KIND_CLASSES = { word: 'kw', text: 'ks', name: 'kn', number: 'kd', note: 'kc' } as const;
