/** A product or quotient of two numbers, which no other operator of the same or a higher rank takes part of. */
const PRODUCT =
  /(?<![\w$.]|[\w$)\]*/%]\s*[*/%]\s*|\*\*\s*|[*/%]\s*)(?<one>\d+(?:\.\d+)?)\s*(?<operator>[*/])\s*(?<other>\d+(?:\.\d+)?)(?!\s*[*/%.\w$(])/g;

/** Code in which a product or quotient of two written numbers is replaced by its value: `5 / 100` is `0.05`. Lines with texts stay. */
export function withValues(code: string): string {
  return code
    .split('\n')
    .map((line) => (/['"`]/.test(line) ? line : line.replace(PRODUCT, valueOf)))
    .join('\n');
}

function valueOf(text: string, ...rest: readonly unknown[]): string {
  const { one, operator, other } = rest.at(-1) as Record<'one' | 'operator' | 'other', string>;
  const value = operator === '*' ? Number(one) * Number(other) : Number(one) / Number(other);
  return Number.isFinite(value) ? String(value) : text;
}
