import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, Markup } from './markup.ts';
import { paletteStyles } from './palette.ts';
import { packageFile, RUNS_FROM_SOURCE } from '../../platform/package-files.ts';

/** Parts of a page. */
export interface DocumentParts {
  readonly title: string;
  /** Sections that are linked at the top of the page. */
  readonly sections: readonly (readonly [id: string, name: string])[];
  readonly main: Markup;
  readonly version: string;
  /** True if the page has attempts, which have keyboard shortcuts. */
  readonly hasAttempts: boolean;
  /** Set if the page comes from `ralph serve`. */
  readonly served?: ServedParts;
}

/** What a page of `ralph serve` has beyond a file. */
export interface ServedParts {
  /** Links to the other pages. */
  readonly pages: readonly (readonly [path: string, name: string])[];
  /** Path of this page. */
  readonly path: string;
  /** Shown above the rest. */
  readonly top?: Markup;
}

const ASSETS = packageFile(RUNS_FROM_SOURCE ? 'src' : 'dist', 'report', 'page', 'assets');

/**
 * Renders a self-contained page: it loads nothing, and its Content Security Policy allows only its own style sheet and
 * script, by their hashes. A served page may also send its search form and follow events, both to its own server.
 */
export function renderDocument({
  title,
  sections,
  main,
  version,
  hasAttempts,
  served,
}: DocumentParts): string {
  const { styles, script } = assetsOf(served !== undefined);
  const policy = contentPolicy(served !== undefined);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content="ralph ${version}" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${new Markup(`<style>${styles}</style>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <span class="brand">ralph</span>
          ${served !== undefined && renderPages(served)}
          <nav aria-label="Sections">
            <ul>
              ${sections.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}
            </ul>
          </nav>
        </header>
        <main id="main" tabindex="-1">${served?.top}${main}</main>
        <footer>
          <p>
            Written by ralph
            ${version}.${
              hasAttempts &&
              html` Keys: <kbd>j</kbd> next attempt, <kbd>k</kbd> previous attempt, <kbd>o</kbd> opens or
                closes it, <kbd>e</kbd> opens or closes all.`
            }
          </p>
        </footer>
        ${new Markup(`<script>${script}</script>`)}
      </body>
    </html> `.text;
}

/** Content Security Policy of the pages; `isServed`: of those of `ralph serve`. */
export function contentPolicy(isServed: boolean): string {
  const { styles, script } = assetsOf(isServed);
  const own = isServed ? "connect-src 'self'; form-action 'self'" : "form-action 'none'";
  return `default-src 'none'; style-src ${hashOf(styles)}; script-src ${hashOf(script)}; img-src data:; base-uri 'none'; ${own}`;
}

function assetsOf(isServed: boolean): { readonly styles: string; readonly script: string } {
  const read = (name: string): string => readFileSync(join(ASSETS, name), 'utf8');
  return {
    styles: paletteStyles() + read('page.css') + (isServed ? read('served.css') : ''),
    script: read('page.js') + (isServed ? read('live.js') : ''),
  };
}

function renderPages({ pages, path }: ServedParts): Markup {
  return html`<nav class="pages" aria-label="Pages">
    <ul>
      ${pages.map(
        ([target, name]) =>
          html`<li><a href="${target}" ${target === path && html` aria-current="page"`}>${name}</a></li>`,
      )}
    </ul>
  </nav>`;
}

/** Hash of the text between the tags, as browsers compute it. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
