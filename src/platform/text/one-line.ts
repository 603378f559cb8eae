/**
 * A text as one line of at most `limit` UTF-16 code units: white space and control characters become single blanks, and
 * a cut is marked by an ellipsis.
 */
export function oneLine(text: string, limit = 160): string {
  const flat = text
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .toWellFormed()
    .trim();
  if (flat.length <= limit) return flat;
  let characters = [...flat].slice(0, limit - 1);
  while (characters.join('').length > limit - 1) characters = characters.slice(0, -1);
  return `${characters.join('')}…`;
}
