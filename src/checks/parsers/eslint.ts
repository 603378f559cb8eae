import type { Diagnostic } from '../../schema/generated.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { createDiagnostic } from '../results/diagnostics.ts';
import type { ParseOrigin } from './lines.ts';

/** The results of the files that eslint linted. */
export interface EslintReport {
  readonly diagnostics: readonly Diagnostic[];
  /** Relative to the root; a file outside of it as eslint names it. */
  readonly files: readonly string[];
}

interface EslintFile {
  readonly filePath: string;
  readonly messages: readonly EslintMessage[];
}

interface EslintMessage {
  readonly ruleId: string | null;
  readonly severity: number;
  readonly message: string;
  readonly fatal?: boolean;
  readonly line?: number;
  readonly column?: number;
}

/** Reads `eslint --format json` (https://eslint.org/docs/latest/use/formatters/#json); undefined for any other text. */
export function parseEslintReport(text: string, origin: ParseOrigin): EslintReport | undefined {
  let files: unknown;
  try {
    files = parseBoundedJson(text);
  } catch {
    return undefined;
  }
  if (!isReport(files)) return undefined;
  const linted = files.filter((file) => !isIgnored(file));
  return {
    files: linted.map(({ filePath }) => origin.paths.relative(filePath) ?? filePath),
    diagnostics: linted.flatMap(({ filePath, messages }) =>
      messages.map((message) => toDiagnostic(message, filePath, origin)),
    ),
  };
}

function isReport(value: unknown): value is readonly EslintFile[] {
  return Array.isArray(value);
}

/** An ignored file that was named on the command line has one warning in place of a result. */
function isIgnored({ messages }: EslintFile): boolean {
  const [first] = messages;
  return messages.length === 1 && first!.ruleId === null && /^File ignored\b/.test(first!.message);
}

function toDiagnostic(message: EslintMessage, filePath: string, { check, paths }: ParseOrigin): Diagnostic {
  return createDiagnostic(
    {
      type: message.fatal ? 'syntax_error' : 'lint_error',
      check,
      message: message.message,
      severity: message.severity === 2 ? 'error' : 'warning',
      file: paths.relative(filePath),
      line: message.line,
      column: message.column,
      rule: message.ruleId ?? undefined,
    },
    paths,
  );
}
