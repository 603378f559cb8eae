import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageContext } from './package-context.ts';

/** A command line of a continuous-integration workflow. */
export interface CiLine {
  readonly line: string;
  /** The file, relative to the root, such as `.github/workflows/ci.yml`. */
  readonly source: string;
}

const FOLDER = '.github/workflows';
/** Workflows that publish, or that update something, check nothing. */
const NO_CHECKS = /release|publish|deploy|docs|pages|site|stale|lock|label|size|bench/i;
const RUN = /^(\s*)(?:-\s+)?run:\s*(.*)$/;
const MAX_LINES = 200;

/**
 * The command lines that the GitHub workflows of a repository run, one for each line of a `run:`; none for a package
 * below the root, since workflows start there. Lines with an expression `${{ … }}` are left out. Never throws.
 */
export function ciLines({ root, dir }: PackageContext): CiLine[] {
  if (dir !== root) return [];
  return workflowsOf(root)
    .flatMap((name) => {
      const source = `${FOLDER}/${name}`;
      return runLines(textOf(join(root, source))).map((line) => ({ line, source }));
    })
    .filter(({ line }) => !line.includes('${{'))
    .slice(0, MAX_LINES);
}

function workflowsOf(root: string): string[] {
  try {
    return readdirSync(join(root, FOLDER))
      .filter((name) => /\.ya?ml$/.test(name) && !NO_CHECKS.test(name))
      .sort();
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The lines of every `run:` of a workflow, read by indentation. */
function runLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, at) => {
    const [, indent, value] = RUN.exec(line) ?? [];
    if (indent === undefined) return [];
    return /^[|>]/.test(value!) ? blockBelow(lines.slice(at + 1), indent.length) : [unquoted(value!)];
  });
}

function blockBelow(lines: readonly string[], indent: number): string[] {
  const end = lines.findIndex((line) => line.trim() !== '' && line.search(/\S/) <= indent);
  const block = end === -1 ? lines : lines.slice(0, end);
  const text = block.map((line) => line.trim()).join('\n');
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/s, '$2');
}
