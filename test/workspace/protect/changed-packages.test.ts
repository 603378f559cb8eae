import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { changedPackage } from '../../../src/workspace/protect/changed-packages.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const RECORD = 'node_modules/.package-lock.json';
const LOCKED = { packages: { 'node_modules/one': { version: '1.0.0' }, 'node_modules/two': {} } };

interface Installed {
  readonly root: string;
  /** Another folder, outside of the repository. */
  readonly outside: string;
  readonly sinceMs: number;
}

/** A repository with installed packages, and a time after they were installed. */
async function installed(files: Readonly<Record<string, string | object>> = {}): Promise<Installed> {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  writeFiles(root, {
    'package.json': { name: 'shop', dependencies: { one: '1.0.0', two: '1.0.0' } },
    ...packageFiles('one'),
    ...packageFiles('two'),
    'node_modules/two/build/made.js': 'module.exports = 2;\n',
    [RECORD]: `${JSON.stringify(LOCKED, undefined, 2)}\n`,
    ...files,
  });
  await sleep(30);
  return { root, outside, sinceMs: Date.now() - 10 };
}

function packageFiles(name: string, version = '1.0.0'): Record<string, string | object> {
  return {
    [`node_modules/${name}/package.json`]: { name, version },
    [`node_modules/${name}/index.js`]: `module.exports = '${name}';\n`,
  };
}

function asked({ root, sinceMs }: Installed, mayBeInstalled = true): string | undefined {
  return changedPackage({ repository: root, folders: ['node_modules'], sinceMs, mayBeInstalled });
}

describe('changes of installed packages by hand', () => {
  it('sees nothing in packages that are as they were', async () => {
    const place = await installed();
    expect([asked(place), asked(place, false)]).toEqual([undefined, undefined]);
  });

  it.each<[string, (place: Installed) => void, string]>([
    [
      'a file that was written while the record of npm was touched',
      ({ root }) => {
        writeFiles(root, { 'node_modules/one/index.js': 'x\n' });
        utimesSync(join(root, RECORD), new Date(), new Date());
      },
      'node_modules/one/index.js',
    ],
    [
      'a package that is a link to elsewhere',
      ({ root, outside }) => {
        renameSync(join(root, 'node_modules/one'), join(outside, 'one'));
        symlinkSync(join(outside, 'one'), join(root, 'node_modules/one'));
      },
      'node_modules/one, now a link to ',
    ],
    [
      'a package that is a link to a folder of the repository',
      ({ root }) => {
        renameSync(join(root, 'node_modules/one'), join(root, 'patched'));
        symlinkSync('../patched', join(root, 'node_modules/one'));
      },
      'node_modules/one, now a link to ',
    ],
    [
      'all packages as a link to elsewhere',
      ({ root, outside }) => {
        cpSync(join(root, 'node_modules'), join(outside, 'node_modules'), { recursive: true });
        rmSync(join(root, 'node_modules'), { recursive: true });
        symlinkSync(join(outside, 'node_modules'), join(root, 'node_modules'));
      },
      'node_modules, now a link to ',
    ],
    [
      'a package in a package',
      ({ root }) => {
        writeFiles(root, packageFiles('two', '1.1.0'));
        writeFileSync(join(root, 'node_modules/one/node_modules/three/index.js'), 'x\n');
      },
      'node_modules/one/node_modules/three/index.js',
    ],
    [
      'a copy in the place of a package that the record of npm, which is older, names',
      ({ root }) => {
        rmSync(join(root, 'node_modules/one'), { recursive: true });
        writeFiles(root, packageFiles('one'));
        const before = new Date(Date.now() - 600_000);
        utimesSync(join(root, RECORD), before, before);
      },
      'node_modules/one/',
    ],
  ])('sees %s', async (_, change, found) => {
    const nested = {
      'node_modules/one/node_modules/three/package.json': { name: 'three' },
      'node_modules/one/node_modules/three/index.js': 'module.exports = 3;\n',
    };
    const place = await installed(nested);
    change(place);
    expect(asked(place)).toMatch(new RegExp(`^${found}`));
  });

  it.each<[string, (place: Installed) => void]>([
    ['a package that npm has put in the place of another', ({ root }) => reinstall(root, 'one', '1.0.1')],
    ['a new package', ({ root }) => reinstall(root, 'four')],
    [
      'a new package in another',
      ({ root }) => {
        writeFiles(root, {
          'node_modules/one/node_modules/five/package.json': { name: 'five' },
          'node_modules/one/node_modules/five/index.js': 'module.exports = 5;\n',
        });
        reinstall(root, 'four');
      },
    ],
    [
      'what a build writes',
      ({ root }) => {
        writeFiles(root, { 'node_modules/two/build/made.js': 'x\n', 'node_modules/two/made.node': 'x' });
        reinstall(root, 'four');
      },
    ],
    [
      'all packages installed anew',
      ({ root }) => {
        rmSync(join(root, 'node_modules'), { recursive: true });
        writeFiles(root, { ...packageFiles('one'), ...packageFiles('two') });
        writeFiles(root, { [RECORD]: JSON.stringify(LOCKED) });
      },
    ],
    [
      'a link within the installed packages',
      ({ root }) => {
        writeFiles(root, { 'node_modules/.pnpm/six@1.0.0/node_modules/six/package.json': { name: 'six' } });
        symlinkSync('.pnpm/six@1.0.0/node_modules/six', join(root, 'node_modules/six'));
      },
    ],
  ])('lets %s be', async (_, change) => {
    const place = await installed();
    change(place);
    expect(asked(place)).toBeUndefined();
  });

  it('looks at the packages that are named first, and at no more files than it may', async () => {
    const place = await installed();
    writeFiles(place.root, { 'node_modules/two/index.js': 'x\n' });
    const look = { repository: place.root, folders: ['node_modules'], mayBeInstalled: false, ...place };
    expect(changedPackage({ ...look, mostEntries: 3 })).toBeUndefined();
    expect(changedPackage({ ...look, mostEntries: 3, first: ['two'] })).toBe('node_modules/two/index.js');
  });

  it.each<[string, Record<string, string | object>, string]>([
    ['packages of the repository', { 'package.json': { workspaces: ['own'] } }, 'own'],
    ['a folder that package.json names', { 'package.json': { dependencies: { own: 'file:../own' } } }, ''],
    ['the store of pnpm', { 'node_modules/.modules.yaml': 'virtualStoreDir: STORE\n' }, ''],
  ])('lets links to %s be', async (_, files, inside) => {
    const place = await installed();
    const { root, outside } = place;
    writeFiles(root, files);
    if ('node_modules/.modules.yaml' in files)
      writeFileSync(join(root, 'node_modules/.modules.yaml'), `virtualStoreDir: ${outside}\n`);
    const target = inside === '' ? join(outside, 'own') : join(root, inside);
    mkdirSync(target, { recursive: true });
    symlinkSync(target, join(root, 'node_modules/own'));
    expect(asked(place)).toBeUndefined();
  });
});

/** As npm does: a folder of its own, and the record at the end. */
function reinstall(root: string, name: string, version = '1.0.0'): void {
  rmSync(join(root, 'node_modules', name), { recursive: true, force: true });
  writeFiles(root, packageFiles(name, version));
  writeFiles(root, { [RECORD]: JSON.stringify(LOCKED) });
}
