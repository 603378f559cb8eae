import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../../src/ports/tree.ts';
import { looseFiles } from '../../../src/proof/strength/loose-files.ts';
import { temporaryFolder } from '../../support/repositories.ts';

interface Given {
  readonly kind?: FileChange['kind'];
  readonly task?: string;
  readonly allowed?: string;
  /** The text of src/index.js. */
  readonly code?: string;
  readonly before?: string;
  readonly after?: string;
}

/** Whether a changed file must be needed. */
function isLoose(path: string, { kind = 'modified', task = '', allowed, code = '', ...texts }: Given = {}) {
  const root = temporaryFolder();
  const files = { 'src/index.js': code, 'test/a.test.js': '', [path]: texts.after ?? 'after\n' };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const lines = (sign: string, text = ''): string[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => sign + line);
  const head = [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, '@@ -1 +1 @@'];
  const patch = [...head, ...lines('-', texts.before), ...lines('+', texts.after), ''].join('\n');
  const change = { path, kind, linesAdded: 1, linesDeleted: 1 };
  const changes = { files: [change], linesAdded: 1, linesDeleted: 1, patch };
  const beside = { task, isAllowed: (file: string) => file === allowed };
  return looseFiles({ root, changes, testFiles: ['odd/place.js'] }, beside).length > 0;
}

describe('looseFiles', () => {
  it.each([
    ['a Dockerfile', 'Dockerfile'],
    ['settings of a deployment', 'deploy/values.yaml'],
    ['owners of code', '.github/CODEOWNERS'],
    ['a page that says what holds', 'SECURITY.md'],
    ['a page that leads agents', 'AGENTS.md'],
    ['a page that a tool reads', '.github/pull_request_template.md'],
    ['a template', 'templates/page.html'],
    ['data', 'data/rates.json'],
    ['a script in the folder of a build', 'build/sign.sh'],
    ['a Dockerfile in the folder of a build', 'build/docker/Dockerfile'],
    ['values of a manifest', 'package.json'],
  ])('asks about %s', (_name, path) => {
    expect(isLoose(path)).toBe(true);
    expect(isLoose(path, { allowed: path })).toBe(false);
  });

  it.each([
    ['a source, which is judged by blocks', 'src/a.js', 'modified'],
    ['a test', 'test/b.test.js', 'added'],
    ['data of tests', 'test/fixtures/a.json', 'added'],
    ['a file that is known as a test', 'odd/place.js', 'added'],
    ['README', 'README.md', 'modified'],
    ['a list of changes', 'packages/a/CHANGELOG.md', 'modified'],
    ['a page', 'docs/guide.md', 'added'],
    ['a picture of a page', 'docs/guide.png', 'added'],
    ['a note of a change', '.changeset/quick-dogs.md', 'added'],
    ['a new manifest', 'packages/a/package.json', 'added'],
    ['what a build writes', 'dist/a.js.map', 'modified'],
    ['a page that a build writes', 'build/pages/index.html', 'added'],
    ['declarations', 'types.d.ts', 'modified'],
    ['a story', 'src/a.stories.tsx', 'added'],
  ] as const)('does not ask about %s', (_name, path, kind) => {
    expect(isLoose(path, { kind })).toBe(false);
  });

  it('asks about what is deleted, pages too, but not about code', () => {
    expect(isLoose('LICENSE', { kind: 'deleted' })).toBe(true);
    expect(isLoose('README.md', { kind: 'deleted' })).toBe(true);
    expect(isLoose('src/old.js', { kind: 'deleted' })).toBe(false);
  });

  it('asks about a new file that no code names', () => {
    const added = { kind: 'added' } as const;
    expect(isLoose('scripts/post.mjs', added)).toBe(true);
    expect(isLoose('src/help.js', { ...added, code: "import { a } from './help.js';" })).toBe(false);
    expect(isLoose('src/help.ts', { ...added, code: "import { a } from './help';" })).toBe(false);
    expect(isLoose('src/help/index.js', { ...added, code: "import { a } from './help';" })).toBe(false);
    expect(isLoose('src/help.js', { ...added, code: 'helper();' })).toBe(true);
    expect(isLoose('assets/logo.svg', { ...added, code: 'url("../assets/logo.svg")' })).toBe(false);
    expect(isLoose('views/list.ejs', { ...added, code: "render('list');" })).toBe(false);
    expect(isLoose('scripts/start.sh', { ...added, code: "run('scripts/start.sh');" })).toBe(false);
  });

  it('asks about a new file of which the code has a word by chance', () => {
    const added = { kind: 'added' } as const;
    expect(isLoose('.github/workflows/test.yml', { ...added, code: "run('test');" })).toBe(true);
    expect(isLoose('.github/list.json', { ...added, code: "run('list');" })).toBe(true);
    expect(isLoose('deploy/start.sh', { ...added, code: "run('start');" })).toBe(true);
    expect(isLoose('db/main.sql', { ...added, code: "export * from './main';" })).toBe(true);
    expect(isLoose('src/main.js', { ...added, code: "run('main');" })).toBe(true);
  });

  it('does not ask about what the task names', () => {
    expect(isLoose('Dockerfile', { task: 'Use Node 24 in the Dockerfile' })).toBe(false);
    expect(isLoose('db/migrations/002.sql', { task: 'add a migration for tags' })).toBe(false);
    expect(isLoose('.gitignore', { task: 'keep coverage out by .gitignore', before: 'a\n' })).toBe(false);
    expect(isLoose('Dockerfile', { task: 'repair the docks' })).toBe(true);
    expect(isLoose('deploy/check.sh', { task: 'Make every failing check pass.' })).toBe(true);
    expect(isLoose('deploy/check.sh', { task: 'Add deploy/check.sh' })).toBe(false);
  });

  it('asks about what a list of ignored files newly leaves out, or no longer does', () => {
    const ignores = (after: string, before = ''): boolean => isLoose('.gitignore', { before, after });
    expect(ignores('.DS_Store\n*.log\n/coverage/\n')).toBe(false);
    expect(ignores('test/\n')).toBe(true);
    expect(ignores('*.test.js\n')).toBe(true);
    expect(ignores('!.env\n')).toBe(true);
    expect(ignores('*.log\n', '.env\n')).toBe(true);
  });

  it('lets samples of variables grow', () => {
    expect(isLoose('.env.example', { kind: 'added', after: 'PORT=1\n' })).toBe(false);
    expect(isLoose('.env.production', { kind: 'added', after: 'PORT=1\n' })).toBe(true);
    expect(isLoose('src/.gitignore', { kind: 'added', after: 'a.js\n' })).toBe(true);
    expect(isLoose('.env.example', { after: 'PORT=1\n' })).toBe(false);
    expect(isLoose('.env.example', { before: 'KEY=\n', after: 'PORT=1\n' })).toBe(true);
  });
});
