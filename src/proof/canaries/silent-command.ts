import { parse } from '@babel/parser';
import { createCheck } from '../../tools.ts';
import type { Check } from '../../ports.ts';
import type { CheckRequest } from '../../ports/evaluation.ts';
import { decisiveLiterals, type OtherLiteral } from './decisive-literals.ts';

/** Code of a command line in quotes without any escape, as in `node -e "…"`. */
const INLINE = /(\s(?:-e|-p|--eval|--print)\s+)(?:"([^"\\$`]*)"|'([^']*)')/;

/**
 * A sentence on a command that passes although every value that its inline code compares was made wrong: none of its
 * comparisons runs, so that it proves nothing. Undefined for every other command.
 */
export async function findSilentCommand(check: Check, request: CheckRequest): Promise<string | undefined> {
  const [command = ''] = check.plan.args;
  const found = INLINE.exec(command);
  if (found === null) return undefined;
  const [whole, option = '', double, single] = found;
  const code = double ?? single ?? '';
  const changes = literalsOf(code);
  if (changes.length === 0) return undefined;
  const wrong = [...changes]
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: other }) => text.slice(0, from) + other + text.slice(to), code);
  const quote = double === undefined ? "'" : '"';
  const line = command.replace(whole, () => `${option}${quote}${wrong}${quote}`);
  const { status } = await createCheck({ ...check.plan, args: [line] }).run({ ...request, fresh: true });
  return status === 'pass'
    ? `\`${command}\` passes although every value that it compares was made wrong: none of its comparisons runs, so it proves nothing.`
    : undefined;
}

function literalsOf(code: string): OtherLiteral[] {
  try {
    return decisiveLiterals(
      parse(code, { sourceType: 'unambiguous', allowReturnOutsideFunction: true }).program,
    );
  } catch {
    return [];
  }
}
