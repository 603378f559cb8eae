import { isTestFile, uniquePlaces, type Evidence } from './evidence.ts';
import { describe, nameOf, oneLine, placed, says, spot, type Place } from './phrases.ts';

/** Where to look next, as the rest of a sentence that begins with "I will". */
export function lookFirst(evidence: Evidence): string {
  const { failures, difference } = evidence;
  const lead = failures[0];
  if (lead === undefined) return readOutput(evidence);
  const place = nextPlace(evidence);
  const suspect = difference === undefined || !sameFailure(evidence) ? '' : `, ${difference.suspect} first`;
  if (place === undefined)
    return `follow ${nameOf(lead)} from ${testSpot(evidence)} into the code that it calls${suspect}`;
  return `look at ${placed(place)}${suspect}, because ${nameOf(lead)} ${says(lead)}`;
}

/**
 * The place in the source to look at next; attempts that fail alike are sent to places that none of them has
 * edited, and round all of them once none is left.
 */
export function nextPlace({ places, hunks, alike, fixed }: Evidence): Place | undefined {
  // Edits that mended something have done their part: what is left lies elsewhere.
  const unproven = fixed.length > 0 ? [] : hunks.filter(({ file }) => !isTestFile(file));
  const edited = unproven.map(({ file, line }) => ({ file, line }));
  const all = uniquePlaces([...places, ...edited]);
  const tried = new Set(alike.flatMap(({ actor_output }) => actor_output.files_modified));
  const untried = all.filter(({ file }) => !tried.has(file));
  const turn = Math.max(0, alike.length - 1);
  return untried.length > 0 ? untried[turn % untried.length] : all[alike.length % Math.max(1, all.length)];
}

function sameFailure({ failures }: Evidence): boolean {
  return failures[0]?.expected !== undefined && failures[0].received !== undefined;
}

/** Where the first failure is reported: its file and line, or its check. */
export function testSpot({ failures }: Evidence): string {
  const { file, line, check } = failures[0]!;
  return file === undefined ? `the check "${oneLine(check, 60)}"` : spot({ file, line });
}

function readOutput({ input, broken }: Evidence): string {
  const check = broken[0] ?? input.evaluation.checks.find(({ status }) => status === 'fail');
  if (check === undefined) return 'compare the changed files with the task';
  return `run \`${oneLine(check.command, 120)}\` and read what it prints: ${lastLine(check.output, check.detail)}`;
}

function lastLine(output: string, detail: string): string {
  const line = output
    .split('\n')
    .map((text) => text.trim())
    .findLast((text) => text !== '');
  return oneLine(line ?? detail, 200);
}

/** The failures after the first, as what is to be done then; at most `most`. */
export function lookAfter({ failures }: Evidence, most: number): string[] {
  return failures.slice(1, 1 + most).map((failure) => `After that: ${describe(failure)}.`);
}
