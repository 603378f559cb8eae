/** The JSON Schema keywords that are rendered. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly default?: unknown;
}

/** Path of a property, its allowed values, and its description. */
export type Row = readonly [path: string, values: string, description: string];

/** Resolves a reference: `#/…` in the same schema, or `file.schema.json[#/…]`. */
export type Resolve = (reference: string) => Schema;

/** A row for each property, followed by rows for the properties of its object or of its list items. */
export function rowsOf(schema: Schema, resolve: Resolve, path = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const here = path === '' ? name : `${path}.${name}`;
    const real = resolved(property, resolve);
    const required = schema.required?.includes(name) ?? false;
    const meaning = property.description ?? real.description ?? '';
    const row: Row = [`${here}${required || path === '' ? '' : '?'}`, describeValues(real, resolve), meaning];
    const list = real.items === undefined ? undefined : resolved(real.items, resolve);
    const inner = list === undefined ? real : list;
    const below =
      inner.properties === undefined ? [] : rowsOf(inner, resolve, list === undefined ? here : `${here}[]`);
    return [row, ...below];
  });
}

/** The allowed values in a few words, such as `list of integer, 1 or more`. */
export function describeValues(schema: Schema, resolve: Resolve): string {
  const real = resolved(schema, resolve);
  const options = real.anyOf ?? real.oneOf;
  if (options !== undefined) return options.map((option) => describeValues(option, resolve)).join(' or ');
  if (real.const !== undefined) return JSON.stringify(real.const);
  if (real.enum !== undefined) return real.enum.map((value) => String(value)).join(', ');
  const type = [real.type ?? 'any'].flat().join(' or ');
  if (real.items !== undefined) return `list of ${describeValues(real.items, resolve)}`;
  if (typeof real.additionalProperties === 'object')
    return `object of ${describeValues(real.additionalProperties, resolve)}`;
  return `${type}${rangeOf(real)}`;
}

function resolved(schema: Schema, resolve: Resolve): Schema {
  return schema.$ref === undefined
    ? schema
    : { ...resolve(schema.$ref), ...(schema.description && { description: schema.description }) };
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum === undefined && maximum === undefined) return '';
  if (minimum === undefined) return `, at most ${maximum}`;
  return maximum === undefined ? `, ${minimum} or more` : `, ${minimum} to ${maximum}`;
}
