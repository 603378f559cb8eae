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
import { ensureRalphFolder, ralphPath } from '../../src/platform/ralph-folder.ts';

let folder: string;
let root: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-folder-')));
  root = join(folder, 'repository');
  mkdirSync(root);
  mkdirSync(join(folder, 'outside'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('ralphPath', () => {
  const links: [string, string][] = [
    ['.aiwg', '../outside'],
    ['.aiwg', '/nowhere/at/all'],
    ['.aiwg/ralph', '../../outside'],
    ['.aiwg/ralph/loops', '../../../outside'],
  ];
  it.each(links)('refuses %s as a link to %s', (link, target) => {
    mkdirSync(join(root, link, '..'), { recursive: true });
    symlinkSync(target, join(root, link));
    const path = (): string => ralphPath(root, 'loops', 'ralph-a');
    expect(path).toThrow(`${link} is a symbolic link that leads out of the repository.`);
    expect(path).toThrow(expect.objectContaining({ code: 'repository_unusable', exitCode: 4 }));
  });

  it('accepts links within the repository, and a repository that is reached by a link', () => {
    mkdirSync(join(root, 'state'));
    symlinkSync('state', join(root, '.aiwg'));
    symlinkSync('repository', join(folder, 'alias'));
    expect(ralphPath(root, 'loops')).toBe(join(root, '.aiwg/ralph/loops'));
    expect(ralphPath(join(folder, 'alias'), 'loops')).toBe(join(folder, 'alias/.aiwg/ralph/loops'));
  });
});

describe('ensureRalphFolder', () => {
  it.each(['', '# Written by ralph.', undefined])(
    'writes the ignore rules where %j is left of them',
    (torn) => {
      mkdirSync(join(root, '.aiwg/ralph'), { recursive: true });
      if (torn !== undefined) writeFileSync(join(root, '.aiwg/ralph/.gitignore'), torn);
      ensureRalphFolder(root);
      expect(readFileSync(join(root, '.aiwg/ralph/.gitignore'), 'utf8')).toMatch(/\/loops\/\n[^]*\.damaged/);
    },
  );

  it('ignores loops, snapshots, lock and index in git, but not memory', () => {
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
    for (const path of ['.gitignore', 'reflections/ralph-a/001.json', 'memory/lessons.jsonl']) {
      expect(isIgnored(`.aiwg/ralph/${path}`), path).toBe(false);
    }
  });

  it('keeps a .gitignore that the user has edited', () => {
    mkdirSync(join(root, '.aiwg/ralph'), { recursive: true });
    writeFileSync(join(root, '.aiwg/ralph/.gitignore'), '*\n');
    ensureRalphFolder(root);
    expect(readFileSync(join(root, '.aiwg/ralph/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('can be called again, also through a link within the repository', () => {
    mkdirSync(join(root, '.aiwg'));
    mkdirSync(join(root, 'state'));
    symlinkSync('../state', join(root, '.aiwg/ralph'));
    ensureRalphFolder(root);
    expect(ensureRalphFolder(root)).toBe(join(root, '.aiwg/ralph'));
    expect(existsSync(join(root, 'state/.gitignore'))).toBe(true);
  });

  it('throws if a file is in its place, and writes nothing through a link', () => {
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
