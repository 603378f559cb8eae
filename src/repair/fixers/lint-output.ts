import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** One error that a linter or formatter prints. */
export interface LintFinding {
  /** Relative to the root, with forward slashes. */
  readonly file: string;
  /** 1-based; undefined for a finding about the whole file, as formatters print it. */
  readonly line?: number | undefined;
  /** 1-based. */
  readonly column?: number | undefined;
  /** The message and the rule's name; empty for a formatter. */
  readonly text: string;
}

/** The folders that printed paths may be relative to, absolute. */
export interface LintPlace {
  readonly root: string;
  readonly cwd: string;
}

/** `a.js:1:2: message`, `a.js:1:2 lint/rule`, `a.js(1,2): message`. */
const PLACED = /^\s*(\S[^\n:(]*\.\w+)(?::(\d+):(\d+):?|\((\d+),(\d+)\):)(?:\s+(\S.*))?$/;
/** A message of ESLint's stylish formatter or of xo, below a line with the file. */
const BELOW = /^\s+(?:(✖|⚠|×)\s+)?(\d+):(\d+)\s+(?:(error|warning)\s+)?(\S.*)$/;
/** A line of a formatter, `[warn] a.js` or `a.js`, or the line above the messages of a file. */
const FILE = /^(?:\[(?:warn|error)\]\s+)?(\S.*\.\w+)(?::\d+:\d+)?$/;

/**
 * Reads the errors that eslint's stylish formatter, xo, standard, gts, biome, oxlint and prettier print, without
 * warnings. Files that do not exist below the root are left out.
 */
export function parseLintOutput(output: string, place: LintPlace): LintFinding[] {
  const findings: LintFinding[] = [];
  let current: { readonly file: string; used: boolean } | undefined;
  const endFile = (): void => {
    if (current?.used === false) findings.push({ file: current.file, text: '' });
    current = undefined;
  };
  for (const line of stripVTControlCharacters(output).split(/\r?\n/)) {
    const below = BELOW.exec(line);
    if (below !== null && current !== undefined) {
      current.used = true;
      const [, mark, at, column, severity, text] = below;
      if (severity === 'warning' || mark === '⚠') continue;
      findings.push({ file: current.file, line: Number(at), column: Number(column), text: text! });
      continue;
    }
    const placed = PLACED.exec(line);
    const file = placed === null ? undefined : fileIn(placed[1]!, place);
    if (placed !== null && file !== undefined && placed[6] !== undefined) {
      endFile();
      findings.push({
        file,
        line: Number(placed[2] ?? placed[4]),
        column: Number(placed[3] ?? placed[5]),
        text: placed[6],
      });
      continue;
    }
    const named = fileIn(FILE.exec(line.trim())?.[1] ?? '', place);
    if (named === undefined) continue;
    endFile();
    current = { file: named, used: false };
  }
  endFile();
  return withoutWholeFiles(findings);
}

/** A file that has placed findings needs no finding of its whole. */
function withoutWholeFiles(findings: readonly LintFinding[]): LintFinding[] {
  const placed = new Set(findings.filter(({ line }) => line !== undefined).map(({ file }) => file));
  return findings.filter(({ file, line }) => line !== undefined || !placed.has(file));
}

function fileIn(printed: string, { root, cwd }: LintPlace): string | undefined {
  if (printed === '' || printed.length > 500) return undefined;
  const path = isAbsolute(printed) ? printed : join(cwd, printed);
  const file = relative(root, path).split(sep).join('/');
  if (file.startsWith('../') || isAbsolute(file) || !existsSync(path)) return undefined;
  return file;
}
