import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainScript } from '../../../src/checks/run/plain-script.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

interface Package {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly version?: string;
}

function packageWith(manifest: Package | string, files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  writeFiles(folder, { 'package.json': text, ...files });
  return folder;
}

const BUILD = { scripts: { build: 'tsc -p . && node make.js' }, name: 'a', version: '1.2.3' };

describe('the script behind a call of npm or pnpm', () => {
  it.each(['npm run build', 'pnpm run build'])('is what a shell runs: %s', (command) => {
    const folder = packageWith(BUILD);
    expect(plainScript(command, folder)).toEqual({
      shell: 'tsc -p . && node make.js',
      env: {
        npm_command: 'run-script',
        npm_lifecycle_event: 'build',
        npm_lifecycle_script: 'tsc -p . && node make.js',
        npm_package_json: join(folder, 'package.json'),
        npm_package_name: 'a',
        npm_package_version: '1.2.3',
        npm_config_local_prefix: folder,
        INIT_CWD: folder,
      },
    });
  });

  it.each<[string, string, Package | string, Readonly<Record<string, string>>?]>([
    ['another command', 'node make.js', BUILD],
    ['arguments', 'npm run build -- --all', BUILD],
    ['yarn, which has a shell of its own', 'yarn run build', BUILD],
    ['another package', 'npm run build -w a', BUILD],
    ['no such script', 'npm run constructor', BUILD],
    ['a script before it', 'npm run build', { scripts: { build: 'tsc', prebuild: 'rm -r dist' } }],
    ['a script behind it', 'npm run build', { scripts: { build: 'tsc', postbuild: 'cp a dist' } }],
    ['a call of the manager', 'npm run build', { scripts: { build: 'npm run a && tsc' } }],
    ['several scripts', 'npm run build', { scripts: { build: 'run-s a b' } }],
    ['a setting of npm', 'npm run build', { scripts: { build: 'node a.js $npm_config_x' } }],
    ['a value of package.json', 'npm run build', { scripts: { build: 'node a.js $npm_package_name' } }],
    ['another shell', 'npm run build', BUILD, { '.npmrc': 'script-shell=bash\n' }],
    ['no script at all', 'npm run build', { name: 'a' }],
    ['a damaged package.json', 'npm run build', '{'],
  ])('is left to the manager with %s', (_, command, manifest, files) => {
    expect(plainScript(command, packageWith(manifest, files))).toBeUndefined();
  });

  it('is left to the manager in a folder without a package.json', () => {
    expect(plainScript('npm run build', temporaryFolder())).toBeUndefined();
  });
});
