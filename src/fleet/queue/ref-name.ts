import { usageError } from '../../errors.ts';

/** What git-check-ref-format(1) forbids in the name of a ref, and `-` at its beginning. */
const FORBIDDEN =
  // eslint-disable-next-line no-control-regex -- the rule of git
  /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^@$|^[-/]|[/.]$|(?:^|\/)\.|\.lock(?:\/|$)/;
const MAX_CHARS = 500;

/** The name of a branch, a tag or a commit. Throws a usage error for a text that git would take for something else. */
export function requireRef(ref: string): string {
  if (ref !== '' && ref.length <= MAX_CHARS && !FORBIDDEN.test(ref)) return ref;
  throw usageError(
    `--ref ${JSON.stringify(ref.slice(0, 200))} is not the name of a branch or a tag.`,
    ref === '' ? 'Leave --ref out for the default branch.' : 'For example --ref main',
  );
}
