import { execaSync } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ralph, ralphRun } from '../support/ralph.ts';
import { ShellTerminal, hasTmux, programFolder } from '../support/shell-terminal.ts';
import { HONEST_FIX, NODE_TEST_FILES, repositoryWith, temporaryFolder } from '../support/repositories.ts';

async function offered(root: string, ...words: string[]): Promise<string[]> {
  const { stdout } = await ralph(root, ['complete', '--', ...words]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0]!);
}

describe('ralph complete', () => {
  const root = repositoryWith(NODE_TEST_FILES);

  it.each([
    ['commands', [''], ['run', 'evaluate', 'doctor', 'completion']],
    ['the rest of a command', ['eval'], ['evaluate']],
    ['subcommands', ['reflections', 's'], ['show', 'search']],
    ['options', ['run', '--max-i'], ['--max-iterations']],
    ['the choices of an option', ['run', '--format', ''], ['text', 'json', 'jsonl']],
    ['the values of a setting', ['run', '--sandbox', 's'], ['strict']],
    ['a value after =', ['run', '--actor=s'], ['search']],
    ['a value after = as bash splits it', ['run', '--actor', '=', 's'], ['search']],
    ['categories', ['reflections', 'search', '--category', 'edge'], ['edge_case_miss']],
    ['agents', ['run', '--agent', 'open'], ['opencode']],
    ['types of lessons', ['lessons', 'add', '--type', 'fix'], ['fix_pattern']],
    ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['files for an option with a path', ['run', '--tasks', ''], [':files']],
    ['nothing for free text', ['run', '--prompt', ''], []],
    ['only arguments after --', ['resume', '--', '--'], []],
  ])('offers %s', async (_, words, expected) => {
    const all = await offered(root, ...words);
    if (words.length === 1 && words[0] === '') expect(all).toEqual(expect.arrayContaining(expected));
    else expect(all).toEqual(expected);
  });

  it('offers the loops of the repository, and none outside of a repository', async () => {
    const own = repositoryWith(NODE_TEST_FILES);
    const { verdict } = await ralphRun(own, ['--command', HONEST_FIX]);
    expect(await offered(own, 'undo', '')).toEqual([verdict.loop_id]);
    expect(await offered(own, 'reflections', 'list', '--loop', 'ralph-')).toEqual([verdict.loop_id]);
    expect(await offered(temporaryFolder(), 'undo', '')).toEqual([]);
  });

  it('is not listed in the help', async () => {
    expect((await ralph(root, ['--help'])).stdout).not.toMatch(/\bcomplete\b/);
    expect(await offered(root, 'complet')).toEqual(['completion']);
  });
});

const SHELLS = {
  bash: ['bash', '--noprofile', '--norc', '-i'],
  zsh: ['zsh', '-f', '-i'],
  fish: ['fish', '--no-config', '--interactive'],
} as const;
const START = {
  bash: 'PS1="> "; eval "$(ralph completion bash)"',
  zsh: 'PS1="> "; eval "$(ralph completion zsh)"',
  fish: 'function fish_prompt; echo -n "> "; end; ralph completion fish | source',
} as const;

describe.each(['bash', 'zsh', 'fish'] as const)('completion in %s', (shell) => {
  const isInstalled = execaSync(shell, ['--version'], { reject: false }).exitCode === 0;
  const why = isInstalled
    ? hasTmux
      ? ''
      : ' (skipped: tmux is missing)'
    : ` (skipped: ${shell} is missing)`;
  let terminal: ShellTerminal | undefined;

  beforeAll(() => {
    if (why !== '') return;
    const root = repositoryWith(NODE_TEST_FILES);
    const bin = programFolder();
    const env = { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: temporaryFolder(), TERM: 'xterm-256color' };
    terminal = new ShellTerminal(root, SHELLS[shell], env);
  });
  afterAll(() => terminal?.close());

  it.skipIf(why !== '')(`completes commands, options, values and files with Tab${why}`, async () => {
    const shown = terminal!;
    shown.type(START[shell], 'Enter');
    shown.type('clear', 'Enter');
    await shown.waitFor(/^> *$/m);
    for (const [typed, completed] of [
      ['ralph evalu', /ralph evaluate/],
      ['ralph run --max-it', /ralph run --max-iterations/],
      ['ralph run --sandbox stri', /--sandbox strict/],
      ['ralph reflections search --category edge', /--category edge_case_miss/],
      ['ralph-reflexion run --tasks pack', /--tasks package\.json/],
    ] as const) {
      shown.type('-l', typed);
      await shown.waitFor(new RegExp(typed));
      shown.type('Tab');
      await shown.waitFor(completed);
      shown.type('C-u');
    }
  });
});
