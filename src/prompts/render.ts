import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import type { AttemptPrompt } from './attempt.ts';

/** Every template, and the variables that it is rendered with. */
export interface Prompts {
  readonly attempt: AttemptPrompt;
}

const SHIPPED_DIR = join(import.meta.dirname, '..', '..', 'prompts');
/** Where a repository keeps its own templates, relative to its root. */
const REPLACED_DIR = join('.aiwg', 'ralph', 'prompts');

/**
 * Renders `prompts/<name>.hbs`, or the repository's own template of that name. Nothing is escaped and a
 * variable that the template misspells is an error.
 */
export function renderPrompt<N extends keyof Prompts>(
  name: N,
  variables: Prompts[N],
  repository?: string,
): string {
  const template = Handlebars.compile(readTemplate(name, repository), { noEscape: true, strict: true });
  return template(variables);
}

function readTemplate(name: string, repository: string | undefined): string {
  if (repository !== undefined) {
    try {
      return readFileSync(join(repository, REPLACED_DIR, `${name}.hbs`), 'utf8');
    } catch {
      // Not replaced here.
    }
  }
  return readFileSync(join(SHIPPED_DIR, `${name}.hbs`), 'utf8');
}
