import { relative, sep } from 'node:path';
import type { LintFinding } from './lint-output.ts';

/** One file of ESLint's JSON report: https://eslint.org/docs/latest/use/formatters/#json */
export interface LintedFile {
  readonly errors: number;
  /** Changes for errors that ESLint proposes but `--fix` does not apply. */
  readonly suggestions: readonly Suggestion[];
  /** The errors with their places. */
  readonly findings: readonly LintFinding[];
}

/** A change that ESLint proposes for an error. */
export interface Suggestion {
  readonly rule: string;
  /** The rule's description of the change. */
  readonly text: string;
  /** UTF-16 offsets, the second exclusive; a byte order mark is not counted. */
  readonly range: readonly [number, number];
  readonly replacement: string;
}

interface Message {
  readonly ruleId: string | null;
  readonly severity: number;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly suggestions?: readonly { desc: string; fix: { range: [number, number]; text: string } }[];
}

/** Parses reports by file, relative to the root with forward slashes. Throws if the text is no such report. */
export function parseLintReport(text: string, root: string): Map<string, LintedFile> {
  const files = JSON.parse(text) as { filePath: string; errorCount: number; messages: Message[] }[];
  return new Map(
    files.map(({ filePath, errorCount, messages }) => {
      const file = relative(root, filePath).split(sep).join('/');
      const findings = messages.flatMap((message) => findingsOf(file, message));
      return [file, { errors: errorCount, suggestions: messages.flatMap(suggestionsOf), findings }];
    }),
  );
}

function findingsOf(file: string, { ruleId, severity, message, line, column }: Message): LintFinding[] {
  if (severity !== 2) return [];
  return [{ file, line, column, text: ruleId === null ? message : `${message} (${ruleId})` }];
}

function suggestionsOf({ ruleId, severity, suggestions }: Message): Suggestion[] {
  if (severity !== 2) return [];
  return (suggestions ?? []).map(({ desc, fix }) => ({
    rule: ruleId ?? 'eslint',
    text: desc,
    range: fix.range,
    replacement: fix.text,
  }));
}
