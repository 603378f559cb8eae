import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReportWriter, createSigner, keyFilePath } from '../../../src/checks/reporters/sign-report.ts';
import { createSignedReport } from '../../../src/checks/reporters/signed-report.ts';
import VitestReporter from '../../../src/checks/reporters/vitest-reporter.ts';
import { temporaryFolder } from '../../support/repositories.ts';

describe('a signed report', () => {
  it('is read where the reporter that read its key has written it', async () => {
    const file = join(temporaryFolder(), 'tests.json');
    const signed = await createSignedReport(file);
    const write = createReportWriter(file);
    expect(existsSync(keyFilePath(file))).toBe(false);
    write({ tests: ['ä'] });
    expect(await signed.read()).toBe('{"tests":["ä"]}');
  });

  it('keeps its first text when two hooks of a runner announce the same end', async () => {
    const file = join(temporaryFolder(), 'tests.json');
    const signed = await createSignedReport(file);
    const reporter = new VitestReporter();
    reporter.onInit({ config: { outputFile: file } });
    const task = { type: 'suite', name: 'a.test.ts', mode: 'run', filepath: '/a.test.ts', tasks: [] };
    reporter.onTestRunEnd([{ task }], [{ message: 'late' }]);
    reporter.onFinished([task], []);
    expect(JSON.parse(await signed.read())).toMatchObject({
      tests: [],
      problems: [{ name: 'unhandled error' }],
    });
  });

  it('is rejected where other code wrote it, changed it, or signed it with another key', async () => {
    const file = join(temporaryFolder(), 'tests.json');
    const signed = await createSignedReport(file);
    const sign = createSigner(file);
    const stored = sign('{"failed":1}');
    const forged = [
      '{"failed":0}',
      `\n{"failed":0}`,
      stored.replace('1', '0'),
      `${stored.split('\n')[0]}\n{"failed":0}`,
      createSigner(file)('{"failed":0}'),
      sign('{"failed":0}'),
    ];
    for (const text of forged) {
      writeFileSync(file, text);
      await expect(signed.read()).rejects.toThrow('no valid signature');
    }
    writeFileSync(file, stored);
    expect(await signed.read()).toBe('{"failed":1}');
  });
});
