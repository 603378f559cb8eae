import { html, type Content, type Markup } from './markup.ts';

/** Widths that a plot is drawn for, in pixels: the page shows the one that fits, so that its letters keep their size. */
export const PLOT_WIDTHS = [300, 620, 1080] as const;

export interface PlotFrame {
  /** Unique in the page; made of letters and digits. */
  readonly id: string;
  readonly title: string;
  /** What the plot shows, in a sentence or two, for who does not see it. */
  readonly description: string;
  /** Draws for a width; gives the height with it. */
  readonly draw: (width: number) => { readonly height: number; readonly content: Content };
  /** Default: `PLOT_WIDTHS`. One width stands for all. */
  readonly widths?: readonly number[];
}

/** A plot as inline SVG, once for each width. */
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

/** Labels that have room: every n-th of a range, the last one always. */
export function spaced(count: number, most: number): (index: number) => boolean {
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((each) => count / each <= most) ?? count;
  return (index) => index % step === 0 && (index === count - 1 || count - 1 - index >= step / 2);
}
