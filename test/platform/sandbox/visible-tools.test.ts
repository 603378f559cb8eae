import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInside, visibleTools } from '../../../src/platform/sandbox/visible-tools.ts';
import { temporaryFolder } from '../../support/repositories.ts';

function shown(path: string, closed: readonly string[] = []): string[] {
  return visibleTools(closed, path).map(({ at }) => at);
}

function folder(...parts: string[]): string {
  const path = join(temporaryFolder(), ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

describe('tools that are shown', () => {
  it('are installations on the PATH, with the folders next to their programs', () => {
    const bin = folder('node', 'bin');
    mkdirSync(join(bin, '..', 'lib'));
    expect(shown(bin)).toContain(join(bin, '..'));
  });

  it('are only the programs if projects are next to them', () => {
    const bin = folder('dev', 'bin');
    mkdirSync(join(bin, '..', 'lib'));
    mkdirSync(join(bin, '..', 'my-project'));
    expect(shown(bin)).toContain(bin);
    expect(shown(bin)).not.toContain(join(bin, '..'));
  });

  it('include the packages that programs in .bin link to', () => {
    const bin = folder('node_modules', '.bin');
    expect(shown(bin)).toContain(join(bin, '..'));
    expect(shown(bin, [join(bin, '..', 'keys')])).not.toContain(join(bin, '..'));
  });

  it('are only the programs if a closed folder is next to them', () => {
    const bin = folder('bin');
    const home = join(bin, '..');
    expect(shown(bin, [home])).toContain(bin);
    expect(shown(bin, [home])).not.toContain(home);
  });

  it('contain no closed folder', () => {
    const open = folder('tools');
    const closed = join(open, 'keys');
    expect(shown(open, [closed])).not.toContain(open);
  });

  it('contain no closed folder by another name', () => {
    const home = folder('home');
    const link = join(folder('links'), 'bin');
    symlinkSync(home, link);
    for (const path of [link, `${home}/../home`]) {
      expect(visibleTools([], path).map(({ from }) => from)).toContain(home);
      expect(visibleTools([home], path).map(({ from }) => from)).not.toContain(home);
    }
  });

  it('never include the home folder or a relative path', () => {
    const path = `bin:${join(homedir(), 'bin')}`;
    expect(shown(path, [homedir()])).not.toContain(homedir());
    expect(shown(path, [homedir()])).not.toContain('bin');
  });

  it("include Node and parts of ralph's own package", () => {
    expect(shown('').some((path) => isInside(path, process.execPath))).toBe(true);
    expect(
      shown('').some((path) => isInside(path, import.meta.dirname.replace(/test.*/, 'src/checks'))),
    ).toBe(true);
  });
});
