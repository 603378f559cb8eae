import { oneLine } from '../../../platform/text/one-line.ts';
import type { MicroFact, Observation } from '../../../schema/generated.ts';
import { listFiles } from '../common/list-files.ts';
import { renderCommand, renderError } from '../observe/render.ts';
import type { MicroEntry } from './entries.ts';
import { ENTRY_CHARS } from './settings.ts';

const DIRECTIVE =
  /\b(always|never|must(?: not)?|prefer(?:s|red)?|do not|don't|instead of|no longer|from now on|only use|make sure)\b/i;
/** Attempts in which a failure must occur to be recurring. */
const OFTEN = 2;

/**
 * Facts without a model, at most `most`, in this order: the user's directives, changes that fixed a failure, recurring
 * failures, commands of the checks.
 */
export function factsByRules(
  entries: readonly MicroEntry[],
  observations: readonly Observation[],
  most: number,
): MicroFact[] {
  return [
    ...directives(entries),
    ...fixedFailures(observations),
    ...recurringFailures(observations),
    ...checkCommands(observations),
  ].slice(0, most);
}

function directives(entries: readonly MicroEntry[]): MicroFact[] {
  return entries
    .filter(({ author, text }) => author === 'user' && DIRECTIVE.test(text))
    .map(({ text }) => ({
      fact: text,
      subject: 'operator',
      type: /\b(never|must not|do not|don't)\b/i.test(text) ? 'constraint' : 'preference',
      confidence: 0.7,
      evidence: text,
    }));
}

function fixedFailures(observations: readonly Observation[]): MicroFact[] {
  return observations.flatMap(({ fixed, files, reward_change: change }, at) => {
    const errors = observations.slice(0, at).flatMap((one) => one.errors);
    const error = errors.findLast(({ fingerprint }) => fixed.includes(fingerprint));
    if (error === undefined || files.length === 0 || change <= 0) return [];
    const name = error.rule === undefined ? renderError(error) : `"${oneLine(error.rule, 120)}"`;
    const fact = `${name} was fixed by a change in ${listFiles(files)}.`;
    return [{ ...projectFact('fix_pattern', fact, 0.6), evidence: quoteOf(renderError(error)) }];
  });
}

function recurringFailures(observations: readonly Observation[]): MicroFact[] {
  const errors = new Map(observations.flatMap((one) => one.errors).map((one) => [one.fingerprint, one]));
  return [...errors.values()].flatMap((error) => {
    const failing = observations.filter((one) =>
      one.errors.some(({ fingerprint }) => fingerprint === error.fingerprint),
    );
    if (failing.length < OFTEN) return [];
    // Without a count, so that the same fact from a later loop strengthens this lesson instead of adding one.
    const fact = `This failure outlived several attempts: ${oneLine(renderError(error), 300)}`;
    return [{ ...projectFact('pitfall', fact, 0.5), evidence: quoteOf(renderError(error)) }];
  });
}

/** One fact per check, with its latest command. */
function checkCommands(observations: readonly Observation[]): MicroFact[] {
  const byCheck = new Map(
    observations.flatMap((one) => one.commands.map((command) => [command.check, command] as const)),
  );
  return [...byCheck.values()].map((command) => ({
    ...projectFact(
      'command',
      `The ${command.check} check runs \`${command.command.replaceAll('`', "'")}\`.`,
      0.7,
    ),
    evidence: quoteOf(renderCommand(command)),
  }));
}

function projectFact(type: MicroFact['type'], fact: string, confidence: number): Omit<MicroFact, 'evidence'> {
  return { fact: oneLine(fact, 1000), subject: 'project', type, confidence };
}

/** The text as an entry has it, cut to 240 characters. */
function quoteOf(text: string): string {
  return oneLine(text, ENTRY_CHARS);
}
