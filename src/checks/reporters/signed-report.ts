import { createHmac, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { readBounded } from '../../platform/files/read-bounded.ts';
import { keyFilePath } from './sign-report.ts';

/** A report that only the reporter that read its key can have written. */
export interface SignedReport {
  /** The report's text. Rejects where there is none, or where its signature is not valid. */
  read(): Promise<string>;
}

/** Creates the key of the report that will be written to `file` (absolute path). */
export async function createSignedReport(file: string): Promise<SignedReport> {
  const key = randomBytes(32).toString('hex');
  await writeFile(keyFilePath(file), key, { mode: 0o600 });
  return {
    async read() {
      const stored = await readBounded(file);
      const end = stored.indexOf('\n');
      const text = stored.slice(end + 1);
      const expected = createHmac('sha256', key).update(text).digest('hex');
      if (stored.slice(0, Math.max(0, end)) !== expected)
        throw new Error('The report has no valid signature.');
      return text;
    },
  };
}
