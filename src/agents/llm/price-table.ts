import type { calcPrice, Usage } from '@pydantic/genai-prices';
import { parseModelName } from './model-name.ts';

type Found = NonNullable<ReturnType<typeof calcPrice>>;
type Match = Found['model']['match'];

/** Our provider names that the table calls otherwise. */
const TABLE_NAMES: ReadonlyMap<string, string> = new Map([
  ['amazon-bedrock', 'aws'],
  ['google-vertex', 'google'],
  ['togetherai', 'together'],
  ['xai', 'x-ai'],
]);
/** What stands behind the name of a model without making it another: its date, revision or state. */
const REVISION =
  /(?:[-@](?:latest|preview|exp|\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{2}(?:-\d{4})?|\d{2}-\d{4}|\d{3,4}|v\d+(?::\d+)?))+-?$/;
const REGION = /^(?:us|eu|apac|au|jp|global|regional)\./;

/** USD for the tokens of one call. */
export type TablePrice = (usage: Usage) => number | null;

/**
 * The price of `provider/model` in the shipped table, or null where it does not have this very model. The table itself
 * takes the likeliest: any provider whose name contains a known one, any model whose name begins like a known one.
 */
export async function tablePrice(name: string): Promise<TablePrice> {
  const { provider, model } = parseModelName(name);
  const providerId = TABLE_NAMES.get(provider) ?? provider;
  const { calcPrice: calculate } = await import('@pydantic/genai-prices');
  return (usage) => {
    const found = calculate(usage, model, { providerId });
    return found !== null && found.provider.id === providerId && isVery(model, found)
      ? found.total_price
      : null;
  };
}

function isVery(model: string, { model: { id, match } }: Found): boolean {
  const names = [id, ...namesIn(match)].map((name) => name.toLowerCase());
  const asked = model.toLowerCase();
  return names.includes(asked) || names.map(essence).includes(essence(asked));
}

function namesIn(match: Match): string[] {
  if ('or' in match) return match.or.flatMap(namesIn);
  if ('and' in match) return match.and.flatMap(namesIn);
  return 'regex' in match ? [] : Object.values(match as Record<string, string>);
}

/** A fine-tuned model costs what those of its base do. */
function essence(name: string): string {
  const base = /^ft:[^:]+/.exec(name)?.[0] ?? name;
  return base.replace(REGION, '').replace(REVISION, '');
}
