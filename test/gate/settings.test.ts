import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RalphError } from '../../src/errors.ts';
import { addToArray, NotEditable, removeFromArray } from '../../src/gate/settings/edit-json.ts';
import { removeHooks, writeHooks } from '../../src/gate/settings/apply.ts';
import { describeHookChanges, filesWithHooksOff, hookState } from '../../src/gate/settings/hook-state.ts';
import type { HookCommands, HookFile } from '../../src/gate/settings/hook-file.ts';
import { HOOK_FILES, type HookTarget } from '../../src/gate/settings/index.ts';
import { repositoryWith, temporaryFolder, writeFiles } from '../support/repositories.ts';

afterEach(() => void vi.unstubAllEnvs());

const isOurs = (text: string): boolean => text.includes('ours');
const LIST = ['hooks', 'Stop'];

describe('editing settings in JSON', () => {
  it.each([
    ['an empty object', '{}', true],
    ['an object with a comment alone', '{\n  // Nothing yet.\n}\n', false],
    ['other settings', '{\n  "model": "x"\n}\n', true],
    ['a trailing comma and comments', '{\n  "model": "x", // why\n  /* more */\n}\n', true],
    [
      'other hooks',
      '{\n  "hooks": {\n    "Stop": [\n      {\n        "a": 1\n      }\n    ]\n  }\n}\n',
      true,
    ],
    ['hooks of another event', '{"hooks": {"Start": [1]}, "z": [] }', true],
    ['an empty list', '{"hooks": {"Stop": []}}', false],
    ['a list with a trailing comma', '{"hooks": {"Stop": [\n  "theirs", // mine\n]}}', true],
    ['a byte order mark', '\ufeff{ "model": "x" }\n', true],
  ])('adds an entry to %s and takes it out again', (_, text, isExact) => {
    const added = addToArray(text, LIST, { command: 'ours' });
    for (const line of text.match(/\/\/.*|\/\*.*\*\/|"\w+"/g) ?? []) expect(added).toContain(line);
    const strict = (json: string): unknown =>
      JSON.parse(json.replace(/\ufeff|\/\/.*|\/\*[^]*?\*\//g, '').replace(/,(?=\s*[}\]])/g, ''));
    const entries = (strict(added) as { hooks: { Stop: unknown[] } }).hooks.Stop;
    expect(entries.at(-1)).toEqual({ command: 'ours' });
    const removed = removeFromArray(added, LIST, isOurs);
    expect(removed).not.toContain('ours');
    if (isExact) expect(strict(removed)).toEqual(strict(text));
  });

  it.each([
    ['it is not JSON', '{ "a": '],
    ['it is not a JSON object', '[]'],
    ['its "hooks" is not an object', '{"hooks": []}'],
    ['its "Stop" is not a list', '{"hooks": {"Stop": {}}}'],
  ])('says why it cannot: %s', (message, text) => {
    expect(() => addToArray(text, LIST, 1)).toThrow(NotEditable);
    expect(() => addToArray(text, LIST, 1)).toThrow(message);
  });

  it('leaves entries of others alone, and removes all of its own', () => {
    const text = '{"hooks": {"Stop": ["ours 1", "theirs", "ours 2"]}}';
    expect(JSON.parse(removeFromArray(text, LIST, isOurs))).toEqual({ hooks: { Stop: ['theirs'] } });
  });
});

const COMMANDS: HookCommands = {
  start: 'ralph gate start --hook x',
  ahead: 'ralph gate ahead --hook x',
  check: 'ralph gate check --hook x',
  program: ['ralph'],
  options: [],
};

function filesOf(root: string, target: HookTarget, commands = COMMANDS): HookFile[] {
  return HOOK_FILES[target](commands, join(root, '.git/hooks'));
}

function textOf(root: string, path: string): string {
  return readFileSync(path.startsWith('/') ? path : join(root, path), 'utf8');
}

describe('the hooks of an agent', () => {
  it.each(Object.keys(HOOK_FILES) as HookTarget[])(
    'of %s are written once and removed without a trace',
    async (target) => {
      const root = temporaryFolder();
      for (const file of filesOf(root, target)) {
        expect(await writeHooks(root, file)).toBe('written');
        const text = textOf(root, file.path);
        expect(text).toMatch(/gate/);
        expect(await writeHooks(root, file)).toBe('there already');
        expect(textOf(root, file.path)).toBe(text);
        expect(await removeHooks(root, file)).toBe('removed');
        expect(existsSync(join(root, file.path))).toBe(false);
        expect(await removeHooks(root, file)).toBe('not there');
      }
    },
  );

  it.each<[HookTarget, string]>([
    ['claude', 'PostToolUse'],
    ['codex', 'PostToolUse'],
    ['gemini', 'AfterTool'],
  ])('of %s judge ahead after the tools that may change files', async (target, event) => {
    const root = temporaryFolder();
    const [file] = filesOf(root, target);
    await writeHooks(root, file!);
    const { hooks } = JSON.parse(textOf(root, file!.path)) as { hooks: Record<string, [object]> };
    expect(hooks[event]).toHaveLength(1);
    expect(hooks[event]![0]).toMatchObject({
      matcher: expect.stringMatching(/\|/),
      hooks: [{ command: 'ralph gate ahead --hook x' }],
    });
  });

  it.each<[HookTarget, string, string]>([
    ['claude', '{ "hooks": [] }', 'is not an object'],
    ['gemini', 'model = "x"', 'is not JSON'],
    ['git', '#!/bin/sh\nnpm test\n', 'ralph did not write it'],
    ['opencode', 'export const Mine = 1;\n', 'ralph did not write it'],
  ])(
    'of %s are refused beside something else, which stays, with what to add by hand',
    async (target, text, why) => {
      const root = temporaryFolder();
      const [file] = filesOf(root, target);
      const path = file!.path.startsWith('/') ? file!.path : join(root, file!.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      await expect(writeHooks(root, file!)).rejects.toMatchObject({
        message: expect.stringContaining(why),
        hint: expect.stringContaining('by hand'),
      });
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('of a file that is not JSON are to be removed by hand', async () => {
    const root = temporaryFolder();
    const [file] = filesOf(root, 'claude');
    writeFiles(root, { [file!.path]: 'model: opus' });
    await expect(removeHooks(root, file!)).rejects.toMatchObject({
      hint: expect.stringMatching(/remove by hand/),
    });
  });

  it('to add by hand have the form of the settings', async () => {
    const [root, empty] = [temporaryFolder(), temporaryFolder()];
    const [file] = filesOf(root, 'claude');
    mkdirSync(join(root, dirname(file!.path)), { recursive: true });
    writeFileSync(join(root, file!.path), 'model = "x"\n');
    const error = await writeHooks(root, file!).catch((caught: unknown) => caught as RalphError);
    await writeHooks(empty, file!);
    const written: unknown = JSON.parse(readFileSync(join(empty, file!.path), 'utf8'));
    const { hint = '' } = error as RalphError;
    expect(JSON.parse(hint.slice(hint.indexOf('{')))).toEqual(written);
  });

  it('are written to where a link leads, and the link stays', async () => {
    const root = temporaryFolder();
    writeFiles(root, { 'dotfiles/settings.json': '{"model": "x"}\n', '.claude/other.json': '{}' });
    const [link, target] = [join(root, '.claude/settings.json'), join(root, 'dotfiles/settings.json')];
    chmodSync(target, 0o600);
    symlinkSync('../dotfiles/settings.json', link);
    const [file] = filesOf(root, 'claude');
    await writeHooks(root, file!);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect([readFileSync(target, 'utf8'), statSync(target).mode & 0o777]).toEqual([
      expect.stringContaining('ralph gate'),
      0o600,
    ]);
    await removeHooks(root, file!);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ model: 'x' });
    rmSync(target);
    await expect(writeHooks(root, file!)).rejects.toThrow(/is a link to nothing/);
  });

  it.each([
    ['an empty object', '{}'],
    ['an empty list of hooks', '{\r\n\t"model": "x",\r\n\t"hooks": {\r\n\t\t"Stop": []\r\n\t}\r\n}\r\n'],
    ['two lists of hooks', '{"hooks":{"Stop":[]},"hooks":{}}\n'],
    ['comments alone', '{\n    "hooks": { // mine\n    }\n}\n\n\n'],
  ])('are taken out of %s so that every byte is as before', async (_, text) => {
    vi.stubEnv('XDG_STATE_HOME', temporaryFolder());
    const root = temporaryFolder();
    const [file] = filesOf(root, 'claude');
    writeFiles(root, { [file!.path]: text });
    expect(await writeHooks(root, file!)).toBe('written');
    const written = textOf(root, file!.path);
    expect(await writeHooks(root, file!)).toBe('there already');
    expect(textOf(root, file!.path)).toBe(written);
    const { hooks } = JSON.parse(written.replace(/\/\/.*/g, '')) as { hooks: Record<string, unknown> };
    expect(Object.keys(hooks)).toContain('SessionStart');
    expect(await removeHooks(root, file!)).toBe('removed');
    expect(textOf(root, file!.path)).toBe(text);
    vi.stubEnv('XDG_STATE_HOME', temporaryFolder());
    await writeHooks(root, file!);
    const [other] = filesOf(root, 'claude', { ...COMMANDS, check: `${COMMANDS.check} --all-green` });
    expect(await writeHooks(root, other!)).toBe('written');
    expect(await removeHooks(root, other!)).toBe('removed');
    expect(textOf(root, file!.path)).not.toContain('ralph gate');
    writeFiles(root, { [file!.path]: text });
    await writeHooks(root, file!);
    writeFiles(root, { [file!.path]: textOf(root, file!.path).replace('{', '{ "mine": 1,') });
    expect(await removeHooks(root, file!)).toBe('removed');
    expect(textOf(root, file!.path)).toContain('"mine": 1');
  });

  it('are not written to a read-only file', async () => {
    const root = temporaryFolder();
    const [file] = filesOf(root, 'claude');
    mkdirSync(join(root, '.claude'));
    writeFileSync(join(root, file!.path), '{}\n');
    chmodSync(join(root, file!.path), 0o444);
    await expect(writeHooks(root, file!)).rejects.toThrow(/read-only/);
    expect(textOf(root, file!.path)).toBe('{}\n');
  });
});

describe('the state of the hooks', () => {
  const CALL = '{ "command": "ralph gate check --hook claude" }';
  const HOOK = '#!/bin/sh\nexec ralph gate check --hook git\n';
  const SETTINGS = `{\n  "hooks": [\n    ${CALL}\n  ]\n}\n`;

  it.each([
    [
      'a permission that is added',
      '.claude/settings.json',
      SETTINGS.replace('{', '{\n  "permissions": ["x"],'),
      false,
    ],
    ['a call that is gone', '.claude/settings.json', '{}', true],
    [
      'a call that does something else',
      '.claude/settings.json',
      SETTINGS.replace('ralph gate', 'true || ralph gate'),
      true,
    ],
    ['hooks that are off', '.claude/settings.local.json', '{ "disableAllHooks" : true }', true],
    [
      'a variable of a loop',
      '.claude/settings.json',
      SETTINGS.replace('{', '{\n"env": {"RALPH_LOOP_ID": "x"},'),
      true,
    ],
  ])('tells of %s', (_, file, text, isTold) => {
    const [root, home] = [temporaryFolder(), temporaryFolder()];
    writeFiles(root, { '.claude/settings.json': SETTINGS });
    const before = hookState(root, home);
    expect(before).toEqual([`.claude/settings.json: ${CALL}`]);
    expect(describeHookChanges(before, hookState(root, home))).toEqual([]);
    writeFiles(root, { [file]: text });
    const told = describeHookChanges(before, hookState(root, home));
    expect(told).toEqual(isTold ? [expect.stringContaining(`see ${file}.`) as string] : []);
  });

  it.each<[string, (root: string) => void, string | undefined]>([
    ['another file of git', (root) => writeFiles(root, { '.git/hooks/post-commit': 'x' }), undefined],
    [
      'a hook that does nothing',
      (root) => writeFiles(root, { '.git/hooks/pre-commit': 'exit 0' }),
      'pre-commit',
    ],
    [
      'a hook that ends before the call',
      (root) => writeFiles(root, { '.git/hooks/pre-push': `exit 0\n${HOOK}` }),
      'pre-push',
    ],
    ['a hook that is gone', (root) => rmSync(join(root, '.git/hooks/pre-push')), 'pre-push'],
    ['a hook that is no program', (root) => chmodSync(join(root, '.git/hooks/pre-push'), 0o644), 'pre-push'],
    [
      'another folder of hooks',
      (root) => writeFiles(root, { '.git/config': '[core]\n\thooksPath = /dev/null\n' }),
      '.git/config',
    ],
  ])('tells of %s', (_, change, told) => {
    const [root, home] = [temporaryFolder(), temporaryFolder()];
    for (const name of ['pre-commit', 'pre-push']) {
      writeFiles(root, { [`.git/hooks/${name}`]: HOOK });
      chmodSync(join(root, '.git/hooks', name), 0o755);
    }
    const before = hookState(root, home);
    expect(before).toHaveLength(2);
    change(root);
    expect(describeHookChanges(before, hookState(root, home))).toEqual(
      told === undefined ? [] : [expect.stringContaining(told) as string],
    );
  });

  it.each([
    [
      'a file that the settings of the repository include',
      '.git/config',
      '[include]\n\tpath = inc\n',
      '.git/inc',
    ],
    [
      'the settings of the work tree',
      '.git/config',
      '[core]\n\trepositoryformatversion = 0\n[extensions]\n\tworktreeConfig = true\n',
      '.git/config.worktree',
    ],
  ])('tells of another folder of hooks in %s', (_, file, text, further) => {
    const root = repositoryWith({ 'a.js': '' });
    const home = temporaryFolder();
    writeFiles(root, { '.git/hooks/pre-commit': HOOK });
    chmodSync(join(root, '.git/hooks/pre-commit'), 0o755);
    const before = hookState(root, home);
    writeFiles(root, { [file]: text });
    expect(describeHookChanges(before, hookState(root, home))).toEqual([]);
    writeFiles(root, { [further]: '[core]\n\thooksPath = none\n' });
    expect(describeHookChanges(before, hookState(root, home))).toEqual([
      expect.stringContaining(`see ${further}.`) as string,
    ]);
  });

  it('says nothing of the folder of hooks where no hook of git calls the gate', () => {
    const [root, home] = [temporaryFolder(), temporaryFolder()];
    writeFiles(root, {
      '.git/config': '[core]\n\thooksPath = .husky/_\n',
      '.husky/_/pre-commit': 'npm test',
    });
    expect(hookState(root, home)).toEqual([]);
    writeFiles(root, { '.husky/_/pre-commit': HOOK });
    expect(hookState(root, home)).toHaveLength(2);
  });

  it('tells of hooks that the settings of the home folder switch off', () => {
    const [root, home] = [temporaryFolder(), temporaryFolder()];
    const before = hookState(root, home);
    writeFiles(home, { '.claude/settings.json': '{"disableAllHooks":true}' });
    expect(describeHookChanges(before, hookState(root, home))[0]).toMatch(/see ~\/.claude\/settings.json/);
    writeFiles(root, { '.claude/settings.local.json': '{"disableAllHooks":false}' });
    expect(filesWithHooksOff(root, home)).toEqual(['~/.claude/settings.json']);
  });
});
