/**
 * Text of one line as a code span of Markdown: its fence is longer than any run of backticks in the text, so that the code
 * is shown as it is. Empty for an empty text.
 */
export function codeSpan(text: string): string {
  if (text === '') return '';
  const fence = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** A code span on one line, without groups, for `split` and patterns. */
export const CODE_SPAN =
  /(?<!`)(?:`[^`\n]+`|``(?:[^`\n]|(?<!`)`(?!`))+``|`{3,8}(?!`)[^\n]+?(?<!`)`{3,8})(?!`)/;

/** The code of a span that `CODE_SPAN` matches. */
export function codeOf(span: string): string {
  const fence = /^`+/.exec(span)![0].length;
  const inner = span.slice(fence, -fence);
  return inner.includes('`') ? inner.trim() : inner;
}

/** Length of the longest run of backticks in a text. */
export function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
