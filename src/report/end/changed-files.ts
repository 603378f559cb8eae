import type { ChalkInstance } from 'chalk';
import type { FileChange } from '../../ports.ts';
import type { Verdict } from '../../schema/generated.ts';

const MOST_FILES = 8;
const WIDEST_PATH = 60;

const KINDS: Readonly<Record<FileChange['kind'], string>> = {
  added: ' new',
  modified: '',
  deleted: ' deleted',
};

/** What the result differs in: how much and where it is, then a line a file. Empty where nothing changed. */
export function renderChanged(
  files: readonly FileChange[],
  verdict: Verdict,
  chalk: ChalkInstance,
): string[] {
  if (files.length === 0) return [];
  const shown = files.slice(0, MOST_FILES);
  const paths = Math.min(WIDEST_PATH, Math.max(...shown.map(({ path }) => path.length)));
  const added = Math.max(...shown.map(({ linesAdded }) => plus(linesAdded).length));
  const lines = shown.map((file) => {
    const counts = `${chalk.green(plus(file.linesAdded).padStart(added))} ${chalk.red(minus(file.linesDeleted))}`;
    return `${file.path.padEnd(paths)}  ${counts}${KINDS[file.kind]}`;
  });
  const more = files.length > shown.length ? [`and ${files.length - shown.length} more`] : [];
  return [summaryOf(files, verdict), ...lines, ...more];
}

function summaryOf(files: readonly FileChange[], verdict: Verdict): string {
  const sum = (count: (file: FileChange) => number): number =>
    files.reduce((total, file) => total + count(file), 0);
  const [added, deleted] = [sum(({ linesAdded }) => linesAdded), sum(({ linesDeleted }) => linesDeleted)];
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  return `${count}, ${plus(added)} ${minus(deleted)}, ${placeOf(verdict)}`;
}

function placeOf({ applied, branch, patch }: Verdict): string {
  switch (applied) {
    case 'tree':
      return 'in your tree, uncommitted';
    case 'commit':
      return 'committed on the current branch';
    case 'branch':
      return `on the branch ${branch ?? ''}; your tree is as it was`;
    default:
      return patch === null ? 'not applied' : `not applied: ${patch}`;
  }
}

function plus(count: number): string {
  return `+${count}`;
}

function minus(count: number): string {
  return `−${count}`;
}
