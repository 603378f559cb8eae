import { randomUUID } from 'node:crypto';
import type { Diagnostic } from '../schema/generated.ts';
import { boundText } from '../platform/text/bounded-text.ts';
import { printable } from '../platform/text/printable.ts';

/** GitHub shows ten of a kind for a step. */
const MOST_ANNOTATIONS = 10;
const MAX_MESSAGE_CHARS = 1000;
const MAX_PROPERTY_CHARS = 300;

export type AnnotationLevel = 'error' | 'warning' | 'notice';

export interface Annotation {
  readonly level: AnnotationLevel;
  readonly message: string;
  readonly title?: string;
  /** Relative to the repository's root. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
}

/**
 * A workflow command, `::error file=…::message`, that says what it says and nothing else: line ends and what separates
 * properties are escaped as GitHub's own toolkit does.
 */
export function renderAnnotation({ level, message, title, file, line }: Annotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${property(file)}`]),
    ...(file === undefined || line === undefined ? [] : [`line=${line}`]),
    ...(title === undefined ? [] : [`title=${property(title)}`]),
  ].join(',');
  const body = escapeData(printable(boundText(message, MAX_MESSAGE_CHARS)));
  return `::${level}${properties === '' ? '' : ` ${properties}`}::${body}`;
}

/** What still fails, each at its line, at most ten; one that is not an error is left out. */
export function annotationsOf(diagnostics: readonly Diagnostic[]): Annotation[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .slice(0, MOST_ANNOTATIONS)
    .map(({ check, message, file, line, rule }) => ({
      level: 'error',
      message,
      title: rule === undefined ? check : `${check}: ${rule}`,
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
    }));
}

/**
 * Two lines between which the runner takes no command from what is printed: text of tests, programs and models passes
 * there. Nobody who does not see them can end it.
 */
export function quietSection(): { readonly begin: string; readonly end: string } {
  const token = `ralph-${randomUUID()}`;
  return { begin: `::stop-commands::${token}`, end: `::${token}::` };
}

/** Lines for `GITHUB_OUTPUT`: each value ends where its own random mark stands, so that none can name another output. */
export function renderOutputs(outputs: Readonly<Record<string, string>>): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      const mark = `end-${randomUUID()}`;
      return `${name}<<${mark}\n${value}\n${mark}\n`;
    })
    .join('');
}

function property(text: string): string {
  return escapeData(printable(boundText(text, MAX_PROPERTY_CHARS)))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
