import { selfReflectionSchema } from '../schema/validate.ts';

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
 * The form of a reflection as a model's API is told it: the schema without lengths and ranges, which APIs refuse
 * or compile into huge grammars, and with a type everywhere, which they ask for. The answer is checked by the
 * whole schema afterwards.
 */
export function reflectionShape(): object {
  return shapeOf(selfReflectionSchema());
}

function shapeOf(schema: Shape): Shape {
  const { type, description, enum: values, items, properties, required, additionalProperties } = schema;
  return {
    type: type ?? 'string',
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { enum: values }),
    ...(items === undefined ? {} : { items: shapeOf(items) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, shapeOf) }),
    ...(required === undefined ? {} : { required }),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  };
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
