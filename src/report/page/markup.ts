import { printable } from '../../platform/text/printable.ts';

/** HTML built by `html`, in which all values are escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: texts are escaped, lists are joined, null, undefined and false are empty. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[];

/** Builds HTML from a template. Values are escaped for text and quoted attributes; invisible characters are made visible. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const literals = withoutIndents(strings);
  let text = literals[0]!;
  for (const [index, value] of values.entries()) text += renderContent(value) + literals[index + 1]!;
  return new Markup(text);
}

const squeezed = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes the indentation of a template, which would enlarge pages with a hundred thousand elements. */
function withoutIndents(strings: TemplateStringsArray): readonly string[] {
  const known = squeezed.get(strings) ?? strings.map((text) => text.replace(/\n\s*/g, '\n'));
  squeezed.set(strings, known);
  return known;
}

/** Escapes a text for an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function renderContent(value: Content): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined || value === false) return '';
  return value.map(renderContent).join('');
}
