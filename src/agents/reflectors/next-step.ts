import { claimedName } from '../../prompts/lesson-claims.ts';
import {
  capitalise,
  clause,
  failureName,
  isTestFileOf,
  joinList,
  oneLine,
  renderFunctionPlace,
  renderPlace,
  type Place,
} from '../../prompts/phrases.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { holds } from './claims/checks.ts';
import { areCommandsAtFault } from './claims/failed-commands.ts';
import type { Evidence } from './evidence.ts';
import { idleClaims } from './narrative.ts';
import { withoutEdits } from '../../platform/text/patch-hunks.ts';
import { isOfProtected } from './protected-kinds.ts';
import { renderLatest } from '../../prompts/seen-values.ts';
import type { SeenValue } from '../../ports/reflection.ts';
import { calleeAt, codeAt, importedFiles, sourceLines, type SourceLines } from './source-lines.ts';

/**
 * The one step for the next attempt; completes a sentence that begins with "In my next attempt I will". Where the
 * evidence names the place and the rule of an error, the step is to fix it there; else it is one observation. From the
 * third attempt with the same failure on, the observation is a different one each time, unless the attempt fixed another.
 */
export function nextStep(evidence: Evidence): string {
  return tamperedStep(evidence) ?? idleStep(evidence) ?? repeatStep(evidence) ?? failureStep(evidence);
}

const MODULE =
  /(?:Cannot find (?:module|package)|Failed to resolve import|Could not resolve|Can't resolve|Failed to load url) ["'`]?([^"'`\s]+)/;

function tamperedStep(evidence: Evidence): string | undefined {
  const { input, ahead } = evidence;
  const found = [...(input.evaluation.tampering ?? []), ...input.tampering].filter(
    ({ kind }) => kind !== 'claimed_without_change',
  );
  if (found.length === 0) return undefined;
  const files = [...new Set(found.flatMap(({ file }) => (file === '' ? [] : [file])))];
  const named =
    files.length === 0 ? 'what the verdict depends on' : joinList(files.map((file) => renderPlace({ file })));
  const [lead] = ahead;
  const work = lead === undefined ? '' : ` and work on ${nameOf(lead)}`;
  if (found.every(({ kind }) => kind === 'changed_while_checked'))
    return `write nothing to ${named} while the checks run (a test writes in a folder of its own)${work}`;
  const isAllProtected = found.every(({ kind, file }) => file === '' || isOfProtected(kind));
  return isAllProtected
    ? `leave ${named} alone${work}`
    : `make no edit of ${named} that is refused like this one${work}`;
}

/** A step for an actor that made no edit for a reason that has nothing to do with the code. */
function idleStep(evidence: Evidence): string | undefined {
  const { input, ahead } = evidence;
  const claims = idleClaims(evidence).filter((claim) => holds(claim, input));
  const work = ahead[0] === undefined ? '' : `; the first failure to work on is ${nameOf(ahead[0])}`;
  for (const claim of claims) {
    if (claim.kind === 'commands_failed' && areCommandsAtFault(claim))
      return /\bexit code 127\b/.test(claim.description)
        ? `do without \`${oneLine(claim.command, 120)}\`, which was not found${work}`
        : `run \`${oneLine(claim.command, 120)}\` alone and read its error before any other command${work}`;
    if (claim.kind === 'no_answer' || claim.kind === 'refused_to_answer')
      return `be asked again; nothing is known about the code from this attempt, and a second attempt without an answer needs another model${work}`;
    if (claim.kind === 'edits_withheld')
      return 'add a test that tells the plausible edits apart, or apply one of them after reading it';
    if (claim.kind === 'timed_out')
      return `make the first edit before the time limit; if the actor is stopped again without an edit, it needs a longer limit or another model${work}`;
    if (claim.kind === 'actor_failed')
      return `start the actor "${oneLine(input.trajectory.actor, 60)}" again; if it fails in the same way, it has to be set up first${work}`;
  }
  return undefined;
}

function failureStep(evidence: Evidence): string {
  const [lead] = evidence.ahead;
  if (lead === undefined) return readOutput(evidence);
  if (lead.type === 'other' && lead.file === undefined) return readOutput(evidence, lead.check);
  const name = MODULE.exec(lead.message)?.[1];
  if (name !== undefined) {
    const at = lead.file === undefined ? '' : ` of ${renderPlace({ file: lead.file })}`;
    return /^[./]|\.[cm]?[jt]sx?$/.test(name)
      ? `compare the path "${oneLine(name, 100)}" in the imports${at} with the files that exist`
      : `work without the package "${oneLine(name, 100)}", which cannot be found`;
  }
  if (lead.type === 'type_error' || lead.type === 'syntax_error' || lead.type === 'lint_error')
    return staticStep(evidence, lead);
  const sources = nextSources(evidence);
  // Values that are known need not be printed.
  const first = lastValue(evidence) === undefined ? observe : checkValues;
  const ladder = [first, compareWithTest, traceBack, rewrite, shrink] as const;
  const steps = ladder.map((step) => step(evidence, lead, sources)).filter((step) => step !== undefined);
  const tries = evidence.fixed.length > 0 ? 0 : Math.max(0, evidence.alike.length - 1);
  const from = tries % steps.length;
  const inTurn = [...steps.slice(from), ...steps.slice(0, from)];
  return inTurn.find((step) => timesAdvised(evidence, step) < MOST_ADVISED) ?? inTurn[0]!;
}

