import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { ralphFolder } from '../platform/ralph-folder.ts';
import { packageFile } from '../platform/package-files.ts';

/** A template with its variables put in. */
export type Template = (variables: unknown) => string;

/** Nothing is escaped, and a variable that the template misspells is an error. */
export const TEMPLATE_OPTIONS = { noEscape: true, strict: true };
export const SHIPPED_DIR = packageFile('prompts');

/** Templates that others have in them. */
const PARTS = ['context'];


/**
 * The shipped template of a name, or the one that the repository has in its place
 * (`.aiwg/ralph/prompts/<name>.hbs`); the same for the parts it includes. Throws RalphError where that file is a
 * link that leads out of the repository.
 */
export function openTemplate(name: string, repository: string | undefined): Template {
  const handlebars = Handlebars.create();
  for (const part of PARTS) handlebars.registerPartial(part, readTemplate(part, repository));
  return handlebars.compile(readTemplate(name, repository), TEMPLATE_OPTIONS);
}

function readTemplate(name: string, repository: string | undefined): string {
  return readReplaced(name, repository) ?? readFileSync(join(SHIPPED_DIR, `${name}.hbs`), 'utf8');
}

function readReplaced(name: string, repository: string | undefined): string | undefined {
  if (repository === undefined) return undefined;
  const path = ralphFolder(repository).prompt(name);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
