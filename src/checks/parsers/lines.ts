import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Diagnostic } from '../../schema/generated.ts';
import { createDiagnostic, MAX_DIAGNOSTICS } from '../results/diagnostics.ts';
import type { TreePaths } from '../results/tree-paths.ts';
import { isInstalled } from '../results/stack.ts';

/** The check whose output a parser reads, and its tree. */
export interface ParseOrigin {
  /** Name of the check. */
  readonly check: string;
  readonly paths: TreePaths;
}

const LINE =
  /^\s*(?<file>(?:[A-Za-z]:)?[^\s:()][^:()\n]*\.\w+)(?::(?<line>\d+)(?::(?<column>\d+))?:?|\((?<line2>\d+)(?:,(?<column2>\d+))?\):)\s+(?:-\s+)?(?<message>\S.*)$/;

/**
 * Diagnostics in the common form of compilers and linters, `file:line:column: message` or `file(line,column): message`,
 * for files of the tree. A message that begins with `warning` or `note` has that severity.
 */
export function parseLines(
  text: string,
  { check, paths, type }: ParseOrigin & { readonly type: Diagnostic['type'] },
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const line of stripVTControlCharacters(text).split('\n')) {
    const groups = LINE.exec(line)?.groups;
    const file = groups === undefined ? undefined : paths.relative(groups['file']!.trim());
    if (groups === undefined || file === undefined || isInstalled(file)) continue;
    if (!existsSync(join(paths.root, file))) continue;
    const message = groups['message']!;
    found.push(
      createDiagnostic(
        {
          type,
          check,
          message,
          severity: severityOf(message),
          file,
          line: Number(groups['line'] ?? groups['line2']),
          column: toNumber(groups['column'] ?? groups['column2']),
        },
        paths,
      ),
    );
    if (found.length > MAX_DIAGNOSTICS) break;
  }
  return found;
}

function severityOf(message: string): Diagnostic['severity'] {
  if (/^\W*warn(ing)?\b/i.test(message)) return 'warning';
  return /^\W*(note|info|hint)\b/i.test(message) ? 'info' : 'error';
}

function toNumber(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}
