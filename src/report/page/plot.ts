import { html, type Content, type Markup } from './markup.ts';

/** Widths in pixels for which a plot is drawn; the page shows the one that fits, so that its text is not scaled. */
const PLOT_WIDTHS = [300, 620, 1080] as const;

/** A plot to render. */
export interface PlotFrame {
  /** Unique in the page; made of letters and digits. */
  readonly id: string;
  readonly title: string;
  /** One or two sentences for screen readers. */
  readonly description: string;
  /** Draws the plot for a width in pixels. */
  readonly draw: (width: number) => { readonly height: number; readonly content: Content };
  /** Default: `PLOT_WIDTHS`. A single width is used at any size. */
  readonly widths?: readonly number[];
}

/** Renders a plot as inline SVG, once for each width. */
export function renderPlot({ id, title, description, draw, widths = PLOT_WIDTHS }: PlotFrame): Markup {
  return html`<div class="plot">
    ${widths.map((width, index) => {
      const { height, content } = draw(width);
      const key = `${id}-${index}`;
      const size = widths.length === 1 ? 'only' : ['narrow', 'middle', 'wide'][index]!;
      return html`<svg
        class="${size}"
        viewBox="0 0 ${width} ${height}"
        role="img"
        aria-labelledby="${key}-t ${key}-d"
        focusable="false"
      >
        <title id="${key}-t">${title}</title>
        <desc id="${key}-d">${description}</desc>
        ${content}
      </svg>`;
    })}
  </div>`;
}

/** Selects at most about `max` of `count` labels: every n-th, except those too close to the last one. */
export function spaced(count: number, max: number): (index: number) => boolean {
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((each) => count / each <= max) ?? count;
  return (index) => index % step === 0 && (index === count - 1 || count - 1 - index >= step / 2);
}
