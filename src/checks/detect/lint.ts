import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../tools.ts';
import { operandsOf } from '../run/option-rules.ts';
import { findConfig } from './config-files.ts';
import { commandDraft, toolDraft } from './drafts.ts';
import { findInstalledTool } from './installed-tool.ts';
import { foldersUpTo, readManifest, relativeTo } from './manifest.ts';
import { type CheckDraft, type Findings, numberedName, type PackageContext } from './package-context.ts';
import { shellWord } from '../../platform/processes/shell-words.ts';
import { expandScript, type Step } from './steps.ts';

/** Names of lint scripts, the usual one first. */
const SCRIPTS = [
  'lint',
  'lint:check',
  'check:lint',
  'lint:js',
  'lint:ts',
  'lint:eslint',
  'eslint',
  'lint:code',
];
const LEGACY_CONFIGS = ['.js', '.cjs', '.yaml', '.yml', '.json', ''].map(
  (extension) => `.eslintrc${extension}`,
);
/** Options by which linters write files. */
const WRITES = /^--(fix|write|apply|unsafe|apply-unsafe|fix-suggestions|fix-dangerously)$/;

/**
 * The lint checks of a package: ESLint with the arguments of the lint script, where it is configured and installed;
 * else another linter that the lint or test script names.
 */
export function detectLint(place: PackageContext, testSteps: readonly Step[]): Findings {
  const scope = { scripts: place.manifest.scripts, dir: place.dir, runsHooks: place.manager.runsHooks };
  const named = SCRIPTS.map((name) => expandScript(name, scope).filter((step) => step.kind === 'lint'));
  const steps = named.find((found) => found.length > 0) ?? testSteps.filter((step) => step.kind === 'lint');
  const eslint = findEslint(place, steps);
  const others = steps.filter((step) => step.program !== 'eslint');
  if (eslint.config !== undefined)
    return { checks: eslintChecks(place, steps, eslint.config), notes: eslint.notes };
  const checks = others.map((step, index) => otherLinter(place, step, numberedName('lint', index)));
  return {
    checks,
    notes: [...eslint.notes, ...checks.map((check) => `Lint: ${check.args[0]} (${check.source}).`)],
  };
}

interface EslintFacts {
  /** Its configuration file, relative to the root; absent where ESLint cannot run here. */
  readonly config?: string;
  readonly notes: readonly string[];
}

function findEslint(place: PackageContext, steps: readonly Step[]): EslintFacts {
  const flat = inFolders(place, (dir) => findConfig('eslint', { dir, root: place.root }));
  const given = steps.map((step) => findConfig('eslint', { ...place, dir: step.dir }, step.args));
  const legacy = flat === undefined ? inFolders(place, (dir) => legacyConfig(dir, place.root)) : undefined;
  const config = given.find((it) => it !== undefined) ?? flat ?? legacy;
  if (config === undefined)
    return { notes: steps.some(isEslint) ? ['Lint: not checked, ESLint has no configuration.'] : [] };
  const version = place.manager.plugAndPlay ? '' : findInstalledTool('eslint', place.dir, place)?.version;
  if (version === undefined) return { notes: [`Lint: not checked, eslint is not installed (${config}).`] };
  const forced = steps.some((step) => step.env['ESLINT_USE_FLAT_CONFIG'] === 'false');
  if (config === legacy && Number.parseInt(version, 10) >= 9 && !forced) {
    return { notes: [`Lint: not checked, ESLint ${version} does not read ${config}.`] };
  }
  return { config, notes: [`Lint: eslint ${version} (${config}).`] };
}

function eslintChecks(place: PackageContext, steps: readonly Step[], config: string): CheckDraft[] {
  const scripted = steps.filter(isEslint);
  const wholePackage: Step = {
    kind: 'lint',
    program: 'eslint',
    args: ['.'],
    env: {},
    watches: false,
    text: 'eslint .',
    dir: place.dir,
    source: config,
  };
  return (scripted.length === 0 ? [wholePackage] : scripted).map((step, index) => {
    const options = { name: numberedName('lint', index), kind: 'lint' } as const;
    if (place.manager.plugAndPlay) {
      const line = ['yarn', 'eslint', ...step.args.map(shellWord)].join(' ');
      return commandDraft({ line, dir: step.dir, source: step.source }, place, options);
    }
    const draft = toolDraft(withTarget(step), 'eslint', place, options);
    return { ...draft, config: draft.config ?? config };
  });
}

/** ESLint 8 lints nothing without a path; later versions lint `.`. */
function withTarget(step: Step): Step {
  return operandsOf(tools.eslint.options, step.args).length === 0
    ? { ...step, args: [...step.args, '.'] }
    : step;
}

function otherLinter(place: PackageContext, step: Step, name: string): CheckDraft {
  const words = [step.program, ...step.args.filter((word) => !WRITES.test(word))].map(shellWord);
  const prefix = place.manager.plugAndPlay ? ['yarn'] : [];
  const line = [...prefix, ...words].join(' ');
  return commandDraft({ line, dir: step.dir, source: step.source }, place, { name, kind: 'lint' });
}

function isEslint(step: Step): boolean {
  return step.program === 'eslint';
}

function legacyConfig(dir: string, root: string): string | undefined {
  const file = LEGACY_CONFIGS.find((name) => existsSync(join(dir, name)));
  if (file !== undefined) return relativeTo(root, join(dir, file));
  const inManifest = readManifest(dir)?.sections.has('eslintConfig') === true;
  return inManifest ? relativeTo(root, join(dir, 'package.json')) : undefined;
}

function inFolders(place: PackageContext, find: (dir: string) => string | undefined): string | undefined {
  return foldersUpTo(place.dir, place.root)
    .map(find)
    .find((it) => it !== undefined);
}
