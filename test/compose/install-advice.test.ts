import { describe, expect, it } from 'vitest';
import { adviseOnInstall, installAdvice, baselineAdvice } from '../../src/compose/install-advice.ts';
import type { RunEvent } from '../../src/events.ts';
import type { Evaluation } from '../../src/schema/generated.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';

type Place = Parameters<typeof installAdvice>[0];

function place(files: Parameters<typeof writeFiles>[1] = {}): Place {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { dependencies: { vinyl: '1', '@a/b': '1' }, devDependencies: { here: '1' } },
    'node_modules/here/package.json': { name: 'here' },
    ...files,
  });
  const plan = { packageDir: '.', packageManager: { name: 'npm', installCommand: 'npm ci' } };
  return { repository: { root }, plan } as unknown as Place;
}

function failing(...messages: string[]): Evaluation {
  return { diagnostics: messages.map((message) => ({ message })) } as unknown as Evaluation;
}

describe('advice on packages that are not installed', () => {
  it.each([
    ["mocha ended without a report (exit code 1).\nCannot find module 'vinyl'", 'vinyl is'],
    ["Cannot find package '@a/b/deep' imported from /x/test.js", '@a/b is'],
    ['Failed to resolve import "vinyl" from "test/a.ts". Does the file exist?', 'vinyl is'],
    ["TS2307: Cannot find module '@a/b' or its corresponding type declarations.", '@a/b is'],
    ["Cannot find module 'vinyl'\nCannot find module '@a/b'", 'vinyl, @a/b are'],
  ])('names them and the command: %s', (message, start) => {
    const end = `in package.json and not installed: npm ci installs ${start.endsWith('are') ? 'them' : 'it'}.`;
    expect(installAdvice(place(), failing('expected 1 to be 2', message))).toBe(`${start} ${end}`);
  });

  it.each([
    ['a package that is installed', "Cannot find module 'here/gone'"],
    ['a package that package.json does not list', "Cannot find module 'other'"],
    ['a package of another name', "Cannot find module 'vinyl-fs'"],
    ['a file', "Cannot find module './vinyl'"],
    ['a failure that only names it', "expected 'vinyl' to equal 'x'"],
  ])('is not given for %s', (_, message) => {
    expect(installAdvice(place(), failing(message))).toBeUndefined();
  });

  it("is not given with Plug'n'Play", () => {
    expect(installAdvice(place({ '.pnp.cjs': '' }), failing("Cannot find module 'vinyl'"))).toBeUndefined();
  });

  it('is joined by what packages of the workspace need', () => {
    const own = place({
      'package.json': { workspaces: ['core'], scripts: { build: 'x' }, dependencies: { vinyl: '1' } },
      'core/package.json': { name: 'core', exports: './dist/a.js', scripts: { build: 'x' } },
    });
    const evaluation = failing("Cannot find module 'vinyl'", "Cannot find package 'core' imported from a.js");
    expect(baselineAdvice(own, evaluation)).toEqual([
      'vinyl is in package.json and not installed: npm ci installs it.',
      'core is in this workspace and not built: npm run build builds it.',
    ]);
  });

  it('follows the failures of the untouched tree', () => {
    const events: RunEvent[] = [];
    const emit = adviseOnInstall(place(), (event) => events.push(event));
    emit({ type: 'baseline_evaluated', evaluation: failing("Cannot find module 'vinyl'") });
    emit({ type: 'baseline_evaluated', evaluation: failing() });
    expect(events.map(({ type }) => type)).toEqual(['baseline_evaluated', 'warning', 'baseline_evaluated']);
  });
});
