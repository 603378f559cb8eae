import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../tools.ts';
import { operandsOf } from '../run/option-rules.ts';
import { findConfig } from './config-files.ts';
import { withoutDownloaded } from './downloaded-programs.ts';
import { commandDraft, toolDraft } from './drafts.ts';
import { findInstalledTool } from './installed-tool.ts';
import { foldersUpTo, readManifest, relativeTo } from './packages/manifest.ts';
import {
  type CheckDraft,
  type Findings,
  numberedName,
  type PackageContext,
} from './packages/package-context.ts';
import { shellWord } from '../../platform/processes/shell-words.ts';
import { scopeOf, stepsOfScripts, stepsOfWorkflows, uniqueSteps } from './scripts/check-scripts.ts';
import { expandScript } from './scripts/steps.ts';
import { stepKey, type Step } from './scripts/step.ts';

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
/** Other names of scripts that lint. */
const PATTERN =
  /(^|[:_-])(lint|eslint|oxlint|biome|xo|standard|gts|style|check|format|prettier|quality|validate)([:_-]|$)/i;
/** Options by which linters and formatters write files. */
const WRITES = /^(-w|--(fix|write|apply|unsafe|apply-unsafe|fix-suggestions|fix-dangerously|fix-dry-run))$/;
const CACHES = /^--cache(-strategy|-location)?(=|$)/;
const CACHE_VALUE = /^--cache-(strategy|location)$/;

/** Programs of a lint script that check nothing themselves. */
const PREPARES =
  /^(rm|rimraf|del|del-cli|shx|mkdir|cp|mv|cpy|git|node-gyp|tsc|rollup|webpack|vite|tsup|tsdown|unbuild)$/;

/**
 * The lint checks of a package: every linter, and every formatter that only checks, of its lint script and of its test
 * script, and what its lint script runs behind them. A configuration of ESLint that no script uses is an offer.
 */
export function detectLint(place: PackageContext, testSteps: readonly Step[]): Findings {
  const known = stepsOfScripts(place, { names: SCRIPTS, pattern: PATTERN }, isLint);
  const unknown = unknownLinters(place);
  const scripted = [...known, ...unknown.filter((step) => missingIn(place, step) === undefined)];
  const named = uniqueChecks([...scripted, ...[...testSteps, ...stepsOfWorkflows(place)].filter(isLint)]);
  const { steps, notes: downloaded } = withoutDownloaded(named, place);
  const eslint = findEslint(place, steps);
  const missing = [...unknown.flatMap((step) => missingNote(place, step)), ...downloaded];
  if (!steps.some(isEslint) && eslint.config !== undefined) {
    const found = offered(place, steps, eslint.config);
    return { ...found, notes: [...found.notes, ...missing] };
  }
  const kept = eslint.config === undefined ? steps.filter((step) => !isEslint(step)) : steps;
  const checks = kept.map((step, index) => lintCheck(place, step, { index, config: eslint.config }));
  const others = checks.filter((check) => check.tool === 'command');
  return {
    checks,
    notes: [
      ...eslint.notes,
      ...others.map((check) => `Lint: ${check.args[0]} (${check.source}).`),
      ...missing,
    ],
  };
}

/** `biome lint --write` and `biome lint` are one check: the one that corrects nothing. */
function uniqueChecks(steps: readonly Step[]): Step[] {
  const judging = uniqueSteps(steps.map((step) => ({ ...step, args: withoutWrites(step) })));
  return judging.map((step) => {
    const same = steps.filter((it) => it.program === step.program && it.dir === step.dir);
    const like = same.filter((it) => String(withoutWrites(it)) === String(step.args));
    return like.find((it) => corrections(it).corrects !== true) ?? like[0]!;
  });
}

/** The sentence by which a wrapper says that it has no script of this name; undefined if it has one. */
function missingIn({ observed }: PackageContext, step: Step): string | undefined {
  return observed?.get(stepKey(step))?.missing;
}

function missingNote(place: PackageContext, step: Step): string[] {
  const said = missingIn(place, step);
  return said === undefined ? [] : [`Lint: "${step.text}" (${step.source}) is no check; it says: ${said}`];
}

/**
 * The commands of the lint script that are no linter of a known name, such as `lunte` or `node scripts/lint.js`: those
 * behind the last known linter. One in front of it may only prepare.
 */
