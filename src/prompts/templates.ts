import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Handlebars from 'handlebars';
import runtime from 'handlebars/runtime.js';
import { ralphPath } from '../util/ralph-folder.ts';

/** A template with its variables put in. */
export type Template = (variables: unknown) => string;

/** Nothing is escaped, and a variable that the template misspells is an error. */
export const TEMPLATE_OPTIONS = { noEscape: true, strict: true };
export const SHIPPED_DIR = join(import.meta.dirname, '..', '..', 'prompts');

/** Templates that others have in them. */
const PARTS = ['context'];

/** Runs compiled templates. Its types leave out that it is made like the whole of Handlebars. */
const { create } = runtime as unknown as typeof Handlebars;
const load = createRequire(import.meta.url);

/**
 * The shipped template of a name as the build compiled it, or one that the repository replaced, or a part of it
 * (`.aiwg/ralph/prompts/<name>.hbs`). Throws RalphError where that is a link that leads out of the repository.
 */
export function openTemplate(name: string, repository: string | undefined): Template {
  const names = [...PARTS, name];
  const replaced = names.some((part) => readReplaced(part, repository) !== undefined);
  const programs = replaced ? [] : names.map(builtProgram);
  return programs.length > 0 && programs.every((program) => program !== undefined)
    ? assemble(programs as TemplateSpecification[])
    : compile(names, repository);
}

function assemble(programs: readonly TemplateSpecification[]): Template {
  const handlebars = create();
  const templates = programs.map((program) => handlebars.template(program));
  for (const [index, part] of PARTS.entries()) handlebars.registerPartial(part, templates[index]!);
  return templates.at(-1)!;
}

function compile(names: readonly string[], repository: string | undefined): Template {
  const handlebars = (load('handlebars') as typeof Handlebars).create();
  const texts = names.map((name) => readReplaced(name, repository) ?? readFileSync(join(SHIPPED_DIR, `${name}.hbs`), 'utf8'));
  for (const [index, part] of PARTS.entries()) handlebars.registerPartial(part, texts[index]!);
  return handlebars.compile(texts.at(-1)!, TEMPLATE_OPTIONS);
}

function builtProgram(name: string): TemplateSpecification | undefined {
  try {
    return load(`./compiled/${name}.cjs`) as TemplateSpecification;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function readReplaced(name: string, repository: string | undefined): string | undefined {
  if (repository === undefined) return undefined;
  const path = ralphPath(repository, 'prompts', `${name}.hbs`);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
