/**
 * Control characters, half characters, and whatever is there and not seen: what reorders text, joins or hides it,
 * fills without a glyph, or carries text of its own (bidi, zero-width, tags, variation selectors, fillers).
 */
const DANGEROUS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** The character before a variation selector that only chooses between the two looks of a symbol. */
const SYMBOL_BEFORE = /[\p{Extended_Pictographic}0-9#*]$/u;
const LOOKS: ReadonlySet<string> = new Set(['\uFE0E', '\uFE0F']);
const ESCAPE = '\u001B';
const COLOURS = new RegExp(`(${ESCAPE}\\[[\\d;]*m)`);

/** Text from a repository, a program or a model, safe to show: what a terminal would act on is shown escaped. */
export function printable(text: string): string {
  return text.replace(DANGEROUS, (character: string, index: number) =>
    isHarmless(character, text, index) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** The characters of a text that `printable` shows escaped, with their places in it. */
export function hiddenIn(text: string): readonly { readonly character: string; readonly index: number }[] {
  return [...text.matchAll(DANGEROUS)]
    .map(({ 0: character, index }) => ({ character, index }))
    .filter(({ character, index }) => !isHarmless(character, text, index));
}

/** A line that ralph itself has coloured, and nothing else in it that a terminal would act on. */
export function printableColoured(line: string): string {
  return line
    .split(COLOURS)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join('');
}

/** The value as JSON that is safe to show: the same value, since such characters are escaped as JSON has it. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(DANGEROUS, (character) =>
    character === '\n' ? character : escapeUnits(character),
  );
}

function isHarmless(character: string, text: string, index: number): boolean {
  if (character === '\n' || character === '\t') return true;
  return LOOKS.has(character) && SYMBOL_BEFORE.test(text.slice(Math.max(0, index - 2), index));
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}
