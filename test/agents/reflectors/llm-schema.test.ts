import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { reflectionShape } from '../../../src/agents/reflectors/llm-schema.ts';
import { reflectByRules } from '../../../src/agents/reflectors/rules.ts';
import { selfReflectionSchema } from '../../../src/schema/validate.ts';
import { inputOf } from './scenario.ts';

interface Node {
  readonly type?: string;
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

function nodesOf(node: Node): Node[] {
  const children = [...Object.values(node.properties ?? {}), ...(node.items ? [node.items] : [])];
  return [node, ...children.flatMap(nodesOf)];
}

const LIMITS = /"(minLength|maxLength|minItems|maxItems|minimum|maximum|title|\$ref)"/;

describe('reflectionShape', () => {
  it('contains no limits, which some APIs reject', () => {
    expect(JSON.stringify(reflectionShape())).not.toMatch(LIMITS);
    expect(JSON.stringify(selfReflectionSchema())).toMatch(LIMITS);
  });

  it('has a type for every node, and requires all fields of every object', () => {
    const nodes = nodesOf(reflectionShape());
    expect(nodes.length).toBe(1 + 7 + 3 + 4);
    for (const { type, properties, required, additionalProperties } of nodes) {
      expect(['object', 'array', 'string', 'number', 'integer']).toContain(type);
      if (properties === undefined) continue;
      expect(required).toEqual(Object.keys(properties));
      expect(additionalProperties).toBe(false);
    }
  });

  it('accepts a reflection, and nothing else', () => {
    const check = new Ajv2020().compile(reflectionShape());
    const reflection = reflectByRules(inputOf());
    expect(check(reflection)).toBe(true);
    expect(check({ ...reflection, confidence: 'high' })).toBe(false);
    const credit = { ...reflection.credit_assignment, failure_category: 'bad_luck' };
    expect(check({ ...reflection, credit_assignment: credit })).toBe(false);
  });
});
