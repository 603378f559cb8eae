import { posix } from 'node:path';
import { foldPath } from '../../workspace/deliver/path-spelling.ts';
import { matcherOf } from '../../workspace/globs.ts';
import { LOCK_FILES } from '../../workspace/protect/protected-paths.ts';

/** One file of a patch. Texts and sizes are those of the commits, not of the patch. */
export interface PatchedFile {
  readonly path: string;
  /** Bytes; undefined: the file does not exist. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

const MAX_ADDED_BYTES = 1024 * 1024;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Files that CI systems, deployments, editors and shells run by themselves. Lower case. */
const RUN_ELSEWHERE = matcherOf([
  ...[
    '.gitea',
    '.forgejo',
    '.woodpecker',
    '.drone',
    '.circleci',
    '.buildkite',
    '.semaphore',
    '.tekton',
    '.teamcity',
  ],
  ...[
    '.builds',
    '.cirrus*',
    '.travis.y*ml',
    '.drone.y*ml',
    '.drone.star',
    '.drone.jsonnet',
    '.woodpecker.y*ml',
  ],
  ...[
    'buildspec*.y*ml',
    'appspec.y*ml',
    'amplify.yml',
    'cloudbuild*.y*ml',
    'cloudbuild*.json',
    'jenkinsfile*',
  ],
  ...[
    'azure-pipelines*.y*ml',
    '.azure-pipelines',
    '.gitlab-ci*.y*ml',
    '.build.yml',
    'appveyor.y*ml',
    '.appveyor.y*ml',
  ],
  ...[
    'bitrise.y*ml',
    'codefresh.y*ml',
    'wercker.y*ml',
    '.screwdriver.y*ml',
    'screwdriver.y*ml',
    'codemagic.y*ml',
  ],
  ...[
    'vercel.json',
    'vercel.ts',
    'vercel.js',
    'vercel.mjs',
    'netlify.toml',
    'wrangler.toml',
    'wrangler.json*',
    'fly.toml',
    'render.y*ml',
    'firebase.json',
    'procfile',
    'app.json',
    'now.json',
    'static.json',
    'heroku.yml',
    'railway.json',
    'railway.toml',
    'nixpacks.toml',
  ],
  ...[
    'circle.yml',
    'codeship-*.yml',
    'zuul.y*ml',
    '.zuul.d',
    'zuul.d',
    'semaphore.yml',
    'mergify.yml',
    'bors.toml',
    'pkgx.y*ml',
  ],
  // npm compiles the one, and loads the other in place of what it installs.
  ...['binding.gyp', 'node_modules'],
  ...['release.config.*', '.releaserc*', '.gitpod.y*ml', '.codesandbox', '.replit'],
  ...['.aider*', '.windsurf', '.clinerules', '.roo', '.kiro', '.continue', '.junie', '.amazonq'],
  ...['.claude', '.mcp.json', '.cursor', '.cursorrules', '.gemini', '.codex', '.opencode', 'opencode.json*'],
  ...[
    '.vscode',
    '.idea',
    '.zed',
    '.devcontainer',
    '.devcontainer.json',
    '*.code-workspace',
    '.envrc',
    '.fleet',
    '.mise*',
    'mise.toml',
    'mise.*.toml',
    '.config',
    'flake.nix',
    'shell.nix',
    'default.nix',
    'devenv.nix',
    'devenv.y*ml',
  ],
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-checkout', 'post-merge'],
  ...['post-rewrite', 'pre-rebase', 'pre-push', 'pre-receive', 'post-receive', '*.node'],
  ...['.pre-commit-config.y*ml', '.pre-commit-hooks.y*ml', '.overcommit.yml', '.lintstagedrc*', '.huskyrc*'],
  ...['.lefthook*', 'lefthook*.y*ml', 'lefthook*.toml', 'lefthook*.json*', 'dangerfile*'],
  ...[
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.yarn',
    '.pnp.*',
    '.pnpmfile.*',
    'bunfig.toml',
    '.tool-versions',
    'renovate.json*',
    '.renovaterc*',
  ],
]);

/** Files that tell coding agents what to do; a task may be about them. Lower case. */
const INSTRUCTIONS = matcherOf([
  'agents.md',
  'claude.md',
  'gemini.md',
  'copilot-instructions.md',
  '.windsurfrules',
]);

/** Files that decide how tests of other languages run; a task may be about them. Lower case. */
const JUDGES = matcherOf([
  ...[
    'conftest.py',
    'sitecustomize.py',
    'usercustomize.py',
    'pytest.ini',
    'tox.ini',
    'noxfile.py',
    'setup.cfg',
  ],
  ...['pyproject.toml', 'phpunit.xml*', 'spec_helper.rb', 'rails_helper.rb', 'build.rs'],
]);

/** Files that decide what is installed, or what tests compare with; a task may be about them. Lower case. */
const DECIDING = matcherOf([
  ...LOCK_FILES,
  ...['*.lock', '*.lockfile', 'go.sum', 'packages.lock.json', 'package.resolved'],
  ...['deno.json', 'deno.jsonc', '*.snap', '*.snapshot'],
]);

/** Hidden files and folders: most configure a program. */
const HIDDEN = /(?:^|\/)\./;

/** Keys of package.json that neither run a program nor install a package. */
const HARMLESS_KEYS: ReadonlySet<string> = new Set([
  ...[
    'description',
    'keywords',
    'author',
    'contributors',
    'maintainers',
    'homepage',
    'bugs',
    'license',
    'funding',
  ],
  ...['main', 'module', 'browser', 'types', 'typings', 'typesVersions', 'exports', 'sideEffects', 'files'],
]);

/** True for a package.json, whose keys decide. */
export function isManifest(path: string): boolean {
  return foldPath(posix.basename(path)) === 'package.json';
}

/** Why a patch with these files is not published, as the end of "The patch …"; undefined if it may be. Pure. */
export function problemOfFiles(files: readonly PatchedFile[], allow: readonly string[]): string | undefined {
  const isAllowed = matcherOf(allow);
  for (const { path, after } of files) {
    const lower = foldPath(path);
    const shown = JSON.stringify(path);
    if (RUN_ELSEWHERE(lower)) return `changes ${shown}, which other programs run by themselves`;
    if (INSTRUCTIONS(lower) && !isAllowed(path))
      return `changes ${shown}, which instructs coding agents; --allow ${shown} permits it`;
    if (JUDGES(lower) && !isAllowed(path))
      return `changes ${shown}, which decides how the checks run; --allow ${shown} permits it`;
    if (DECIDING(lower) && !isAllowed(path))
      return `changes ${shown}, which decides what is installed or what tests compare with; --allow ${shown} permits it`;
    if (HIDDEN.test(path) && !isAllowed(path))
      return `changes ${shown}, a hidden file; --allow ${shown} permits it`;
    if ((after ?? 0) > MAX_FILE_BYTES)
      return `makes ${shown} ${after} bytes; at most ${MAX_FILE_BYTES} are accepted`;
  }
  const added = files.reduce((sum, { before = 0, after = 0 }) => sum + Math.max(0, after - before), 0);
  return added > MAX_ADDED_BYTES ? `adds ${added} bytes; at most ${MAX_ADDED_BYTES} are accepted` : undefined;
}

/**
 * Why a change of a package.json is not published: every changed key must be one that runs and installs nothing. A text
 * that is no object of JSON is refused, and so is a new or a removed file. Pure.
 */
export function problemOfManifest(
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  const shown = JSON.stringify(path);
  const permits = `; --allow ${shown} permits it`;
  if (before === undefined) return `adds ${shown}${permits}`;
  if (after === undefined) return `removes ${shown}${permits}`;
  const [old, fresh] = [parseObject(before), parseObject(after)];
  if (old === undefined || fresh === undefined)
    return `changes ${shown}, which is no object of JSON${permits}`;
  const changed = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(
    (key) => JSON.stringify(old[key]) !== JSON.stringify(fresh[key]),
  );
  const refused = changed.find((key) => !HARMLESS_KEYS.has(key));
  return refused === undefined
    ? undefined
    : `changes the key ${JSON.stringify(refused)} of ${shown}, which can run or install something${permits}`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // Parsers differ on which of two equal keys they take.
    return isObject && countKeys(value) === (text.match(KEY) ?? []).length
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A text before a colon; in JSON, only a key stands there. */
const KEY = /"(?:[^"\\]|\\.)*"(?=\s*:)/g;

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, part) => sum + countKeys(part), own);
}
