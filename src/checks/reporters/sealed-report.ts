import { createHmac, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { readBounded } from '../../platform/files/read-bounded.ts';
import { keyFileOf } from './seal.ts';

/** A report that only the reporter which took its key away can have written. */
export interface SealedReport {
  /** The report's text. Rejects where there is none, or where something else wrote it. */
  read(): Promise<string>;
}

/** Lays the key of a report down beside the place where it will be written (absolute path). */
export async function expectReport(file: string): Promise<SealedReport> {
  const key = randomBytes(32).toString('hex');
  await writeFile(keyFileOf(file), key, { mode: 0o600 });
  return {
    async read() {
      const stored = await readBounded(file);
      const end = stored.indexOf('\n');
      const text = stored.slice(end + 1);
      const expected = createHmac('sha256', key).update(text).digest('hex');
      if (stored.slice(0, Math.max(0, end)) !== expected) throw new Error('The report has no seal of ours.');
      return text;
    },
  };
}
