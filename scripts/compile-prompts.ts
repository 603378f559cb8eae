/** `prompts/*.hbs` → one program a template: a run then neither loads the compiler of Handlebars nor runs it. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { SHIPPED_DIR, TEMPLATE_OPTIONS } from '../src/prompts/templates.ts';

/** Writes `<name>.cjs` for every shipped template into a folder, which is made. */
export function compilePrompts(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(SHIPPED_DIR).filter((name) => name.endsWith('.hbs'))) {
    const program = Handlebars.precompile(readFileSync(join(SHIPPED_DIR, file), 'utf8'), TEMPLATE_OPTIONS);
    writeFileSync(join(folder, file.replace(/hbs$/, 'cjs')), `module.exports = ${String(program)};\n`);
  }
}
