import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ralph } from '../support/ralph.ts';
import { NODE_TEST_FILES, fingerprintOf, repositoryWith, temporaryFolder } from '../support/repositories.ts';
import { ShellTerminal, hasTmux, programFolder } from '../support/shell-terminal.ts';

const why = hasTmux ? '' : ' (skipped: tmux is missing)';

function terminalIn(root: string): ShellTerminal {
  const env = {
    PATH: `${programFolder()}:/usr/bin:/bin`,
    HOME: temporaryFolder(),
    TERM: 'xterm-256color',
    OPENAI_API_KEY: 'sk-none',
    PS1: '> ',
  };
  return new ShellTerminal(root, ['sh', '-i'], env);
}

describe('ralph init', () => {
  it.each(['--remove', '--all-green'])('refuses %s without --hooks, and writes nothing', async (option) => {
    const root = repositoryWith(NODE_TEST_FILES);
    const before = fingerprintOf(root);
    expect(await ralph(root, ['init', option])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/has an effect only with --hooks/),
    });
    expect(fingerprintOf(root)).toEqual(before);
  });
});

describe('ralph init in a terminal', () => {
  it.skipIf(!hasTmux)(`asks three questions and writes the answers${why}`, async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const terminal = terminalIn(root);
    try {
      terminal.type('ralph init', 'Enter');
      await terminal.waitFor(/Which actor repairs the code\?/);
      terminal.type('Down', 'Enter');
      await terminal.waitFor(/How long may a loop take\?/);
      terminal.type('C-u', '5', 'Enter');
      await terminal.waitFor(/A duration, such as/);
      terminal.type('m', 'Enter');
      await terminal.waitFor(/to this repository\?/);
      terminal.type('Down', 'Enter');
      await terminal.waitFor(/next: ralph doctor/);
    } finally {
      terminal.close();
    }
    const { stdout } = await ralph(root, ['config', 'show', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      settings: { actor: 'react', model: { name: 'openai/gpt-5' }, maxTimeMs: 300_000 },
    });
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toBe('node_modules\n.aiwg/\n');
  });

  it.skipIf(!hasTmux)(`writes nothing if the questions are cancelled${why}`, async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const before = fingerprintOf(root);
    const terminal = terminalIn(root);
    try {
      terminal.type('ralph init; echo "code $?"', 'Enter');
      await terminal.waitFor(/Which actor repairs the code\?/);
      terminal.type('C-c');
      await terminal.waitFor(/^code 130/m);
    } finally {
      terminal.close();
    }
    expect(fingerprintOf(root)).toBe(before);
    expect(existsSync(join(root, 'ralph.config.mjs'))).toBe(false);
  });
});

describe('ralph init without a terminal', () => {
  it.each([
    ['ralph.config.json', '{ "maxIterations": 3 }\n'],
    ['ralph.config.ts', 'export default { maxIterations: 3 };\n'],
  ])('does not change an existing %s', async (name, text) => {
    const root = repositoryWith(NODE_TEST_FILES);
    writeFileSync(join(root, name), text);
    expect(await ralph(root, ['init'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`${name}  already exists`),
    });
    expect(readFileSync(join(root, name), 'utf8')).toBe(text);
    expect(existsSync(join(root, 'ralph.config.mjs'))).toBe(false);
  });

  it('writes a file that is valid with all settings uncommented', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    await ralph(root, ['init']);
    const path = join(root, 'ralph.config.mjs');
    const lines = readFileSync(path, 'utf8').split('\n');
    const open = lines.map((line) => line.replace(/^ {2}\/\/ ([a-zA-Z]+: .*,)$/, '  $1'));
    expect(open).not.toEqual(lines);
    writeFileSync(path, open.join('\n'));
    expect((await ralph(root, ['trust'])).exitCode).toBe(0);
    const { stdout, stderr } = await ralph(root, ['config', 'show', '--format', 'json', '--actor', 'search']);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      settings: { maxCostUsd: 2, protect: ['snapshots/**'], command: 'my-agent --stdin' },
    });
  });
});
