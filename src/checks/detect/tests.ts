import { withoutAudit } from './scripts/audits.ts';
import type { Runner } from './scripts/classify.ts';
import { toolsOf } from '../../tools.ts';
import { findOwnConfig } from './config-files.ts';
import { coverageDemand } from './coverage.ts';
import { commandDraft, describeDraft, toolDraft, type DraftOptions } from './drafts.ts';
import { findInstalledTool } from './installed-tool.ts';
import {
  type CheckDraft,
  type Findings,
  numberedName,
  type PackageContext,
} from './packages/package-context.ts';
import { setupBefore, type Step } from './scripts/step.ts';
import { throughYarn, yarnFileLine, yarnLine } from './plug-and-play.ts';
import { fileLine, reportingLine } from './test-programs.ts';
import { findTestFiles, hasNodeTests } from './test-files.ts';

/** The detected test checks, and the command that confirms them. */
export interface TestFindings extends Findings {
  /** How the package manager runs the tests; absent where the script runs none, or never ends. */
  readonly testCommand?: string;
}

/**
 * The test checks of a package: from the steps of its `test` script; without one, from the runner that is configured
 * or installed. Throws RalphError where a runner that the script names is not installed.
 */
export function detectTests(place: PackageContext, steps: readonly Step[]): TestFindings {
  const meaningful = steps.filter((step) => step.kind !== 'nothing');
  if (meaningful.length === 0) return withoutScript(place, steps.length > 0);
  const testing = meaningful.filter(isTesting);
  const watching = testing.some((step) => step.watches);
  const testCommand = watching ? undefined : confirmCommand(place, testing);
  const found = testing.some(isCalledDirectly);
  const whole = testing.length > 0 || meaningful.some((step) => step.kind === 'other');
  if (!found && !whole) return { ...withoutScript(place, true), testCommand };
  const findings = found
    ? stepChecks(place, meaningful)
    : wholeScript(place, testCommand ?? confirmCommand(place, testing));
  const notes = [
    ...(watching ? ['The test script watches for changes, so it cannot confirm a result.'] : []),
    ...(withoutAudit(place.manager.testCommand, place.manifest.scripts) === undefined
      ? []
      : [`Left out, since it asks a registry: posttest (${place.manifest.scripts['posttest']}).`]),
  ];
  return { checks: findings.checks, notes: [...findings.notes, ...notes], testCommand };
}

function isTesting(step: Step): boolean {
  return step.kind === 'runner' || step.kind === 'test-program';
}

/** A program that tests, not a shell line whose commands cannot be told apart. */
function isCalledDirectly({ kind, program }: Step): boolean {
  const isProgram = program !== 'sh' && !WATCHES_BY_DEFAULT.test(program);
  return kind === 'runner' || (kind === 'test-program' && isProgram);
}

/** Programs that wait for changes unless CI is set. */
const WATCHES_BY_DEFAULT = /^(react-scripts|craco|react-app-rewired)$/;

function confirmCommand(place: PackageContext, testing: readonly Step[]): string {
  const whole = place.manager.testCommand;
  const testCommand = withoutAudit(whole, place.manifest.scripts) ?? whole;
  return testing.some((step) => WATCHES_BY_DEFAULT.test(step.program))
    ? `CI=true ${testCommand}`
    : testCommand;
}

function wholeScript(place: PackageContext, line: string): Findings {
  const source = 'package.json#scripts.test';
  const check = commandDraft({ line, dir: place.dir, source }, place, { name: 'tests', kind: 'tests' });
  return {
    checks: [check],
    notes: [`Tests: ${line}, judged by its exit code (it runs no known test runner).`],
  };
}

function stepChecks(place: PackageContext, steps: readonly Step[]): Findings {
  const checks: CheckDraft[] = [];
  for (const [index, step] of steps.entries()) {
    if (!isTesting(step) || steps.findIndex((other) => isSame(other, step)) < index) continue;
    const before = setupBefore(step, steps.slice(0, index));
    const setup = place.manager.plugAndPlay ? before.map(throughYarn) : before;
    const options = { name: numberedName('tests', checks.length), kind: 'tests', setup } as const;
    checks.push(testCheck(step, place, options));
  }
  const last = steps.findLastIndex(isTesting);
  const left = steps.slice(last + 1).filter((step) => step.kind === 'other' || step.kind === 'quality');
  const notes = left.map(
    (step) => `"${step.text}" runs after the tests: left to ${place.manager.testCommand}.`,
  );
  return { checks, notes: [...checks.map(describe), ...new Set(notes)] };
}

function testCheck(step: Step, place: PackageContext, options: DraftOptions): CheckDraft {
  if (place.manager.plugAndPlay)
    return {
      ...commandDraft({ ...step, line: yarnLine(step) }, place, options),
      fileLine: yarnFileLine(step),
    };
  const draft =
    step.kind === 'runner'
      ? toolDraft(step, step.program, place, options)
      : {
          ...commandDraft({ ...step, line: reportingLine(step) }, place, options),
          fileLine: fileLine(step),
        };
  const demand = coverageDemand(step, draft, place.root);
  return typeof demand === 'string' ? draft : { ...draft, coverage: demand };
}

function isSame(one: Step, other: Step): boolean {
  return (
    one.text === other.text && one.dir === other.dir && JSON.stringify(one.env) === JSON.stringify(other.env)
  );
}

function describe(check: CheckDraft): string {
  const config = check.config === undefined ? '' : `, ${check.config}`;
  const setup = check.setup.length === 0 ? '' : `, after ${check.setup.map((it) => `"${it}"`).join(', ')}`;
  return `Tests: ${describeDraft(check)}${config} (${check.source})${setup}.`;
}

function withoutScript(place: PackageContext, scriptIsEmpty: boolean): Findings {
  const why = scriptIsEmpty ? 'The test script runs no tests' : 'There is no test script';
  const runner = findTestFiles(place.dir).length === 0 ? undefined : runnerWithoutScript(place);
  if (runner === undefined) return { checks: [], notes: [`${why}.`] };
  const { program, source } = runner;
  const step: Step = {
    kind: 'runner',
    program,
    source,
    text: program,
    dir: place.dir,
    args: [],
    env: {},
    watches: false,
  };
  const check = toolDraft(step, program, place, { name: 'tests', kind: 'tests' });
  return { checks: [check], notes: [`${why}: ${describe(check)}`] };
}

function runnerWithoutScript(place: PackageContext): { program: Runner; source: string } | undefined {
  for (const program of toolsOf('tests')) {
    if (program === 'node') continue;
    const config = findOwnConfig(program, place);
    const listed = place.manifest.dependencies.includes(program);
    const source = config ?? (listed || place.manifest.sections.has(program) ? 'package.json' : undefined);
    if (source !== undefined && findInstalledTool(program, place, place) !== undefined)
      return { program, source };
  }
  return hasNodeTests(place.dir) ? { program: 'node', source: 'files that import node:test' } : undefined;
}
