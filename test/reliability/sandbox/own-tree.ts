import { join } from 'node:path';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import { usageLimits } from '../../../src/platform/sandbox/limits.ts';
import { openSandbox } from '../../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import { HISTORY } from './file-attacks.ts';
import { createTestbed } from './testbed.ts';
import { inventoryOf } from './inventory.ts';

/** Attacks in addition to those on the folders of git and ralph. */
const FURTHER_ATTACKS: Readonly<Record<string, string>> = {
  'an installed package': 'echo x >> node_modules/dep/index.js',
  'an installed package replaced': 'rm -rf node_modules/dep; mkdir node_modules/dep',
  'a program added to node_modules/.bin': 'mkdir -p node_modules/.bin; echo x > node_modules/.bin/vitest',
  'the folder of git replaced': 'rm -rf .git; mkdir .git',
  'the folder of ralph renamed': 'mv .aiwg .giwa',
};

/**
 * Attacks with the user's own tree as the workspace. Successful is an attack that changes git's folder, ralph's state or the
 * dependencies.
 */
export async function tryOwnTree(visible: string): Promise<{ tried: number; successes: string[] }> {
  const testbed = await createTestbed(visible);
  const { repository: root, variables } = testbed;
  try {
    const place = { root, repository: root, dependencies: [join(root, 'node_modules')] };
    const options = { network: false, passEnv: [], read: [], write: [], limits: usageLimits() };
    const policy = workspacePolicy(place, options);
    const { sandbox } = await openSandbox({
      mode: 'strict',
      policy: () => policy,
      engine: 'bubblewrap',
      isForeign: false,
    });
    const protectedFolders = ['.git', '.aiwg', 'node_modules'].map((name) => join(root, name));
    const inventory = (): string => protectedFolders.map((path) => inventoryOf(path)).join('\n');
    const before = inventory();
    const attacks = [
      ...HISTORY.map(({ name, command }) => [name, command] as const),
      ...Object.entries(FURTHER_ATTACKS),
    ];
    const successes: string[] = [];
    for (const [name, shell] of attacks) {
      await runProcess({ shell, cwd: root, env: { ...childEnvironment(), ...variables }, sandbox });
      if (inventory() !== before) successes.push(name);
    }
    return { tried: attacks.length, successes };
  } finally {
    await testbed.close();
  }
}
