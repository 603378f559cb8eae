import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { aiwgProblems, isAiwgRecord } from '../../../src/memory/episodes/aiwg-record.ts';
import { sampleAiwgRecord, sampleReflection, sharedData } from '../sample.ts';

const published = sharedData('aiwg-reflection-memory.schema.json');

describe('aiwgProblems', () => {
  it("accepts ralph's records and AIWG's minimal record", () => {
    expect(aiwgProblems(sampleReflection())).toEqual([]);
    expect(isAiwgRecord(sampleAiwgRecord())).toBe(true);
  });

  it.each([[null], ['text'], [[]], [{}], [{ ...sampleAiwgRecord(), loop_id: 'x' }]])(
    'refuses %j',
    (value) => {
      expect(isAiwgRecord(value)).toBe(false);
    },
  );
});

describe.skipIf(published === undefined)(
  'AIWG’s published schema (skipped where the shared data is absent)',
  () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    formats.default(ajv);
    const schema = JSON.parse(published ?? '{}') as { examples?: unknown[] };
    const check = ajv.compile(schema);

    it('is accepted by isAiwgRecord in its own examples', () => {
      expect(schema.examples!.length).toBeGreaterThan(0);
      for (const example of schema.examples!) expect(aiwgProblems(example)).toEqual([]);
    });

    it('agrees with isAiwgRecord on every record that differs from a valid one in one place', () => {
      const good = [sampleReflection(), sampleAiwgRecord(), ...schema.examples!];
      const changed = good.flatMap(mutations);
      expect(changed.length).toBeGreaterThan(500);
      let refused = 0;
      for (const value of changed) {
        const theirs = check(value);
        if (!theirs) refused++;
        expect(isAiwgRecord(value), JSON.stringify(value)).toBe(theirs);
      }
      expect(refused).toBeGreaterThan(200);
    });
  },
);

/** Variants of the value with one place removed, of another type or out of range, for each place. */
function mutations(value: unknown): unknown[] {
  return [null, 'x', -1, 1.5, [], {}, true, ...inner(value)];
}

function inner(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => mutations(item).map((other) => value.with(at, other)));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const without = Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
    return [without, ...mutations(part).map((other) => ({ ...value, [key]: other }))];
  });
}
