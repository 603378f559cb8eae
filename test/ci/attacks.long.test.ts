/**
 * Attempts to get something past the CI job, written from its documentation before its code was read. Each has a negative
 * control: the same attempt without its point goes through.
 */
import { writeFileSync, chmodSync, symlinkSync, rmSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examineCommit } from '../../src/ci/examine-commit.ts';
import { renderPull, renderTitle } from '../../src/ci/github/pull-request.ts';
import { renderAccepted, renderEnded, renderRefused } from '../../src/ci/sticky-text.ts';
import { CI_DEFAULTS, type CiSettings } from '../../src/ci/settings.ts';
import { openRemoteDesk, type RemoteDesk } from '../../src/platform/git/remote.ts';
import { commitPatch } from '../../src/workspace/deliver/verified-commit.ts';
import { git, NODE_TEST_FILES, repositoryWith, writeFiles, type Files } from '../support/repositories.ts';

const BASE: Files = {
  ...NODE_TEST_FILES,
  'package-lock.json': '{}\n',
  'docs/notes.txt': 'notes\n',
  'scripts/run.sh': 'echo\n',
  'packages/a/package.json': { name: 'a', version: '1.0.0' },
  'linked/file.txt': 'x\n',
};
let root: string;
let head: string;
let desk: RemoteDesk;

beforeAll(async () => {
  root = repositoryWith(BASE);
  head = git(root, 'rev-parse', 'HEAD').trim();
  desk = await openRemoteDesk({ url: root, token: undefined });
  await desk.fetch('main');
});
afterAll(() => desk.close());

/** The patch of a change of the work tree, with a document that names its new files: a program without that is refused. */
function patchOf(change: () => void): Buffer {
  git(root, 'reset', '--quiet', '--hard', head);
  git(root, 'clean', '--quiet', '--force', '-dx');
  change();
  git(root, 'add', '--all', '--force');
  const added = git(root, 'diff', '--cached', '-z', '--name-only', '--diff-filter=A', head).split('\0');
  const named = added.flatMap((path) => (path === '' ? [] : `'${path}'\n`));
  if (named.length > 0) write('docs/named.txt', named.join(''));
  git(root, 'add', '--all', '--force');
  return Buffer.from(git(root, 'diff', '--cached', '--binary', head));
}

/** Why the patch is refused, as `verify` and `publish` decide; undefined if it is not. */
async function refusalOf(patch: Buffer): Promise<string | undefined> {
  const made = await commitPatch(desk, { patch, head, message: 'x', allow: [] });
  if (!made.ok) return made.problem;
  return (await examineCommit(desk, { head, commit: made.commit, allow: [] }))[0];
}

/** What a file has where only its path counts: a source is refused for what it does. */
function contentFor(path: string): string {
  return /\.[cm]?[jt]sx?$/.test(path) ? 'export {};\n' : 'on: push\nrun: curl evil.example\n';
}

