import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CheckReport } from '../../ports.ts';
import type { Evaluation, Tampering } from '../../schema/generated.ts';

export interface CoverageRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  readonly baseline: Evaluation;
  /** Files that the tree has and the base has not, relative to the root. */
  readonly added: readonly string[];
}

/**
 * Files whose errors a type checker or linter reported before, and that it no longer looks at: still there, or
 * gone while a new file of the same name lies where it does not look. A file without errors may leave a project,
 * with the last import of it for example.
 */
export function findUncovered(report: CheckReport, request: CoverageRequest): Tampering[] {
  const { root, baseline, added } = request;
  const before = baseline.checks.find(({ name }) => name === report.name)?.checked_files;
  if (before === undefined || report.checked_files === undefined) return [];
  const now = new Set(report.checked_files);
  const red = baseline.diagnostics.filter((it) => it.check === report.name && it.severity === 'error');
  const lost = before.filter((file) => !now.has(file) && red.some((it) => it.file === file));
  return lost.flatMap((file) => {
    if (existsSync(join(root, file))) return [uncovered(file, `${report.tool} no longer looks at ${file}`)];
    const moved = added.find((path) => stemOf(path) === stemOf(file) && !now.has(path));
    if (moved === undefined) return [];
    return [uncovered(moved, `${file} became ${moved}, which ${report.tool} does not look at`)];
  });
}

function uncovered(file: string, what: string): Tampering {
  return {
    kind: 'checked_less',
    file,
    detail: `${what}, though it had errors before: that it has none now says nothing.`,
  };
}

function stemOf(path: string): string {
  return posix.basename(path).replace(/\..*$/s, '');
}
