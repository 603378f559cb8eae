import { codeSpan } from '../../../platform/text/code-span.ts';
import { oneLine } from '../../../platform/text/one-line.ts';
import type { LessonClaim, MicroFact, Observation } from '../../../schema/generated.ts';
import { renderCommand } from '../observe/render.ts';
import { portableCommand } from '../../lessons/effects.ts';
import type { MicroEntry } from './entries.ts';
import { isOwnRule, withoutQuotations } from './own-rules.ts';
import { ENTRY_CHARS } from './settings.ts';

/** A fact of the rules, with what it states in a form that attempts confirm or refute. */
export interface RuledFact extends MicroFact {
  readonly claim?: LessonClaim;
}

/** The user's rules that one task may bring; they are not counted among the facts. */
const MOST_RULES = 30;

/**
 * Facts without a model: the user's directives, and at most `most` commands of the checks. What fixed a failure is a lesson of
 * its attempt already.
 */
export function factsByRules(
  entries: readonly MicroEntry[],
  observations: readonly Observation[],
  most: number,
): RuledFact[] {
  return [...directives(entries).slice(0, MOST_RULES), ...checkCommands(observations).slice(0, most)];
}

function directives(entries: readonly MicroEntry[]): MicroFact[] {
  return entries
    .filter(({ author, text }) => author === 'user' && isOwnRule(withoutQuotations(text)))
    .map(({ text }) => ({
      fact: text,
      subject: 'operator',
      type: /\b(never|avoid|must not|should not|do not|don't|niemals)\b/i.test(text)
        ? 'constraint'
        : 'preference',
      confidence: 0.7,
      evidence: text,
    }));
}

/** Names of the checks that one task brings along as its criteria. */
const CRITERION = /^accept(?:-\d+)?$/;

/** One fact per check, with its latest command. Criteria of a task are left out: other tasks do not have them. */
function checkCommands(observations: readonly Observation[]): RuledFact[] {
  const commands = observations.flatMap((one) => one.commands.filter(({ check }) => !CRITERION.test(check)));
  const byCheck = new Map(commands.map((command) => [command.check, command] as const));
  return [...byCheck.values()].map((command) => {
    const portable = portableCommand(command.command);
    const text = `The ${command.check} check runs ${codeSpan(portable)}.`;
    return {
      ...projectFact('command', text, 0.7),
      evidence: quoteOf(renderCommand(command)),
      claim: { kind: 'command_fact', check: command.check, command: portable },
    };
  });
}

function projectFact(type: MicroFact['type'], fact: string, confidence: number): Omit<MicroFact, 'evidence'> {
  return { fact: oneLine(fact, 1000), subject: 'project', type, confidence };
}

/** The text as an entry has it, cut to 240 characters. */
function quoteOf(text: string): string {
  return oneLine(text, ENTRY_CHARS);
}