function write(path: string, content: string | Buffer = contentFor(path)): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** Path of a file that something runs by itself, and one like it that nothing runs. */
const PATHS: readonly (readonly [attack: string, control: string])[] = [
  ['.github/workflows/x.yml', 'docs/workflows/x.yml'],
  ['.GitHub/Workflows/x.yml', 'src/GitHub/x.yml'],
  ['.github/actions/x/action.yml', 'src/actions/x/index.js'],
  ['packages/a/action.yaml', 'packages/a/src/activity.yaml'],
  ['.github/dependabot.yml', 'docs/dependabot.yml'],
  ['.github/copilot-instructions.md', 'docs/copilot.md'],
  ['.travis.yaml', 'travis.txt'],
  ['.drone.star', 'drone.star.txt'],
  ['.woodpecker/x.yml', 'woodpecker/x.txt'],
  ['.gitea/workflows/x.yml', 'gitea/x.txt'],
  ['.forgejo/workflows/x.yml', 'forgejo/x.txt'],
  ['deploy/buildspec-prod.yml', 'deploy/build.txt'],
  ['ci/Jenkinsfile.deploy', 'ci/jenkins.txt'],
  ['.circleci/config.yml', 'circleci/config.txt'],
  ['.buildkite/pipeline.yml', 'buildkite/pipeline.txt'],
  ['azure-pipelines-release.yml', 'docs/azure.txt'],
  ['bitbucket-pipelines.yml', 'docs/bitbucket.txt'],
  ['ci/.gitlab-ci-more.yml', 'docs/gitlab.txt'],
  ['cloudbuild.prod.yaml', 'docs/cloudbuild.txt'],
  ['appveyor.yml', 'docs/appveyor.txt'],
  ['.appveyor.yaml', 'docs/appveyor2.txt'],
  ['.cirrus.star', 'docs/cirrus.txt'],
  ['.semaphore/semaphore.yml', 'docs/semaphore.txt'],
  ['.tekton/x.yaml', 'docs/tekton.txt'],
  ['.teamcity/settings.kts', 'docs/teamcity.txt'],
  ['.gitpod.yml', 'docs/gitpod.txt'],
  ['.codesandbox/tasks.json', 'docs/codesandbox.txt'],
  ['.replit', 'docs/replit.txt'],
  ['.husky/pre-commit', 'husky/pre-commit.txt'],
  ['hooks/pre-commit', 'hooks/pre-commit.md'],
  ['index.node', 'index.node.js'],
  ['lefthook-local.yml', 'docs/lefthook.txt'],
  ['.pre-commit-config.yaml', 'docs/pre-commit.txt'],
  ['.pre-commit-hooks.yaml', 'docs/pre-commit-hooks.txt'],
  ['.claude/settings.json', 'claude/settings.txt'],
  ['.mcp.json', 'mcp.txt'],
  ['.cursor/mcp.json', 'cursor/mcp.txt'],
  ['.gemini/settings.json', 'gemini/settings.txt'],
  ['.aider.conf.yml', 'docs/aider.txt'],
  ['.windsurf/rules/x.md', 'docs/windsurf.txt'],
  ['.clinerules/x.md', 'docs/cline.txt'],
  ['.roo/mcp.json', 'docs/roo.txt'],
  ['.kiro/hooks/x.json', 'docs/kiro.txt'],
  ['.continue/config.yaml', 'docs/continue.txt'],
  ['.junie/guidelines.md', 'docs/junie.txt'],
  ['AGENTS.md', 'docs/about.md'],
  ['.aiwg/ralph/memory/playbook.md', 'docs/playbook.md'],
  ['.aiwg/ralph/prompts/attempt.hbs', 'docs/attempt.hbs'],
  ['ralph.config.json', 'docs/ralph.json'],
  ['.vscode/tasks.json', 'vscode/tasks.txt'],
  ['.devcontainer/devcontainer.json', 'devcontainer/x.txt'],
  ['.idea/runConfigurations/x.xml', 'idea/x.txt'],
  ['.zed/tasks.json', 'zed/tasks.txt'],
  ['.fleet/run.json', 'docs/fleet.txt'],
  ['.envrc', 'envrc.txt'],
  ['.env', 'env.txt'],
  ['mise.local.toml', 'docs/mise.txt'],
  ['.config/mise.toml', 'docs/mise2.txt'],
  ['flake.nix', 'docs/flake.txt'],
  ['shell.nix', 'docs/shell.txt'],
  ['devenv.nix', 'docs/devenv.txt'],
  ['.npmrc', 'npmrc.txt'],
  ['.yarn/releases/yarn-4.cjs', 'yarn/yarn.txt'],
  ['.yarn/plugins/x.cjs', 'docs/plugins.txt'],
  ['.pnp.cjs', 'docs/pnp.txt'],
  ['.pnpmfile.cjs', 'docs/pnpm.txt'],
  ['bunfig.toml', 'docs/bun.txt'],
  ['.node-version', 'docs/node-version.txt'],
  ['.nvmrc', 'docs/nvmrc.txt'],
  ['.config/renovate.json5', 'docs/renovate.txt'],
  ['dangerfile.js', 'docs/danger.txt'],
  ['release.config.js', 'docs/release.txt'],
  ['.releaserc.cjs', 'docs/releaserc.txt'],
  ['netlify.toml', 'docs/netlify.txt'],
  ['vercel.ts', 'docs/vercel.txt'],
  ['wrangler.toml', 'docs/wrangler.txt'],
  ['circle.yml', 'docs/circle.txt'],
  ['codeship-steps.yml', 'docs/codeship.txt'],
  ['zuul.yaml', 'docs/zuul.txt'],
  ['mergify.yml', 'docs/mergify.txt'],
  ['heroku.yml', 'docs/heroku.txt'],
  ['railway.toml', 'docs/railway.txt'],
  ['nixpacks.toml', 'docs/nixpacks.txt'],
  ['now.json', 'docs/now.txt'],
  ['pkgx.yaml', 'docs/pkgx.txt'],
  ['native/binding.gyp', 'native/binding.txt'],
  ['node_modules/vitest/index.js', 'src/node-modules/index.js'],
  ['Dockerfile', 'docs/docker.txt'],
  ['tool.ini', 'docs/tool.ini'],
  ['test/conftest.py', 'test/conf.py'],
  ['sitecustomize.py', 'src/customize.py'],
  ['pyproject.toml', 'docs/pyproject.txt'],
  ['CODEOWNERS', 'docs/owners.txt'],
  ['AGENT.md', 'docs/agent.txt'],
  ['QWEN.md', 'docs/qwen.txt'],
  ['debian/rules', 'docs/debian.txt'],
  ['config/initializers/x.rb', 'docs/initializers.txt'],
  ['.gitattributes', 'docs/gitattributes.txt'],
  ['.gitmodules', 'docs/gitmodules.txt'],
  ['.lfsconfig', 'docs/lfs.txt'],
  ['.github./workflows/x.yml', 'github/workflows.txt'],
  ['.github /workflows/x.yml', 'github/workflows2.txt'],
  ['.git\u200Bhub/workflows/x.yml', 'github/workflows3.txt'],
  ['src\\..\\.github\\x.yml', 'src/github.txt'],
];

