import { createInterface } from 'node:readline/promises';
import { renderGrants, type TrustRequest, type Wish } from '../config/trust.ts';

/** Asks on the terminal whether a configuration is trusted; undefined if there is no terminal to ask on. */
export function confirmTrust(): TrustRequest['confirm'] {
  return process.stdin.isTTY && process.stderr.isTTY ? ask : undefined;
}

async function ask(wish: Wish): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const text = `${wish.label} of this repository wants: ${renderGrants(wish)}.\nTrust it, now and later? [y/N] `;
    return /^y(?:es)?$/i.test((await terminal.question(text)).trim());
  } finally {
    terminal.close();
  }
}
