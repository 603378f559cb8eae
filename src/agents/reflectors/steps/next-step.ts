import {
  capitalise,
  clause,
  joinList,
  oneLine,
  renderPlace,
  safeTitle,
  shownCode,
} from '../../../prompts/phrases.ts';
import type { Diagnostic, Reflection } from '../../../schema/generated.ts';
import type { Evidence } from '../evidence.ts';
import { codeAt, type SourceLines } from '../source-lines.ts';
import { idleStep, tamperedStep } from './actor-step.ts';
import { againStep } from './again-step.ts';
import { nameOf, nextSources } from './named.ts';
import { observations } from './observations.ts';

/**
 * The one step for the next attempt; completes a sentence that begins with "In my next attempt I will". Where the
 * evidence names the place and the rule of an error, the step is to fix it there; else it is one observation. The step is
 * one that the loop was not given yet, as long as there is one.
 */
export function nextStep(evidence: Evidence): string {
  return tamperedStep(evidence) ?? idleStep(evidence) ?? againStep(evidence) ?? failureStep(evidence);
}

const MODULE =
  /(?:Cannot find (?:module|package)|Failed to resolve import|Could not resolve|Can't resolve|Failed to load url) ["'`]?([^"'`\s]+)/;

function failureStep(evidence: Evidence): string {
  const [lead] = evidence.ahead;
  if (lead === undefined) return readOutput(evidence);
  if (lead.check === 'proof') return proofStep(lead);
  if (lead.type === 'other' && lead.file === undefined) return readOutput(evidence, lead.check);
  const name = MODULE.exec(lead.message)?.[1];
  if (name !== undefined) {
    const at = lead.file === undefined ? '' : ` of ${renderPlace({ file: lead.file })}`;
    const own = fileCalled(name, nextSources(evidence));
    if (own !== undefined)
      return `find out why ${renderPlace({ file: own })}, which exists, is not found as "${oneLine(name, 100)}"${own === lead.file ? '' : at}`;
    return /^[./]|\.[cm]?[jt]sx?$/.test(name)
      ? `compare the path "${oneLine(name, 100)}" in the imports${at} with the files that exist`
      : `work without the package "${oneLine(name, 100)}", which cannot be found`;
  }
  if (lead.type === 'type_error' || lead.type === 'syntax_error' || lead.type === 'lint_error')
    return inTurn(evidence, staticSteps(evidence, lead));
  return inTurn(evidence, [...undefinedName(evidence, lead), ...observations(evidence, lead)]);
}

/** The step where the failing line uses a name that is declared nowhere. */
function undefinedName(evidence: Evidence, { file, line, message }: Diagnostic): string[] {
  const name = /\bReferenceError: ([\w$]+) is not defined/.exec(message)?.[1];
  const code = file === undefined ? undefined : codeAt(nextSources(evidence), file, line);
  if (name === undefined || code === undefined || !new Set(code.match(/[\w$]+/g)).has(name)) return [];
  return [
    `declare ${shownCode(name)}, or correct the name, in ${shownCode(code)} at ${renderPlace({ file: file!, line })}`,
  ];
}

/** The step after a failure of the proof, which has no command to run and no value that differs. */
function proofStep({ message, file, line, rule }: Diagnostic): string {
  const place = file === undefined ? '' : ` at ${renderPlace({ file, line })}`;
  const remedy = /(?:^|\. )((?:Take it back|Leave the question out), or add a test [^.;]+)[.;]/.exec(
    message,
  )?.[1];
  if (rule !== 'needless-change' || remedy === undefined)
    return `do what the proof asks for${place}: ${clause(message, 200)}`;
  return remedy
    .replace(/^Take it back/, `take the change${place} back`)
    .replace(/^Leave the question out/, `leave the question${place} out`);
}

