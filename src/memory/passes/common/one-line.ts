/** Text from anywhere as one line of at most `limit` characters. */
export function oneLine(text: string, limit = 160): string {
  const flat = text
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .toWellFormed()
    .trim();
  const characters = [...flat];
  if (flat.length <= limit) return flat;
  let cut = characters.slice(0, limit - 1).join('');
  while (cut.length > limit - 1) cut = [...cut].slice(0, -1).join('');
  return `${cut}…`;
}
