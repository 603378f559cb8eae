import { parseSource, type ParsedSource } from '../syntax/parse.ts';
import { sitesOf } from '../syntax/walk.ts';
import { isCommon, literalsOf, valueOfText, valuesIn } from './literal-value.ts';

/** Values that the visible tests name: inputs and expected results, which a test does not always tell apart. */
export interface TestValues {
  /** Texts as `valueText` writes them, without common ones. */
  readonly values: ReadonlySet<string>;
  /** Strings of at least two characters. */
  readonly strings: readonly string[];
}

/** Reads the values of a test file and of the expected results that a runner reported, as source texts. */
export function readTestValues(
  test: { readonly file: string; readonly text: string },
  expected: readonly string[],
): TestValues {
  const parsed = parseSource(test.file, test.text);
  const sites = 'problem' in parsed ? [] : sitesOf(parsed.tree.program);
  const own = [...valuesIn(sites)];
  const reported = expected.map(valueOfText).filter((value) => value !== undefined);
  const sizes = literalsOf(sites).flatMap(({ site: { node } }) =>
    node.type === 'ArrayExpression' ? [String(node.elements.length)] : [],
  );
  const strings = own.filter((value) => value.startsWith('"')).map((value) => JSON.parse(value) as string);
  const lengths = strings.map(({ length }) => String(length));
  const values = [...own, ...reported, ...sizes, ...lengths].filter((value) => !isCommon(value));
  return { values: new Set(values), strings: strings.filter(({ length }) => length > 1) };
}

/** Lines of a comment that show a call, an input or a result. */
const EXAMPLE =
  /[\w$]\s*\(.*\)|>>>|=|->|[➞⇒→[{]|\b(?:examples?|inputs?|outputs?|expected|results? (?:is|in)|e\.g)\b/i;

/** The prose of a file's comments: without the lines of examples and their results. */
export function proseOf({ tree, text }: ParsedSource): string {
  const comments = (tree.comments ?? []).map((comment) => text.slice(comment.start ?? 0, comment.end ?? 0));
  return comments
    .flatMap((comment) => {
      const lines = comment.split('\n');
      return lines.filter((line, index) => !EXAMPLE.test(line) && !/>>>/.test(lines[index - 1] ?? ''));
    })
    .join('\n');
}

/** Whether prose names a value: a number as a word of its own, a string as words or in quotes. */
export function namesValue(prose: string, value: string): boolean {
  const plain = value.startsWith('"') ? (JSON.parse(value) as string) : value;
  if (plain.trim() === '') return false;
  const escaped = plain.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w.])${escaped}(?!\w|\.\d)`, 'i').test(prose);
}
