import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { packageFile, programFile, RUNS_FROM_SOURCE } from '../platform/package-files.ts';
import type * as Compiler from './compiler.ts';
import type { EverySchema, SelfReflection } from './generated.ts';
import { readSelfReflectionSchema, schemaId, type CheckedName, type SchemaName } from './schema-files.ts';

export type { SchemaName } from './schema-files.ts';

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

const load = createRequire(import.meta.url);
let ajv: Ajv2020 | undefined;
let selfReflection: object | undefined;
const checks = new Map<CheckedName, ValidateFunction>();

/** Checks a value against one of `schemas/*.json`; all problems are told, not only the first. */
export function validate<N extends SchemaName>(
  name: N,
  value: unknown,
): Validation<EverySchema[`${N}.schema.json`]> {
  return validateBy(checkOf(name), value);
}

/** Checks what a reflector writes: the part of a reflection that is judgement, not record. */
export function validateSelfReflection(value: unknown): Validation<SelfReflection> {
  return validateBy(checkOf('self-reflection'), value);
}

/** The schema of that part; it refers to nothing outside itself. Not to be changed. */
export function selfReflectionSchema(): object {
  return (selfReflection ??= readSelfReflectionSchema());
}

/** A check against a schema that is none of `schemas/*.json`: what a tool takes, say. */
export function validatorOfSchema(schema: object): (value: unknown) => readonly SchemaProblem[] {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= compiler().compile(schema);
    return check(value) ? [] : (check.errors ?? []).map(toProblem);
  };
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

/** As the build wrote it out; compiled here where there is no build. */
function checkOf(name: CheckedName): ValidateFunction {
  const known = checks.get(name);
  if (known !== undefined) return known;
  const check = builtCheck(name) ?? compiler().getSchema(schemaId(name));
  if (check === undefined) throw new Error(`No schema is called ${name}.`);
  checks.set(name, check);
  return check;
}

function builtCheck(name: CheckedName): ValidateFunction | undefined {
  if (RUNS_FROM_SOURCE) return undefined;
  return (load(packageFile('dist', 'schema', 'compiled', `${name}.js`)) as { default: ValidateFunction })
    .default;
}

/** Loaded only where it is needed: ajv takes longer to load and to compile than most of a run's own work. */
function compiler(): Ajv2020 {
  return (ajv ??= (load(programFile('schema/compiler')) as typeof Compiler).createCompiler());
}

function toProblem(error: ErrorObject): SchemaProblem {
  return {
    path: error.instancePath,
    message: error.message ?? 'is not valid',
    keyword: error.keyword,
    params: error.params as Record<string, unknown>,
  };
}
