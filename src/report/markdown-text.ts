import { CODE_SPAN, codeOf, codeSpan } from '../platform/text/code-span.ts';
import { printable } from '../platform/text/printable.ts';

/** Entity of a zero-width space, which breaks a word in two. */
const BREAK = '&#8203;';
const SPECIAL = /[\\`*_[\]~$|&<>@#!%]|:(?=\/\/)|\bGH(?=-\d)|\bwww(?=\.)/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '|': '&#124;',
};
/** Prefixes that turn the next word into a reference: people, issues, changes, labels, milestones, epics. */
const REFERENCE = /[@#!%~&]/;
const SPANS = new RegExp(`(${CODE_SPAN.source})`);
const STARTS_WITH_WORD = /^[\p{L}\p{N}_"\\]/u;

/**
 * Escapes untrusted text as one line of Markdown: no table cells, links, images, tags, mentions, issue references,
 * automatic links or slash commands. Text between backticks stays code.
 */
export function markdownText(text: string, maxChars = 300): string {
  const parts = oneLine(text, maxChars).split(SPANS);
  const shown = parts.map((part, index) =>
    index % 2 === 1 && !part.includes('|') ? markdownCode(codeOf(part), { maxChars }) : escapeMarkdown(part),
  );
  return shown.join('').replace(/^([-+=/#]|\d+(?=[.)]))/, (start) => {
    return /\d/.test(start) ? `${start}${BREAK}` : `\\${start}`;
  });
}

/**
 * Renders text as a code span on one line; nothing in it is Markdown. `inTable`: also safe in a table, where `|` would
 * end the cell. Empty for an empty text.
 */
export function markdownCode(
  text: string,
  { inTable = false, maxChars = 200 }: { readonly inTable?: boolean; readonly maxChars?: number } = {},
): string {
  const line = oneLine(text, maxChars);
  if (line === '') return '';
  if (inTable && line.includes('|')) return `<code>${escapeMarkdown(line)}</code>`;
  return codeSpan(line);
}

function escapeMarkdown(text: string): string {
  return text.replace(SPECIAL, (found: string, at: number) => {
    const rest = text.slice(at + found.length);
    const shown = ENTITIES[found] ?? (/^[\\`*_[\]~$]$/.test(found) ? `\\${found}` : found);
    const isReference = REFERENCE.test(found) && STARTS_WITH_WORD.test(rest);
    const isLink = found.length > 1 || found === ':' || (found === '[' && /^\w+:/.test(rest));
    return isReference || isLink ? shown + BREAK : shown;
  });
}

/** One line of at most `maxChars` characters, cut with an ellipsis; invisible characters are made visible. */
function oneLine(text: string, maxChars: number): string {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
