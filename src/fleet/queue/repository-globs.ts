import { usageError } from '../../errors.ts';
import { isGlob, matcherOf } from '../../workspace/globs.ts';
import type { Queryable } from '../database/database.ts';
import { canonicalName } from './repository-id.ts';

/** The globs of `--repositories`. Throws a usage error for one that could match nothing. */
export function requireGlobs(globs: readonly string[] = []): readonly string[] {
  const wrong = globs.find((glob) => !isGlob(glob));
  if (wrong === undefined) return globs;
  throw usageError(
    `--repositories ${JSON.stringify(wrong.slice(0, 200))} is not a pattern of names.`,
    'For example --repositories "github.com/octo-org/*,github.com/other/shop"',
  );
}

/** A test of repositories' names; without globs, every one passes. */
export function reachOf(globs: readonly string[]): (repository: string) => boolean {
  if (globs.length === 0) return () => true;
  const isNamed = matcherOf(globs.flatMap(spellings));
  const isPath = matcherOf(globs.filter((glob) => OF_PATHS.test(glob)));
  return (name) => (name.startsWith('/') ? isPath(name.slice(1)) : isNamed(name));
}

/** Begins with a slash, or matches anywhere. */
const OF_PATHS = /^(?:\/|\*\*|[^/]*$)/;

/** A sentence for each glob that matches no repository of the queue; none while the queue has had no job yet. */
export async function describeUnmatched(db: Queryable, globs: readonly string[]): Promise<string[]> {
  if (globs.length === 0) return [];
  const rows = await db.query<{ name: string }>(
    'SELECT repository AS name FROM ralph.lane GROUP BY repository ORDER BY max(id) DESC',
  );
  const [newest] = rows;
  if (newest === undefined) return [];
  return globs
    .filter((glob) => !rows.some(({ name }) => reachOf([glob])(name)))
    .map(
      (glob) =>
        `--repositories ${JSON.stringify(glob)} matches none of the repositories that had a job, such as ${newest.name}. ralph queue list shows their names.`,
    );
}

/** First part of a name that may be an owner: a host has a dot or a port. */
const OWNER = /^[\w-]+\//;

/** A glob as names are stored, and with any host, as `octo/*` for `github.com/octo/*`. */
function spellings(glob: string): string[] {
  const name = canonicalName(glob);
  return [name, ...(OWNER.test(name) ? [`?*/${name}`] : [])];
}
