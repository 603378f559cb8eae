import { printable } from '../../platform/text/printable.ts';

/** HTML that was made by `html`: everything in it that came from elsewhere is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: texts and numbers are escaped, lists are joined, nothing shows as nothing. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[];

/** A piece of a page. Every value is escaped for text and for quoted attributes alike, and shown so that it hides nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const literals = withoutIndents(strings);
  let text = literals[0]!;
  for (const [index, value] of values.entries()) text += renderContent(value) + literals[index + 1]!;
  return new Markup(text);
}

const squeezed = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A template is indented for who reads the source; in a page of a hundred thousand elements that would weigh. */
function withoutIndents(strings: TemplateStringsArray): readonly string[] {
  const known = squeezed.get(strings) ?? strings.map((text) => text.replace(/\n\s*/g, '\n'));
  squeezed.set(strings, known);
  return known;
}

/** Text for HTML, in an element or in an attribute in quotes. */
export function escapeHtml(text: string): string {
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