/** A file of the repository with the name of a package. */
function fileCalled(name: string, sources: SourceLines): string | undefined {
  if (!/^[\w@/.-]+$/.test(name) || name.startsWith('.') || name.startsWith('/')) return undefined;
  const endings = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '/index.js', '/index.ts'];
  return endings.map((end) => `${name}${end}`).find((file) => sources.linesOf(file) !== undefined);
}

/**
 * The next of some steps: one that the loop was not given yet, or the one that it was given least and longest ago. With the same
 * failure again, those after the one of the attempt before come first.
 */
function inTurn(evidence: Evidence, steps: readonly string[]): string {
  const { alike, fixed } = evidence;
  const from = (fixed.length > 0 ? 0 : Math.max(0, alike.length - 1)) % steps.length;
  const turned = [...steps.slice(from), ...steps.slice(0, from)];
  const fewest = Math.min(...turned.map((step) => timesAdvised(evidence, step)));
  const rare = turned.filter((step) => timesAdvised(evidence, step) === fewest);
  return rare.reduce((best, step) =>
    lastAdvised(evidence, step) < lastAdvised(evidence, best) ? step : best,
  );
}

/** Where in the loop a step was given last; -1 for one that was not. */
function lastAdvised({ earlier }: Evidence, step: string): number {
  return earlier.findLastIndex(isAdvised(step));
}

function timesAdvised({ earlier }: Evidence, step: string): number {
  return earlier.filter(isAdvised(step)).length;
}

function isAdvised(step: string): (reflection: Reflection) => boolean {
  const insight = `${capitalise(step)}.`;
  return ({ self_reflection: self }) => self.actionable_insights.includes(insight);
}

function staticSteps(evidence: Evidence, lead: Diagnostic): string[] {
  const { changed } = evidence;
  const { file, line, type } = lead;
  const code = file === undefined ? undefined : codeAt(nextSources(evidence), file, line);
  // A test file that could not be run is not where the error is.
  if (type === 'syntax_error' && line === undefined && changed.length > 0)
    return [
      `check the syntax of ${joinList(changed.map((one) => renderPlace({ file: one })))}, which attempt ${evidence.attempt} changed`,
    ];
  const fix = `fix ${nameOf(lead)}${code === undefined ? '' : `, in ${shownCode(code)}`}`;
  if (file === undefined || line === undefined) return [fix];
  const spot = `${code === undefined ? 'the line' : shownCode(code)} at ${renderPlace({ file, line })}`;
  return [
    fix,
    `look up where the names in ${spot} are declared, and fix ${plainName(lead)} by it`,
    `write ${spot} in another way, so that there is no ground for ${plainName(lead)}`,
  ];
}

/** The name of an error that the step has placed already. */
function plainName(lead: Diagnostic): string {
  return nameOf({ ...lead, file: undefined });
}

/** The output is that of the tree that the next attempt starts from. */
function readOutput({ input, isKept }: Evidence, name?: string): string {
  const { checks, missing_tests: missing } = isKept
    ? input.evaluation
    : (input.loop?.next.evaluation ?? input.evaluation);
  const failing = checks.filter(({ status }) => status === 'fail');
  const broken = checks.find(({ status }) => status === 'error');
  const check = failing.find((one) => one.name === name) ?? broken ?? failing[0];
  if (check === undefined)
    return missing.length === 0
      ? 'compare the changed files with the task'
      : `run ${oneLine(safeTitle(missing[0]!), 100)} alone and read why it does not run`;
  const said = lastLine(check.output, check.detail);
  if (check.command !== '') return `run ${shownCode(check.command)} and read its output: ${said}`;
  // Checks of ralph's own, such as criteria, have no command.
  return check.name === 'holdout'
    ? 'compare the change with the task: it is right for the checks that are shown, and not for those held out'
    : `do what the check ${check.name} asks for: ${said}`;
}

function lastLine(output: string, detail: string): string {
  const line = output
    .split('\n')
    .map((text) => text.trim())
    .findLast((text) => text !== '');
  return clause(line ?? detail, 120);
}
