import { createHash } from 'node:crypto';
import type { Reflection, RuledOut, RuledOutSummary } from '../schema/generated.ts';
import { redactValue } from '../platform/redaction/redact.ts';

/** Text of `ruled-out.json`: the signatures of an attempt's ruled-out edits, without secrets, as one line of JSON. */
export function renderRuledOut(edits: readonly string[]): string {
  return `${JSON.stringify(redactValue(edits))}\n`;
}

/** The part of an attempt's ruled-out edits that its reflection stores. */
export function summarizeRuledOut({ tried, edits, nearest }: RuledOut): RuledOutSummary {
  if (edits.length === 0) return { tried, nearest };
  return { tried, count: edits.length, sha256: hashOf(renderRuledOut(edits)), nearest };
}

/**
 * The reflection with the signatures of its ruled-out edits, which the search actor does not try again. `edits` is
 * undefined if they are unknown; a record that has its signatures already is returned unchanged.
 */
export function withRuledOut(reflection: Reflection, edits: readonly string[] | undefined): Reflection {
  const { actor_output } = reflection;
  const { ruled_out } = actor_output;
  if (edits === undefined || ruled_out === undefined || ruled_out.edits !== undefined) return reflection;
  return {
    ...reflection,
    actor_output: { ...actor_output, ruled_out: { ...ruled_out, edits: [...edits] } },
  };
}

/** The signatures in a `ruled-out.json`; undefined if the text is not the one that the reflection describes. */
export function parseRuledOut(text: string, { actor_output }: Reflection): string[] | undefined {
  if (hashOf(text) !== actor_output.ruled_out?.sha256) return undefined;
  const edits: unknown = JSON.parse(text);
  return Array.isArray(edits) ? edits.filter((edit) => typeof edit === 'string') : undefined;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
