import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../../../src/workspace/protect/guard.ts';
import { openWorkspace, temporaryRepository, write, type Files } from '../temporary-repository.ts';

const CHECKS = [
  { name: 'types', kind: 'types' },
  { name: 'lint', kind: 'lint' },
] as const;
const CAST = 'export const a = load() as any;\n';
const NEXT_LINE = '// eslint-disable-next-line no-undef\nfirst();\nconst second = 2;\n';

/** Kinds of tampering for a change of a repository. */
async function found(base: Files, act: (root: string) => void, allow: string[] = []): Promise<string[]> {
  const root = temporaryRepository({ 'package.json': '{ "name": "x" }\n', ...base });
  const { workspace, snapshots } = await openWorkspace(root);
  act(workspace.root);
  const guard = createGuard({ snapshots, workspace, protect: [], allow, checks: CHECKS });
  return (await guard.restoreProtected()).map(({ kind, file }) => `${kind} ${file}`);
}

describe('suppressions in changed sources', () => {
  it('are found if the base does not have them', async () => {
    const added = await found({ 'src/a.ts': 'export const a = load();\n' }, (root) =>
      write(root, { 'src/a.ts': CAST }),
    );
    expect(added).toEqual(['suppression_added src/a.ts']);
  });

  it('are found though another one was removed', async () => {
    const traded = await found(
      { 'src/a.ts': CAST, 'src/b.ts': 'export const wrong: number = text;\n' },
      (root) =>
        write(root, {
          'src/a.ts': 'export const a = load();\n',
          'src/b.ts': 'export const wrong: number = text as any;\n',
        }),
    );
    expect(traded).toEqual(['suppression_added src/b.ts']);
    const lines = await found({ 'src/a.ts': NEXT_LINE }, (root) =>
      write(root, { 'src/a.ts': 'first();\n// eslint-disable-next-line no-undef\nconst second = 2;\n' }),
    );
    expect(lines).toEqual(['suppression_added src/a.ts']);
    const files = await found({ 'src/a.js': '/* eslint-disable */\na();\n', 'src/b.js': 'b();\n' }, (root) =>
      write(root, { 'src/a.js': 'a();\n', 'src/b.js': '/* eslint-disable */\nb();\n' }),
    );
    expect(files).toEqual(['suppression_added src/b.js']);
  });

  it('are found beyond 500 changed files', async () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`data/${at}.txt`, 'x\n']));
    const added = await found({ 'src/a.ts': 'export const a = load();\n' }, (root) =>
      write(root, { ...many, 'src/a.ts': CAST }),
    );
    expect(added).toEqual(['suppression_added src/a.ts']);
  });

  it('may stay with code that moves or is edited', async () => {
    const moved = await found(
      { 'src/a.ts': `${CAST}${NEXT_LINE}`, 'src/c.js': '/* eslint-disable */\nc();\n' },
      (root) => {
        rmSync(join(root, 'src/a.ts'));
        write(root, { 'src/b.ts': `import { load } from './load.ts';\n${CAST}${NEXT_LINE}` });
        renameSync(join(root, 'src/c.js'), join(root, 'src/d.js'));
      },
    );
    expect(moved).toEqual([]);
    const edited = await found({ 'src/a.ts': CAST, 'src/c.js': '/* eslint-disable */\nc();\n' }, (root) =>
      write(root, {
        'src/a.ts': 'export const a = load(1) as any;\n',
        'src/c.js': '/* eslint-disable */\nd();\nc();\n',
      }),
    );
    expect(edited).toEqual([]);
  });

  it('are allowed in files that the user names', async () => {
    const allowed = await found({ 'src/a.ts': 'a();\n' }, (root) => write(root, { 'src/a.ts': CAST }), [
      'src/a.ts',
    ]);
    expect(allowed).toEqual([]);
  });
});
