import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { allSettings, configProperties, flagSettings } from '../../src/config/setting-list.ts';
import { ralph } from '../support/ralph.ts';
import { NODE_TEST_FILES, repositoryWith, temporaryFolder } from '../support/repositories.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('help', () => {
  it('fits on a screen of 24 lines by 80 columns, and lists every visible command', async () => {
    const { stdout, exitCode } = await ralph(temporaryFolder(), ['--help']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    const program = createProgram([]);
    for (const command of program.createHelp().visibleCommands(program)) {
      if (command.name() !== 'help') expect(stdout).toMatch(new RegExp(`[ ,]${command.name()}(,|$)`, 'm'));
    }
    expect(exitCode).toBe(0);
  });

  it('groups the options of run under headings, each option once, with examples', async () => {
    const { stdout } = await ralph(temporaryFolder(), ['run', '--help']);
    const headings = [...stdout.matchAll(/^([A-Z][a-z ]+):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(
      expect.arrayContaining(['Task', 'Actor', 'Model', 'Budgets', 'Checks', 'Bounds', 'Output', 'Examples']),
    );
    expect(new Set(headings).size).toBe(headings.length);
    for (const { flag } of flagSettings()) expect(stdout.split(`  ${flag}`).length, flag).toBe(2);
  });

  it('is the same for a command that is declared alone', () => {
    const whole = createProgram([]);
    const visible = whole.createHelp().visibleCommands(whole);
    for (const command of visible.filter((command) => command.name() !== 'help')) {
      const single = createProgram([command.name(), '--help']);
      const declared = single.commands.find((other) => other.name() === command.name());
      expect(declared?.helpInformation(), command.name()).toBe(command.helpInformation());
      expect(single.commands.length).toBeLessThan(whole.commands.length / 2);
    }
  });

  it('has a group and a description for every setting of the schema', () => {
    const keys = Object.keys(configProperties()).filter((key) => key !== '$schema');
    expect(allSettings().map(({ key }) => key)).toEqual(keys);
    expect(allSettings().filter(({ description }) => description === '')).toEqual([]);
  });
});

describe('the nearest name', () => {
  it.each([
    ['a command', ['evalute'], /ralph evaluate/],
    ['a command below one', ['reflections', 'serch'], /Did you mean search\?/],
    ['an option', ['run', '--max-iteration', '3'], /Did you mean --max-iterations\?/],
    ['a choice', ['list', '--format', 'jsn'], /Did you mean json\?/],
    ['a value of a setting', ['run', '--actor', 'serch'], /Did you mean search\?/],
    ['a value of the environment', ['run'], /RALPH_SANDBOX is "strikt"[^]*Did you mean strict\?/],
    ['a category', ['reflections', 'search', '--category', 'logic_eror'], /logic_error/],
    ['a shell', ['completion', 'bsh'], /Did you mean bash\?/],
  ])('is suggested for %s', async (name, args, says) => {
    const env: Record<string, string> =
      name === 'a value of the environment' ? { RALPH_SANDBOX: 'strikt' } : {};
    const finished = await ralph(repositoryWith(NODE_TEST_FILES), args, { env });
    expect(finished).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(says) });
  });

  it('is not suggested for a name that resembles none', async () => {
    const { stderr } = await ralph(repositoryWith(NODE_TEST_FILES), ['run', '--actor', 'zzzzzzzz']);
    expect(stderr).not.toMatch(/Did you mean/);
  });
});

describe('man page', () => {
  const page = join(ROOT, 'docs', 'man', 'ralph.1');
  const hasGroff = execaSync('groff', ['--version'], { reject: false }).exitCode === 0;

  it.skipIf(!hasGroff)(
    `is rendered by groff without warnings${hasGroff ? '' : ' (skipped: groff is missing)'}`,
    () => {
      const { stdout, stderr } = execaSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou', '-rLL=78n', page]);
      expect(stderr).toBe('');
      const text = stripVTControlCharacters(stdout);
      for (const part of [
        'NAME',
        'SYNOPSIS',
        'EXIT STATUS',
        'FILES',
        'EXAMPLES',
        '--max-iterations <n>',
        'ralph reflections search',
        '…',
      ])
        expect(text).toContain(part);
      for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    },
  );

  it('contains only known macros, so that no text is taken for one', () => {
    const requests = readFileSync(page, 'utf8').match(/^[.'].*$/gm) ?? [];
    expect(requests.filter((line) => !/^\.(\\"|TH|nh|SH|SS|TP|PP|B|I|RI|br)( |$)/.test(line))).toEqual([]);
  });
});

describe('generated pages', () => {
  it('are up to date', () => {
    const script = join(ROOT, 'scripts', 'generate-docs.ts');
    expect(execaSync(process.execPath, [script, '--check'], { cwd: ROOT }).stdout).toBe('');
  });
});