describe('files that something runs by itself', () => {
  test.each(PATHS)('%j is refused, %j is not', async (attack, control) => {
    expect(await refusalOf(patchOf(() => write(attack))), attack).toBeTypeOf('string');
    expect(await refusalOf(patchOf(() => write(control))), control).toBeUndefined();
  });
});

/** Path of a new file that another system reads as something else, and one like it that every system has. */
const SPELLINGS: readonly (readonly [attack: readonly string[], control: readonly string[]])[] = [
  [['src/aux.js'], ['src/auxiliary.js']],
  [['src/COM1'], ['src/COM']],
  [['nul/x.js'], ['null/x.js']],
  [['src/add.js:x'], ['src/add.js-x']],
  [['src/a?.js'], ['src/a!.js']],
  [['PACKAG~1.JSO'], ['docs/package~1.json']],
  [['src/a\u2028b.js'], ['src/a b.js']],
  [['src/a\u3164.js'], ['src/a\u3131.js']],
  [['SRC/more.js'], ['srcs/more.js']],
  [['src/ADD.js'], ['src/added.js']],
  [['te\u017Ft/more.js'], ['te\u017Fts/more.js']],
  [
    ['src/\u00e9.js', 'src/e\u0301.js'],
    ['src/\u00e9.js', 'src/e.js'],
  ],
  [
    ['src/stra\u00dfe.js', 'src/STRASSE.js'],
    ['src/stra\u00dfe.js', 'src/strase.js'],
  ],
  [
    ['src/\uFF21.js', 'src/a.js'],
    ['src/\uFF21.js', 'src/b.js'],
  ],
  [
    ['src/\u03c3\u03c2.js', 'src/\u03a3\u03a3.js'],
    ['src/\u03c3.js', 'src/\u03c4.js'],
  ],
  [['.en\u24E5'], ['src/en\u24E5']],
  // Cyrillic а, Greek Α and Armenian օ beside Latin letters; a Cyrillic Ӏ, which may be read as I or l.
  [['src/\u0430dd.js'], ['src/\u044fdd.js']],
  [['\u0455r\u0441/more.js'], ['\u0436rc/more.js']],
  [['docs/n\u0585tes.txt'], ['docs/n\u0436tes.txt']],
  [['\u04cfinked/x.txt'], ['\u0416inked/x.txt']],
  [['scr\u04cfpts/x.txt'], ['scr\u0436pts/x.txt']],
  [['src/c\u2010d.js', 'src/c-d.js'], ['src/c\u2010d.js']],
  // A capital letter drawn small, a sign that is not drawn, and letters of ASCII that look alike.
  [['src/\u1d00dd.js'], ['src/\u1d02dd.js']],
  [['src/add\ufe0f.js'], ['docs/add\u2764\ufe0f.js']],
  [['src/mu1.js', 'src/mul.js'], ['src/mu1.js']],
  [['src/rnodel.js', 'src/model.js'], ['src/rnodel.js']],
];

describe('paths that another system reads as something else', () => {
  test.each(SPELLINGS)('%j are refused, %j are not', async (attack, control) => {
    expect(await refusalOf(patchOf(() => attack.forEach((path) => write(path, '1;\n'))))).toBeTypeOf(
      'string',
    );
    expect(await refusalOf(patchOf(() => control.forEach((path) => write(path, '1;\n'))))).toBeUndefined();
  });
});

