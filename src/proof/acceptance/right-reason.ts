import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../../schema/generated.ts';

const MISSING_MODULE =
  /cannot find (module|package)|failed to (resolve|load)|ERR_MODULE_NOT_FOUND|does the file exist/i;
const MISSING_NAME = [
  /(?:export named|imported name|no matching export (?:in .* )?for import) ['"`](\w+)['"`]/i,
  /['"`]?(\w+)['"`]? is not exported by/i,
  /has no exported member(?: named)? ['"`](\w+)['"`]/i,
  /(\w+)['"`)]* is not (?:a function|a constructor|iterable|defined by)/,
  /\(reading ['"`](\w+)['"`]\)/,
];
const UNKNOWN_OPTION = /(?:unknown|unrecognized) (?:option|argument):? ['"`]?(-{0,2}[\w-]+)/i;
const TEST_FILE = /(^|\/)(tests?|__tests__|specs?)\/|[._-](test|spec)\.[cm]?[jt]sx?$/;

/** The facts of a test file by which a failure is judged. */
export interface FailureGround {
  /** Absolute path. */
  readonly root: string;
  /** Path of the test file, relative to the root. */
  readonly path: string;
  readonly text: string;
  /** Names that are imported from the repository, and members read from them. */
  readonly members: ReadonlySet<string>;
  /** Missing files that the test imports, relative to the root. */
  readonly missing: readonly string[];
}

/**
 * True if a failure on the base shows that a behaviour is missing: a failed assertion of the test, a missing module,
 * export, member or option that the test uses, or an error that product code threw.
 */
export function isRightReason(failure: Diagnostic, ground: FailureGround): boolean {
  const { type, message, frames } = failure;
  if (type === 'timeout') return false;
  if (MISSING_MODULE.test(message)) return namesMissingFile(message, ground);
  if (type === 'test_failure') return true;
  if (type === 'syntax_error' && !/export named/.test(message)) return false;
  const name = MISSING_NAME.flatMap((pattern) => pattern.exec(message)?.[1] ?? [])[0];
  if (name !== undefined && ground.members.has(name)) return true;
  const option = UNKNOWN_OPTION.exec(message)?.[1];
  if (option !== undefined && ground.text.includes(option)) return true;
  const innermost = frames?.[0]?.file;
  return innermost !== undefined && innermost !== ground.path && !TEST_FILE.test(innermost);
}

function namesMissingFile(message: string, { root, path, missing }: FailureGround): boolean {
  const named = [...message.matchAll(/['"`]([^'"`\n]+)['"`]|(?:url|module) ([^\s'"`]+)/g)].map(
    ([, quoted, plain]) => (quoted ?? plain)!.replace(/^file:\/\//, ''),
  );
  const paths = named.flatMap((name) =>
    name.startsWith('.')
      ? [join(dirname(path), name)]
      : [relative(root, resolve(root, name.startsWith(root) ? name : name.replace(/^\//, '')))],
  );
  const plain = (name: string): string => name.replaceAll(sep, '/').replace(/\.[cm]?[jt]sx?$/, '');
  const wanted = new Set(missing.map(plain));
  return paths.some((name) => wanted.has(plain(name)));
}
