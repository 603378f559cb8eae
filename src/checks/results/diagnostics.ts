import { stripVTControlCharacters } from 'node:util';
import type { Diagnostic, StackFrame } from '../../schema/generated.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { fingerprint } from './fingerprint.ts';
import type { TreePaths } from './tree-paths.ts';

/** Most diagnostics in the report of one check; its counts include the others. */
export const MAX_DIAGNOSTICS = 500;

const MAX_MESSAGE = 2_000;
const MAX_VALUE = 1_000;
const MAX_STACK = 4_000;
/** Length of the line that `boundText` adds where it cuts. */
const CUT_NOTICE = 60;

/** A diagnostic before it is cleaned and bounded. */
export interface DiagnosticFields {
  readonly type: Diagnostic['type'];
  readonly check: string;
  readonly message: string;
  readonly severity?: Diagnostic['severity'];
  /** Relative to the root, as `TreePaths.relative` gives it. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly rule?: string;
  readonly testId?: string;
  readonly expected?: string;
  readonly received?: string;
  readonly stack?: string;
  readonly frames?: readonly StackFrame[];
}

/** A diagnostic within the limits of its schema, without control characters, secrets and the tree's absolute path. */
export function createDiagnostic(fields: DiagnosticFields, paths: TreePaths): Diagnostic {
  const clean = (text: string, limit: number): string =>
    boundText(cleanText(text, paths), limit - CUT_NOTICE);
  const message = clean(fields.message, MAX_MESSAGE).trim() || 'No message.';
  const named = {
    type: fields.type,
    check: fields.check,
    message,
    file: fields.file,
    rule: fields.rule?.slice(0, 1_000),
    test_id: fields.testId?.slice(0, 4_000),
  };
  return withoutUndefined({
    ...named,
    severity: fields.severity ?? 'error',
    fingerprint: fingerprint(named),
    line: atLeastOne(fields.line),
    column: atLeastOne(fields.column),
    expected: fields.expected === undefined ? undefined : clean(fields.expected, MAX_VALUE),
    received: fields.received === undefined ? undefined : clean(fields.received, MAX_VALUE),
    stack_trace:
      fields.stack === undefined
        ? undefined
        : boundText(ownStack(cleanText(fields.stack, paths)), MAX_STACK - CUT_NOTICE),
    frames: fields.frames?.length ? [...fields.frames] : undefined,
  });
}

/** Printed text without colours, secrets and the tree's absolute path. */
export function cleanText(text: string, paths: TreePaths): string {
  return redact(paths.strip(stripVTControlCharacters(text)));
}

/** A frame of a dependency, of Node, or of a file outside the tree: its path differs between machines. */
const FOREIGN_FRAME = /^\s*at\b.*(node_modules\/|\bnode:|file:\/\/\/|[( ]\/)/;

/** A cleaned stack with the frames of the repository only. */
function ownStack(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !FOREIGN_FRAME.test(line))
    .join('\n');
}

function atLeastOne(position: number | undefined): number | undefined {
  return position === undefined || !Number.isFinite(position) ? undefined : Math.max(1, Math.trunc(position));
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}
