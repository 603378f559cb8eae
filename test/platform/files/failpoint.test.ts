import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { afterEach, describe, expect, it } from 'vitest';
import {
  armFailpoint,
  bytesBefore,
  failpoint,
  failpointHits,
  FAILPOINTS,
} from '../../../src/platform/files/failpoint.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const MODULE = join(import.meta.dirname, '../../../src/platform/files/failpoint.ts');
const SOURCES = join(import.meta.dirname, '../../../src');

afterEach(() => armFailpoint(undefined));

function inProcess(env: Record<string, string>): { signal: string | null; stdout: string } {
  const script = `
    import { failpoint } from ${JSON.stringify(MODULE)};
    for (const name of ['write.opened', 'write.synced', 'write.synced']) {
      try { failpoint(name, '/x/state.json'); console.log('passed'); } catch (error) { console.log(error.code); }
    }
  `;
  const { signal = null, stdout } = execaSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env.PATH, ...env },
    extendEnv: false,
    stripFinalNewline: false,
    reject: false,
  });
  return { signal, stdout };
}

describe('failpoint', () => {
  it('kills the process at the specified hit', () => {
    const env = { RALPH_TEST_RUN: '1', RALPH_FAILPOINT: 'write.synced:kill:2' };
    expect(inProcess(env)).toEqual({ signal: 'SIGKILL', stdout: 'passed\npassed\n' });
  });

  it('does nothing outside of a test run', () => {
    expect(inProcess({ RALPH_FAILPOINT: 'write.synced:kill' })).toEqual({
      signal: null,
      stdout: 'passed\npassed\npassed\n',
    });
  });

  it.each([
    ['write.synced@state.json:enospc', 'passed\nENOSPC\npassed\n'],
    ['write.synced@other.json:enospc', 'passed\npassed\npassed\n'],
    ['write.*:eio:2+', 'passed\nEIO\nEIO\n'],
    ['*:emfile:3', 'passed\npassed\nEMFILE\n'],
  ])('%s throws at the named hits only', (RALPH_FAILPOINT, stdout) => {
    expect(inProcess({ RALPH_TEST_RUN: '1', RALPH_FAILPOINT }).stdout).toBe(stdout);
  });

  it('traces every hit with its subject', () => {
    const file = join(temporaryFolder(), 'trace');
    inProcess({ RALPH_TEST_RUN: '1', RALPH_FAILPOINT: '*:trace', RALPH_FAILPOINT_TRACE: file });
    expect(readFileSync(file, 'utf8')).toBe(
      'write.opened /x/state.json\nwrite.synced /x/state.json\nwrite.synced /x/state.json\n',
    );
  });

  it.each(['nosuch:kill', 'write.synced', 'write.synced:explode', ':kill:x'])('refuses %j', (text) => {
    expect(() => armFailpoint(text)).toThrow('there is no such failpoint or action');
  });

  it('counts hits, and splits a write only if the failpoint is armed', () => {
    expect(bytesBefore('write.half', 9)).toBe(9);
    armFailpoint('write.*:eio:99');
    expect(bytesBefore('write.half', 9)).toBe(5);
    expect(bytesBefore('append.half', 9)).toBe(9);
    failpoint('write.opened');
    failpoint('call.begin');
    expect(failpointHits()).toBe(1);
  });

  it('is called in the source for each of its names', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('util/failpoint.ts'),
    );
    const text = files.map((file) => readFileSync(join(SOURCES, file), 'utf8')).join('\n');
    expect(FAILPOINTS.filter((name) => !text.includes(`failpoint('${name}'`))).toEqual([]);
  });
});
