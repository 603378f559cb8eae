import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, normalize, sep } from 'node:path';
import type { AcceptanceRequest } from '../../ports/acceptance.ts';
import type { CheckPlan } from '../../ports/plan.ts';

/** Folder (relative to the root) and name ending of new test files, and examples of existing ones. */
export interface TestPlace {
  readonly folder: string;
  readonly ending: string;
  readonly examples: readonly string[];
}

const MAX_EXAMPLES = 2;

/** The place where the repository keeps the tests of a check. */
export function findPlace({ evaluation, root }: AcceptanceRequest, { cwd, tool }: CheckPlan): TestPlace {
  const isOwn = (file: string): boolean => cwd === '.' || file.startsWith(`${cwd}/`);
  const files = [...new Set(evaluation.tests.flatMap(({ file }) => file ?? []))];
  const examples = files.filter((file) => isOwn(file) && existsSync(join(root, file)));
  const [first] = examples;
  if (first === undefined) {
    const folder = cwd === '.' ? 'test' : `${cwd}/test`;
    return { folder, ending: tool === 'node' ? '.test.mjs' : '.test.js', examples: [] };
  }
  const name = basename(first);
  const ending = /((?:[._-](?:test|spec))?\.[cm]?[jt]sx?)$/.exec(name)?.[1] ?? extname(name);
  return { folder: dirname(first), ending, examples: examples.slice(0, MAX_EXAMPLES) };
}

/** A reason not to write a file at this path; undefined if it is a new file in the place. */
export function pathProblem(path: string, { folder, ending }: TestPlace, root: string): string | undefined {
  const plain = normalize(path);
  if (isAbsolute(path) || plain.startsWith('..') || plain !== path)
    return 'is no plain path in the repository';
  if (dirname(plain) !== folder) return `is not in ${folder}`;
  if (!plain.endsWith(ending)) return `does not end in ${ending}`;
  if (!/^[\w.-]+$/.test(basename(plain)))
    return 'has a name with other characters than letters, digits, . _ -';
  if (lstatSync(join(root, plain), { throwIfNoEntry: false }) !== undefined) return 'exists already';
  const real = realpathOfExisting(join(root, folder));
  const top = realpathSync(root);
  const isPlain = real === top || real.startsWith(top + sep);
  return isPlain ? undefined : 'is outside of the repository by a link';
}

function realpathOfExisting(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : realpathOfExisting(dirname(folder));
}
