import { execaSync } from 'execa';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptVariables } from '../../../src/checks/run/npm-variables.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const MANIFEST = {
  name: 'a',
  version: '1.2.3',
  config: { port: '80', a_b: 'x' },
  engines: { node: '>=20' },
  bin: { a: 'cli.js' },
  scripts: { test: 'node print.cjs' },
};
const PRINT = 'process.stdout.write(JSON.stringify(process.env))';

function packageFolder(): string {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': JSON.stringify(MANIFEST), 'print.cjs': PRINT });
  return root;
}

describe('the variables of a script', () => {
  it('are those that npm itself sets', () => {
    const root = packageFolder();
    const { stdout } = execaSync('npm', ['run', '--silent', 'test'], { cwd: root });
    // Its name of the command differs between versions.
    const { npm_command: command, ...ours } = scriptVariables('package.json#scripts.test', root, root);
    expect(command).toBe('run-script');
    expect(JSON.parse(stdout)).toMatchObject(ours);
    expect(ours).toMatchObject({ npm_package_config_a_b: 'x', npm_package_bin_a: 'cli.js' });
  });

  it('are those of the package around the folder of a command', () => {
    const root = packageFolder();
    writeFiles(root, { 'sub/x.js': '' });
    for (const source of ['package.json#scripts.test', 'packages/a/package.json#scripts.test'])
      expect(scriptVariables(source, join(root, 'sub'), root)['INIT_CWD']).toBe(root);
  });

  it.each(['--check tests=node a.js', 'tsconfig.json', 'package.json#scripts.gone'])(
    'are none for %s',
    (source) => {
      const root = packageFolder();
      expect(scriptVariables(source, root, root)).toEqual({});
    },
  );
});
