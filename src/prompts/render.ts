import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import type { AttemptPrompt } from './attempt.ts';
import type { CotPrompt } from './cot.ts';
import type { ReflectPrompt, ReflectRepairPrompt } from './reflect.ts';
import type { SelfTestsFailedPrompt, SelfTestsPrompt } from './self-tests.ts';

/** System prompts say the same in every repository. */
type NoVariables = Readonly<Record<string, never>>;

/** Every template, and the variables that it is rendered with. */
export interface Prompts {
  readonly attempt: AttemptPrompt;
  /** The same without its first lines, for actors whose system prompt says what is to be done. */
  readonly context: AttemptPrompt;
  readonly 'react-system': NoVariables;
  readonly 'cot-system': NoVariables;
  readonly cot: CotPrompt;
  readonly 'self-tests': SelfTestsPrompt;
  readonly 'self-tests-failed': SelfTestsFailedPrompt;
  readonly reflect: ReflectPrompt;
  readonly 'reflect-system': NoVariables;
  readonly 'reflect-repair': ReflectRepairPrompt;
}

/** Templates that others have in them. */
const PARTS = ['context'] as const;
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
  const handlebars = Handlebars.create();
  for (const part of PARTS) handlebars.registerPartial(part, readTemplate(part, repository));
  const template = handlebars.compile(readTemplate(name, repository), { noEscape: true, strict: true });
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
