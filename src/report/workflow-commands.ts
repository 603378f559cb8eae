import { randomUUID } from 'node:crypto';
import type { Diagnostic } from '../schema/generated.ts';
import { boundText } from '../platform/text/bounded-text.ts';
import { printable } from '../platform/text/printable.ts';

/** GitHub shows at most ten annotations of a level per step. */
const MAX_ANNOTATIONS = 10;
const MAX_MESSAGE_CHARS = 1000;
const MAX_PROPERTY_CHARS = 300;

/** Severity of an annotation. */
export type AnnotationLevel = 'error' | 'warning' | 'notice';

/** A message on the page of an Actions run, optionally at a line of a file. */
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
 * Renders a workflow command, `::error file=…::message`. Line ends and property separators are escaped as in GitHub's
 * toolkit, so that the text cannot contain another command or property.
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

/** Annotations for the first ten errors, each at its line. */
export function createAnnotations(diagnostics: readonly Diagnostic[]): Annotation[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .slice(0, MAX_ANNOTATIONS)
    .map(({ check, message, file, line, rule }) => ({
      level: 'error',
      message,
      title: rule === undefined ? check : `${check}: ${rule}`,
      file,
      line,
    }));
}

/**
 * Creates two lines between which the runner ignores workflow commands, so that text of tests, programs and models can
 * be printed. The end line holds a random token, so that such text cannot end the section.
 */
export function quietSection(): { readonly begin: string; readonly end: string } {
  const token = `ralph-${randomUUID()}`;
  return { begin: `::stop-commands::${token}`, end: `::${token}::` };
}

/** Renders lines for `GITHUB_OUTPUT`. Each value ends with a random delimiter, so that no value can set another output. */
export function renderOutputs(outputs: Readonly<Record<string, string>>): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      const delimiter = `end-${randomUUID()}`;
      return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
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