function unknownLinters(place: PackageContext): Step[] {
  const name = SCRIPTS.find((script) => Object.hasOwn(place.manifest.scripts, script));
  if (name === undefined) return [];
  const steps = expandScript(name, scopeOf(place));
  const behind = steps.slice(steps.findLastIndex(({ kind }) => kind !== 'other' && kind !== 'nothing') + 1);
  return behind.filter(
    ({ kind, program, args, watches }) =>
      kind === 'other' && !watches && !PREPARES.test(program) && !args.some((word) => WRITES.test(word)),
  );
}

function isLint(step: Step): boolean {
  return step.kind === 'lint' || step.kind === 'format';
}

/** Other linters are checks; ESLint is configured, but no script runs it. */
function offered(place: PackageContext, steps: readonly Step[], source: string): Findings {
  const checks = steps.map((step, index) => otherLinter(place, step, numberedName('lint', index)));
  const command = place.manager.plugAndPlay ? 'yarn eslint .' : 'npx eslint .';
  return {
    checks,
    notes: checks.map((check) => `Lint: ${check.args[0]} (${check.source}).`),
    offers: checks.length > 0 ? [] : [{ check: 'lint', command, source }],
  };
}

interface EslintFacts {
  /** Its configuration file, relative to the root; absent where ESLint cannot run here. */
  readonly config?: string;
  readonly notes: readonly string[];
}

function findEslint(place: PackageContext, steps: readonly Step[]): EslintFacts {
  const flat = inFolders(place, (dir) => findConfig('eslint', { dir, root: place.root }));
  const given = steps
    .filter(isEslint)
    .map((step) => findConfig('eslint', { ...place, dir: step.dir }, step.args));
  const legacy = flat === undefined ? inFolders(place, (dir) => legacyConfig(dir, place.root)) : undefined;
  const config = given.find((it) => it !== undefined) ?? flat ?? legacy;
  const isUsed = steps.some(isEslint);
  if (config === undefined)
    return { notes: isUsed ? ['Lint: not checked, ESLint has no configuration.'] : [] };
  const version = place.manager.plugAndPlay ? '' : findInstalledTool('eslint', place, place)?.version;
  if (version === undefined)
    return { notes: isUsed ? [`Lint: not checked, eslint is not installed (${config}).`] : [] };
  const forced = steps.some((step) => step.env['ESLINT_USE_FLAT_CONFIG'] === 'false');
  if (config === legacy && Number.parseInt(version, 10) >= 9 && !forced) {
    return { notes: isUsed ? [`Lint: not checked, ESLint ${version} does not read ${config}.`] : [] };
  }
  return { config, notes: [`Lint: eslint ${version} (${config}).`] };
}

interface LintCheck {
  /** 0-based index among the lint checks. */
  readonly index: number;
  /** Configuration of ESLint. */
  readonly config: string | undefined;
}

function lintCheck(place: PackageContext, step: Step, { index, config }: LintCheck): CheckDraft {
  const options = { name: numberedName('lint', index), kind: 'lint' } as const;
  if (!isEslint(step)) return otherLinter(place, step, options.name);
  if (place.manager.plugAndPlay) {
    const line = ['yarn', 'eslint', ...step.args.map(shellWord)].join(' ');
    return commandDraft({ line, dir: step.dir, source: step.source }, place, options);
  }
  const draft = toolDraft(withTarget(step), 'eslint', place, options);
  return { ...draft, config: draft.config ?? config, ...corrections(step) };
}

/** ESLint 8 lints nothing without a path; later versions lint `.`. */
function withTarget(step: Step): Step {
  return operandsOf(tools.eslint.options, step.args).length === 0
    ? { ...step, args: [...step.args, '.'] }
    : step;
}

/** A command without the options by which it would write files or a cache. */
function otherLinter(place: PackageContext, step: Step, name: string): CheckDraft {
  const { dir, source } = step;
  if (step.kind === 'other')
    return commandDraft({ line: step.text, dir, source }, place, { name, kind: 'lint' });
  const words = [step.program, ...withoutWrites(step)].map(shellWord);
  const prefix = place.manager.plugAndPlay ? ['yarn'] : [];
  const line = [...prefix, ...words].join(' ');
  const draft = commandDraft({ line, dir: step.dir, source: step.source }, place, { name, kind: 'lint' });
  return { ...draft, ...corrections(step) };
}

function withoutWrites({ args }: Step): string[] {
  return args.filter(
    (word, at) => !WRITES.test(word) && !CACHES.test(word) && !CACHE_VALUE.test(args[at - 1] ?? ''),
  );
}

/** By the text of the step: the arguments of a known tool are without these options. */
function corrections({ text }: Step): Pick<CheckDraft, 'corrects'> {
  return text.split(/\s+/).some((word) => WRITES.test(word)) ? { corrects: true } : {};
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
