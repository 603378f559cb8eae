import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyFileOf, sealedWriter, takeSeal } from '../../../src/checks/reporters/seal.ts';
import VitestReporter from '../../../src/checks/reporters/vitest-reporter.ts';
import { expectReport } from '../../../src/checks/reporters/sealed-report.ts';
import { temporaryFolder } from '../../support/repositories.ts';

describe('a sealed report', () => {
  it('is read where the reporter that took its key has written it', async () => {
    const file = join(temporaryFolder(), 'tests.json');
    const sealed = await expectReport(file);
    const write = sealedWriter(file);
    expect(existsSync(keyFileOf(file))).toBe(false);
    write({ tests: ['ä'] });
    expect(await sealed.read()).toBe('{"tests":["ä"]}');
  });

  it('stays as it was first written, when two hooks of a runner announce the same end', async () => {
    const file = join(temporaryFolder(), 'tests.json');
    const sealed = await expectReport(file);
    const reporter = new VitestReporter();
    reporter.onInit({ config: { outputFile: file } });
    const task = { type: 'suite', name: 'a.test.ts', mode: 'run', filepath: '/a.test.ts', tasks: [] };
    reporter.onTestRunEnd([{ task }], [{ message: 'late' }]);
    reporter.onFinished([task], []);
    expect(JSON.parse(await sealed.read())).toMatchObject({
      tests: [],
      problems: [{ name: 'unhandled error' }],
    });
  });

  it('is refused where anything else wrote it, or changed it, or sealed it with a key of its own', async () => {
    const file = join(temporaryFolder(), 'tests.json');
    const sealed = await expectReport(file);
    const seal = takeSeal(file);
    const stored = seal('{"failed":1}');
    const forged = [
      '{"failed":0}',
      `\n{"failed":0}`,
      stored.replace('1', '0'),
      `${stored.split('\n')[0]}\n{"failed":0}`,
      takeSeal(file)('{"failed":0}'),
      seal('{"failed":0}'),
    ];
    for (const text of forged) {
      writeFileSync(file, text);
      await expect(sealed.read()).rejects.toThrow('no seal of ours');
    }
    writeFileSync(file, stored);
    expect(await sealed.read()).toBe('{"failed":1}');
  });
});
