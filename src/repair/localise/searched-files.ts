import type { AttemptContext } from '../../ports/attempt.ts';
import { isBuiltCode, isEditableSource } from '../syntax/source-files.ts';

/** Whether a build runs before a check of tests. */
export function buildsBeforeTests({ project }: Pick<AttemptContext, 'project'>): boolean {
  return project.checks.some(({ kind, setup }) => kind === 'tests' && setup.length > 0);
}

/** Tells the files that a search may edit: sources, and the code in `dist` if a build writes it before the tests. */
export function searchedFiles(context: Pick<AttemptContext, 'project'>): (file: string) => boolean {
  return buildsBeforeTests(context)
    ? (file) => isEditableSource(file) || isBuiltCode(file)
    : isEditableSource;
}
