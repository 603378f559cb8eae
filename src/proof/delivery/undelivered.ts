import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';

export interface UndeliveredRequest {
  /** Absolute path of the folder that the attempt worked in. */
  readonly worked: string;
  /** Absolute path of the checkout of what would be delivered. */
  readonly delivered: string;
  /** Folder of the package, relative to the root; `.` for the root. */
  readonly packageDir: string;
  /** Output of the tests that failed in the checkout. */
  readonly output: string;
  /** The user's tree as it is, which no attempt has changed. */
  readonly isOwn: boolean;
}

const MAX_NAMED = 3;
const MAX_DEPTH = 4;
const LEFT_OUT = new Set(['node_modules', '.git', '.aiwg']);

/**
 * Names the files that the attempt left in its working copy and that git ignores, as sentences that begin with a space;
 * empty if there are none. The output decides whether the tests are said to read them.
 */
export function describeUndelivered(request: UndeliveredRequest): string {
  const { worked, delivered, packageDir, output, isOwn } = request;
  const left = undelivered(worked, delivered, '', 0);
  if (isOwn) return describeMissing(left, request);
  const packages = installedOnly(join(worked, packageDir), join(delivered, packageDir));
  if (packages.length > 0)
    return ` The attempt installed ${packages.slice(0, MAX_NAMED).join(', ')} in its working copy; your installed dependencies do not have it. Install it first, then run ralph again.`;
  if (left.length === 0) return '';
  const read = left.filter((path) => output.includes(path.replace(/\/$/, '')));
  const named = (read.length > 0 ? read : left).slice(0, MAX_NAMED).join(', ');
  const build = buildScript(join(delivered, packageDir));
  const remedy =
    build === undefined ? '' : ` Let the test command run \`${build}\`, or run it before the tests.`;
  if (read.length > 0)
    return ` The tests read ${named}, which git ignores: it is not delivered, and the test command does not build it.${remedy}`;
  return ` The attempt's working copy also has ${named}, which git ignores and which is not delivered.`;
}

/** Files that checks have written beside the user's tree, if the test command seems to look for them. */
function describeMissing(
  left: readonly string[],
  { delivered, packageDir, output }: UndeliveredRequest,
): string {
  const read = left.filter((path) => output.includes(path.replace(/\/$/, '')));
  if (read.length === 0) return '';
  const build = buildScript(join(delivered, packageDir));
  const remedy = build === undefined ? '' : ` Let the test command run \`${build}\`.`;
  return ` Its output names ${read.slice(0, MAX_NAMED).join(', ')}, which git ignores: a clean checkout does not have it.${remedy}`;
}

/** Packages in the `node_modules` of one folder that the other does not have; scopes count as one. */
function installedOnly(worked: string, delivered: string): string[] {
  const names = entriesOf(join(worked, 'node_modules')).map(({ name }) => name);
  const own = new Set(entriesOf(join(delivered, 'node_modules')).map(({ name }) => name));
  return names.filter((name) => !name.startsWith('.') && !own.has(name));
}

/** Topmost paths in one folder that the other does not have; folders end in a slash. */
function undelivered(worked: string, delivered: string, folder: string, depth: number): string[] {
  return entriesOf(join(worked, folder)).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = posix.join(folder, entry.name);
    const isThere = existsSync(join(delivered, path));
    if (!isThere) return [entry.isDirectory() ? `${path}/` : path];
    return entry.isDirectory() && depth < MAX_DEPTH ? undelivered(worked, delivered, path, depth + 1) : [];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** `npm run build` if the package has such a script. */
function buildScript(folder: string): string | undefined {
  try {
    const { scripts } = JSON.parse(readTreeTextSync(join(folder, 'package.json'))) as {
      scripts?: Record<string, unknown>;
    };
    return typeof scripts?.['build'] === 'string' ? 'npm run build' : undefined;
  } catch {
    return undefined;
  }
}