/** An advice that was given so often in a loop is replaced by the next one. */
const MOST_ADVISED = 2;

function timesAdvised({ earlier }: Evidence, step: string): number {
  const insight = `${capitalise(step)}.`;
  return earlier.filter(({ self_reflection: self }) => self.actionable_insights.includes(insight)).length;
}

/** The edit of an attempt that fixed the failure, and nothing worse, but is not in the tree that the next attempt starts from. */
function repeatStep(evidence: Evidence): string | undefined {
  const { ahead, attempt, earlier, fixed, fresh, isKept, unseen } = evidence;
  const [lead] = ahead;
  if (lead === undefined || isKept) return undefined;
  const isLead = ({ fingerprint }: Pick<Diagnostic, 'fingerprint'>): boolean =>
    fingerprint === lead.fingerprint;
  const isOwn = fixed.some(isLead) && fresh.length + unseen.length === 0;
  const lesson = `fixed ${claimedName(lead)}`;
  const before = earlier.findLast(
    ({ reflector, evaluator_output: { errors }, self_reflection: { lessons_learned: lessons } }) =>
      reflector.name === 'rules' && !errors.some(isLead) && lessons.some((text) => text.includes(lesson)),
  );
  if (!isOwn && before === undefined) return undefined;
  return `make the change of attempt ${isOwn ? attempt : before!.iteration + 1} again, which fixed ${nameOf(lead)}`;
}

function staticStep(evidence: Evidence, lead: Diagnostic): string {
  const { file, line } = lead;
  const alike = evidence.alike.filter(
    ({ actor_output }) => file !== undefined && actor_output.files_modified.includes(file),
  );
  const code = file === undefined ? undefined : codeAt(nextSources(evidence), file, line);
  const shown = code === undefined ? '' : `, in \`${shownCode(code)}\``;
  const before =
    evidence.alike.length < 2 || alike.length === 0 ? '' : `, in another way than ${attemptsOf(alike)} did`;
  return `fix ${nameOf(lead)}${shown}${before}`;
}

/** Prints values on the path of the failure. */
function observe(evidence: Evidence, lead: Diagnostic, sources: SourceLines): string {
  const place = placeToPrint(evidence);
  const code = place === undefined ? undefined : codeAt(sources, place.file, place.line);
  if (lead.type === 'timeout' && !failureName(lead).startsWith('the test ') && lead.file !== undefined)
    return `print a line at the start and at the end of each test of ${renderPlace({ file: lead.file })}, to see which one does not end`;
  if (lead.type === 'timeout')
    return `print a line before and after each step of ${place === undefined ? `what ${spotOf(lead)} calls` : renderFunctionPlace(place)}, to see which step of ${nameOf(lead)} does not end`;
  if (place !== undefined) {
    const what = code === undefined ? 'the values' : `the values in \`${shownCode(code)}\``;
    return `print ${what} at ${renderFunctionPlace(place)} ${duringOf(lead)}`;
  }
  const callee = lead.file === undefined ? undefined : calleeAt(sources, lead.file, lead.line);
  if (callee !== undefined)
    return `print ${callee.isClass ? 'what the methods of' : 'the arguments and the result of'} ${renderFunctionPlace({ ...callee, function: callee.name })}${callee.isClass ? ' receive and return' : ''} ${duringOf(lead)}`;
  return `print what ${spotOf(lead)} receives, and from which call, ${duringOf(lead)}`;
}

/** The value computed last before the first failure of the tree that the next attempt starts from; undefined where none is known. */
function lastValue({ input: { trace }, isKept, ahead, changed }: Evidence): SeenValue | undefined {
  const [lead] = ahead;
  if (trace === undefined || lead?.test_id !== trace.testId || lead.type === 'timeout') return undefined;
  const isSameTree = isKept || changed.length === 0;
  return isSameTree ? [...trace.values].sort((a, b) => a.order - b.order).at(-1) : undefined;
}

/** Goes on from the values that a traced run has shown. */
function checkValues(evidence: Evidence, lead: Diagnostic, sources: SourceLines): string {
  return `follow the values back from ${renderLatest(lastValue(evidence)!)} to the first one that differs from what ${goalOf(lead, sources)} needs, and change what computes it`;
}

function compareWithTest(_: Evidence, lead: Diagnostic, sources: SourceLines): string {
  return `work out by hand, step by step, what ${goalOf(lead, sources)} should compute, and print the first step that differs`;
}

