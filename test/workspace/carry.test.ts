import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { redact } from '../../src/platform/redaction/redact.ts';
import { findCarried, learnCarried } from '../../src/workspace/carry.ts';
import { openRepository } from '../../src/workspace/repository.ts';
import { repositoryWith, temporaryFolder, writeFiles } from '../support/repositories.ts';

const PLAIN = 'q7Zr2Lm9Xv4Tb8Ws1Kd6';
const ENV = {};

test('values of a carried .env are redacted: plain, encoded and cut short', () => {
  const root = temporaryFolder();
  writeFiles(root, { 'pkg/.env.local': `# team\nFOO_ID="${PLAIN}"\nMODE=development\nPORT=3000\n` });
  const shown = [
    PLAIN,
    Buffer.from(PLAIN).toString('base64'),
    `${PLAIN.slice(0, 13)}…`,
    `…${PLAIN.slice(-13)}`,
  ];
  for (const text of shown) expect(redact(`got <${text}>`, ENV)).toContain(text);
  learnCarried(root, ['pkg/.env.local', 'pkg/.env.absent']);
  for (const text of shown) {
    expect(redact(`got <${text}>`, ENV)).not.toContain(text.replaceAll('…', ''));
    expect(redact(`got <${text}>`, ENV)).toMatch(/^got <.*>$/);
  }
  const ordinary = `development on 3000, ${PLAIN.slice(0, 8)}`;
  expect(redact(ordinary, ENV)).toBe(ordinary);
});

test('a file with a size that no disk has is named instead of copied', async () => {
  const root = repositoryWith({ '.gitignore': '.env*\ndata\n', 'a.js': '' });
  writeFiles(root, { '.env': 'A=1\n', data: '' });
  truncateSync(join(root, 'data'), 2 ** 40);
  const repository = await openRepository(root);
  expect(await findCarried(repository, ['.env*'])).toEqual(['.env']);
  truncateSync(join(root, '.env'), 2 ** 40);
  await expect(findCarried(repository, ['.env*'])).rejects.toThrow('.env has 1 TiB.');
});
