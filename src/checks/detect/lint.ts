import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { operandsOf } from './arguments.ts';
import { findConfig } from './config-files.ts';
import { commandDraft, installedTool, toolDraft } from './drafts.ts';
import { foldersUpTo, readManifest, relativeTo } from './manifest.ts';
import { type CheckDraft, type Findings, numberedName, type Place } from './place.ts';
import { shellWord } from '../../platform/processes/shell-words.ts';
import { expandScript, type Step } from './steps.ts';

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
/** Options by which linters change files. */
const WRITES = /^--(fix|write|apply|unsafe|apply-unsafe|fix-suggestions|fix-dangerously)$/;

/**
 * The lint checks of a package: ESLint where it is configured and installed, with the arguments of the lint
 * script; else another linter that the lint or test script names.
 */
export function detectLint(place: Place, testSteps: readonly Step[]): Findings {
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
  /** Its configuration, relative to the root; absent where ESLint cannot be a check here. */
  readonly config?: string;
  readonly notes: readonly string[];
}

function findEslint(place: Place, steps: readonly Step[]): EslintFacts {
  const flat = inFolders(place, (dir) => findConfig('eslint', { dir, root: place.root }));
  const given = steps.map((step) => findConfig('eslint', { ...place, dir: step.dir }, step.args));
  const legacy = flat === undefined ? inFolders(place, (dir) => legacyConfig(dir, place.root)) : undefined;
  const config = given.find((it) => it !== undefined) ?? flat ?? legacy;
  if (config === undefined)
    return { notes: steps.some(isEslint) ? ['Lint: not checked, ESLint has no configuration.'] : [] };
  const version = place.manager.plugAndPlay ? '' : installedTool('eslint', place.dir, place)?.version;
  if (version === undefined) return { notes: [`Lint: not checked, eslint is not installed (${config}).`] };
  const forced = steps.some((step) => step.env['ESLINT_USE_FLAT_CONFIG'] === 'false');
  if (config === legacy && Number.parseInt(version, 10) >= 9 && !forced) {
    return { notes: [`Lint: not checked, ESLint ${version} does not read ${config}.`] };
  }
  return { config, notes: [`Lint: eslint ${version} (${config}).`] };
}

function eslintChecks(place: Place, steps: readonly Step[], config: string): CheckDraft[] {
  const scripted = steps.filter(isEslint);
  const whole: Step = {
    ...{ kind: 'lint', program: 'eslint', args: ['.'], env: {}, watches: false },
    ...{ text: 'eslint .', dir: place.dir, source: config },
  };
  return (scripted.length === 0 ? [whole] : scripted).map((step, index) => {
    const options = { name: numberedName('lint', index), kind: 'lint' } as const;
    if (place.manager.plugAndPlay) {
      const line = ['yarn', 'eslint', ...step.args.map(shellWord)].join(' ');
      return commandDraft({ line, dir: step.dir, source: step.source }, place, options);
    }
    const draft = toolDraft(withTarget(step), 'eslint', place, options);
    return { ...draft, config: draft.config ?? config };
  });
}

/** Without a path ESLint 8 lints nothing; where `.` is what later versions mean. */
function withTarget(step: Step): Step {
  return operandsOf('eslint', step.args).length === 0 ? { ...step, args: [...step.args, '.'] } : step;
}

function otherLinter(place: Place, step: Step, name: string): CheckDraft {
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

function inFolders(place: Place, find: (dir: string) => string | undefined): string | undefined {
  return foldersUpTo(place.dir, place.root)
    .map(find)
    .find((it) => it !== undefined);
}
