import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, posix } from 'node:path';
import type { Evaluation } from '../schema/generated.ts';
import type { Project } from './project.ts';

/** Words by which programs say that they do not find a file, and a path in quotation marks behind them. */
const MISSING =
  /(?:ENOENT|no such file or directory|cannot find (?:module|file)|could not (?:find|open|read))[^'"`]*(['"`])([^'"`\n]+)\1/gi;
const MOST_NAMED = 5;

type Place = Pick<Project, 'repository' | 'plan'>;

/** Files that the failures do not find and that lie in the user's folder, relative to its root. */
export function missingFiles(place: Place, evaluation: Pick<Evaluation, 'diagnostics'>): readonly string[] {
  const { root } = place.repository;
  const files = namedPlaces(place, evaluation).flatMap(
    (places) => places.find((it) => isFile(join(root, it))) ?? [],
  );
  return [...new Set(files)].slice(0, MOST_NAMED);
}

/** The places, relative to the root, of files that the failures do not find and that are not in the user's folder. */
export function absentFiles(place: Place, evaluation: Pick<Evaluation, 'diagnostics'>): readonly string[] {
  const { root } = place.repository;
  const named = namedPlaces(place, evaluation).filter(
    (places) => !places.some((it) => existsSync(join(root, it))),
  );
  return [...new Set(named.flat())].slice(0, 2 * MOST_NAMED);
}

/** For each file that the failures do not find, the places that may be meant, relative to the root. */
function namedPlaces({ plan }: Place, { diagnostics }: Pick<Evaluation, 'diagnostics'>): string[][] {
  const named = diagnostics.flatMap(({ message, file }) =>
    [...message.matchAll(MISSING)]
      .map(([, , path]) => path!)
      .filter((path) => !isAbsolute(path))
      .map((path) => [
        ...[posix.normalize(path), posix.join(plan.packageDir, path)],
        ...(/^\.\.?\//.test(path) ? fromRequirers(path, message, file) : []),
      ]),
  );
  return named.map((places) => places.filter((it) => !it.startsWith('../') && !IN_PACKAGES.test(it)));
}

/** The first file of Node's list of those that required a module: `Require stack:`, and a line for each. */
const REQUIRER = /Require stack:\s*\n\s*-\s*(.+)/;

/** The files that a relative name may mean in the file that requires it, or in the one with the failure. */
function fromRequirers(path: string, message: string, file: string | undefined): string[] {
  const requirer = REQUIRER.exec(message)?.[1]?.trim();
  const from = [requirer, file].filter((it) => it !== undefined && !isAbsolute(it)) as string[];
  const meant = from.map((it) => posix.join(posix.dirname(it), path));
  return meant.flatMap((it) => ['', '.json', '.js', '.cjs'].map((end) => it + end));
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
