/**
 * Runs inside the tested project's process, before any of its code: removes the key file beside the report and
 * returns the only function that can sign a report. The Node functions that it needs are bound here, so that code
 * that is loaded later cannot patch them.
 */
import { createHmac } from 'node:crypto';
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';

/** The file that holds the key of a report until the reporter is loaded. */
export function keyFilePath(reportFile: string): string {
  return `${reportFile}.key`;
}

/** Puts the signature in front of a report's text. Signs only the first text. */
export type Signer = (text: string) => string;

/** A signer with the key of a report, whose key file it removes. Without a key the signature is not valid. */
export function createSigner(reportFile: string): Signer {
  const hmac = createHmac('sha256', takeKey(keyFilePath(reportFile)));
  const update = hmac.update.bind(hmac);
  const digest = hmac.digest.bind(hmac);
  let isUsed = false;
  return (text) => {
    if (isUsed) return text;
    isUsed = true;
    update(text);
    return `${digest('hex') as string}\n${text}`;
  };
}

/**
 * A function that writes a signed report on its first call and does nothing afterwards: a runner may announce the
 * end of one run by two hooks (vitest 3), and tested code may call the function again.
 */
export function createReportWriter(reportFile: string): (report: unknown) => void {
  const sign = createSigner(reportFile);
  const write = writeFileSync;
  const stringify = JSON.stringify;
  let isWritten = false;
  return (report) => {
    if (isWritten) return;
    isWritten = true;
    write(reportFile, sign(stringify(report)));
  };
}

function takeKey(file: string): string {
  try {
    const key = readFileSync(file, 'utf8');
    unlinkSync(file);
    return key;
  } catch {
    return '';
  }
}
