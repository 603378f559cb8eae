import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { OUTPUT_BYTES } from '../../../src/agents/tools/command-output.ts';
import { runsTests } from '../../../src/agents/tools/test-command.ts';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { toolBench } from './tool-bench.ts';

describe('bash', () => {
  it.each([
    ['output and exit code', 'echo one; echo two', 'one\ntwo\n[exit code 0]'],
    ['a failure as a result', 'echo no; exit 3', 'no\n[exit code 3]'],
    ['only the exit code', 'true', '[exit code 0]'],
    ['both streams in order', 'echo a; echo b >&2; echo c; echo d >&2', 'a\nb\nc\nd\n[exit code 0]'],
    ['an unknown command', 'nosuchcommand 2>/dev/null', '[exit code 127]'],
    ['the signal that killed it', 'kill -9 $$', '[killed by SIGKILL]'],
    ['the end of input', 'cat; echo end', 'end\n[exit code 0]'],
    ['several lines', 'for i in 1 2\ndo echo $i\ndone', '1\n2\n[exit code 0]'],
    ['text without colours', String.raw`printf '\033[31mred\033[0m\n'`, 'red\n[exit code 0]'],
    [
      'the last state of a progress line',
      String.raw`printf '10%%\r50%%\r100%%\nok\r\n'`,
      '100%\nok\n[exit code 0]',
    ],
  ])('returns %s', async (_name, command, expected) => {
    expect(await toolBench().call('bash', { command })).toBe(expected);
  });

  it('returns a syntax error', async () => {
    expect(await toolBench().call('bash', { command: 'if' })).toMatch(
      /\b1: [^]*[Ss]yntax error[^]*\[exit code 2\]$/,
    );
  });

  it('runs in the package folder and shows the root as a dot', async () => {
    const bench = toolBench({ 'packages/a/x': '' }, { cwd: 'packages/a' });
    const command = `pwd; echo "at file://${bench.root}/src/a.ts:1, ${bench.root}, ${bench.root}-2"`;
    const text = await bench.call('bash', { command });
    expect(text).toBe(`./packages/a\nat ./src/a.ts:1, ., ${bench.root}-2\n[exit code 0]`);
    expect(bench.actions[0]!.command).toContain('echo "at ./src/a.ts:1, ., ');
  });

  it('runs with the given environment, without secrets by default', async () => {
    process.env.RALPH_TEST_API_KEY = 'hidden';
    process.env.PLAIN_FOR_TEST = 'shown';
    const command = 'echo "$RALPH_TEST_API_KEY.$PLAIN_FOR_TEST.$GIVEN"';
    expect(await toolBench().call('bash', { command })).toBe('.shown.\n[exit code 0]');
    const given = toolBench({}, { env: (extra) => childEnvironment({ ...extra, GIVEN: 'yes' }) });
    expect(await given.call('bash', { command })).toBe('.shown.yes\n[exit code 0]');
    delete process.env.RALPH_TEST_API_KEY;
    delete process.env.PLAIN_FOR_TEST;
  });

  it('returns head and tail of long output and the number of omitted characters', async () => {
    const text = await toolBench().call('bash', { command: 'seq 1 20000' });
    expect(Buffer.byteLength(text)).toBeLessThan(OUTPUT_BYTES + 200);
    expect(text).toMatch(/^1\n2\n/);
    expect(text).toMatch(/\n20000\n\[exit code 0\]$/);
    const shown = text.replace(/\n\[… \d+ characters left out …\]\n/, '').replace(/\n\[exit code 0\]$/, '');
    const total = Array.from({ length: 20_000 }, (_, index) => `${index + 1}`).join('\n').length;
    expect(text).toContain(`[… ${total - shown.length} characters left out …]`);
  });

  it('keeps endless output in bounded memory', async () => {
    const before = process.memoryUsage().rss;
    const text = await toolBench().call('bash', { command: 'yes zebra | head -c 300000000; echo; echo end' });
    expect(text).toMatch(/^zebra\n[^]*end\n\[exit code 0\]$/);
    const left = [...text.matchAll(/(\d+) characters left out/g)].map(([, count]) => Number(count));
    expect(left).toEqual([300_000_004 - OUTPUT_BYTES]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it('does not cut characters', async () => {
    const text = await toolBench().call('bash', {
      command: `node -e "console.log('x' + 'é'.repeat(20000))"`,
    });
    expect(text).not.toContain('\u{fffd}');
    expect(text).toContain('left out');
  });

  it.each([
    ['its timeout', { timeout: 1 }, /^begun\n\[stopped after 1 s; run less, or set a longer timeout\]$/],
    ['the default timeout', {}, /^begun\n\[stopped after 0\.8 s;/],
  ])('is stopped by %s, with its child processes', async (_name, input, expected) => {
    const bench = toolBench({}, { bashTimeoutMs: 800 });
    expect(await bench.call('bash', { command: `echo begun; ${GRANDCHILDREN}; sleep 60`, ...input })).toMatch(
      expected,
    );
    expect(await survivorsOf(bench.root)).toEqual([]);
  });

  it('is stopped by an abort, with its child processes', async () => {
    const bench = toolBench();
    const controller = new AbortController();
    const called = bench.call(
      'bash',
      { command: `${GRANDCHILDREN}; touch ready; sleep 60` },
      controller.signal,
    );
    while (!existsSync(join(bench.root, 'ready'))) await sleep(10);
    expect((await survivorsOf(bench.root)).length).toBeGreaterThan(0);
    controller.abort();
    expect(await called).toBe('[stopped: the attempt is over]');
    expect(await survivorsOf(bench.root)).toEqual([]);
    expect(bench.actions).toMatchObject([{ type: 'command_execution' }]);
  });

  it('leaves no process running at its end', async () => {
    const bench = toolBench();
    expect(await bench.call('bash', { command: `${GRANDCHILDREN}; echo done` })).toBe('done\n[exit code 0]');
    expect(await survivorsOf(bench.root)).toEqual([]);
  });

  it('refuses an empty command', async () => {
    expect(await toolBench().refusal('bash', { command: ' ' })).toBe(
      'command is empty; give a command line.',
    );
    expect(await toolBench().refusal('bash', { command: 'echo a\0b' })).toMatch(/NUL/);
  });

  it('reports a missing package folder', async () => {
    const bench = toolBench({}, { cwd: 'gone' });
    expect(await bench.call('bash', { command: 'true' })).toBe(
      '[sh could not be started in the package folder]',
    );
  });
});

/** One process in the background, one in a new session. */
const GRANDCHILDREN = '(sleep 300 &); (setsid sleep 300 >/dev/null 2>&1 &)';

/** The ids of processes whose working directory is the folder. */
async function survivorsOf(folder: string): Promise<string[]> {
  await sleep(50);
  return readdirSync('/proc').filter(
    (id) => /^\d+$/.test(id) && id !== String(process.pid) && worksIn(id, folder),
  );
}

function worksIn(id: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${id}/cwd`) === folder;
  } catch {
    return false;
  }
}

describe('runsTests', () => {
  it.each([
    'npm test',
    'npm t -- --grep x',
    'npm run test:unit',
    'pnpm test',
    'yarn vitest run',
    'npx vitest run src/a.test.ts',
    'npx --yes jest',
    'cd packages/a && npm test',
    'CI=1 npx mocha',
    'node --test test/',
    'node --experimental-strip-types --test',
    'node node_modules/vitest/vitest.mjs run',
    './node_modules/.bin/ava',
    'timeout 60 npm test 2>&1 | tail -20',
    'npm exec -- vitest',
    'pnpm exec jest',
    'npx c8 mocha',
    'npm run build; npm test',
  ])('recognises: %s', (command) => {
    expect(runsTests(command)).toBe(true);
  });

  it.each([
    'npx tsc --noEmit',
    'npm run build',
    'npm install jest',
    'npm run testify',
    'cat vitest.config.ts',
    'grep -rn jest package.json',
    'echo npm test',
    'node src/test.js',
    'ls test',
    'npm',
    'CI=1',
    '',
  ])('rejects: %s', (command) => {
    expect(runsTests(command)).toBe(false);
  });

  it('decides the type of the action', async () => {
    const bench = toolBench({ 'a.test.mjs': `import 'node:test';` });
    await bench.call('bash', { command: 'node --test' });
    await bench.call('bash', { command: 'echo hi' });
    expect(bench.actions).toMatchObject([
      { type: 'test_execution', command: 'node --test', description: 'Ran a command: exit code 0.' },
      { type: 'command_execution', command: 'echo hi' },
    ]);
  });
});
