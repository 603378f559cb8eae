import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, '../../../src/platform/files/sqlite.ts');

it('loads SQLite without the warning that it is experimental, and lets other warnings through', () => {
  // What Node 22 does when the module is first loaded; Node 24 no longer warns.
  const script = `
    const load = process.getBuiltinModule;
    process.getBuiltinModule = (name) => {
      process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
      process.emitWarning('something during');
      return load(name);
    };
    const { loadSqlite } = await import(${JSON.stringify(MODULE)});
    console.log(typeof loadSqlite().DatabaseSync);
    process.emitWarning('something after');
  `;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(run.stdout).toBe('function\n');
  expect(run.stderr).toContain('something during');
  expect(run.stderr).toContain('something after');
  expect(run.stderr).not.toContain('SQLite');
});
