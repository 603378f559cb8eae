import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { TOOL_DEFINITIONS } from '../../src/actors/tools/definitions.ts';
import { holdsPlainly } from '../../src/schema/plain-schema.ts';

const VALUES: readonly unknown[] = [
  ...[undefined, null, true, 0, 1.5, -1, NaN, Infinity, '', 'text', [], ['a'], [1], {}],
  ...[{ path: 'a' }, { path: 1 }, { path: undefined }, { path: null }, { path: 'a', offset: 1 }],
  ...[
    { path: 'a', offset: 1.5 },
    { path: 'a', offset: '1' },
    { path: 'a', more: [] },
  ],
  ...[
    { path: 'a', edits: [] },
    { path: 'a', edits: [{}] },
    { path: 'a', edits: {} },
  ],
  ...[
    { path: 'a', edits: [{ oldText: 'a', newText: 'b' }] },
    { path: 'a', edits: [{ oldText: 'a' }] },
  ],
  ...[{ pattern: 'a', literal: true }, { pattern: 'a', literal: 'true' }, { command: 'a' }, { content: '' }],
];

describe('a plain schema', () => {
  const ajv = new Ajv2020({ strict: true });

  it.each(Object.entries(TOOL_DEFINITIONS))(
    'holds for what ajv takes as input of %s, and for nothing else',
    (_, tool) => {
      const check = ajv.compile(tool.inputSchema);
      for (const value of VALUES)
        expect([value, holdsPlainly(tool.inputSchema, value)]).toEqual([value, check(value)]);
    },
  );

  it.each([
    [{ type: 'string', maxLength: 3 }],
    [{ type: ['string'] }],
    [{ enum: ['a'] }],
    [{ type: 'object', properties: { a: true } }],
    [{ $ref: '#' }],
  ])('holds for nothing where it is not plain: %j', (schema) => {
    expect(holdsPlainly(schema, 'a') || holdsPlainly(schema, { a: 'a' })).toBe(false);
  });
});
