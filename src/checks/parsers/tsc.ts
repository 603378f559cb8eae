import { stripVTControlCharacters } from 'node:util';
import type { Diagnostic } from '../../schema/generated.ts';
import { createDiagnostic } from '../results/diagnostics.ts';
import type { ParseOrigin } from './lines.ts';

const PLACED = /^(\S[^\n]*?)(?:\((\d+),(\d+)\):|:(\d+):(\d+) -) (error|warning) (TS\d+): (.*)$/;
const UNPLACED = /^(error|warning) (TS\d+): (.*)$/;

/** Error codes about options and projects; see src/compiler/diagnosticMessages.json of TypeScript. */
const CONFIGURATION = /^TS(5\d{3}|6044|6045|6046|6053|6064|6310|6369|6370|18002|18003)$/;

/**
 * Errors in the output of tsc, with `--pretty false` or pretty, where a dash follows the position. Indented lines
 * continue the message.
 */
export function parseTscOutput(text: string, origin: ParseOrigin): Diagnostic[] {
  return splitMessages(stripVTControlCharacters(text)).flatMap((message) => {
    const diagnostic = parseMessage(message, origin);
    return diagnostic === undefined ? [] : [diagnostic];
  });
}

/** Whether an error is about the configuration and not about the code: tsc then checked nothing. */
export function isConfigurationError({ rule, file }: Diagnostic): boolean {
  return CONFIGURATION.test(rule ?? '') && (file === undefined || file.endsWith('.json'));
}

function splitMessages(text: string): string[] {
  const messages: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (PLACED.test(line) || UNPLACED.test(line)) messages.push(line);
    else if (/^\s+\S/.test(line) && messages.length > 0) messages[messages.length - 1] += `\n${line}`;
  }
  return messages;
}

function parseMessage(text: string, { check, paths }: ParseOrigin): Diagnostic | undefined {
  const [headline = '', ...rest] = text.split('\n');
  const placed = PLACED.exec(headline);
  const unplaced = placed === null ? UNPLACED.exec(headline) : null;
  const [severity, rule, message] = placed?.slice(6) ?? unplaced?.slice(1) ?? [];
  if (rule === undefined) return undefined;
  const file = placed === null ? undefined : paths.relative(placed[1]!);
  const place = placed === null || file !== undefined ? '' : `${shownPath(placed[1]!)}: `;
  return createDiagnostic(
    {
      type: /^TS1\d{3}$/.test(rule) ? 'syntax_error' : 'type_error',
      check,
      message: place + [message, ...rest].join('\n'),
      severity: severity === 'warning' ? 'warning' : 'error',
      rule,
      file,
      line: placed === null ? undefined : Number(placed[2] ?? placed[4]),
      column: placed === null ? undefined : Number(placed[3] ?? placed[5]),
    },
    paths,
  );
}

/** A path outside the tree, as the messages of every machine can show it: from its package folder on, or its end. */
function shownPath(path: string): string {
  const parts = path.split(/[\\/]/);
  const at = parts.lastIndexOf('node_modules');
  return (at === -1 ? parts.slice(-1) : parts.slice(at)).join('/');
}