const manifest = NODE_TEST_FILES['package.json'] as object;
const json = (value: object): string => `${JSON.stringify(value)}\n`;
const newFile = (path: string): string =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+1;\n`;

/** A change that is refused, and one like it that is not. */
const CHANGES: readonly (readonly [string, attack: () => Buffer, control: () => Buffer])[] = [
  [
    'a script of package.json',
    () => patchOf(() => writeFiles(root, { 'package.json': { ...manifest, scripts: { test: 'true' } } })),
    () => patchOf(() => writeFiles(root, { 'package.json': { ...manifest, description: 'adds' } })),
  ],
  [
    'a dependency',
    () => patchOf(() => writeFiles(root, { 'package.json': { ...manifest, dependencies: { evil: '*' } } })),
    () => patchOf(() => writeFiles(root, { 'package.json': { ...manifest, keywords: ['add'] } })),
  ],
  [
    'the key ralph of package.json',
    () => patchOf(() => writeFiles(root, { 'package.json': { ...manifest, ralph: { sandbox: 'off' } } })),
    () => patchOf(() => writeFiles(root, { 'package.json': { ...manifest, types: 'x.d.ts' } })),
  ],
  [
    'a key that stands twice in package.json',
    () => patchOf(() => write('package.json', json(manifest).replace('{', '{"scripts":{"test":"true"},'))),
    () => patchOf(() => write('package.json', json({ ...manifest, license: 'MIT' }))),
  ],
  [
    'a package.json of a workspace',
    () =>
      patchOf(() =>
        write('packages/a/package.json', json({ name: 'a', version: '1.0.0', scripts: { test: 'x' } })),
      ),
    () =>
      patchOf(() => write('packages/a/package.json', json({ name: 'a', version: '1.0.0', main: 'a.js' }))),
  ],
  [
    'a new package.json beside the code',
    () => patchOf(() => write('src/package.json', '{"type":"commonjs"}')),
    () => patchOf(() => write('src/package.js', 'export default 1;')),
  ],
  [
    'the lock file',
    () => patchOf(() => write('package-lock.json', '{"evil":1}\n')),
    () => patchOf(() => write('docs/lock.json', '{}\n')),
  ],
  [
    'a removed test',
    () => patchOf(() => rmSync(join(root, 'test', 'add.test.js'))),
    () => patchOf(() => rmSync(join(root, 'docs', 'notes.txt'))),
  ],
  [
    'a changed test',
    () => patchOf(() => write('test/add.test.js', '\n')),
    () => patchOf(() => write('src/add.js', 'export const add = 1;\n')),
  ],
  [
    'a symbolic link',
    () => patchOf(() => symlinkSync('/etc/passwd', join(root, 'src', 'x'))),
    () => patchOf(() => write('src/x', 'x\n')),
  ],
  [
    'a file that becomes a link',
    () =>
      patchOf(() => {
        rmSync(join(root, 'docs', 'notes.txt'));
        symlinkSync('../.github', join(root, 'docs', 'notes.txt'));
      }),
    () => patchOf(() => write('docs/notes.txt', 'more\n')),
  ],
  [
    'a file that becomes executable',
    () => patchOf(() => chmodSync(join(root, 'docs', 'notes.txt'), 0o755)),
    () => patchOf(() => write('docs/notes.txt', 'less\n')),
  ],
  [
    'a new file that is executable',
    () =>
      patchOf(() => {
        write('src/run.js');
        chmodSync(join(root, 'src', 'run.js'), 0o755);
      }),
    () => patchOf(() => write('src/run.js')),
  ],
  [
    'a large content in a small patch',
    () => patchOf(() => write('src/data.bin', Buffer.alloc(4 * 1024 * 1024))),
    () => patchOf(() => write('src/data.bin', Buffer.alloc(4 * 1024))),
  ],
  [
    '101 files',
    () => patchOf(() => Array.from({ length: 101 }, (_, at) => write(`src/f${at}.js`, '1;\n'))),
    () => patchOf(() => Array.from({ length: 99 }, (_, at) => write(`src/f${at}.js`, '1;\n'))),
  ],
  [
    'a file renamed into the folder of workflows',
    () =>
      patchOf(() => {
        mkdirSync(join(root, '.github', 'workflows'), { recursive: true });
        git(root, 'mv', 'docs/notes.txt', '.github/workflows/notes.yml');
      }),
    () => patchOf(() => void git(root, 'mv', 'docs/notes.txt', 'docs/moved.txt')),
  ],
  ['a path that leads out', () => Buffer.from(newFile('../x.js')), () => Buffer.from(newFile('x.js'))],
  [
    'a path with a detour',
    () => Buffer.from(newFile('src/../.github/x.yml')),
    () => Buffer.from(newFile('src/x.yml')),
  ],
  ["git's own folder", () => Buffer.from(newFile('.git/hooks/x')), () => Buffer.from(newFile('git/hooks/x'))],
  [
    'its short name on Windows',
    () => Buffer.from(newFile('git~1/config')),
    () => Buffer.from(newFile('git-1/config')),
  ],
  [
    'a nested repository',
    () => Buffer.from(newFile('src/.GIT/config')),
    () => Buffer.from(newFile('src/git/config')),
  ],
  [
    'a submodule',
    () =>
      Buffer.from(
        `diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit ${'a'.repeat(40)}\n`,
      ),
    () => Buffer.from(newFile('src/sub')),
  ],
  ['no change at all', () => Buffer.from(''), () => Buffer.from(newFile('src/y'))],
  ['text that is no patch', () => Buffer.from('hello\n'), () => Buffer.from(newFile('src/z'))],
  [
    'a patch of another commit',
    () => Buffer.from('--- a/src/add.js\n+++ b/src/add.js\n@@ -1 +1 @@\n-nothing\n+else\n'),
    () => patchOf(() => write('src/add.js', '1;\n')),
  ],
];

describe('patches', () => {
  test.each(CHANGES)('with %s are refused', async (_, attack, control) => {
    expect(await refusalOf(attack())).toBeTypeOf('string');
    expect(await refusalOf(control())).toBeUndefined();
  });
});

const SETTINGS: CiSettings = {
  ...CI_DEFAULTS,
  ...{
    workflow: 'ralph',
    workflowPath: undefined,
    maxCostUsd: undefined,
    maxCostPerDayUsd: undefined,
    maxCostPerMonthUsd: undefined,
  },
};

/** Words that GitHub acts upon in a title or in the message of a commit. */
const ACTED_UPON =
  /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|skip-checks: *true|\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? +(?:[\w-]+\/[\w.-]+)?(?:#|GH-)\d|(?:^|\W)@[a-z]/i;

/** Words that it acts upon in a body and in a comment as well. */
const IN_COMMENTS =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? +(?:[\w-]+\/[\w.-]+)?(?:#|GH-)\d|(?:^|\W)@[a-z]/i;

/** A text of the branch or of the fix job. */
const WORDS = [
  'x-[skip ci]',
  '[ci skip]',
  'a [no ci] b',
  '[skip actions]',
  '#12',
  'closes #1',
  'fixes GH-1',
  'GH-1',
  'resolves octo-org/shop#4',
  '@octocat',
  '@octo-org/maintainers',
  'a`@octocat',
  'skip-checks: true',
  '\n\nCloses #1',
  '`\n@octocat\n`',
];

