/** A JSON schema as rows of a table. */
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

/** Path of a property, what it may be, and what it means. */
export type Row = readonly [path: string, kind: string, meaning: string];

/** Reads a reference: `#/…` of the same schema, or `file.schema.json[#/…]`. */
export type Resolve = (reference: string) => Schema;

/** Every property, those of objects and lists below it by their path. */
export function rowsOf(schema: Schema, resolve: Resolve, path = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const here = path === '' ? name : `${path}.${name}`;
    const real = followed(property, resolve);
    const required = schema.required?.includes(name) ?? false;
    const meaning = property.description ?? real.description ?? '';
    const row: Row = [`${here}${required || path === '' ? '' : '?'}`, kindOf(real, resolve), meaning];
    const list = real.items === undefined ? undefined : followed(real.items, resolve);
    const inner = list === undefined ? real : list;
    const below =
      inner.properties === undefined ? [] : rowsOf(inner, resolve, list === undefined ? here : `${here}[]`);
    return [row, ...below];
  });
}

/** What a value may be, in a few words. */
export function kindOf(schema: Schema, resolve: Resolve): string {
  const real = followed(schema, resolve);
  const options = real.anyOf ?? real.oneOf;
  if (options !== undefined) return options.map((option) => kindOf(option, resolve)).join(' or ');
  if (real.const !== undefined) return JSON.stringify(real.const);
  if (real.enum !== undefined) return real.enum.map((value) => String(value)).join(', ');
  const type = [real.type ?? 'any'].flat().join(' or ');
  if (real.items !== undefined) return `list of ${kindOf(real.items, resolve)}`;
  if (typeof real.additionalProperties === 'object')
    return `object of ${kindOf(real.additionalProperties, resolve)}`;
  return `${type}${rangeOf(real)}`;
}

function followed(schema: Schema, resolve: Resolve): Schema {
  return schema.$ref === undefined
    ? schema
    : { ...resolve(schema.$ref), ...(schema.description && { description: schema.description }) };
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum === undefined && maximum === undefined) return '';
  if (minimum === undefined) return `, at most ${maximum}`;
  return maximum === undefined ? `, ${minimum} or more` : `, ${minimum} to ${maximum}`;
}
