import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  attemptFile,
  ensureRalphFolder,
  RALPH_PATHS,
  ralphFolder,
  resolveRalphPath,
} from '../../src/platform/ralph-folder.ts';

let folder: string;
let root: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-folder-')));
  root = join(folder, 'repository');
  mkdirSync(root);
  mkdirSync(join(folder, 'outside'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('ralphFolder', () => {
  const links: [string, string][] = [
    ['.aiwg', '../outside'],
    ['.aiwg', '/nowhere/at/all'],
    ['.aiwg/ralph', '../../outside'],
    ['.aiwg/ralph/loops', '../../../outside'],
  ];
  it.each(links)('refuses %s as a link to %s', (link, target) => {
    mkdirSync(join(root, link, '..'), { recursive: true });
    symlinkSync(target, join(root, link));
    const path = (): string => ralphFolder(root).loop('ralph-a');
    expect(path).toThrow(`${link} is a symbolic link that leads out of the repository.`);
    expect(path).toThrow(expect.objectContaining({ code: 'repository_unusable', exitCode: 4 }));
  });

  it('names a repository that was removed meanwhile', () => {
    rmSync(root, { recursive: true });
    const path = (): string => ralphFolder(root).loop('ralph-a');
    expect(path).toThrow(`${root} does not exist any more.`);
    expect(path).toThrow(expect.objectContaining({ code: 'repository_unusable', exitCode: 4 }));
  });

  it('accepts links that stay inside, and a repository reached through a link', () => {
    mkdirSync(join(root, 'state'));
    symlinkSync('state', join(root, '.aiwg'));
    symlinkSync('repository', join(folder, 'alias'));
    expect(ralphFolder(root).loops()).toBe(join(root, '.aiwg/ralph/loops'));
    expect(ralphFolder(join(folder, 'alias')).loops()).toBe(join(folder, 'alias/.aiwg/ralph/loops'));
  });
});

describe('resolveRalphPath', () => {
  it.each(['.aiwg/ralph/../x', '.aiwg/ralph/loops/../../x', '.aiwg', '../x', 'src', '.aiwg/ralph/a\0b'])(
    'refuses %j, which is not in the folder',
    (path) => {
      expect(() => resolveRalphPath(root, path)).toThrow('is not in .aiwg/ralph');
    },
  );
});

describe('RALPH_PATHS', () => {
  const id = 'ralph-a';
  it.each([
    [RALPH_PATHS.journal(id), 'loops/ralph-a/journal.jsonl'],
    [RALPH_PATHS.inAttempt(id, 1, 'patch.diff'), 'loops/ralph-a/attempts/001/patch.diff'],
    [RALPH_PATHS.inAttempt(id, 1000, 'patch.diff'), 'loops/ralph-a/attempts/1000/patch.diff'],
    [RALPH_PATHS.reflection(id, 0), 'reflections/ralph-a/001.json'],
    [RALPH_PATHS.index('-wal'), 'index.sqlite-wal'],
    [RALPH_PATHS.inMemory('history/playbook-0001.json'), 'memory/history/playbook-0001.json'],
  ])('spells %s', (path, expected) => {
    expect(path).toBe(`.aiwg/ralph/${expected}`);
  });

  it('numbers an attempt in its file as in its folder', () => {
    expect(RALPH_PATHS.inLoop(id, attemptFile(7, 'x.json'))).toBe(RALPH_PATHS.inAttempt(id, 7, 'x.json'));
  });
});

describe('ensureRalphFolder', () => {
  it.each(['', '# Written by ralph.', undefined])(
    'completes ignore rules of which only %j was written',
    (torn) => {
      mkdirSync(join(root, '.aiwg/ralph'), { recursive: true });
      if (torn !== undefined) writeFileSync(join(root, '.aiwg/ralph/.gitignore'), torn);
      ensureRalphFolder(root);
      expect(readFileSync(join(root, '.aiwg/ralph/.gitignore'), 'utf8')).toMatch(/\/loops\/\n[^]*\.damaged/);
    },
  );

  it('ignores loops, snapshots, lock and index, but not memory', () => {
    ensureRalphFolder(root);
    execaSync('git', ['init', '-q', root]);
    const isIgnored = (path: string): boolean =>
      !execaSync('git', ['-C', root, 'check-ignore', '-q', path], { reject: false }).failed;
    const ignored = [
      'loops/ralph-a/state.json',
      'snapshots.git/HEAD',
      'lock.sqlite',
      'lock.sqlite.holder.json',
    ];
    for (const path of [
      ...ignored,
      'index.sqlite',
      'index.sqlite-wal',
      'reflections/a/.001.json.1-0.ralph-tmp',
    ]) {
      expect(isIgnored(`.aiwg/ralph/${path}`), path).toBe(true);
    }
    for (const path of ['reflections/ralph-a/001.json', 'memory/lessons.jsonl']) {
      expect(isIgnored(`.aiwg/ralph/${path}`), path).toBe(false);
    }
  });

  it('keeps a .gitignore that the user wrote', () => {
    mkdirSync(join(root, '.aiwg/ralph'), { recursive: true });
    writeFileSync(join(root, '.aiwg/ralph/.gitignore'), '*\n');
    ensureRalphFolder(root);
    expect(readFileSync(join(root, '.aiwg/ralph/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('succeeds a second time, and through a link that stays inside', () => {
    mkdirSync(join(root, '.aiwg'));
    mkdirSync(join(root, 'state'));
    symlinkSync('../state', join(root, '.aiwg/ralph'));
    ensureRalphFolder(root);
    expect(ensureRalphFolder(root)).toBe(join(root, '.aiwg/ralph'));
    expect(existsSync(join(root, 'state/.gitignore'))).toBe(true);
  });

  it('throws if a file is in the way, and writes nothing through a link that leads out', () => {
    writeFileSync(join(root, '.aiwg'), '');
    expect(() => ensureRalphFolder(root)).toThrow(
      expect.objectContaining({ code: 'workspace_unwritable', exitCode: 4 }),
    );
    rmSync(join(root, '.aiwg'));
    symlinkSync('../outside', join(root, '.aiwg'));
    expect(() => ensureRalphFolder(root)).toThrow('symbolic link');
    expect(existsSync(join(folder, 'outside/ralph'))).toBe(false);
  });
});
