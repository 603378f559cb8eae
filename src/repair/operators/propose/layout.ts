import type { TextEdit } from '../../syntax/edit.ts';

/** The edit with a multi-line replacement indented like the lines around it, since operators do not indent. */
export function indentEdit(text: string, edit: TextEdit): TextEdit {
  if (!edit.replacement.includes('\n')) return edit;
  const lineStart = text.lastIndexOf('\n', edit.start - 1) + 1;
  const before = text.slice(lineStart, edit.start);
  const indent = /^[ \t]*/.exec(before)![0];
  const isBeforeBrace = before.trim() === '' && text[edit.end] === '}';
  const isAfterBrace = edit.replacement.startsWith('\n') && text[edit.start - 1] === '{';
  const inner = isBeforeBrace || isAfterBrace ? indent + indentStepOf(text) : indent;
  const lines = edit.replacement.split('\n');
  const replacement = lines.map((line, index) => {
    if (index === 0) return isBeforeBrace ? inner.slice(indent.length) + line : line;
    // The text after the edit continues the last line: a closing brace keeps its own indentation.
    return (isBeforeBrace && index === lines.length - 1 ? indent : inner) + line;
  });
  return { ...edit, replacement: replacement.join('\n') };
}

let last = { text: '', step: '' };

/** One indentation step, taken from the file's first indented line; two spaces if there is none. */
function indentStepOf(text: string): string {
  if (last.text !== text) last = { text, step: /^(\t| {2,8})(?=\S)/m.exec(text)?.[1] ?? '  ' };
  return last.step;
}
