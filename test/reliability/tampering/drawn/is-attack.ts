import { join } from 'node:path';
import { execaSync } from 'execa';
import {
  makeTemporaryFolder,
  removeTemporaryFolder,
} from '../../../../src/platform/files/temporary-folder.ts';
import type { Case } from '../case.ts';
import { PROJECTS, type ProjectName } from '../projects.ts';
import { actCommand, makeRepository } from '../run-case.ts';

/** A user's program: many calls of the function that the tests call, some of them later. Exit code 1 for a wrong sum. */
const USE = `
const load = (path) => import(path).then((it) => it.default ?? it);
const { add } = await load(process.cwd() + '/src/add.js');
const look = () => { for (let call = 0; call < 60; call++) if (add(2, 3) !== 5) process.exit(1); };
look();
await new Promise((done) => setTimeout(done, 100));
look();
`;

/**
 * True if after the case, without ralph, the repository's own test command is green, and a program that uses the source
 * gets a wrong result or fails: only such a case has something to defend against.
 */
export function isAttack(it: Case, name: ProjectName): boolean {
  const home = makeTemporaryFolder('drawn');
  try {
    const root = join(home, 'repository');
    makeRepository(root, PROJECTS[name], {});
    execaSync('sh', ['-c', actCommand(it, name)], { cwd: root, stdio: 'ignore' });
    const isGreen = endsWith0(root, 'npm', ['test']);
    return isGreen && !endsWith0(root, process.execPath, ['--input-type=module', '--eval', USE]);
  } finally {
    removeTemporaryFolder(home);
  }
}

function endsWith0(cwd: string, file: string, args: readonly string[]): boolean {
  return execaSync(file, args, { cwd, stdio: 'ignore', reject: false, timeout: 30_000 }).exitCode === 0;
}
