/** The two values of a failed assertion, as the runner prints them. */
export interface ComparedValues {
  readonly expected?: string;
  readonly received?: string;
}

const LABELLED = /^\s*Expected(?:[ \w]*): +(.+)$[\s\S]*?^\s*(?:Received|Actual)(?:[ \w]*): +(.+)$/m;
const BELOW = /^Expected value to [^\n]*:\n\s+([^\n]+)\n(?:Received|Actual):\n\s+([^\n]+)$/m;
const CHAI =
  /expected ([\s\S]+?) to (?:(?:strictly|deeply|loosely|also) )*(?:equal|be|eql) ([\s\S]+?)(?: \/\/ .*)?$/;
const NODE_INLINE = /^([^\n]+?) (?:==|===) ([^\n]+)$/;

/**
 * Reads the compared values from an assertion message: jest's labelled lines, chai's sentence, node:assert's operator.
 * Empty where the message has none.
 */
export function parseComparedValues(message: string): ComparedValues {
  const labelled = LABELLED.exec(message) ?? BELOW.exec(message);
  if (labelled !== null) return { expected: labelled[1]!, received: labelled[2]! };
  const sentence = CHAI.exec(message);
  if (sentence !== null) return { expected: sentence[2]!, received: sentence[1]! };
  const inline = NODE_INLINE.exec(message);
  return inline === null ? {} : { expected: inline[2]!, received: inline[1]! };
}
