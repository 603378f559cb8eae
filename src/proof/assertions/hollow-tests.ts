import { join, posix } from 'node:path';
import { ownImports } from '../acceptance/imports.ts';
import { scanTests } from '../acceptance/scan-tests.ts';
import { textOf } from '../../platform/files/text-of.ts';

/** A command that passes now and failed on the base. */
export interface GreenCommand {
  readonly command: string;
  /** Folder of its package, relative to the root. */
  readonly packageDir: string;
}

const CODE = /\.[cm]?[jt]sx?$/;

/**
 * A sentence on a new test file that a command names and in which no test asserts anything about the repository's code, so
 * that the command passes for nothing; undefined if there is none. `added`: files that the base does not have.
 */
export function findHollowTests(
  root: string,
  { command, packageDir }: GreenCommand,
  added: readonly string[],
): string | undefined {
  const words = command.split(/[\s'"`;&|()]+/);
  const named = words.filter((word) => CODE.test(word)).map((word) => posix.join(packageDir, word));
  for (const path of added.filter((file) => named.includes(file))) {
    const { tests } = scanTests(textOf(join(root, path)), path, ownImports(root, packageDir));
    const [first] = tests;
    if (first === undefined || tests.some(({ problem }) => problem === undefined)) continue;
    return `\`${command}\` runs ${path}, in which no test asserts anything about the repository's code: "${first.title}" ${first.problem}.`;
  }
  return undefined;
}
