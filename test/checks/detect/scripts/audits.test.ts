import { expect, test } from 'vitest';
import { withoutAudit } from '../../../../src/checks/detect/scripts/audits.ts';

test.each([
  ['npm audit', 'npm test --ignore-scripts'],
  ["npx npm@'>=10.2' audit --production", 'npm test --ignore-scripts'],
  ['npx npm@">= 10.2" audit --production', 'npm test --ignore-scripts'],
  ['npx aud --production && npm audit', 'npm test --ignore-scripts'],
])('npm runs the tests without a posttest script that audits: %s', (posttest, command) => {
  expect(withoutAudit('npm test', { test: 'tape', posttest })).toBe(command);
  const pretest = 'npm run lint';
  expect(withoutAudit('npm test', { test: 'tape', pretest, posttest })).toBe(`npm run pretest && ${command}`);
});

test.each([['npm run lint'], ['npm audit && npm run lint'], ['./audit.sh']])(
  'a posttest script that does more stays: %s',
  (posttest) => {
    expect(withoutAudit('npm test', { posttest })).toBeUndefined();
  },
);

test('other package managers, and no posttest script', () => {
  expect(withoutAudit('pnpm test', { posttest: 'pnpm audit' })).toBeUndefined();
  expect(withoutAudit('npm test', { test: 'tape' })).toBeUndefined();
});
