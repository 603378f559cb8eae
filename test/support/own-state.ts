/**
 * Set-up of every test file. A worker process runs one file after another, because a process for each file would cost more than
 * most files do. Each file still starts with modules, variables and globals that no earlier file has touched.
 */
import { afterAll, beforeEach, vi } from 'vitest';

/** In seconds since the epoch: CI skips what is left then, so that a slow machine still ends with a summary. Default: never. */
const END_OF_TIME = Number(process.env['TESTS_END_AT'] ?? Infinity);

vi.resetModules();
const environment = { ...process.env };

beforeEach(({ skip }) => skip(Date.now() / 1000 > END_OF_TIME, 'the time of CI is over'));

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env))
    if (!Object.hasOwn(environment, name)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, environment);
});
