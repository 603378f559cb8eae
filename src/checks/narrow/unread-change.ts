import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { FileChange } from '../../ports/tree.ts';
import type { Evaluation } from '../../schema/generated.ts';

/** A changed file. */
export type Change = Pick<FileChange, 'path' | 'kind'>;

/** A type check of a changed tree, and its result on the tree before. */
export interface UnreadRequest {
  /** As detected, with the commands in front of it. */
  readonly plan: CheckPlan;
  /** Absolute path of the tree with the change. */
  readonly root: string;
  readonly changed: readonly Change[];
  readonly previous: Evaluation;
}

/**
 * The result of a type check that passed before and reads none of the changed files: tsc lists the files that it reads, and
 * tsd reads no JavaScript unless a setting says so. Undefined if it has to run. A file that was added or removed may change
 * what an import finds, and commands in front of the check may write anything.
 */
export function resultBefore({ plan, root, changed, previous }: UnreadRequest): CheckReport | undefined {
  const before = previous.checks.find(({ name }) => name === plan.name);
  if (before?.status !== 'pass' || plan.kind !== 'types' || plan.setup.length > 0) return undefined;
  if (changed.length === 0 || changed.some(({ kind }) => kind !== 'modified')) return undefined;
  const paths = changed.map(({ path }) => path);
  if (paths.some(isSetting)) return undefined;
  const isUnread =
    plan.tool === 'tsc'
      ? isOutside(paths, before.checked_files)
      : isTsd(plan) && paths.every(isScript) && !mayReadScripts(plan, root);
  if (!isUnread) return undefined;
  const { weight: _weight, score: _score, ...report } = before;
  return {
    ...report,
    duration_ms: 0,
    detail: `${report.detail.replace(UNREAD, '')}${UNREAD}`,
    diagnostics: previous.diagnostics.filter(({ check }) => check === plan.name),
    tests: [],
  };
}

const UNREAD = ' It did not run again, since it reads none of the changed files.';

/** Files that decide which others are read, and installed packages, which tsc's list leaves out. */
function isSetting(path: string): boolean {
  return (
    /\.json[c5]?$/.test(path) || posix.basename(path).startsWith('.') || /(^|\/)node_modules\//.test(path)
  );
}

function isOutside(paths: readonly string[], checked: readonly string[] | undefined): boolean {
  return checked !== undefined && checked.length > 0 && !paths.some((path) => checked.includes(path));
}

/** One call of tsd without operators of the shell. */
function isTsd({ tool, args }: CheckPlan): boolean {
  return tool === 'command' && /^(npx\s+)?tsd(\s[^;&|<>$`\n]*)?$/.test(args[0] ?? '');
}

function isScript(path: string): boolean {
  return /\.[cm]?jsx?$/.test(path);
}

/** Whether package.json or the nearest tsconfig.json may let a program read JavaScript: by itself or by what it extends. */
function mayReadScripts({ cwd }: CheckPlan, root: string): boolean {
  const settings = [join(root, cwd, 'package.json'), nearestConfig(join(root, cwd))];
  return settings.some((path) => path !== undefined && /allowJs|checkJs|"extends"/.test(textOf(path)));
}

function nearestConfig(folder: string): string | undefined {
  const path = join(folder, 'tsconfig.json');
  if (existsSync(path)) return path;
  return dirname(folder) === folder ? undefined : nearestConfig(dirname(folder));
}
