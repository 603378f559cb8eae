import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ExitCode, RalphError } from '../../../errors.ts';
import type { PackageManager } from '../../../ports/plan.ts';
import type { Manifest } from './manifest.ts';
import type { ManagerFacts } from './package-manager.ts';
import { testScriptTexts, wordsOf } from '../scripts/reached-scripts.ts';

const INSTALL: Readonly<Record<PackageManager['name'], string>> = {
  npm: 'It comes with Node.js: https://nodejs.org',
  pnpm: 'corepack enable pnpm, or npm install --global pnpm',
  yarn: 'corepack enable yarn, or npm install --global yarn',
  bun: 'npm install --global bun',
};

/** The package manager of a package, the package's scripts, and where programs are looked for. */
export interface RunnableRequest {
  /** Absolute path of the repository. */
  readonly root: string;
  readonly facts: ManagerFacts;
  readonly manifest: Manifest;
  /** The value of PATH. */
  readonly path: string;
}

/**
 * The package manager as it can run scripts here: npm takes the place of one that is not on the PATH, and of a Yarn that did
 * not install the packages and therefore refuses to run, unless the `test` script calls that one itself. Throws RalphError (no_dependencies) where the test script cannot run: every attempt would
 * fail at its confirmation.
 */
export function runnableManager({ root, facts, manifest, path }: RunnableRequest): ManagerFacts {
  const isHere = (program: string): boolean =>
    path.split(delimiter).some((folder) => existsSync(join(folder || '.', program)));
  const isUsable = isHere(facts.name) && !refusesToRun(facts, root);
  if (manifest.scripts['test'] === undefined || isUsable) return facts;
  const isNeeded = facts.plugAndPlay || callsInTests(facts.name, manifest.scripts);
  if (!isNeeded && isHere('npm'))
    return { ...facts, runner: 'npm', testCommand: 'npm test', runsHooks: true };
  if (isHere(facts.name)) return facts;
  throw new RalphError(`${facts.name} is not on the PATH; the tests run by "${facts.testCommand}".`, {
    code: 'no_dependencies',
    exitCode: ExitCode.check,
    hint: `Install it: ${INSTALL[facts.name]}\nor name another test command: --check tests="…"`,
  });
}

/** Yarn 2 and later run nothing without the file that they write when they install. */
function refusesToRun({ name, runsHooks, plugAndPlay }: ManagerFacts, root: string): boolean {
  const isModern = name === 'yarn' && !runsHooks && !plugAndPlay;
  const modules = join(root, 'node_modules');
  return isModern && existsSync(modules) && !existsSync(join(modules, '.yarn-state.yml'));
}

/** Whether the test script, or a script that it names, calls the program. */
function callsInTests(program: string, scripts: Manifest['scripts']): boolean {
  return testScriptTexts(scripts).some((text) => wordsOf(text).includes(program));
}
