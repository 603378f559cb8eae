import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { validateReflections } from '../../../src/memory/episodes/validate.ts';
import { put, sampleAiwgRecord, sampleReflection } from '../sample.ts';

const FOLDER = '.aiwg/ralph/reflections';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-validate-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('validateReflections', () => {
  it("distinguishes valid files, AIWG's files and invalid files", async () => {
    put(root, `${FOLDER}/ralph-sample/001.json`, sampleReflection());
    put(root, `${FOLDER}/ralph-sample/002.json`, sampleReflection());
    put(root, `${FOLDER}/ralph-sample/003.json`, '{');
    put(root, `${FOLDER}/ralph-sample/x.json`, sampleAiwgRecord());
    put(root, `${FOLDER}/example/001.json`, sampleAiwgRecord());
    const reports = await validateReflections(root);
    expect(reports.map(({ path, verdict }) => `${path.slice(FOLDER.length + 1)} ${verdict}`)).toEqual([
      'example/001.json aiwg_only',
      'ralph-sample/001.json valid',
      'ralph-sample/002.json invalid',
      'ralph-sample/003.json invalid',
      'ralph-sample/x.json invalid',
    ]);
    expect(reports[2]!.problems).toEqual([
      expect.objectContaining({ keyword: 'place', message: expect.stringContaining('001.json') }),
    ]);
  });

  it('reports each problem by JSON pointer, for both schemas', async () => {
    const reflection = sampleReflection({ confidence: 4, text: 'Short.' });
    put(root, `${FOLDER}/ralph-sample/001.json`, reflection);
    const [report] = await validateReflections(root, 'ralph-sample');
    expect(report!.problems.map(({ path }) => path).sort()).toEqual([
      '/self_reflection/confidence',
      '/self_reflection/reflection_text',
    ]);
    expect(report!.aiwgProblems.map(({ path, message }) => `${path} ${message}`)).toEqual([
      '/self_reflection/confidence must be <= 1',
    ]);
  });
});
