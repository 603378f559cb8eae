import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { EverySchema, SelfReflection } from './generated.ts';

/** `reflection.schema.json` → `reflection`. */
export type SchemaName = keyof EverySchema extends infer Key
  ? Key extends `${infer Name}.schema.json`
    ? Name
    : never
  : never;

export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

/** One way in which a value breaks its schema. */
export interface SchemaProblem {
  /** JSON pointer into the value; empty for the value itself. */
  readonly path: string;
  /** What is wrong, as a sentence without a subject: `must be number`. */
  readonly message: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const SCHEMA_DIR = join(import.meta.dirname, '..', '..', 'schemas');
const SELF_REFLECTION = 'reflection#/$defs/SelfReflection';

let ajv: Ajv2020 | undefined;
const compiled = new Map<string, ValidateFunction>();

/** Checks a value against one of `schemas/*.json`; all problems are told, not only the first. */
export function validate<N extends SchemaName>(
  name: N,
  value: unknown,
): Validation<EverySchema[`${N}.schema.json`]> {
  return validateBy(validatorOf(name), value);
}

/** Checks what a reflector writes: the part of a reflection that is judgement, not record. */
export function validateSelfReflection(value: unknown): Validation<SelfReflection> {
  return validateBy(validatorOf(SELF_REFLECTION), value);
}

/** The schema of that part; it refers to nothing outside itself. Not to be changed. */
export function selfReflectionSchema(): object {
  return validatorOf(SELF_REFLECTION).schema as object;
}

/** A check against a schema that is none of `schemas/*.json`: what a tool takes, say. */
export function validatorOfSchema(schema: object): (value: unknown) => readonly SchemaProblem[] {
  const check = (ajv ??= loadSchemas()).compile(schema);
  return (value) => (check(value) ? [] : (check.errors ?? []).map(toProblem));
}

/** Problems as one line, `path message; …`, at most five of them. */
export function renderProblems(problems: readonly SchemaProblem[]): string {
  const shown = problems.slice(0, 5).map(({ path, message }) => `${path === '' ? 'value' : path} ${message}`);
  return (
    shown.join('; ') + (problems.length > shown.length ? `; and ${problems.length - shown.length} more` : '')
  );
}

function validateBy<T>(check: ValidateFunction, value: unknown): Validation<T> {
  if (check(value)) return { ok: true, value: value as T };
  return { ok: false, problems: (check.errors ?? []).map(toProblem) };
}

/** `name`, or `name#/$defs/…` for a definition in it. */
function validatorOf(path: SchemaName | typeof SELF_REFLECTION): ValidateFunction {
  const known = compiled.get(path);
  if (known !== undefined) return known;
  ajv ??= loadSchemas();
  const [name, pointer] = path.split('#');
  const id = `https://ralph-reflexion.dev/schemas/${name}.schema.json`;
  const check = ajv.getSchema(pointer === undefined ? id : `${id}#${pointer}`);
  if (check === undefined) throw new Error(`No schema is called ${path}.`);
  compiled.set(path, check);
  return check;
}

function loadSchemas(): Ajv2020 {
  const instance = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  formats.default(instance);
  // For the generator of types alone.
  instance.addVocabulary(['tsType']);
  for (const file of readdirSync(SCHEMA_DIR)) {
    if (file.endsWith('.schema.json')) {
      instance.addSchema(JSON.parse(readFileSync(join(SCHEMA_DIR, file), 'utf8')) as object);
    }
  }
  return instance;
}

function toProblem(error: ErrorObject): SchemaProblem {
  return {
    path: error.instancePath,
    message: error.message ?? 'is not valid',
    keyword: error.keyword,
    params: error.params as Record<string, unknown>,
  };
}
