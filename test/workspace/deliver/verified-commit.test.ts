import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  commitPatch,
  MAX_PATCH_BYTES,
  type CommitOutcome,
} from '../../../src/workspace/deliver/verified-commit.ts';
import { openRemoteDesk } from '../../../src/platform/git/remote.ts';
import { git, NODE_TEST_FILES, repositoryWith, writeFiles } from '../../support/repositories.ts';

/** A repository, and what a change of its tree gives as a patch. */
function base(): string {
  return repositoryWith({ ...NODE_TEST_FILES, '.github/workflows/ci.yml': 'on: push\n', 'docs/a.md': 'a\n' });
}

function patchOf(root: string, change: (root: string) => void): Buffer {
  change(root);
  git(root, 'add', '--all', '--force');
  const patch = Buffer.from(git(root, 'diff', '--cached', '--binary', '--no-renames'));
  git(root, 'reset', '--quiet', '--hard');
  return patch;
}

async function commit(
  root: string,
  patch: Buffer,
  allow: readonly string[] = [],
  leftOut: readonly number[] = [],
): Promise<CommitOutcome & { readonly entries: string }> {
  const desk = await openRemoteDesk({ url: root, token: undefined });
  try {
    const head = await desk.fetch('main');
    const made = await commitPatch(desk, { patch, head, message: 'ralph: fix main', allow, leftOut });
    const entries = made.ok
      ? (await desk.git(['ls-tree', '-r', '--full-tree', made.commit])).toString('utf8')
      : '';
    return { ...made, entries };
  } finally {
    desk.close();
  }
}

const edit = (path: string, text: string) => (root: string) => writeFiles(root, { [path]: text });

test('commits a change of plain sources on the head', async () => {
  const root = base();
  const patch = patchOf(root, (at) => {
    writeFiles(at, {
      'src/add.js': 'export const add = (a, b) => a + b;\n',
      'src/new/deep.js': 'export {};\n',
    });
    writeFileSync(join(at, 'logo.png'), Buffer.from([0, 1, 2, 255, 0, 128]));
    rmSync(join(at, 'docs', 'a.md'));
    writeFileSync(join(at, 'run.sh'), '#!/bin/sh\n');
    chmodSync(join(at, 'run.sh'), 0o755);
  });
  const made = await commit(root, patch, ['run.sh']);
  expect(made).toMatchObject({
    ok: true,
    files: ['docs/a.md', 'logo.png', 'run.sh', 'src/add.js', 'src/new/deep.js'],
  });
  expect(made.entries).toMatch(/^100755 blob \S+\trun\.sh$/m);
  expect(made.entries).not.toContain('docs/a.md');
});

test.each([
  [
    'a workflow',
    edit('.github/workflows/ci.yml', 'on: pull_request_target\n'),
    'runs with its own permissions',
  ],
  ['a new workflow', edit('.github/workflows/x.yml', 'on: push\n'), 'runs with its own permissions'],
  [
    'a workflow in other letters',
    edit('.GitHub/Workflows/x.yml', 'on: push\n'),
    'runs with its own permissions',
  ],
  [
    'an action of the repository',
    edit('.github/actions/x/action.yml', 'runs: {}\n'),
    'runs with its own permissions',
  ],
  ['an action at the top', edit('action.yml', 'runs: {}\n'), 'runs with its own permissions'],
  ['an action in a folder', edit('tools/x/action.yaml', 'runs: {}\n'), 'runs with its own permissions'],
  ['the owners', edit('docs/CODEOWNERS', '* @x\n'), 'runs with its own permissions'],
  ['a pipeline of GitLab', edit('.gitlab-ci.yml', 'x: {}\n'), 'runs with its own permissions'],
  ['a hook', edit('.husky/pre-commit', 'x\n'), 'runs with its own permissions'],
  ['attributes', edit('src/.gitattributes', '* filter=x\n'), 'runs with its own permissions'],
  ["ralph's memory", edit('.aiwg/ralph/memory/playbook.md', 'x\n'), 'runs with its own permissions'],
  ['a test', edit('test/add.test.js', "import 'node:test';\n"), 'the checks depend on it'],
  ['a configuration', edit('vitest.config.ts', 'export {};\n'), 'the checks depend on it'],
  ['a lock file that is there', edit('package-lock.json', '{}\n'), undefined],
  [
    'a link',
    (root: string) => symlinkSync('/etc/passwd', join(root, 'link')),
    'becomes a link or a submodule',
  ],
  ['a file that becomes a link', linkSource, 'becomes a link or a submodule'],
  ['a submodule', addSubmodule, 'becomes a link or a submodule'],
  ['too many files', (root: string) => manyFiles(root, 101), '101 files'],
])('examines the resulting tree for %s', async (_, change, problem) => {
  const root = base();
  const made = await commit(root, patchOf(root, change));
  if (problem === undefined) expect(made).toMatchObject({ ok: true });
  else expect(made).toMatchObject({ ok: false, problem: expect.stringContaining(problem) as string });
});

