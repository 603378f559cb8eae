import { printable } from '../platform/text/printable.ts';

/** A zero-width space, visible in the source: what stands around it is no longer one word. */
const BREAK = '&#8203;';
const SPECIAL = /[\\`*_[\]~$|&<>@#!%]|:(?=\/\/)|\bGH(?=-\d)|\bwww(?=\.)/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '|': '&#124;',
};
/** What makes a reference of the word behind it: people, issues, changes, labels, milestones, epics. */
const REFERRING = /[@#!%~&]/;
const WORD_BEHIND = /^[\p{L}\p{N}_"\\]/u;

/**
 * Text from anywhere as one line of Markdown that shows it and does nothing: it opens no table cell, link, picture or
 * tag, mentions nobody, refers to no issue, links no address, and is no command of the page that it is posted on. What
 * stands between two backticks stays code.
 */
export function markdownText(text: string, maxChars = 300): string {
  const parts = oneLine(text, maxChars).split(/(`[^`|]+`)/);
  const shown = parts.map((part, index) =>
    index % 2 === 1 ? markdownCode(part.slice(1, -1), { maxChars }) : inert(part),
  );
  return shown.join('').replace(/^([-+=/#]|\d+(?=[.)]))/, (start) => {
    return /\d/.test(start) ? `${start}${BREAK}` : `\\${start}`;
  });
}

/**
 * Text as a span of code, on one line: nothing in it is read as Markdown. `inTable`: where a bar would end the cell.
 * Empty for an empty text.
 */
export function markdownCode(
  text: string,
  { inTable = false, maxChars = 200 }: { readonly inTable?: boolean; readonly maxChars?: number } = {},
): string {
  const line = oneLine(text, maxChars);
  if (line === '') return '';
  if (inTable && line.includes('|')) return `<code>${inert(line)}</code>`;
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

function inert(text: string): string {
  return text.replace(SPECIAL, (found: string, at: number) => {
    const behind = text.slice(at + found.length);
    const shown = ENTITIES[found] ?? (/^[\\`*_[\]~$]$/.test(found) ? `\\${found}` : found);
    const isReference = REFERRING.test(found) && WORD_BEHIND.test(behind);
    const isLink = found.length > 1 || found === ':' || (found === '[' && /^\w+:/.test(behind));
    return isReference || isLink ? shown + BREAK : shown;
  });
}

/** A text on one line, cut with an ellipsis, with nothing in it that is not seen. */
function oneLine(text: string, maxChars: number): string {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
