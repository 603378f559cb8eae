import { linesInTree } from '../platform/files/lines-in-tree.ts';
import type { Evaluation } from '../schema/generated.ts';

/** A place in a step, with the code that is quoted before or after it: `` `sum` (1500) at src/cart.js:10 ``. */
const PLACE =
  /(?:`([^`]+)`(?: \([^()]*\))? (?:at|in) )?(?<![\w/.-])((?:[\w@.-]+\/)*[\w@.-]+\.\w+):(\d+)(?:, [a-z ]+`([^`]+)`)?/g;
const TEST = /\bthe test "((?:[^"\\]|\\.)*)"/;
const PASSING = /\bwith "([^"]+)" of the same file, which passes/;
/** Mark of a quoted line or title that is cut off. */
const CUT = '…';

/**
 * Whether the step of an earlier reflection still speaks of what is there: the test that it names first fails, one that it compares
 * with passes, and each of its places is that of a present failure, or a line with the code that it quotes. `root`: absolute path of the tree.
 */
export function stepHolds(step: string, { diagnostics, tests }: Evaluation, root: string): boolean {
  const [, named] = TEST.exec(step) ?? [];
  const titles = diagnostics.map(({ rule, test_id: id }) => (rule ?? id ?? '').replace(/\s+/g, ' '));
  // A long title is shown by its innermost parts.
  const isIn = (title: string): boolean => named!.split(CUT).every((part) => title.includes(part));
  if (named !== undefined && !titles.some(isIn)) return false;
  const [, passing] = PASSING.exec(step) ?? [];
  if (passing !== undefined && !tests.some(({ name, status }) => status === 'passed' && name === passing))
    return false;
  const places = diagnostics.flatMap(({ file, line, frames = [] }) => [{ file, line }, ...frames]);
  return [...step.matchAll(PLACE)].every(([, before, file, at, after]) => {
    const code = before ?? after;
    const line = Number(at);
    if (places.some((one) => one.file === file && one.line === line)) return true;
    const text = linesInTree(root, file!)?.[line - 1];
    return text !== undefined && (code ?? '').split(CUT).every((part) => text.includes(part.trim()));
  });
}
