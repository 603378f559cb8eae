import { join } from 'node:path';
import { execaSync } from 'execa';
import { expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, '../../../src/platform/files/sqlite.ts');

it('loads SQLite without the warning that it is experimental, and lets other warnings through', () => {
  // Node 22 warns like this when the module is first loaded; Node 24 does not.
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
  const run = execaSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(run.stdout).toBe('function');
  expect(run.stderr).toContain('something during');
  expect(run.stderr).toContain('something after');
  expect(run.stderr).not.toContain('SQLite');
});
