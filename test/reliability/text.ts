import type { Row, Suite, SuiteOptions } from './suite.ts';
import { tryCheating, tryInjection } from './text/injection.ts';
import { tryJsonBombs } from './text/json-bombs.ts';
import { tryLinks, tryLoopIds } from './text/paths.ts';
import { tryChunks, tryFormats, tryHarmless, tryJson, tryValues } from './text/redaction.ts';
import { tryRegexes } from './text/redos.ts';
import { sourceRegexes } from './text/regexes.ts';
import { tryFences, tryTemplates } from './text/templates.ts';
import { tryTerminal } from './text/terminal.ts';

const PACKAGES = ['commander', 'ajv', 'eslint', '@typescript-eslint', 'ai/dist', 'mocha'].map(
  (name) => `node_modules/${name}`,
);

/** Untrusted text and secrets: redaction, terminals, injected instructions, paths, templates, JSON, regular expressions. */
export const textSuite: Suite = { name: 'text', run };

async function run({ full, onProgress }: SuiteOptions): Promise<readonly Row[]> {
  const seeds = full ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2];
  const steps: readonly (readonly [name: string, step: () => Row | Promise<Row>])[] = [
    ['formats of secrets', () => tryFormats(seeds)],
    ['secrets in chunks', () => tryChunks(full ? 100 : 10)],
    ['values of variables', () => tryValues()],
    ['redacted JSON', () => tryJson()],
    [
      'ordinary text',
      () => tryHarmless(seeds, ['src', 'schemas', 'prompts', ...(full ? PACKAGES : PACKAGES.slice(0, 2))]),
    ],
    ['terminal escapes', () => tryTerminal()],
    ['loop ids', () => tryLoopIds()],
    ['links and paths', () => tryLinks()],
    ['templates', () => tryTemplates()],
    ['fences', () => tryFences()],
    ['JSON bombs', () => tryJsonBombs(full ? 1 : 0.1)],
    ['regular expressions', () => tryRegexes(sourceRegexes('src'), { most: full ? 2000 : 60 })],
    ['an actor that obeys', () => tryInjection()],
    ['an actor that cheats', () => tryCheating(full ? undefined : 2)],
  ];
  const rows: Row[] = [];
  for (const [name, step] of steps) {
    onProgress(name);
    rows.push(await step());
  }
  return rows;
}
