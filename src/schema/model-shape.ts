import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_DIR, type SchemaName } from './schema-files.ts';

interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

/**
 * A schema for structured output of a model's API: without lengths and ranges, which APIs refuse or compile into huge
 * grammars, and with a type everywhere, which they require. The answer must be validated by the whole schema.
 */
export function modelShape(schema: object): object {
  return shapeOf(schema as Shape, ({ required }) => required);
}

/** The same for one of `schemas/*-answer.schema.json`, with every field required, as strict APIs demand. */
export function answerShape(name: SchemaName & `${string}-answer`): object {
  const schema = JSON.parse(readFileSync(join(SCHEMA_DIR, `${name}.schema.json`), 'utf8')) as Shape;
  return shapeOf(schema, ({ properties }) => properties && Object.keys(properties));
}

function shapeOf(schema: Shape, requiredOf: (schema: Shape) => readonly string[] | undefined): Shape {
  const { type, description, enum: values, items, properties, additionalProperties } = schema;
  const required = requiredOf(schema);
  return {
    type: type ?? 'string',
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { enum: values }),
    ...(items === undefined ? {} : { items: shapeOf(items, requiredOf) }),
    ...(properties === undefined
      ? {}
      : { properties: mapValues(properties, (inner) => shapeOf(inner, requiredOf)) }),
    ...(required === undefined ? {} : { required }),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  };
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
