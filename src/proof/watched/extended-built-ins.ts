const BUILT_INS =
  'Array|Object|String|Number|Boolean|BigInt|Symbol|Function|Promise|Map|Set|WeakMap|WeakSet|Date|RegExp|Error|Iterator';
/** Places at which a text adds a member to what all code of a process shares. */
const ADDITIONS = [
  new RegExp(String.raw`\b(?:${BUILT_INS})\.prototype\s*(?:\.\s*[\w$]+|\[[^\]\n]+\])\s*=(?![=>])`, 'g'),
  new RegExp(
    String.raw`\b(?:Object|Reflect)\.definePropert(?:y|ies)\s*\(\s*(?:${BUILT_INS})\.prototype\s*,\s*['"\w$.{]+`,
    'g',
  ),
  new RegExp(String.raw`\bObject\.assign\s*\(\s*(?:${BUILT_INS})\.prototype\b`, 'g'),
];
const COMMENT = /^\s*(?:\/\/|\*|\/\*)/;

const CONDITION = /\bif\s*\(/;

/**
 * A place at which the text adds a member to the prototype of a built-in and the base did not; undefined without one. A
 * polyfill, which adds the member only where it is missing, is left out.
 */
export function addedToBuiltIn(text: string, base: string): string | undefined {
  const before = new Set(placesIn(base));
  return placesIn(text).find((place) => !before.has(place));
}

function placesIn(text: string): string[] {
  const code = text
    .split('\n')
    .filter((line) => !COMMENT.test(line))
    .join('\n');
  return ADDITIONS.flatMap((pattern) => [...code.matchAll(pattern)])
    .filter(({ index }) => !isGuarded(code, index))
    .map(([place]) => place.replace(/\s+/g, ' '));
}

/** Whether a condition stands before the place, in the same line or the one before. */
function isGuarded(code: string, index: number): boolean {
  return code
    .slice(0, index)
    .split('\n')
    .slice(-2)
    .some((line) => CONDITION.test(line));
}
