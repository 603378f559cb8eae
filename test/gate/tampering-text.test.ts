import { expect, test } from 'vitest';
import { describeTampering } from '../../src/gate/tampering-text.ts';

test('a changed package.json is told by the keys that were changed', () => {
  const detail =
    "package.json had dependencies, scripts changed; the base's values were restored. --allow permits it.";
  expect(describeTampering({ kind: 'manifest_edited', file: 'package.json', detail })).toBe(
    'In package.json, what decides how the checks run was changed (dependencies, scripts). Put it back as it was.',
  );
});

test('a change without a file is told as it was found', () => {
  expect(describeTampering({ kind: 'manifest_edited', file: '', detail: 'Something else.' })).toBe(
    'Something else.',
  );
});
