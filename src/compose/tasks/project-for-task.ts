import { relative, sep } from 'node:path';
import type { TaskItem } from '../../tasks/task-item.ts';
import type { Project } from '../project.ts';
import type { Reservation } from './shared-budget.ts';

interface TaskPlace extends Pick<Reservation, 'budgets'> {
  /** Absolute path of the task file. */
  readonly taskFile: string;
  /** The other tasks of the file. */
  readonly others: readonly TaskItem[];
}

/** The project with the settings of one task: its budgets, and the task file and what judges the other tasks protected. */
export function projectForTask(project: Project, { taskFile, budgets, others }: TaskPlace): Project {
  const { config, settings, repository } = project;
  const path = relative(repository.root, taskFile);
  const criteria = others.flatMap((item) => item.criteria);
  const isOutside = path === '..' || path.startsWith(`..${sep}`);
  const own = {
    protect: [
      ...settings.protect,
      ...(isOutside ? [] : [escapeGlob(path)]),
      ...criteria.flatMap(({ test }) => (test === undefined ? [] : [escapeGlob(test)])),
    ],
  };
  const judging = criteria.flatMap(({ command }) =>
    command === undefined ? [] : [{ command, cwd: project.plan.packageDir }],
  );
  return {
    ...project,
    plan: { ...project.plan, judging },
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
