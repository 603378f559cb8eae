import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Diagnostic } from '../../schema/generated.ts';
import { createDiagnostic, MAX_DIAGNOSTICS } from '../results/diagnostics.ts';
import { isInstalled } from '../results/stack.ts';
import type { ParseOrigin } from './lines.ts';

/** A path alone on its line, with the place of its first finding in newer versions. */
const FILE = /^\s*(?<file>\S.*?)(?::\d+(?::\d+)?)?\s*$/;
const END = String.raw`(?<message>\S.*?)(?:\s{2,}(?<rule>[@\w][@\w/-]*))?\s*$`;
const PLACE = String.raw`(?<line>\d+):(?<column>\d+)`;
/** As eslint-formatter-pretty and as ESLint itself print a finding. */
const FINDINGS: readonly RegExp[] = [
  new RegExp(String.raw`^\s*(?<sign>[✖×⚠‼ℹ])\s+${PLACE}\s+${END}`),
  new RegExp(String.raw`^\s+${PLACE}\s+(?<sign>error|warning)\s+${END}`),
];
const SEVERITIES: Readonly<Record<string, Diagnostic['severity']>> = {
  '⚠': 'warning',
  '‼': 'warning',
  warning: 'warning',
  ℹ: 'info',
};

/**
 * Findings that stand below the line of their file, each with its place: as tsd and xo print them (eslint-formatter-pretty),
 * and ESLint where a wrapper calls it.
 */
export function parseListedFindings(
  text: string,
  { check, paths, type }: ParseOrigin & { readonly type: Diagnostic['type'] },
): Diagnostic[] {
  const found: Diagnostic[] = [];
  let file: string | undefined;
  for (const line of stripVTControlCharacters(text).split('\n')) {
    const finding = groupsOf(line);
    if (finding === undefined) {
      const named = FILE.exec(line)?.groups?.['file'];
      // The blank line between two files, or below the header of one.
      if (named !== undefined) file = fileOfTree(named, paths);
      continue;
    }
    if (file === undefined) continue;
    const { sign, line: row, column, message, rule } = finding;
    const place = { file, line: Number(row), column: Number(column) };
    const severity = SEVERITIES[sign!] ?? 'error';
    found.push(createDiagnostic({ type, check, message: message!, severity, rule, ...place }, paths));
    if (found.length > MAX_DIAGNOSTICS) break;
  }
  return found;
}

function groupsOf(line: string): Readonly<Record<string, string | undefined>> | undefined {
  return FINDINGS.map((form) => form.exec(line)?.groups).find((groups) => groups !== undefined);
}

function fileOfTree(named: string, paths: ParseOrigin['paths']): string | undefined {
  const file = paths.relative(named);
  return file !== undefined && !isInstalled(file) && existsSync(join(paths.root, file)) ? file : undefined;
}
