import { posix } from 'node:path';
import { readingsOf } from '../../workspace/deliver/look-alikes.ts';
import { foldPath } from '../../workspace/deliver/path-spelling.ts';
import { matcherOf } from '../../workspace/globs.ts';
import { selfRun } from './self-run-files.ts';

/** One file of a patch. Texts and sizes are those of the commits, not of the patch. */
export interface PatchedFile {
  readonly path: string;
  /** Bytes; undefined: the file does not exist. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

const MAX_ADDED_BYTES = 1024 * 1024;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Hidden files and folders: most configure a program. */
const HIDDEN = /(?:^|\/)\./;

/** Keys of package.json that neither run a program nor install a package. */
const HARMLESS_KEYS: ReadonlySet<string> = new Set([
  ...[
    'description',
    'keywords',
    'author',
    'contributors',
    'maintainers',
    'homepage',
    'bugs',
    'license',
    'funding',
  ],
  ...['main', 'module', 'browser', 'types', 'typings', 'typesVersions', 'exports', 'sideEffects', 'files'],
]);

/** True for a package.json, whose keys decide. */
export function isManifest(path: string): boolean {
  return foldPath(posix.basename(path)) === 'package.json';
}

/** Why a patch with these files is not published, as the end of "The patch …"; undefined if it may be. Pure. */
export function problemOfFiles(files: readonly PatchedFile[], allow: readonly string[]): string | undefined {
  const isAllowed = matcherOf(allow);
  for (const { path, after } of files) {
    const shown = JSON.stringify(path);
    const readings = readingsOf(path);
    const known = readings.map(selfRun).find((kind) => kind !== undefined);
    const does = known?.does ?? (readings.some((it) => HIDDEN.test(it)) ? 'is hidden' : undefined);
    if (known?.isNever === true) return `changes ${shown}, which ${does}`;
    if (does !== undefined && !isAllowed(path))
      return `changes ${shown}, which ${does}; --allow ${shown} permits it`;
    if ((after ?? 0) > MAX_FILE_BYTES)
      return `makes ${shown} ${after} bytes; at most ${MAX_FILE_BYTES} are accepted`;
  }
  const added = files.reduce((sum, { before = 0, after = 0 }) => sum + Math.max(0, after - before), 0);
  return added > MAX_ADDED_BYTES ? `adds ${added} bytes; at most ${MAX_ADDED_BYTES} are accepted` : undefined;
}

/**
 * Why a change of a package.json is not published: every changed key must be one that runs and installs nothing. A text
 * that is no object of JSON is refused, and so is a new or a removed file. Pure.
 */
export function problemOfManifest(
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  const shown = JSON.stringify(path);
  const permits = `; --allow ${shown} permits it`;
  if (before === undefined) return `adds ${shown}${permits}`;
  if (after === undefined) return `removes ${shown}${permits}`;
  const [old, fresh] = [parseObject(before), parseObject(after)];
  if (old === undefined || fresh === undefined)
    return `changes ${shown}, which is no object of JSON${permits}`;
  const changed = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(
    (key) => JSON.stringify(old[key]) !== JSON.stringify(fresh[key]),
  );
  const refused = changed.find((key) => !HARMLESS_KEYS.has(key));
  return refused === undefined
    ? undefined
    : `changes the key ${JSON.stringify(refused)} of ${shown}, which can run or install something${permits}`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // Parsers differ on which of two equal keys they take.
    return isObject && countKeys(value) === (text.match(KEY) ?? []).length
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A text before a colon; in JSON, only a key stands there. */
const KEY = /"(?:[^"\\]|\\.)*"(?=\s*:)/g;

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, part) => sum + countKeys(part), own);
}
