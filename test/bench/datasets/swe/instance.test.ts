import { describe, expect, it } from 'vitest';
import { parseInstance, renderInstance } from '../../../../bench/datasets/swe/instance.ts';
import { renderPrediction } from '../../../../bench/datasets/swe/prediction.ts';
import { multiSweLine, sweLine } from './sample.ts';

const parse = (record: Record<string, unknown>) => parseInstance({ place: 'file:3', record });

describe('parseInstance', () => {
  it('reads the form of SWE-bench, with lists as JSON in a string or as lists', () => {
    expect(parse(sweLine())).toMatchObject({
      form: 'swe-bench',
      id: 'acme__adder-1',
      repo: 'acme/adder',
      failToPass: ['adds'],
      passToPass: ['loads'],
      size: null,
      drifted: 0,
    });
  });

  it('reads the form of Multi-SWE-bench', () => {
    expect(parse(multiSweLine())).toMatchObject({
      form: 'multi-swe-bench',
      id: 'acme__adder-7',
      repo: 'acme/adder',
      baseCommit: '0123456789abcdef',
      statement: 'Wrong sum\n\nIt subtracts.',
      failToPass: ['adds', 'adds more'],
      passToPass: ['loads'],
    });
  });

  it('reads what renderInstance writes', () => {
    const instance = { ...parse(sweLine()), size: 'medium' as const, drifted: 2 };
    expect(parse(JSON.parse(renderInstance(instance)) as Record<string, unknown>)).toEqual(instance);
  });

  it.each([
    [sweLine({ repo: '../adder' }), /file:3: field "repo" is "\.\.\/adder": it must be owner\/name/],
    [sweLine({ repo: 'a/../..' }), /it must be owner\/name/],
    [sweLine({ base_commit: '--upload-pack=x' }), /field "base_commit" .*must be the id of a commit/],
    [sweLine({ test_patch: '' }), /field "test_patch" is empty/],
    [sweLine({ FAIL_TO_PASS: 'adds' }), /field "FAIL_TO_PASS" must be a list of test names/],
    [sweLine({ problem_statement: undefined }), /field "problem_statement" is missing/],
    [multiSweLine({ base: null }), /field "base\.sha" is missing/],
    [multiSweLine({ number: '7' }), /field "number" must be a number/],
    [multiSweLine({ f2p_tests: {}, n2p_tests: {} }), /name no test/],
  ])('refuses %j', (record, message) => {
    expect(() => parse(record)).toThrow(message);
  });
});

it('renderPrediction writes the form of the data set', () => {
  expect(JSON.parse(renderPrediction(parse(sweLine()), 'ralph', 'diff'))).toEqual({
    instance_id: 'acme__adder-1',
    model_name_or_path: 'ralph',
    model_patch: 'diff',
  });
  expect(JSON.parse(renderPrediction(parse(multiSweLine()), 'ralph', 'diff'))).toEqual({
    org: 'acme',
    repo: 'adder',
    number: 7,
    fix_patch: 'diff',
  });
});
