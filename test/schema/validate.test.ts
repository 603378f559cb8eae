import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { compileSchemas } from '../../scripts/compile-schemas.ts';
import { createCompiler } from '../../src/schema/compiler.ts';
import { schemaId, SCHEMA_DIR, type CheckedName } from '../../src/schema/schema-files.ts';
import {
  selfReflectionSchema,
  validateSelfReflection,
  validatorOfSchema,
} from '../../src/schema/validate.ts';
import { evaluation, selfReflection, trajectory } from '../support/scripted.ts';

// In the repository: what is compiled needs a few lines of ajv.
const folder = mkdtempSync(join(import.meta.dirname, '.compiled-'));
compileSchemas(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NAMES = [
  ...readdirSync(SCHEMA_DIR).map((file) => file.replace('.schema.json', '')),
  'self-reflection',
] as CheckedName[];

const VALUES: readonly unknown[] = [
  ...[null, 1, 'text', [], {}],
  ...[{ actor: 'react' }, { actor: 'nobody', maxIterations: -1, more: 1 }, { weights: { tests: 'a' } }],
  ...[
    { seq: 0, at: '2026-01-25T10:00:00Z', step: 'baseline', data: 1 },
    { seq: -1, at: 'yesterday', step: '' },
  ],
  ...[evaluation(1, 3), { ...evaluation(1, 3), reward: 2 }, trajectory(), { ...trajectory(), actions: [{}] }],
  ...[selfReflection(2), { ...selfReflection(2), confidence: 2, reflection_text: '' }],
  { userStories: [{ title: '', priority: 'high' }, {}] },
  ...[{ loop_id: 'é'.repeat(300), status: 'running', iteration: 1.5, started_at: '2026-13-01' }],
];

type Compared = Pick<ErrorObject, 'instancePath' | 'message' | 'keyword' | 'params'>;

function problemsOf(check: ValidateFunction, value: unknown): Compared[] {
  return check(value)
    ? []
    : check.errors!.map(({ instancePath, message, keyword, params }) => ({
        instancePath,
        message,
        keyword,
        params,
      }));
}

describe('compiled schemas', () => {
  it('cover every file of schemas/, and the self-reflection', () => {
    expect(readdirSync(folder).sort()).toEqual(NAMES.map((name) => `${name}.cjs`).sort());
  });

  it.each(NAMES)('find the same in a %s, in the same words, as ajv does at run time', (name) => {
    const built = createRequire(import.meta.url)(join(folder, `${name}.cjs`)) as ValidateFunction;
    const atRunTime = createCompiler().getSchema(schemaId(name))!;
    const found = VALUES.map((value) => problemsOf(built, value));
    expect(found).toEqual(VALUES.map((value) => problemsOf(atRunTime, value)));
    expect(found.flat().length).toBeGreaterThan(VALUES.length);
  });

  it('accept valid values', () => {
    const check = createRequire(import.meta.url)(join(folder, 'self-reflection.cjs')) as ValidateFunction;
    expect(problemsOf(check, selfReflection(2))).toEqual([]);
  });
});

describe('the schema of a self-reflection', () => {
  it('is the definition that validateSelfReflection uses', () => {
    const file = JSON.parse(readFileSync(join(SCHEMA_DIR, 'reflection.schema.json'), 'utf8')) as {
      $defs: { SelfReflection: object };
    };
    expect(selfReflectionSchema()).toEqual(file.$defs.SelfReflection);
    const problems = validatorOfSchema(selfReflectionSchema());
    const bad = { ...selfReflection(2), confidence: 2 };
    expect(problems(bad)).toEqual((validateSelfReflection(bad) as { problems: unknown }).problems);
    expect(problems(bad)).toHaveLength(1);
    expect(problems(selfReflection(2))).toEqual([]);
  });
});

describe('validatorOfSchema', () => {
  it("reports every problem in ajv's words", () => {
    const problemsIn = validatorOfSchema({
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'integer' } },
      required: ['path'],
    });
    expect(problemsIn({ path: 'a', lines: 1 })).toEqual([]);
    expect(problemsIn({ lines: 1.5 })).toMatchObject([
      { path: '', message: "must have required property 'path'" },
      { path: '/lines', message: 'must be integer' },
    ]);
  });
});
