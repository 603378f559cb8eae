import { codeOf, CODE_SPAN } from '../../../platform/text/code-span.ts';
import { PLACE, type AttemptRecord } from './attempt-record.ts';
import { placeProblem } from './grounding.ts';
import { namedIn } from './names.ts';
import { exists, placesIn } from './tenable.ts';

/**
 * The first thing that a step takes for granted and the repository does not have: a command that neither a check nor the attempt runs, a test
 * that is not one of the run, or a name that occurs nowhere. The code that the step is to write may be new. Undefined if all
 * of it exists.
 */
export function missingInStep(step: string, record: AttemptRecord): string | undefined {
  return (
    commandsIn(step).find((command) => !isKnownCommand(command, record)) ??
    testsIn(step).find((name) => !isTestOfRun(name, record)) ??
    missingName(step, record)
  );
}

const PROGRAM =
  'npm|npx|pnpm|yarn|bun|bunx|deno|node|git|docker|make|sh|bash|python3?|vitest|jest|mocha|ava|tape|tsc|eslint';
/** A code span that is run, or that begins with a program. */
const RUN_BEFORE = /\b(?:run|rerun|re-run|execute|start|invoke|launch)(?: the command)? $/i;
const COMMAND = new RegExp(`^(?:${PROGRAM})\\s+\\S`);
/** A program and its argument outside code. */
const BARE = new RegExp(
  `\\b(?:run|rerun|re-run|execute|start|invoke|launch|with|under|on|using)\\s+((?:${PROGRAM})\\s+[-\\w./@:=]+)`,
  'gi',
);

function commandsIn(step: string): string[] {
  const spans = [...step.matchAll(new RegExp(CODE_SPAN.source, 'g'))].flatMap(({ 0: span, index }) => {
    const code = codeOf(span).trim();
    const isRun = RUN_BEFORE.test(step.slice(0, index)) && /^[\w./@-]+\s/.test(code);
    return isRun || COMMAND.test(code) ? [code] : [];
  });
  const outside = step.replace(new RegExp(CODE_SPAN.source, 'g'), ' ');
  return [...spans, ...[...outside.matchAll(BARE)].map(([, command]) => command!)];
}

function isKnownCommand(command: string, record: AttemptRecord): boolean {
  const { input, sources } = record;
  const words = command.trim().split(/\s+/);
  const [, name = ''] = /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?([\w:.-]+)/.exec(command) ?? [];
  if (name !== '')
    return scriptsIn(sources.linesOf('package.json')).has(name) || isRunAlready(command, input);
  if (isRunAlready(command, input)) return true;
  // Another run of a program that a check or the attempt ran, of files that exist.
  const isProgram = commandsOf(input).some((one) => one.split(/\s+/)[0] === words[0]);
  const files = [...command.matchAll(PLACE)];
  return (
    isProgram &&
    files.length > 0 &&
    files.every(([, file, line]) => placeProblem(file!, line, record).length === 0)
  );
}

function isRunAlready(command: string, input: AttemptRecord['input']): boolean {
  return commandsOf(input).some((one) => one === command || one.startsWith(`${command} `));
}

function commandsOf({ evaluation, previous, trajectory }: AttemptRecord['input']): string[] {
  return [
    ...[...evaluation.checks, ...previous.checks].map(({ command }) => command),
    ...trajectory.actions.flatMap(({ command }) => command ?? []),
  ];
}

function scriptsIn(manifest: readonly string[] | undefined): Set<string> {
  try {
    const { scripts } = JSON.parse(manifest?.join('\n') ?? '{}') as { scripts?: object };
    return new Set(Object.keys(scripts ?? {}));
  } catch {
    return new Set();
  }
}

/** Names in quotes behind the word test. */
const TEST = /\btests? (?:called |named |case )?["“']([^"”']{2,200})["”']/gi;

function testsIn(step: string): string[] {
  return [...step.matchAll(TEST)].map(([, name]) => name!);
}

function isTestOfRun(name: string, { input: { evaluation, previous } }: AttemptRecord): boolean {
  const names = [
    ...[...evaluation.tests, ...previous.tests].flatMap((one) => [one.name, one.id]),
    ...[...evaluation.diagnostics, ...previous.diagnostics].flatMap(({ rule, test_id: id }) => [rule, id]),
  ];
  return names.some((one) => one === name || one?.endsWith(` > ${name}`) === true);
}

/** Words after which the names of a step are those of code that it is to write. */
const TO_WRITE =
  /\b(?:to|with|by|into|as|add|write|insert|create|introduce|extract|define|declare|return|use|wrap|name|import|new)\b/i;
/** A name behind these is where the step is to be done. */
const WHERE = /\b(?:in|of|inside|within)(?: the (?:function|method|class|file))? [`"']?$/;

function missingName(step: string, record: AttemptRecord): string | undefined {
  const places = placesIn(step, record);
  const masked = step.replace(new RegExp(CODE_SPAN.source, 'g'), (span) => 'x'.repeat(span.length));
  const from = masked.search(TO_WRITE);
  return namedIn(step).find(({ text, kind, at }) => {
    const isGiven = from === -1 || at < from || (kind === 'code' && WHERE.test(step.slice(0, at)));
    // A command has been looked up as one.
    const isName = kind !== 'quote' && !COMMAND.test(text);
    return isGiven && isName && !exists({ text, kind, at }, places, record);
  })?.text;
}