describe('words that GitHub acts upon', () => {
  const outside = (markdown: string): string => markdown.replace(/`[^`\n]*`/g, '`code`');

  test.each(WORDS)('%j does nothing', (word) => {
    // Negative control: GitHub would act upon the word itself.
    expect(`fix ${word}`).toMatch(ACTED_UPON);
    expect(renderTitle(word)).not.toMatch(ACTED_UPON);
    expect(renderTitle(word)).not.toContain('\n');
    const claim = { branch: word, head, id: word };
    const { body } = renderPull({ claim, files: [word], report: '', runUrl: undefined });
    expect(outside(body)).not.toMatch(IN_COMMENTS);
    const run = {
      ...({ kind: 'run', trigger: 'comment', branch: word, head, task: word, number: 1 } as const),
      ...{ pull: 7, labelled: false, run: undefined },
    };
    expect(outside(renderAccepted(run, undefined, SETTINGS))).not.toMatch(IN_COMMENTS);
    expect(outside(renderRefused({ kind: 'skip', reason: 'locked', text: word }))).not.toMatch(IN_COMMENTS);
    const ended = { published: false, reason: 'nothing_to_do', text: word, verified: true };
    const facts = { left: 0, report: '', runUrl: undefined, next: undefined };
    expect(outside(renderEnded(ended, facts, SETTINGS))).not.toMatch(IN_COMMENTS);
  });
});
