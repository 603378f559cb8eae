import { line, valueLine, within } from '../prompts/bounded-data.ts';
import type { GateBlockPrompt, GateFailure } from '../prompts/gate.ts';
import { failureName, renderPlace } from '../prompts/phrases.ts';
import { renderPrompt } from '../prompts/render.ts';
import { plural } from '../platform/text/plural.ts';
import type { Diagnostic, DiagnosticDelta } from '../schema/generated.ts';
import type { Decision } from './decision.ts';

/** Most bytes of all failures together; agents cut long hook output. */
const FAILURES_BYTES = 5000;
const MESSAGE_BYTES = 400;
const VALUE_BYTES = 300;
const MOST_LISTED = 10;

/** A block in the life of a session. */
export interface BlockContext {
  readonly decision: Decision;
  /** One next step, from the reflection. */
  readonly next: string;
  /** The next step that the agent was told before; empty for the first block. */
  readonly before: string;
  /** Failures compared with those of the block before. */
  readonly delta: DiagnosticDelta;
  /** How often in a row, 1-based; 0 without a limit. */
  readonly number: number;
  readonly limit: number;
  readonly repository: string;
}

/** What the agent is told that may not stop yet: bounded, and in the words of `prompts/gate-block.hbs`. */
export function renderBlock(context: BlockContext): string {
  const { decision, next, before, delta, number, limit, repository } = context;
  const { shown, cut } = within(withoutForbidden(decision), FAILURES_BYTES, describeOne);
  const isAsBefore = next !== '' && before === next;
  const variables: GateBlockPrompt = {
    number,
    limit,
    isUnchanged: false,
    forbidden: bounded(decision.forbidden),
    missing: bounded(decision.missing),
    unmet: bounded(decision.unmet),
    failures: shown,
    failuresCut: cut,
    others: bounded(decision.others),
    before: isAsBefore ? '' : line(before, 1000),
    isAsBefore,
    since: before === '' ? '' : describeDelta(delta),
    next: line(toldStep(next, decision), 1000),
  };
  return renderSafely(variables, repository);
}

/** An agent can write the repository's own template. If it cannot be rendered, it must not be let go for that. */
function renderSafely(variables: GateBlockPrompt, repository: string): string {
  try {
    return renderPrompt('gate-block', variables, repository).trim();
  } catch {
    return renderPrompt('gate-block', variables).trim();
  }
}

/** The text of the block before, for a tree that has not changed since. */
export function renderRepeated(
  text: string,
  { number, limit, repository }: Pick<BlockContext, 'number' | 'limit' | 'repository'>,
): string {
  const head = renderSafely({ ...EMPTY, number, limit, isUnchanged: true }, repository);
  const rest = text.split('\n').slice(1).join('\n').trim();
  return `${head}\n\n${rest.replace(/^No file has changed since this was said\.\s*/, '')}`;
}

const EMPTY: GateBlockPrompt = {
  number: 0,
  limit: 0,
  isUnchanged: false,
  forbidden: [],
  missing: [],
  unmet: [],
  failures: [],
  failuresCut: 0,
  others: [],
  before: '',
  isAsBefore: false,
  since: '',
  next: '',
};

/** The failures, without those that only report a forbidden change in the words above them. */
function withoutForbidden({ failures, forbidden }: Decision): readonly Diagnostic[] {
  return failures.filter(({ message }) => !forbidden.includes(message));
}

/** The step as it is told: none where it only says again what is red, so that nobody is reminded of it later. */
export function toldStep(step: string, decision: Decision): string {
  return repeatsOne(step, decision) ? '' : step;
}

/** Characters by which a step shows that it says again what stands under it. */
const ENOUGH = 40;

/** Whether a step only says again what is red. */
function repeatsOne(step: string, { failures }: Decision): boolean {
  return failures.some(({ message }) => message.length > ENOUGH && step.includes(message.slice(0, ENOUGH)));
}

function describeOne(failure: Diagnostic): GateFailure {
  const { file, line: number, message, expected, received } = failure;
  const hasValues = expected !== undefined && received !== undefined;
  return {
    title: failureName(failure),
    place: file === undefined ? '' : renderPlace({ file, line: number }),
    message: line(message.split('\n').find((text) => text.trim() !== '') ?? '', MESSAGE_BYTES),
    expected: hasValues ? valueLine(expected, VALUE_BYTES) : '',
    received: hasValues ? valueLine(received, VALUE_BYTES) : '',
  };
}

function bounded(texts: readonly string[]): string[] {
  const shown = texts.slice(0, MOST_LISTED).map((text) => line(text, MESSAGE_BYTES));
  return texts.length > MOST_LISTED ? [...shown, `and ${texts.length - MOST_LISTED} more`] : shown;
}

function describeDelta({ fixed, same, new: fresh, unseen = [] }: DiagnosticDelta): string {
  const missing = unseen.length === 0 ? '' : `, ${unseen.length} not reported again`;
  return `${plural(fixed.length, 'failure')} gone, ${same.length} as before, ${fresh.length} new${missing}.`;
}
