import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installDependencies } from '../../src/fleet/worker/install.ts';
import { openWorkerPlace } from '../../src/fleet/worker/place.ts';
import { hasBubblewrap } from '../support/bubblewrap.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';

/** Installs a checkout whose settings name a program of its own; what the program said, and whether it wrote outside. */
async function installHostile(sandbox: 'strict' | 'off') {
  const [root, home, outside] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  writeFileSync(join(home, 'secret'), 'KEY-OF-THE-WORKER');
  writeFiles(root, {
    'package.json': { dependencies: { x: 'git+http://127.0.0.1:1/x.git' } },
    '.npmrc': 'git=./evil.sh\n',
    'evil.sh': `#!/bin/sh\n{ cat '${home}/secret'; env; } > said 2>&1\ntouch '${outside}/was-here'\nexit 1\n`,
  });
  chmodSync(join(root, 'evil.sh'), 0o755);
  const env = { ...process.env, HOME: home, DATABASE_URL: 'postgres://a:PASSWORD@b/c' };
  const failure = installDependencies({
    place: openWorkerPlace(temporaryFolder(), env),
    ...{ root, address: root, overrides: { sandbox }, env, signal: new AbortController().signal },
  });
  await expect(failure).rejects.toMatchObject({ code: 'no_dependencies' });
  return {
    said: readFileSync(join(root, 'said'), 'utf8'),
    wasOutside: existsSync(join(outside, 'was-here')),
  };
}

describe.skipIf(!hasBubblewrap)('a program that a repository makes its package manager start', () => {
  it('sees no file, key or folder of the worker', async () => {
    const { said, wasOutside } = await installHostile('strict');
    expect(said).toContain('npm_config_cache');
    expect(said).not.toMatch(/KEY-OF-THE-WORKER|PASSWORD/);
    expect(wasOutside).toBe(false);
  });

  it('sees them where the worker confines nothing', async () => {
    const { said, wasOutside } = await installHostile('off');
    expect(said).toContain('KEY-OF-THE-WORKER');
    expect(said).not.toContain('PASSWORD');
    expect(wasOutside).toBe(true);
  });
});
