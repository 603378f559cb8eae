import { expect, test } from 'vitest';
import { blankFiles, hiddenFolders } from '../../../src/platform/sandbox/hidden-places.ts';

test('every folder of the root but those of the system is hidden', () => {
  const hidden = hiddenFolders();
  expect(hidden).toEqual(expect.arrayContaining(['/home', '/opt', '/srv', '/var']));
  for (const system of ['/usr', '/etc', '/proc', '/dev', '/sys']) expect(hidden).not.toContain(system);
});

test('of /etc the files are blank that not every user may read, and no others', () => {
  const blank = blankFiles(hiddenFolders());
  expect(blank).not.toContain('/etc/passwd');
  expect(blank).not.toContain('/etc/hosts');
  expect(blank).toContain('/etc/shadow');
});
