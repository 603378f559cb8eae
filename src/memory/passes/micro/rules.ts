import { codeSpan } from '../../../platform/text/code-span.ts';
import { oneLine } from '../../../platform/text/one-line.ts';
import type { LessonClaim, MicroFact, Observation } from '../../../schema/generated.ts';
import { renderCommand } from '../observe/render.ts';
import { portableCommand } from '../../lessons/effects.ts';
import type { MicroEntry } from './entries.ts';
import { ENTRY_CHARS } from './settings.ts';

const DIRECTIVE =
  /\b(always|never|must(?: not)?|prefer(?:s|red)?|do not|don't|instead of|no longer|from now on|only use|make sure|niemals)\b/i;
/** Words of a rule in a sentence without any of the above, as in "Use tabs for indentation": it is about code in general. */
const GENERAL =
  /^(?:please )?(?:use|keep|write|avoid|name|indent|format) (?!(?:the|this|that|these|those|it|its|a|an|one|my|your)\b)[a-z -]*\b(?:tabs|spaces|indentation|quotes|semicolons|comments|names|functions|variables|constants|classes|types|imports|exports|lines|files|sentences|commits|abbreviations|dependencies)\b[a-z -]*[.!]?$/i;
/** About one thing, which a general rule is not. */
const PARTICULAR = /\b(?:the|this|that|these|those|here|now|again|new|old|first|next)\b/i;
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
    .filter(({ author, text }) => author === 'user' && isDirective(withoutQuotations(text)))
    .map(({ text }) => ({
      fact: text,
      subject: 'operator',
      type: /\b(never|must not|do not|don't|niemals)\b/i.test(text) ? 'constraint' : 'preference',
      confidence: 0.7,
      evidence: text,
    }));
}

function isDirective(text: string): boolean {
  return DIRECTIVE.test(text) || (GENERAL.test(text) && !PARTICULAR.test(text));
}

/** Without what the user quotes: these are the words of somebody else. An apostrophe inside a word opens no quotation. */
function withoutQuotations(text: string): string {
  return text.replace(
    /"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|‘[^’]*’(?!\w)|(?<!\w)'[^']*(?:(?<=\w)'(?=\w)[^']*)*'(?!\w)/g,
    '',
  );
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
