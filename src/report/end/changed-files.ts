import type { ChalkInstance } from 'chalk';
import type { FileChange } from '../../ports/tree.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Verdict } from '../../schema/generated.ts';

const MAX_FILES = 8;
const MAX_PATH_COLUMNS = 60;

const KINDS: Readonly<Record<FileChange['kind'], string>> = {
  added: ' new',
  modified: '',
  deleted: ' deleted',
};

/** Renders the changes of the result: a summary with its location, then one line per file. Empty if nothing changed. */
export function renderChanged(
  files: readonly FileChange[],
  verdict: Verdict,
  chalk: ChalkInstance,
): string[] {
  if (files.length === 0) return [];
  const shown = files.slice(0, MAX_FILES);
  const paths = Math.min(MAX_PATH_COLUMNS, Math.max(...shown.map(({ path }) => path.length)));
  const added = Math.max(...shown.map(({ linesAdded }) => plus(linesAdded).length));
  const lines = shown.map((file) => {
    const counts = `${chalk.green(plus(file.linesAdded).padStart(added))} ${chalk.red(minus(file.linesDeleted))}`;
    return `${file.path.padEnd(paths)}  ${counts}${KINDS[file.kind]}`;
  });
  const more = files.length > shown.length ? [`and ${files.length - shown.length} more`] : [];
  return [renderSummary(files, verdict), ...lines, ...more];
}

function renderSummary(files: readonly FileChange[], verdict: Verdict): string {
  const sum = (count: (file: FileChange) => number): number =>
    files.reduce((total, file) => total + count(file), 0);
  const [added, deleted] = [sum(({ linesAdded }) => linesAdded), sum(({ linesDeleted }) => linesDeleted)];
  return `${plural(files.length, 'file')}, ${plus(added)} ${minus(deleted)}, ${renderLocation(verdict)}`;
}

function renderLocation({ applied, branch, patch }: Verdict): string {
  switch (applied) {
    case 'tree':
      return 'in your tree, uncommitted';
    case 'commit':
      return 'committed on the current branch';
    case 'branch':
      return `on the branch ${branch ?? ''}; your tree is unchanged`;
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
