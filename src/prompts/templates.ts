import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { ralphFolder } from '../platform/ralph-folder.ts';
import { packageFile } from '../platform/package-files.ts';

/** A compiled template: variables in, text out. */
export type Template = (variables: unknown) => string;

/** Nothing is escaped (prompts are not HTML), and a misspelled variable is an error. */
const TEMPLATE_OPTIONS = { noEscape: true, strict: true };
/** Folder of the shipped templates. */
const SHIPPED_DIR = packageFile('prompts');

/** Templates that other templates include. */
const PARTIALS = ['context', 'state', 'files', 'acceptance-rules'];

/**
 * Compiles the template of a name: the repository's own (`.aiwg/ralph/prompts/<name>.hbs`) if it exists, otherwise the
 * shipped one; the same for included templates. Throws RalphError if the repository's file is a link out of the repository.
 */
export function openTemplate(name: string, repository: string | undefined): Template {
  const handlebars = Handlebars.create();
  for (const partial of PARTIALS) handlebars.registerPartial(partial, readTemplate(partial, repository));
  return handlebars.compile(readTemplate(name, repository), TEMPLATE_OPTIONS);
}

function readTemplate(name: string, repository: string | undefined): string {
  return readOwn(name, repository) ?? readFileSync(join(SHIPPED_DIR, `${name}.hbs`), 'utf8');
}

function readOwn(name: string, repository: string | undefined): string | undefined {
  if (repository === undefined) return undefined;
  const path = ralphFolder(repository).prompt(name);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
