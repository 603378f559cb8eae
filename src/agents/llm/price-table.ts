import type { calcPrice, Usage } from '@pydantic/genai-prices';
import { parseModelName } from './model-name.ts';

type Found = NonNullable<ReturnType<typeof calcPrice>>;
type Match = Found['model']['match'];

/** Provider names of the AI SDK that differ in the table. */
const TABLE_NAMES: ReadonlyMap<string, string> = new Map([
  ['amazon-bedrock', 'aws'],
  ['google-vertex', 'google'],
  ['togetherai', 'together'],
  ['xai', 'x-ai'],
]);
/** A suffix that does not change the model: date, revision or release state. */
const REVISION =
  /(?:[-@](?:latest|preview|exp|\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{2}(?:-\d{4})?|\d{2}-\d{4}|\d{3,4}|v\d+(?::\d+)?))+-?$/;
const REGION = /^(?:us|eu|apac|au|jp|global|regional)\./;

/** The cost of one call in USD; null if the table does not list the model. */
export type TablePrice = (usage: Usage) => number | null;

/**
 * The price function of `provider/model` in the bundled table. Only the exact model counts: the table itself also
 * matches any provider whose name contains a known one and any model whose name begins with a known one.
 */
export async function tablePrice(name: string): Promise<TablePrice> {
  const { provider, model } = parseModelName(name);
  const providerId = TABLE_NAMES.get(provider) ?? provider;
  const { calcPrice: calculate } = await import('@pydantic/genai-prices');
  return (usage) => {
    const found = calculate(usage, model, { providerId });
    return found !== null && found.provider.id === providerId && isSameModel(model, found)
      ? found.total_price
      : null;
  };
}

function isSameModel(model: string, { model: { id, match } }: Found): boolean {
  const names = [id, ...namesIn(match)].map((name) => name.toLowerCase());
  const wanted = model.toLowerCase();
  return names.includes(wanted) || names.map(baseName).includes(baseName(wanted));
}

function namesIn(match: Match): string[] {
  if ('or' in match) return match.or.flatMap(namesIn);
  if ('and' in match) return match.and.flatMap(namesIn);
  return 'regex' in match ? [] : Object.values(match as Record<string, string>);
}

/** The name without region and revision; a fine-tuned model has the price of its base model. */
function baseName(name: string): string {
  const base = /^ft:[^:]+/.exec(name)?.[0] ?? name;
  return base.replace(REGION, '').replace(REVISION, '');
}
