import { usageError } from '../../errors.ts';
import { isGlob } from '../../workspace/globs.ts';

/** The globs of `--repositories`. Throws a usage error for one that could match nothing. */
export function requireGlobs(globs: readonly string[] = []): readonly string[] {
  const wrong = globs.find((glob) => !isGlob(glob));
  if (wrong === undefined) return globs;
  throw usageError(
    `--repositories ${JSON.stringify(wrong.slice(0, 200))} is not a pattern of names.`,
    'For example --repositories "github.com/octo-org/*,github.com/other/shop"',
  );
}
