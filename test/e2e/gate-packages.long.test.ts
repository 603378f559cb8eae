import { cpSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BROKEN, gateIn, PACKAGE_FILES, type Gate } from '../support/gate.ts';
import { temporaryFolder } from '../support/repositories.ts';

/** A started session in a repository whose test compares by an installed package. */
async function started(): Promise<Gate> {
  const gate = gateIn({
    ...PACKAGE_FILES,
    'node_modules/.package-lock.json': '{ "packages": { "node_modules/same": { "version": "1.0.0" } } }\n',
  });
  await gate.run(['start', '--hook', 'claude'], { session_id: 's1', cwd: gate.root });
  return gate;
}

const PATCHED = 'export const same = () => {};\n';

it.each<[string, (gate: Gate) => void, RegExp]>([
  [
    'a file of a package while the record of npm looks new',
    ({ root, write }) => {
      write('node_modules/same/index.js', PATCHED);
      utimesSync(join(root, 'node_modules/.package-lock.json'), new Date(), new Date());
    },
    /node_modules\/same\/index\.js of the installed packages was changed/,
  ],
  [
    'a package for a link to another',
    ({ root, write }) => {
      write('node_modules/same/index.js', PATCHED);
      const elsewhere = join(temporaryFolder(), 'same');
      cpSync(join(root, 'node_modules/same'), elsewhere, { recursive: true });
      rmSync(join(root, 'node_modules/same'), { recursive: true });
      symlinkSync(elsewhere, join(root, 'node_modules/same'));
    },
    /node_modules\/same, now a link to .* was changed/,
  ],
  [
    'all packages for a link to others',
    ({ root, write }) => {
      write('node_modules/same/index.js', PATCHED);
      const elsewhere = join(temporaryFolder(), 'packages');
      renameSync(join(root, 'node_modules'), elsewhere);
      symlinkSync(elsewhere, join(root, 'node_modules'));
    },
    /node_modules, now a link to .* was changed/,
  ],
])('the gate holds an agent that exchanges %s', async (_, change, reason) => {
  const gate = await started();
  gate.write('src/extra.js', 'export const one = 1;\n');
  expect((await gate.stop()).decision).toBeUndefined();
  gate.write('src/sums.js', BROKEN);
  change(gate);
  expect((await gate.stop()).reason).toMatch(reason);
});

it('the gate holds an agent that changes a package and no file, also after a stop that passed', async () => {
  const gate = await started();
  gate.write('node_modules/same/index.js', PATCHED);
  expect((await gate.stop()).reason).toMatch(/node_modules\/same\/index\.js of the installed packages/);
  const passed = await started();
  passed.write('src/extra.js', 'export const one = 1;\n');
  expect((await passed.stop()).decision).toBeUndefined();
  expect((await passed.stop()).decision).toBeUndefined();
  passed.write('node_modules/same/index.js', PATCHED);
  expect((await passed.stop()).reason).toMatch(/node_modules\/same\/index\.js of the installed packages/);
});
