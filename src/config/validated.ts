import { nearest } from '../platform/text/nearest.ts';
import type { Config } from '../schema/generated.ts';
import { validate, type SchemaProblem } from '../schema/validate.ts';
import { configError } from './config-error.ts';
import { configProperties } from './setting-list.ts';

/**
 * A value that the schema allows. Throws RalphError (exit 2) with the name of the setting, its value and a remedy; `nameOf` names a
 * setting by its key.
 */
export function validated(
  value: unknown,
  nameOf: (key: string) => string,
  source: string,
  errorOf = configError,
): Config {
  const result = validate('config', value);
  if (result.ok) return result.value;
  const problem = mostSpecific(result.problems);
  throw errorOf(describeProblem(problem, value, nameOf, source), hintFor(problem, value));
}

/** A union reports a problem for each branch; only the most specific one is shown. */
function mostSpecific(problems: readonly SchemaProblem[]): SchemaProblem {
  const order = ['additionalProperties', 'oneOf', 'enum', 'pattern', 'minimum', 'maximum'];
  const rank = ({ keyword }: SchemaProblem): number =>
    (order.indexOf(keyword) + order.length + 1) % (order.length + 1);
  return [...problems].sort((a, b) => rank(a) - rank(b))[0]!;
}

function describeProblem(
  problem: SchemaProblem,
  value: unknown,
  nameOf: (key: string) => string,
  source: string,
): string {
  const [key, ...rest] = problem.path.split('/').slice(1);
  if (problem.keyword === 'additionalProperties') {
    const unknown = String(problem.params.additionalProperty);
    return `${source} has an unknown key "${[key, ...rest, unknown]
      .filter((part) => part !== undefined)
      .join('.')
      .slice(0, MAX_SHOWN)}".`;
  }
  if (key === undefined) return `${source} ${problem.message}.`;
  const name = [nameOf(key), ...rest].join('.');
  return `${name} is ${renderValue(valueAt(value, [key, ...rest]))}: ${describeRule(problem, key)}.`;
}

const MAX_SHOWN = 200;

/** A value as JSON, bounded; a configuration module may export values that JSON does not have, such as 3n. */
function renderValue(value: unknown): string {
  const text = typeof value === 'object' || typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}

/** Settings that name a model. */
const MODEL_KEYS = /^(judge|fallbackModels)$|model$/i;

function describeRule(problem: SchemaProblem, key: string): string {
  if (key === 'omega') return 'it must be a whole number from 1 to 10, or auto';
  if (problem.keyword === 'enum')
    return `it must be one of ${(problem.params.allowedValues as string[]).join(', ')}`;
  if (/maxTime|Timeout|Silence|Delay/i.test(problem.path) && problem.keyword === 'pattern')
    return 'it must be a duration above 0 and below 500h, such as 500ms, 30s, 10m or 2h';
  if (problem.keyword === 'pattern' && MODEL_KEYS.test(key))
    return 'it must be provider/model, such as anthropic/claude-sonnet-4-5 or openai-compatible/qwen3';
  if (key === 'checks' && problem.keyword === 'minLength') return 'a check must be given as NAME=COMMAND';
  if (key === 'weights') return 'a weight must be a number of 0 or more, as in tests=0.5,types=0.3';
  return `it ${problem.message}`;
}

function hintFor({ keyword, params, path }: SchemaProblem, value: unknown): string {
  const helpHint = 'For all options and their values: ralph run --help';
  if (keyword === 'enum') {
    const near = nearest(String(valueAt(value, path.split('/').slice(1))), params.allowedValues as string[]);
    return near === undefined ? helpHint : `Did you mean ${near}?`;
  }
  if (keyword !== 'additionalProperties') return helpHint;
  const known = Object.keys(configProperties());
  const near = nearest(String(params.additionalProperty), known);
  return near === undefined ? `Known keys: ${known.join(', ')}.` : `Did you mean "${near}"?`;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}
