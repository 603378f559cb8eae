import type { Proposal } from './operator.ts';

type ProposedEdit = Proposal['edits'][number];

/**
 * A replacement of several lines, indented as the lines around it are: an operator says which statements there
 * are to be, not how deep they stand.
 */
export function laidOut(text: string, edit: ProposedEdit): ProposedEdit {
  if (!edit.replacement.includes('\n')) return edit;
  const lineStart = text.lastIndexOf('\n', edit.start - 1) + 1;
  const before = text.slice(lineStart, edit.start);
  const indent = /^[ \t]*/.exec(before)![0];
  const closes = before.trim() === '' && text[edit.end] === '}';
  const opens = edit.replacement.startsWith('\n') && text[edit.start - 1] === '{';
  const inner = closes || opens ? indent + unitOf(text) : indent;
  const lines = edit.replacement.split('\n');
  const replacement = lines.map((line, index) => {
    if (index === 0) return closes ? inner.slice(indent.length) + line : line;
    // The last line runs on into what follows the edit: a closing brace keeps its own depth.
    return (closes && index === lines.length - 1 ? indent : inner) + line;
  });
  return { ...edit, replacement: replacement.join('\n') };
}

/** One step of indentation, as the file's first indented line has it. */
function unitOf(text: string): string {
  return /^(\t| {2,8})(?=\S)/m.exec(text)?.[1] ?? '  ';
}
