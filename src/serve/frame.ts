import { renderDocument, type ServedParts } from '../report/page/document.ts';
import { html, type Markup } from '../report/page/markup.ts';

/** What every page of the server needs. */
export interface Frame {
  readonly repository: string;
  readonly version: string;
  /** True if the pages of the fleet are served. */
  readonly hasFleet: boolean;
}

/** The parts of a served page: links to the others, and what is shown above its content. */
export function servedParts({ hasFleet }: Frame, path: string, top?: Markup): ServedParts {
  const pages = [
    ['/', 'Loops'],
    ['/reflections', 'Reflections'],
    ['/lessons', 'Lessons'],
    ['/spending', 'Spending'],
    ...(hasFleet ? ([['/fleet', 'Fleet']] as const) : []),
  ] as const;
  return { pages, path, ...(top !== undefined && { top }) };
}

/** Renders a page with a heading. */
export function renderPage(
  frame: Frame,
  { path, title, main }: { readonly path: string; readonly title: string; readonly main: Markup },
): string {
  return renderDocument({
    title: `${title} – ${frame.repository}`,
    sections: [],
    main: html`<section aria-labelledby="title">
      <p class="eyebrow">${frame.repository}</p>
      <h1 id="title">${title}</h1>
      ${main}
    </section>`,
    version: frame.version,
    hasAttempts: false,
    served: servedParts(frame, path),
  });
}

/** Renders a table that scrolls sideways where it does not fit. Its rows are a part that the page's script can renew. */
export function renderTable(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly (Markup | string | number)[])[],
): Markup {
  return html`<div class="card">
    <div class="scroll" tabindex="0" role="group" aria-label="${label}">
      <table class="loops">
        <thead>
          <tr>
            ${columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody data-part="${label}">
          ${rows.map(
            ([first, ...rest]) =>
              html`<tr>
                <th scope="row">${first}</th>
                ${rest.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </div>`;
}

/** Renders a link to the page of a loop. */
export function loopLink(loopId: string): Markup {
  return html`<a href="/loops/${encodeURIComponent(loopId)}">${loopId}</a>`;
}
