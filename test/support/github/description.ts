/**
 * GitHub's own description of its REST API: what a request may hold, and what an answer holds. `api.github.com.json` is the
 * part of it that ralph calls, from @octokit/openapi by `scripts/github-description.ts`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Fields = Record<string, unknown>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: object;
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content } | { readonly $ref: string }>>;
}

type Content = Readonly<Record<string, { readonly schema: object }>>;

const text = readFileSync(join(import.meta.dirname, 'api.github.com.json'), 'utf8');
const description = toJsonSchema(JSON.parse(text)) as {
  readonly paths: Record<string, Record<string, Operation>>;
};
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  coerceTypes: false,
  validateFormats: true,
  logger: false,
});
(addFormats as unknown as (ajv: Ajv) => void)(ajv);
ajv.addSchema(description, 'github');
const compiled = new Map<object, ValidateFunction>();
const templates = Object.keys(description.paths).map((template) => ({
  template,
  pattern: new RegExp(
    `^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`,
  ),
}));

/** Problems of a request; empty if GitHub describes it. */
export function problemsOfRequest(method: string, url: URL, body: unknown): string[] {
  const where = `${method} ${url.pathname}`;
  const operation = operationFor(method, url.pathname);
  if (operation === undefined) return [`${where}: GitHub describes no such operation`];
  const parameters = (operation.parameters ?? []).map((it) => resolve<Parameter>(it));
  const known = parameters.filter((it) => it.in === 'query');
  const unknown = [...url.searchParams.keys()].filter((key) => !known.some(({ name }) => name === key));
  const wrong = known.flatMap(({ name, schema, required }) => {
    const value = url.searchParams.get(name);
    if (value === null) return required === true ? [`the parameter ${name} is missing`] : [];
    return problems(schema, typed(schema, value)).map((problem) => `${name} ${problem}`);
  });
  const content = operation.requestBody?.content['application/json']?.schema;
  const inBody =
    content === undefined
      ? body === undefined
        ? []
        : ['a body is not described']
      : problems(content, body ?? {}).map((problem) => `body${problem}`);
  const extra = unknown.map((name) => `the parameter ${name} is not described`);
  return [...extra, ...wrong, ...inBody].map((problem) => `${where}: ${problem}`);
}

/** Problems of an answer; empty if GitHub describes it. Statuses of the server as a whole are always possible. */
export function problemsOfAnswer(method: string, path: string, status: number, body: unknown): string[] {
  const where = `${status} for ${method} ${path}`;
  const found = operationFor(method, path)?.responses[String(status)];
  if (found === undefined) return [401, 403, 404, 429].includes(status) ? [] : [`${where} is not described`];
  const schema = resolve<{ readonly content?: Content }>(found).content?.['application/json']?.schema;
  return schema === undefined ? [] : problems(schema, body).map((problem) => `${where}: ${problem}`);
}

/** The smallest answer that GitHub's description allows, with the fields of `more` in it. */
export function answerWith(method: string, path: string, status: number, more: unknown): unknown {
  const found = operationFor(method, path)?.responses[String(status)];
  if (found === undefined) return more;
  const schema = resolve<{ readonly content?: Content }>(found).content?.['application/json']?.schema;
  return schema === undefined ? more : filled(schema as Fields, more);
}

function operationFor(method: string, path: string): Operation | undefined {
  const fitting = templates.filter(
    ({ template, pattern }) => pattern.test(path) && method.toLowerCase() in description.paths[template]!,
  );
  // Fixed words go before variables: /pulls/comments before /pulls/{pull_number}.
  const [best] = fitting.sort((a, b) => a.template.split('{').length - b.template.split('{').length);
  return best && description.paths[best.template]![method.toLowerCase()];
}

function resolve<T>(value: T | { readonly $ref: string }): T {
  const { $ref } = value as { readonly $ref?: string };
  if ($ref === undefined) return value as T;
  const parts = $ref
    .replace('github#/', '')
    .split('/')
    .map((it) => it.replaceAll('~1', '/'));
  return parts.reduce<unknown>((at, key) => (at as Fields)[key], description) as T;
}

function problems(schema: object, value: unknown): string[] {
  let check = compiled.get(schema);
  if (check === undefined) compiled.set(schema, (check = ajv.compile(schema)));
  if (check(value)) return [];
  return (check.errors ?? [])
    .slice(0, 5)
    .map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

function typed(schema: object, value: string): unknown {
  const { type } = resolve<Fields>(schema as Fields);
  if (type === 'integer' || type === 'number') return Number(value);
  return type === 'boolean' ? value === 'true' : value;
}

/** A value for a schema: `more` where it is given, otherwise what is required, as short as possible. */
function filled(given: Fields, more: unknown): unknown {
  const schema = resolve<Fields>(given);
  const choices = (schema.anyOf ?? schema.oneOf) as Fields[] | undefined;
  if (choices !== undefined) {
    if (choices.some((it) => resolve<Fields>(it).type === 'null') && (more === undefined || more === null))
      return null;
    const fitting = choices.find((it) => more === undefined || problems(it, filled(it, more)).length === 0);
    return filled(fitting ?? choices[0]!, more);
  }
  if (schema.allOf !== undefined) {
    const parts = (schema.allOf as Fields[]).map((it) => filled(it, more));
    return parts.every((it) => typeof it === 'object') ? Object.assign({}, ...(parts as object[])) : parts[0];
  }
  const types = [schema.type].flat() as (string | undefined)[];
  if (more === null || (more === undefined && types.includes('null'))) return null;
  if (schema.properties !== undefined || types.includes('object'))
    return filledObject(schema, more as Fields);
  if (types.includes('array')) {
    const items = (more ?? []) as unknown[];
    return items.map((item) => filled(schema.items as Fields, item));
  }
  return more ?? simple(schema, types[0]);
}

function filledObject(schema: Fields, more: Fields = {}): Fields {
  const properties = (schema.properties ?? {}) as Record<string, Fields>;
  const names = new Set([...((schema.required as string[] | undefined) ?? []), ...Object.keys(more)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const property = properties[name];
      return [name, property === undefined ? more[name] : filled(property, more[name])];
    }),
  );
}

function simple(schema: Fields, type: string | undefined): unknown {
  if (schema.enum !== undefined) return (schema.enum as unknown[])[0];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Math.max(0, Number(schema.minimum ?? 0));
  if (schema.format === 'date-time') return '2026-11-20T10:00:00Z';
  if (schema.format === 'uri') return 'https://api.github.com/x';
  return type === 'string' ? 'x'.repeat(Math.max(1, Number(schema.minLength ?? 1))) : {};
}

/** OpenAPI 3.0 says `nullable: true` where JSON Schema has the type null, and its references are relative. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const converted: Fields = {};
  for (const [key, part] of Object.entries(value)) {
    if (key === 'examples' || key === 'nullable' || key === 'discriminator') continue;
    converted[key] = key === '$ref' ? `github${String(part)}` : toJsonSchema(part);
  }
  if ((value as Fields).nullable !== true || typeof (value as Fields).nullable !== 'boolean')
    return converted;
  if (typeof converted.type === 'string' && converted.enum === undefined)
    return { ...converted, type: [converted.type, 'null'] };
  return { anyOf: [converted, { type: 'null' }] };
}
