import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { packageFile, programFile, RUNS_FROM_SOURCE } from '../platform/package-files.ts';
import type * as Compiler from './compiler.ts';
import type { EverySchema, SelfReflection } from './generated.ts';
import { readSelfReflectionSchema, schemaId, type CheckedName, type SchemaName } from './schema-files.ts';

export type { SchemaName } from './schema-files.ts';

/** A valid value, or its problems. */
export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

/** One violation of a schema. */
export interface SchemaProblem {
  /** JSON pointer into the value; empty for the value itself. */
  readonly path: string;
  /** A sentence without a subject: `must be number`. */
  readonly message: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const load = createRequire(import.meta.url);
const COMPILER = RUNS_FROM_SOURCE
  ? programFile('schema/compiler')
  : packageFile('dist', 'schema', 'compiler.cjs');
let ajv: Ajv2020 | undefined;
let selfReflection: object | undefined;
const checks = new Map<CheckedName, ValidateFunction>();

/** Validates a value against one of `schemas/*.json`; reports all problems. */
export function validate<N extends SchemaName>(
  name: N,
  value: unknown,
): Validation<EverySchema[`${N}.schema.json`]> {
  return validateBy(checkOf(name), value);
}

/** Validates a self-reflection: the part of a reflection that the reflector writes. */
export function validateSelfReflection(value: unknown): Validation<SelfReflection> {
  return validateBy(checkOf('self-reflection'), value);
}

/** The schema of a self-reflection, without references to other schemas. Must not be modified. */
export function selfReflectionSchema(): object {
  return (selfReflection ??= readSelfReflectionSchema());
}

/** Creates a validator for another schema, such as that of a tool's input. It is compiled on first use. */
export function validatorOfSchema(schema: object): (value: unknown) => readonly SchemaProblem[] {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= compiler().compile(schema);
    return check(value) ? [] : (check.errors ?? []).map(toProblem);
  };
}

/** Renders at most five problems as one line: `path message; …`. */
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

/** The validator from the build; compiled now when running from source. */
function checkOf(name: CheckedName): ValidateFunction {
  const known = checks.get(name);
  if (known !== undefined) return known;
  const check = builtCheck(name) ?? compiler().getSchema(schemaId(name));
  if (check === undefined) throw new Error(`There is no schema ${name}.`);
  checks.set(name, check);
  return check;
}

function builtCheck(name: CheckedName): ValidateFunction | undefined {
  if (RUNS_FROM_SOURCE) return undefined;
  const module: unknown = load(packageFile('dist', 'schema', 'compiled', `${name}.cjs`));
  return module as ValidateFunction;
}

/** Loads ajv on first use, because loading and compiling take longer than the other work of most commands. */
function compiler(): Ajv2020 {
  return (ajv ??= (load(COMPILER) as typeof Compiler).createCompiler());
}

function toProblem(error: ErrorObject): SchemaProblem {
  return {
    path: error.instancePath,
    message: error.message ?? 'is not valid',
    keyword: error.keyword,
    params: error.params as Record<string, unknown>,
  };
}
