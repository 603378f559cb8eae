import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSilentCommand } from '../../../src/proof/canaries/silent-command.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const RIGHT = 'export const later = async (n) => n * 2;\n';
const NEVER = 'export const later = () => new Promise(() => {});\n';
const THROWS = `node -e "import('./src/b.js').then((m) => m.later(4)).then((v) => { if (v !== 8) process.exit(1); })"`;
const ENDS = `node -e 'import("./src/b.js").then((m) => m.later(4)).then((v) => process.exit(v === 8 ? 0 : 1))'`;

async function found(command: string, source: string): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, 'src/b.js': source });
  const { signal } = new AbortController();
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal,
  };
  return findSilentCommand(createCheck(planFor('command', { args: [command] })), request);
}

test.each([THROWS, ENDS])('names a command whose comparison never runs: %s', async (command) => {
  expect(await found(command, NEVER)).toContain('none of its comparisons runs');
  expect(await found(command, RIGHT)).toBeUndefined();
});

test.each([
  [
    'without a comparison that decides',
    `node -e "import('./src/b.js').then((m) => { if (m.none === 1) process.exit(1); })"`,
  ],
  ['without inline code', 'node src/b.js'],
])('has nothing to name %s', async (_what, command) => {
  expect(await found(command, RIGHT)).toBeUndefined();
});
