import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findInlineConfiguration } from '../../../src/proof/delivery/inline-config.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles } from '../../support/repositories.ts';

const CONFIG = `export default [{ rules: { 'no-undef': 'error', 'no-unused-vars': 'error' } }];`;
const RED = 'export const a = missing();\n';

async function hides(now: string, base = RED): Promise<boolean> {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { type: 'module' }, 'eslint.config.js': CONFIG, 'src/a.js': now });
  linkModules(root, ['eslint']);
  const check = createCheck(planFor('eslint', { config: 'eslint.config.js', args: ['src'] }));
  const found = await findInlineConfiguration(check, {
    request: {
      root,
      cacheDir: join(temporaryFolder(), 'cache'),
      fresh: true,
      timeoutMs: 50_000,
      signal: new AbortController().signal,
    },
    sources: ['src/a.js'],
    baseText: () => Promise.resolve(base),
  });
  expect(readFileSync(join(root, 'src/a.js'), 'utf8')).toBe(now);
  expect(found.every(({ kind, file }) => kind === 'suppression_added' && file === 'src/a.js')).toBe(true);
  return found.length > 0;
}

const QUIET = `const b = 1;\n${RED}`;

test.each([
  ['a rule as JSON', `/* eslint {"no-unused-vars": 0} */\n${QUIET}`],
  ['a rule in its usual form', `/* eslint no-unused-vars: "off" */\n${QUIET}`],
  ['a line', `const b = 1; // eslint-disable-line -- later\n${RED}`],
  ['a global with a reason', `/* global unknown -- it is there */\n${RED}unknown();\n`],
])('a new comment that hides a new problem is found: %s', async (_, now) => {
  expect(await hides(now)).toBe(true);
});

test.each([
  ['a fix', 'export const a = 1;\n'],
  ['a comment that hides nothing', `/* eslint no-unused-vars: "off" */\nexport const a = 1;\n`],
  [
    'an old comment that moved',
    `export const c = 2;\n/* eslint-disable no-undef */\n${RED}`,
    `/* eslint-disable no-undef */\n${RED}`,
  ],
  ['a problem of before', `/* eslint-disable no-undef */\n${RED}`],
])('%s is none', async (_, now, base = RED) => {
  expect(await hides(now, base)).toBe(false);
});
