import { join } from 'node:path';
import type { CoveragePlan } from '../../ports/plan.ts';
import { toolOf } from '../../tools.ts';
import type { CheckDraft } from './packages/package-context.ts';
import { readPackageVersion } from './installed-tool.ts';
import { asNodeTest } from './scripts/better-node-test.ts';
import { parseCommandLine } from './scripts/shell.ts';
import type { Step } from './scripts/step.ts';
import { lineWithCoverage } from './test-programs.ts';
import { textOf } from '../../platform/files/text-of.ts';

/**
 * How much of the product the tests of a step must reach. `none`: nothing fails for it; `apart`: only the command as it
 * stands can tell; otherwise the check measures it as well.
 */
export type CoverageDemand = 'none' | 'apart' | CoveragePlan;

/** Settings of c8 and nyc, in JSON, YAML or code. `extends`: another file may hold the limit. */
const WRAPPER_LIMIT = /check-?coverage|\b100["']?\s*:|extends/i;
const WRAPPER_CONFIGS =
  `.c8rc .c8rc.json .nycrc .nycrc.json .nycrc.yml .nycrc.yaml nyc.config.js nyc.config.cjs
  nyc.config.mjs`.split(/\s+/);
const OPTION_LIMIT =
  /^--(check-coverage|100|config|nycrc-path)\b(?!=false)|^-c$|threshold|^--test-coverage-(lines|branches|functions)\b|^--coverage\.100\b/i;
/**
 * Settings of Vitest and Jest. A setting in another file cannot be read here: `extends: true` takes those of the same
 * file, and the presets of ts-jest set no limit.
 */
const TOOL_LIMIT =
  /thresholds?\b|\b100["']?\s*:\s*true|\b(from|require\()\s*["']\.|\bextends["']?\s*:(?!\s*true\b)|preset["']?\s*:(?!\s*["']ts-jest)/i;
const TOOL_ENABLED = /collectCoverage["']?\s*:\s*true|coverage["']?\s*:\s*\{[^}]*enabled["']?\s*:\s*true/;
const COVERAGE_OPTION = /^--(coverage|collectCoverage|experimental-test-coverage|test-coverage-)/;
const DISABLED = /^--(no-coverage|disable-coverage|coverage(\.enabled)?=(false|0))$/;
/** By these settings tap accepts any coverage. */
const TAP_ACCEPTS =
  /^["']?(check-coverage|coverage)["']?\s*:\s*false|^["']?(disable-coverage|allow-incomplete-coverage|no-coverage)["']?\s*:\s*true/m;

/** The limits of coverage that a step of a test script sets for its tests. `check` runs the step without coverage. */
export function coverageDemand(step: Step, check: CheckDraft, root: string): CoverageDemand {
  if (step.wrapper !== undefined) return wrapperDemand(step, step.wrapper);
  if (step.program === 'tap') return tapDemand(step);
  if (step.program !== check.tool) return 'none';
  const { words } = asNodeTest({ words: parseCommandLine(step.text)[0]?.words ?? [], env: {} });
  if (words.some((word) => DISABLED.test(word))) return 'none';
  const options = coverageOptions(words, toolOf(check.tool).options.dropWithValue);
  const text = check.config === undefined ? '' : textOf(join(root, check.config));
  if (options.length === 0 && !TOOL_ENABLED.test(text)) return 'none';
  const isLimited = options.some((word) => OPTION_LIMIT.test(word)) || TOOL_LIMIT.test(text);
  return isLimited ? { options } : 'none';
}

/** Whether only the script itself can measure what it demands of a step, because its wrapper measures other commands too. */
export function isMeasuredApart(step: Step): boolean {
  return step.wrapper !== undefined && wrapperDemand(step, step.wrapper) === 'apart';
}

/** Whether `c8 report` and the like fail for a limit. */
export function reportsLimit({ kind, program, args, dir }: Step): boolean {
  return kind === 'nothing' && /^(c8|nyc)$/.test(program) && hasWrapperLimit(args, dir);
}

function wrapperDemand(
  { dir, program }: Step,
  { words, isShared }: NonNullable<Step['wrapper']>,
): CoverageDemand {
  if (!hasWrapperLimit(words, dir)) return 'none';
  return isShared || program === 'tap' ? 'apart' : { wrapper: words };
}

function hasWrapperLimit(words: readonly string[], dir: string): boolean {
  if (words.some((word) => OPTION_LIMIT.test(word) || word === 'check-coverage')) return true;
  if (WRAPPER_CONFIGS.some((name) => WRAPPER_LIMIT.test(textOf(join(dir, name))))) return true;
  return ['c8', 'nyc'].some((name) => WRAPPER_LIMIT.test(JSON.stringify(sectionOf(dir, name) ?? '')));
}

function tapDemand(step: Step): CoverageDemand {
  const { args, dir } = step;
  if (
    args.some((word) => DISABLED.test(word) || /^--(no-check-coverage|allow-incomplete-coverage)$/.test(word))
  )
    return 'none';
  // Before its version 15, tap accepted any coverage.
  if (
    Number.parseInt(readPackageVersion('tap', dir) ?? '15', 10) < 15 &&
    !args.some((word) => OPTION_LIMIT.test(word))
  )
    return 'none';
  const section = JSON.stringify(sectionOf(dir, 'tap') ?? {}, undefined, 1);
  const texts = [textOf(join(dir, '.taprc')), section.replaceAll(/^\s+/gm, '')];
  return texts.some((text) => TAP_ACCEPTS.test(text)) ? 'none' : { line: lineWithCoverage(step) };
}

/** The options that measure coverage, with their values. */
function coverageOptions(words: readonly string[], valued: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (!COVERAGE_OPTION.test(word)) return [];
    return valued.includes(word) && words[at + 1] !== undefined ? [word, words[at + 1]!] : [word];
  });
}

function sectionOf(dir: string, name: string): unknown {
  try {
    return (JSON.parse(textOf(join(dir, 'package.json'))) as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
