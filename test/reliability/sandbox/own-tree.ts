import { join } from 'node:path';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import { openSandbox } from '../../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import { HISTORY } from './file-attacks.ts';
import { createGround } from './ground.ts';
import { inventoryOf } from './inventory.ts';

/** Beside git's and ralph's folders: the dependencies, where the tree has them itself. */
const OTHERS: Readonly<Record<string, string>> = {
  'an installed package': 'echo x >> node_modules/dep/index.js',
  'an installed package replaced': 'rm -rf node_modules/dep; mkdir node_modules/dep',
  'a program put before the installed ones': 'mkdir -p node_modules/.bin; echo x > node_modules/.bin/vitest',
  'a folder put in the place of git': 'rm -rf .git; mkdir .git',
  "a folder put in the place of ralph's": 'mv .aiwg .giwa',
};

/** The user's own tree as the workspace: attacks that changed git's folder, ralph's state or the dependencies. */
export async function tryOwnTree(visible: string): Promise<{ tried: number; successes: string[] }> {
  const ground = await createGround(visible);
  const { repository: root, variables } = ground;
  try {
    const place = { root, repository: root, dependencies: [join(root, 'node_modules')] };
    const options = { network: false, passEnv: [], read: [], write: [] };
    const policy = workspacePolicy(place, options);
    const { sandbox } = await openSandbox({
      mode: 'strict',
      policy: () => policy,
      engine: 'bubblewrap',
      isForeign: false,
    });
    const kept = ['.git', '.aiwg', 'node_modules'].map((name) => join(root, name));
    const inventory = (): string => kept.map((path) => inventoryOf(path)).join('\n');
    const before = inventory();
    const attacks = [
      ...HISTORY.map(({ name, command }) => [name, command] as const),
      ...Object.entries(OTHERS),
    ];
    const successes: string[] = [];
    for (const [name, shell] of attacks) {
      await runProcess({ shell, cwd: root, env: { ...childEnvironment(), ...variables }, sandbox });
      if (inventory() !== before) successes.push(name);
    }
    return { tried: attacks.length, successes };
  } finally {
    await ground.close();
  }
}
