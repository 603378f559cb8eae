import { isDeepStrictEqual } from 'node:util';
import { posix } from 'node:path';

type Manifest = Readonly<Record<string, unknown>>;

/** Whether the base has a file at this path, relative to the folder of the package. */
export type IsThere = (path: string) => boolean;

/** Keys by which a package is installed or bundled in another way than it was tested: none of them may change. */
export const DELIVERY_KEYS = ['engines', 'os', 'cpu', 'libc', 'sideEffects', 'publishConfig', 'browser'];

const ENTRIES = ['main', 'module', 'types', 'typings', 'bin'];
const ENDINGS = ['', '.js', '.json', '.cjs', '.mjs', '.ts', '/index.js', '/index.ts'];

/**
 * Keys of package.json by whose change users get another file than before, or none, although the file is still there:
 * `main`, `exports` and the like with another target, and fewer or excluding `files`. A new entry, and a target that the base
 * does not have, such as a build, may be set.
 */
export function redirectedKeys(before: Manifest, after: Manifest, isThere: IsThere): string[] {
  const moved = ENTRIES.filter((key) => isRedirected(entriesOf(before[key], key), after[key], key, isThere));
  const hidesIndex = before['main'] === undefined && after['main'] !== undefined;
  const isMoved =
    hidesIndex && before['exports'] === undefined && isThere('index.js') && !isIndex(after['main']);
  if (isMoved && !moved.includes('main')) moved.push('main');
  if (exportsOtherwise(before, after, isThere)) moved.push('exports');
  if (deliversLess(before['files'], after['files'])) moved.push('files');
  return moved;
}

function isIndex(target: unknown): boolean {
  return typeof target === 'string' && /^(\.\/)?index(\.js)?$/.test(target);
}

/** Whether a target of the base that is a file has another value now. */
function isRedirected(
  targets: ReadonlyMap<string, string>,
  now: unknown,
  key: string,
  isThere: IsThere,
): boolean {
  const current = entriesOf(now, key);
  return [...targets].some(
    ([name, target]) => isFile(target, isThere) && !isSameFile(target, current.get(name)),
  );
}

function isSameFile(target: string, other: string | undefined): boolean {
  return other !== undefined && posix.normalize(target) === posix.normalize(other);
}

/** A file of the base, or a pattern for several. */
function isFile(target: string, isThere: IsThere): boolean {
  return target.includes('*') || ENDINGS.some((end) => isThere(posix.normalize(target) + end));
}

/** The targets in a value by their names; a text is the target of the key itself. */
function entriesOf(value: unknown, name: string): Map<string, string> {
  if (typeof value === 'string') return new Map([[name, value]]);
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [
      ...entriesOf(inner, key === '.' ? name : `${name} ${key}`),
    ]),
  );
}

/** Whether `exports` leads elsewhere, or where it is new, hides what `main` named. */
function exportsOtherwise(before: Manifest, after: Manifest, isThere: IsThere): boolean {
  const [then, now] = [before['exports'], after['exports']];
  if (isDeepStrictEqual(then, now)) return false;
  if (then !== undefined) {
    const isWhole = typeof then === 'string' && typeof now === 'object' && now !== null;
    const current =
      isWhole && !('.' in now) && !Object.keys(now).some((key) => key.startsWith('.')) ? { '.': now } : now;
    if (!isWhole) return isRedirected(entriesOf(then, 'exports'), current, 'exports', isThere);
    const main = [...entriesOf((current as Manifest)['.'], 'exports').values()];
    return isFile(then, isThere) && !main.some((target) => isSameFile(then, target));
  }
  const main = typeof before['main'] === 'string' ? before['main'] : 'index.js';
  if (!isFile(main, isThere)) return false;
  const targets = [...entriesOf(now, 'exports').values()];
  return !targets.some((target) => ENDINGS.some((end) => isSameFile(main + end, target)));
}

/** Whether `files` names less than before, excludes something new, or is new, so that it leaves out the rest. */
function deliversLess(before: unknown, after: unknown): boolean {
  if (isDeepStrictEqual(before, after) || after === undefined) return false;
  const [then, now] = [before, after].map((it) => (Array.isArray(it) ? (it as unknown[]).map(String) : []));
  if (before === undefined) return true;
  const nameOf = (it: string): string => posix.normalize(it).replace(/\/(\*\*?(\/\*)?)?$/, '');
  const kept = new Set(now!.map(nameOf));
  const known = new Set(then!.map(nameOf));
  return (
    [...known].some((it) => !kept.has(it)) || [...kept].some((it) => it.startsWith('!') && !known.has(it))
  );
}
