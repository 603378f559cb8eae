import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { failureName } from '../failure-matrix.ts';
import { anchors } from './anchors.ts';
import { withCode } from './figures.ts';
import { html, type Markup } from './markup.ts';
import type { PatchFile } from './patch.ts';

/** Links references in texts about an attempt to the elements of the page. */
export interface Evidence {
  /** Renders a text with links to the lines, files and failures that it names; text between backticks is code. */
  link(text: string): Markup;
  /** Ids of the lines that are linked so far; the diff gives ids only to these. */
  readonly lines: ReadonlySet<string>;
}

/** Elements of an attempt that can be linked to. */
export interface EvidenceSources {
  readonly iteration: number;
  readonly files: readonly PatchFile[];
  /** Shown failures after the attempt, in the order of their ids. */
  readonly failures: readonly Diagnostic[];
}

const MAX_NAMES = 300;

/** Creates links for one attempt: `path:line`, paths of changed files, names of failing tests. */
export function createEvidence({ iteration, files, failures }: EvidenceSources): Evidence {
  const lines = new Set<string>();
  const fileIds = new Map(files.map(({ path }, index) => [path, index]));
  const places = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [index, failure] of failures.entries()) {
    const id = anchors.failure(iteration, index);
    const name = failureName(failure);
    if (failure.test_id !== undefined && name.length > 3 && !names.has(name)) names.set(name, id);
    if (failure.file !== undefined && failure.line !== undefined)
      places.set(`${failure.file}:${failure.line}`, id);
  }
  const paths = [...new Set([...fileIds.keys(), ...failures.flatMap(({ file }) => file ?? [])])];
  const pattern = createPattern(paths, [...names.keys()].slice(0, MAX_NAMES));

  const idOf = (found: string): string | undefined => {
    const [, path, line] = /^(.*?)(?::(\d{1,7}))?$/.exec(found)!;
    const file = fileIds.get(path!);
    if (names.has(found)) return names.get(found);
    if (line === undefined) return file === undefined ? undefined : anchors.file(iteration, file);
    if (file !== undefined && hasLine(files[file]!, Number(line))) {
      const id = anchors.line(iteration, file, Number(line));
      lines.add(id);
      return id;
    }
    return places.get(found) ?? (file === undefined ? undefined : anchors.file(iteration, file));
  };
  const linkPart = (text: string): Markup[] =>
    text.split(pattern).map((part, index) => {
      const id = index % 2 === 1 ? idOf(part) : undefined;
      return id === undefined ? html`${part}` : html`<a href="#${id}">${part}</a>`;
    });
  return {
    lines,
    link: (text) => withCode(text, linkPart),
  };
}

function hasLine({ hunks }: PatchFile, line: number): boolean {
  return hunks.some((hunk) => hunk.lines.some(({ after }) => after === line));
}

/** A pattern with one group, so that `split` returns the matches at odd indices. */
function createPattern(paths: readonly string[], names: readonly string[]): RegExp {
  const byLength = (a: string, b: string): number => b.length - a.length;
  const options = [
    ...[...names].sort(byLength).map(escapeRegExp),
    ...[...paths].sort(byLength).map((path) => `${escapeRegExp(path)}(?::\\d{1,7})?`),
  ];
  return options.length === 0 ? /(?!)()/ : new RegExp(`(${options.join('|')})`);
}