test('leaves out changes at some positions: added, changed, removed and made executable', async () => {
  const root = base();
  const patch = patchOf(root, (at) => {
    writeFiles(at, {
      'a b.yml': 'x\n',
      'src/add.js': 'export const add = 1;\n',
      'src/zz.js': 'export {};\n',
    });
    rmSync(join(at, 'docs', 'a.md'));
  });
  const whole = await commit(root, patch);
  expect(whole).toMatchObject({ files: ['a b.yml', 'docs/a.md', 'src/add.js', 'src/zz.js'], leftOut: [] });
  const made = await commit(root, patch, [], [0, 1, 3]);
  expect(made).toMatchObject({ files: ['src/add.js'], leftOut: ['a b.yml', 'docs/a.md', 'src/zz.js'] });
  expect(made.entries).toContain('\tdocs/a.md\n');
  expect(await commit(root, patch, [], [0, 1, 2, 3])).toMatchObject({ ok: false });
});

test('accepts changes to allowed files, but never to files that run in CI', async () => {
  const root = base();
  const changeTest = patchOf(root, edit('test/add.test.js', "import 'node:test';\n"));
  expect(await commit(root, changeTest, ['test/**'])).toMatchObject({ ok: true });
  const changeWorkflow = patchOf(root, edit('.github/workflows/ci.yml', 'on: push # x\n'));
  expect(await commit(root, changeWorkflow, ['**', '.github/**'])).toMatchObject({ ok: false });
});

const added = (path: string): string =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;

test.each([
  ['a path out of the tree', added('../out.txt')],
  ['an absolute path', added('/etc/x')],
  ['the git directory', added('.git/hooks/pre-push')],
  ['the git directory in other letters', added('.GIT/config')],
  ['a path through the parent', added('src/../../out.txt')],
  ['no patch at all', 'Everything is fine now.\n'],
  ['nothing', ''],
  [
    'a patch of other lines',
    added('src/x.js').replace('new file mode 100644\n--- /dev/null', '--- a/src/x.js'),
  ],
  ['a patch that is too long for a review', `${added('a.txt')}${'# '.repeat(MAX_PATCH_BYTES)}`],
])('refuses %s and writes nothing', async (_, text) => {
  const root = base();
  const before = git(root, 'status', '--porcelain', '--ignored');
  expect(await commit(root, Buffer.from(text))).toMatchObject({ ok: false });
  expect(git(root, 'status', '--porcelain', '--ignored')).toBe(before);
});

function linkSource(root: string): void {
  rmSync(join(root, 'src', 'add.js'));
  symlinkSync('../package.json', join(root, 'src', 'add.js'));
}

function addSubmodule(root: string): void {
  const id = git(root, 'rev-parse', 'HEAD').trim();
  git(root, 'update-index', '--add', '--cacheinfo', `160000,${id},vendor/x`);
  mkdirSync(join(root, 'vendor', 'x'), { recursive: true });
  git(join(root, 'vendor', 'x'), 'init', '--quiet');
  git(join(root, 'vendor', 'x'), 'fetch', '--quiet', root, 'main');
  git(join(root, 'vendor', 'x'), 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
}

function manyFiles(root: string, count: number): void {
  mkdirSync(join(root, 'many'));
  for (let at = 0; at < count; at++) appendFileSync(join(root, 'many', `${at}.txt`), 'x\n');
}

test('takes a patch of a checkout with CRLF where the repository stores LF', async () => {
  const root = repositoryWith({
    ...NODE_TEST_FILES,
    'docs/crlf.md': 'one\r\ntwo\r\n',
    'docs/lf.md': 'one\ntwo',
  });
  const stored = patchOf(root, (at) =>
    writeFiles(at, {
      'docs/lf.md': 'one\nthree',
      'docs/crlf.md': 'one\r\nthree\r\n',
      'docs/new.md': 'new\n',
    }),
  );
  const ofLf = /(diff --git a\/docs\/(?:lf|new)\.md[^]*?)(?=diff --git|$)/g;
  const checkedOut = stored
    .toString()
    .replaceAll(ofLf, (part) => part.replaceAll(/^([ +-](?!--|\+\+)[^\r\n]*)\n(?!\\)/gm, '$1\r\n'));
  expect(checkedOut).not.toBe(stored.toString());
  expect((await commit(root, Buffer.from(checkedOut))).entries).toBe((await commit(root, stored)).entries);
  const other = checkedOut.replace('+three\r\n', '+three\n').replace('-two', '-six');
  expect(await commit(root, Buffer.from(other))).toMatchObject({ ok: false });
});
