import { html, type Content, type Markup } from './markup.ts';

/** `1 attempt`, `3 attempts`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Thousands apart: `12,345`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A difference with its sign, three digits; `±0` for next to none. */
export function signed(difference: number): string {
  if (Math.abs(difference) < 0.0005) return '±0';
  return `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(3)}`;
}

/** A share (0..1) in percent, without digits behind the point. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

/** The first line of a text, cut with an ellipsis. */
export function firstLine(text: string, maxChars = 240): string {
  const line = text.trim().split('\n', 1)[0]!;
  return cutText(line, maxChars);
}

/** A text that says by an ellipsis that it was longer. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Coordinates in a drawing: a tenth of a pixel is enough. */
export function at(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A moment for people, with the machine's form beside it. Empty for what is no moment. */
export function moment(iso: string | null): Markup | null {
  if (iso === null || Number.isNaN(Date.parse(iso))) return null;
  const text = new Date(iso).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** A bar for a share (0..1) of its width, coloured by the class. It only repeats what is written beside it. */
export function bar(share: number, className: string): Markup {
  const width = at(100 * Math.min(1, Math.max(0, share)));
  return html`<svg class="bar ${className}" aria-hidden="true" focusable="false">
    <rect class="rest" width="100%" height="100%" rx="3" />
    <rect width="${width}%" height="100%" rx="3" />
  </svg>`;
}

/** A list of facts: `<dl>` with those that have a value. */
export function facts(rows: readonly (readonly [name: string, value: Content])[]): Markup {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Text in which what stands between backticks is code. */
export function withCode(text: string, show: (part: string) => Content = (part) => part): Markup {
  const parts = text.split(/`([^`\n]+)`/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${show(part)}</code>` : show(part)))}`;
}
