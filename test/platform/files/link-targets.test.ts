import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { linkTargets } from '../../../src/platform/files/link-targets.ts';
import { temporaryFolder } from '../../support/repositories.ts';

it('resolves links through links and linked folders, as the system does', () => {
  const root = realpathSync(temporaryFolder());
  for (const name of ['bin', 'etc', 'opt/browser', 'opt/deep/er'])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ['opt/browser/run', 'opt/deep/run', 'bin/plain']) writeFileSync(join(root, name), '');
  const links = {
    'etc/run': '../opt/browser/run',
    'bin/absolute': join(root, 'opt/browser/run'),
    'bin/chain': join(root, 'etc/run'),
    // `..` of the folder that `etc/deep` leads to.
    'etc/deep': '../opt/deep/er',
    'bin/up': '../etc/deep/../run',
    'bin/through': '../etc/deep/../../browser/run',
    'bin/own': 'plain',
    'bin/nowhere': '../etc/gone',
    'bin/round': '../bin/round',
    sbin: 'bin',
  };
  for (const [name, text] of Object.entries(links)) symlinkSync(text, join(root, name));
  const [run, deep] = [join(root, 'opt/browser/run'), join(root, 'opt/deep/run')];
  expect(realpathSync.native(join(root, 'bin/up'))).toBe(deep);
  const found = linkTargets([join(root, 'bin'), join(root, 'sbin'), join(root, 'none')]);
  expect(found.sort()).toEqual([run, run, run, deep].sort());
});
