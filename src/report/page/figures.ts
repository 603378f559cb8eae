import { CODE_SPAN, codeOf } from '../../platform/text/code-span.ts';
import { html, type Content, type Markup } from './markup.ts';

/** Renders a difference with its sign and three decimals; `±0` below 0.0005. */
export function signed(difference: number): string {
  if (Math.abs(difference) < 0.0005) return '±0';
  return `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(3)}`;
}

/** Renders a share (0..1) in percent without decimals. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

/** The first line of a text, cut with an ellipsis. */
export function firstLine(text: string, maxChars = 240): string {
  const line = text.trim().split('\n', 1)[0]!;
  return cutText(line, maxChars);
}

/** Cuts a text to `maxChars`, with an ellipsis at its end. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Rounds a coordinate to a tenth of a pixel, so that pages stay small. */
export function at(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Renders an ISO timestamp as a `<time>` element; null for an invalid one. */
export function moment(iso: string | null): Markup | null {
  if (iso === null || Number.isNaN(Date.parse(iso))) return null;
  const text = new Date(iso).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Renders a share (0..1) as a bar, coloured by its class. Hidden from screen readers: the figure is written beside it. */
export function bar(share: number, className: string): Markup {
  const width = at(100 * Math.min(1, Math.max(0, share)));
  return html`<svg class="bar ${className}" aria-hidden="true" focusable="false">
    <rect class="rest" width="100%" height="100%" rx="3" />
    <rect width="${width}%" height="100%" rx="3" />
  </svg>`;
}

/** Renders facts as a `<dl>`; facts without a value are left out. */
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

const SPANS = new RegExp(`(${CODE_SPAN.source})`);

/** Renders a text whose parts between backticks are code. */
export function withCode(text: string, show: (part: string) => Content = (part) => part): Markup {
  const parts = text.split(SPANS);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${show(codeOf(part))}</code>` : show(part)))}`;
}
