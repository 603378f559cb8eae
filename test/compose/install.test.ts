import { expect, test } from 'vitest';
import { installPackages } from '../../src/compose/install.ts';
import { temporaryRepository } from '../workspace/temporary-repository.ts';

test('what installed packages need is not left in the home folder, which is gone afterwards', async () => {
  const printed: string[] = [];
  const exitCode = await installPackages({
    cwd: temporaryRepository({ 'package.json': '{}' }),
    command: 'echo "$YARN_ENABLE_GLOBAL_CACHE $npm_config_enable_global_virtual_store"; exit 3',
    flags: { sandbox: 'off' },
    signal: new AbortController().signal,
    onOutput: (text) => printed.push(text),
  });
  expect([exitCode, printed.join('').trim()]).toEqual([3, 'false false']);
});
