import { relative, sep } from 'node:path';
import type { Project } from '../project.ts';
import type { Reservation } from './shared-budget.ts';

/** The project with the settings of one task: its budgets, and the task file protected. */
export function projectForTask(
  project: Project,
  { taskFile, budgets }: { readonly taskFile: string } & Pick<Reservation, 'budgets'>,
): Project {
  const { config, settings, repository } = project;
  const path = relative(repository.root, taskFile);
  const isOutside = path === '..' || path.startsWith(`..${sep}`);
  const own = {
    protect: [...settings.protect, ...(isOutside ? [] : [escapeGlob(path)])],
  };
  return {
    ...project,
    config: { ...config, ...own },
    settings: { ...settings, ...own, ...budgets },
  };
}

/** A glob that matches one path only. */
function escapeGlob(path: string): string {
  return path
    .split(sep)
    .join('/')
    .replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
}