/** The line of a test that is not met, with its code; the test itself where the failure is reported elsewhere. */
function goalOf(lead: Diagnostic, sources: SourceLines): string {
  const { file, line, test_id: id } = lead;
  if (id !== undefined && file !== undefined && !isTestFileOf(lead, file)) return nameOf(lead);
  const code = file === undefined ? undefined : codeAt(sources, file, line);
  return `${spotOf(lead)}${code === undefined ? '' : ` (\`${shownCode(code)}\`)`}`;
}

/** Names the imports of the failure's file that no attempt has edited; undefined without any. */
function traceBack(evidence: Evidence, lead: Diagnostic, sources: SourceLines): string | undefined {
  const { changed, earlier } = evidence;
  const edited = new Set([...changed, ...earlier.flatMap(({ actor_output }) => actor_output.files_modified)]);
  const imported = lead.file === undefined ? [] : importedFiles(sources, lead.file);
  const others = imported.filter((file) => !edited.has(file));
  if (others.length === 0) return undefined;
  const named = joinList(others.map((file) => renderPlace({ file })));
  return `print what ${nameOf(lead)} receives from ${named}, which no attempt has edited`;
}

/** Undefined where the function at fault has no name, and after a single attempt. */
function rewrite(evidence: Evidence, lead: Diagnostic, sources: SourceLines): string | undefined {
  const callee = lead.file === undefined ? undefined : calleeAt(sources, lead.file, lead.line);
  const place = placeToPrint(evidence) ?? (callee && { ...callee, function: callee.name });
  if (place === undefined || evidence.alike.length === 0) return undefined;
  return `write ${renderFunctionPlace(place)} anew from what ${spotOf(lead)} and the tests beside it expect, because ${evidence.alike.length + 1} attempts have left ${failureName(lead)}`;
}

function shrink(_: Evidence, lead: Diagnostic): string | undefined {
  const name = nameOf(lead);
  return name.startsWith('the test ')
    ? `find the smallest input with which ${name} still fails, in a copy of the test that is deleted afterwards`
    : undefined;
}

/** The innermost place in the source; with the same failure again, one that no earlier attempt has edited, if there is one. */
function placeToPrint({ places, alike }: Evidence): Place | undefined {
  const edited = new Set(alike.flatMap(({ actor_output }) => actor_output.files_modified));
  return places.find(({ file }) => !edited.has(file)) ?? places[0];
}

function readOutput({ input, broken }: Evidence, name?: string): string {
  const { checks, missing_tests: missing } = input.evaluation;
  const failing = checks.filter(({ status }) => status === 'fail');
  const check = failing.find((one) => one.name === name) ?? broken[0] ?? failing[0];
  if (check === undefined)
    return missing.length === 0
      ? 'compare the changed files with the task'
      : `run ${oneLine(missing[0]!)} alone and read why it does not run`;
  const said = lastLine(check.output, check.detail);
  if (check.command !== '') return `run \`${oneLine(check.command, 120)}\` and read its output: ${said}`;
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
  return clause(line ?? detail, 200);
}

/** The lines of the tree that the next attempt starts from: those of this attempt, without its edits if these are not kept. */
function nextSources({ changed, hunks, input, isKept }: Evidence): SourceLines {
  const sources = sourceLines(input.loop?.root);
  if (isKept) return sources;
  const linesBefore = (file: string): readonly string[] | undefined => {
    const own = hunks.filter((hunk) => hunk.file === file);
    const isOnlyAdded = own.length === 0 || own[0]!.isNewFile;
    return isOnlyAdded ? undefined : withoutEdits(sources.linesOf(file) ?? [], own);
  };
  return { linesOf: (file) => (changed.includes(file) ? linesBefore(file) : sources.linesOf(file)) };
}

/** The name of a failure, with the place of one that is no test. */
function nameOf(failure: Diagnostic): string {
  const { file, line } = failure;
  const name = failureName(failure);
  return name.startsWith('the test ') || file === undefined
    ? name
    : `${name} at ${renderPlace({ file, line })}`;
}

/** When the failure is seen: while its test runs, or its check. */
function duringOf(failure: Diagnostic): string {
  const name = failureName(failure);
  return name.startsWith('the test ')
    ? `while ${name} runs`
    : `while the check "${oneLine(failure.check, 60)}" runs`;
}

function spotOf({ file, line, check }: Diagnostic): string {
  return file === undefined ? `the check "${oneLine(check, 60)}"` : renderPlace({ file, line });
}

function attemptsOf(alike: Evidence['alike']): string {
  const numbers = alike.map(({ iteration }) => String(iteration + 1));
  return `${numbers.length === 1 ? 'attempt' : 'attempts'} ${joinList(numbers, 6)}`;
}

function shownCode(code: string): string {
  return oneLine(code, 120).replaceAll('`', "'");
}
