/**
 * Writes what follows from the code: the pages of `docs/reference`, `docs/man/ralph.1` and the drawing of the rooms.
 * With `--check` nothing is written and a difference is an error.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { createProgram } from '../src/cli/program.ts';
import { renderCliPage } from './docs/cli-page.ts';
import { renderConfigPage } from './docs/config-page.ts';
import { renderEventsPage } from './docs/events-page.ts';
import { renderExitCodesPage } from './docs/exit-codes-page.ts';
import { renderManPage } from './docs/man-page.ts';
import { renderRoomsDrawing } from './docs/rooms-drawing.ts';
import { renderVerdictPage } from './docs/verdict-page.ts';

const root = join(import.meta.dirname, '..');
const program = createProgram([]);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const style = await resolveConfig(join(root, 'README.md'));

const pages: readonly (readonly [path: string, text: string])[] = [
  ['docs/reference/cli.md', await pretty(renderCliPage(program))],
  ['docs/reference/configuration.md', await pretty(renderConfigPage())],
  ['docs/reference/verdict.md', await pretty(renderVerdictPage())],
  ['docs/reference/events.md', await pretty(renderEventsPage())],
  ['docs/reference/exit-codes.md', await pretty(renderExitCodesPage())],
  ['docs/man/ralph.1', renderManPage(program, version)],
  [
    'docs/explanation/architecture.md',
    withDrawing('docs/explanation/architecture.md', await renderRoomsDrawing()),
  ],
];

for (const [path, text] of pages) {
  const target = join(root, path);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  } else if (readOrNothing(target) !== text) {
    console.error(`${path} differs from what it is generated from: run \`npm run generate\`.`);
    process.exitCode = 1;
  }
}

function pretty(text: string): Promise<string> {
  return format(text, { ...style, parser: 'markdown' });
}

/** The page with the drawing between its markers. */
function withDrawing(path: string, drawing: string): string {
  const page = readFileSync(join(root, path), 'utf8');
  const marked = /(<!-- drawing -->\n\n)[^]*?(\n\n<!-- end of drawing -->)/;
  if (!marked.test(page)) throw new Error(`${path} has no place for the drawing.`);
  return page.replace(marked, `$1${drawing}$2`);
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
