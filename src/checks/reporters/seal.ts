/**
 * Runs inside the tested project's process, before any of its code: takes the key that lies beside the report
 * away, and gives the one function that can write a report which will be believed. What it needs of Node is bound
 * here, so that code which is loaded later and patches it comes too late.
 */
import { createHmac } from 'node:crypto';
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';

/** Where the key of a report lies until its reporter is loaded. */
export function keyFileOf(reportFile: string): string {
  return `${reportFile}.key`;
}

/** Turns a report into the text that is stored. */
export type Seal = (text: string) => string;

/** Takes the key. A report that cannot be sealed, because the key is gone, will not be believed. */
export function takeSeal(reportFile: string): Seal {
  const hmac = createHmac('sha256', takeKey(keyFileOf(reportFile)));
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
 * A function that writes a report, sealed, the first time it is called and never again: a runner may announce
 * the end of one run by two hooks (vitest 3), and a second report could only replace the believed one.
 */
export function sealedWriter(reportFile: string): (report: unknown) => void {
  const seal = takeSeal(reportFile);
  const write = writeFileSync;
  const stringify = JSON.stringify;
  let isWritten = false;
  return (report) => {
    if (isWritten) return;
    isWritten = true;
    write(reportFile, seal(stringify(report)));
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
