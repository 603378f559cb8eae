/**
 * Set-up of every test file. A worker process runs one file after another, because a process for each file would cost more than
 * most files do. Each file still starts with modules, variables and globals that no earlier file has touched.
 */
import { afterAll, vi } from 'vitest';

vi.resetModules();
const environment = { ...process.env };

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env))
    if (!Object.hasOwn(environment, name)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
});
