import { expect, it } from 'vitest';
import { carryAdvice } from '../../src/compose/carry-advice.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';

function adviceFor(message: string, packageDir = '.'): string | undefined {
  const root = temporaryFolder();
  writeFiles(root, {
    'config.local.json': {},
    'packages/a/gen/codes.js': '',
    'node_modules/a/index.js': '',
  });
  const place = { repository: { root }, plan: { packageDir } } as Parameters<typeof carryAdvice>[0];
  return carryAdvice(place, { diagnostics: [{ message }] } as Parameters<typeof carryAdvice>[1]);
}

it('names the files that lie in the folder and not in the copy', () => {
  expect(adviceFor("ENOENT: no such file or directory, open 'config.local.json'")).toBe(
    'config.local.json is in your folder, and git ignores it, so the checks run without it: "carry": ["config.local.json"] in ralph.config.json takes it along.',
  );
  expect(adviceFor("Error: Cannot find module './gen/codes.js'", 'packages/a')).toContain(
    '"carry": ["packages/a/gen/codes.js"]',
  );
});

it('finds what a file requires by a name relative to itself', () => {
  const message = "Cannot find module '../a/gen/codes'\nRequire stack:\n- packages/b/b.test.js\n- x.js";
  expect(adviceFor(message)).toContain('"carry": ["packages/a/gen/codes.js"]');
});

it.each([
  "Cannot find module '../../../a/gen/codes'\nRequire stack:\n- packages/b/b.test.js",
  "ENOENT: no such file or directory, open 'other.json'",
  "ENOENT: no such file or directory, open '/config.local.json'",
  "ENOENT: no such file or directory, open '../config.local.json'",
  "Cannot find module 'node_modules/a/index.js'",
  "expected 'config.local.json' to be read",
])('says nothing of %s', (message) => {
  expect(adviceFor(message)).toBeUndefined();
});
