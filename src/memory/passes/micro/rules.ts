import type { MicroFact, Observation } from '../../../schema/generated.ts';
import { errorLine, ranLine } from '../observe/text.ts';
import { oneLine } from '../common/one-line.ts';
import type { MicroEntry } from './entries.ts';
import { ENTRY_CHARS } from './triggers.ts';

const LAID_DOWN =
  /\b(always|never|must(?: not)?|prefer(?:s|red)?|do not|don't|instead of|no longer|from now on|only use|make sure)\b/i;
const OFTEN = 2;

/**
 * Facts without a model: what the user laid down, what mended a failure, what kept failing, how the checks are run.
 * In this order, at most `most`.
 */
export function factsByRules(
  entries: readonly MicroEntry[],
  observations: readonly Observation[],
  most: number,
): MicroFact[] {
  return [
    ...laidDown(entries),
    ...mended(observations),
    ...stubborn(observations),
    ...commands(observations),
  ].slice(0, most);
}

function laidDown(entries: readonly MicroEntry[]): MicroFact[] {
  return entries
    .filter(({ author, text }) => author === 'user' && LAID_DOWN.test(text))
    .map(({ text }) => ({
      ...{ fact: text, subject: 'operator', confidence: 0.7, evidence: text },
      type: /\b(never|must not|do not|don't)\b/i.test(text) ? 'constraint' : 'preference',
    }));
}

function mended(observations: readonly Observation[]): MicroFact[] {
  return observations.flatMap(({ fixed, files, reward_change: change }, at) => {
    const errors = observations.slice(0, at).flatMap((one) => one.errors);
    const error = errors.findLast(({ fingerprint }) => fixed.includes(fingerprint));
    if (error === undefined || files.length === 0 || change <= 0) return [];
    const name = error.rule === undefined ? errorLine(error) : `"${oneLine(error.rule, 120)}"`;
    const fact = `${name} was mended by a change in ${listed(files)}.`;
    return [{ ...project('fix_pattern', fact, 0.6), evidence: quoteOf(errorLine(error)) }];
  });
}

function stubborn(observations: readonly Observation[]): MicroFact[] {
  const errors = new Map(observations.flatMap((one) => one.errors).map((one) => [one.fingerprint, one]));
  return [...errors.values()].flatMap((error) => {
    const shown = observations.filter((one) => one.errors.some((e) => e.fingerprint === error.fingerprint));
    if (shown.length < OFTEN) return [];
    // Without a number: the next loop that it outlives strengthens the lesson and does not add another.
    const fact = `This failure outlived several attempts: ${oneLine(errorLine(error), 300)}`;
    return [{ ...project('pitfall', fact, 0.5), evidence: quoteOf(errorLine(error)) }];
  });
}

/** One fact for each check: a later one with another command stands in its place. */
function commands(observations: readonly Observation[]): MicroFact[] {
  const byCheck = new Map(
    observations.flatMap((one) => one.commands.map((ran) => [ran.check, ran] as const)),
  );
  return [...byCheck.values()].map((ran) => ({
    ...project('command', `The ${ran.check} check runs \`${ran.command.replaceAll('`', "'")}\`.`, 0.7),
    evidence: quoteOf(ranLine(ran)),
  }));
}

function project(type: MicroFact['type'], fact: string, confidence: number): Omit<MicroFact, 'evidence'> {
  return { fact: oneLine(fact, 1000), subject: 'project', type, confidence };
}

/** As it stands in an entry, which is cut. */
function quoteOf(text: string): string {
  return oneLine(text, ENTRY_CHARS);
}

function listed(files: readonly string[]): string {
  const shown = files.slice(0, 3).map((file) => `\`${file}\``);
  return shown.join(', ') + (files.length > shown.length ? ` and ${files.length - shown.length} more` : '');
}
