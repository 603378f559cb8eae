import { isTestFile, uniquePlaces, type Evidence } from './evidence.ts';
import {
  describeFailure,
  failureName,
  oneLine,
  renderFunctionPlace,
  describeResult,
  renderPlace,
  type Place,
} from './phrases.ts';

/** The place to look at next; completes a sentence that begins with "I will". */
export function lookFirst(evidence: Evidence): string {
  const { failures, difference } = evidence;
  const lead = failures[0];
  if (lead === undefined) return readOutput(evidence);
  const place = nextPlace(evidence);
  const suspect =
    difference === undefined || !hasValues(evidence) ? '' : `, starting with ${difference.suspect}`;
  if (place === undefined)
    return `follow ${failureName(lead)} from ${testSpot(evidence)} into the code that it calls${suspect}`;
  return `look at ${renderFunctionPlace(place)}${suspect}, because ${failureName(lead)} ${describeResult(lead)}`;
}

/**
 * The next place in the source to look at. Attempts with the same failure get places that none of them has edited; once
 * all have been edited, they get each place in turn.
 */
export function nextPlace({ places, hunks, alike, fixed }: Evidence): Place | undefined {
  // Edits that fixed something are done; the remaining failures have their cause elsewhere.
  const unproven = fixed.length > 0 ? [] : hunks.filter(({ file }) => !isTestFile(file));
  const edited = unproven.map(({ file, line }) => ({ file, line }));
  const all = uniquePlaces([...places, ...edited]);
  const tried = new Set(alike.flatMap(({ actor_output }) => actor_output.files_modified));
  const untried = all.filter(({ file }) => !tried.has(file));
  const turn = Math.max(0, alike.length - 1);
  return untried.length > 0 ? untried[turn % untried.length] : all[alike.length % Math.max(1, all.length)];
}

function hasValues({ failures }: Evidence): boolean {
  return failures[0]?.expected !== undefined && failures[0].received !== undefined;
}

/** Place of the first failure: its file and line, or its check. */
export function testSpot({ failures }: Evidence): string {
  const { file, line, check } = failures[0]!;
  return file === undefined ? `the check "${oneLine(check, 60)}"` : renderPlace({ file, line });
}

function readOutput({ input, broken }: Evidence): string {
  const check = broken[0] ?? input.evaluation.checks.find(({ status }) => status === 'fail');
  if (check === undefined) return 'compare the changed files with the task';
  return `run \`${oneLine(check.command, 120)}\` and read its output: ${lastLine(check.output, check.detail)}`;
}

function lastLine(output: string, detail: string): string {
  const line = output
    .split('\n')
    .map((text) => text.trim())
    .findLast((text) => text !== '');
  return oneLine(line ?? detail, 200);
}

/** One sentence for each of at most `most` failures after the first. */
export function lookAfter({ failures }: Evidence, most: number): string[] {
  return failures.slice(1, 1 + most).map((failure) => `After that: ${describeFailure(failure)}.`);
}
