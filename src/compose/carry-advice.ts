import { statSync } from 'node:fs';
import { isAbsolute, join, posix } from 'node:path';
import type { Evaluation } from '../schema/generated.ts';
import type { Project } from './project.ts';

/** Words by which programs say that they do not find a file, and a path in quotation marks behind them. */
const MISSING =
  /(?:ENOENT|no such file or directory|cannot find (?:module|file)|could not (?:find|open|read))[^'"`]*(['"`])([^'"`\n]+)\1/gi;
const MOST_NAMED = 5;

type Place = Pick<Project, 'repository' | 'plan'>;

/** Files that the failures do not find and that lie in the user's folder, relative to its root. */
export function missingFiles(
  { repository: { root }, plan }: Place,
  { diagnostics }: Pick<Evaluation, 'diagnostics'>,
): readonly string[] {
  const named = diagnostics.flatMap(({ message }) =>
    [...message.matchAll(MISSING)].map(([, , path]) => path!),
  );
  const files = named.flatMap((path) => {
    if (isAbsolute(path)) return [];
    const places = [posix.normalize(path), posix.join(plan.packageDir, path)];
    return (
      places.find((it) => !it.startsWith('../') && !IN_PACKAGES.test(it) && isFile(join(root, it))) ?? []
    );
  });
  return [...new Set(files)].slice(0, MOST_NAMED);
}

/**
 * Names the files that the failures miss and that lie in the user's folder: git ignores them, so that the copy in which the
 * checks run does not have them. Undefined if there are none.
 */
export function carryAdvice(place: Place, evaluation: Pick<Evaluation, 'diagnostics'>): string | undefined {
  const missing = missingFiles(place, evaluation);
  if (missing.length === 0) return undefined;
  const [are, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${missing.join(', ')} ${are} in your folder, and git ignores ${them}, so the checks run without ${them}: "carry": ${JSON.stringify(missing)} in ralph.config.json takes ${them} along.`;
}

const IN_PACKAGES = /(?:^|\/)node_modules\//;

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
