import { expect, test } from 'vitest';
import { redact } from '../../src/platform/redaction/redact.ts';
import { learnCarried } from '../../src/workspace/carry.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';

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
