import { randomInt } from 'node:crypto';
import { REDACTED, redact } from './redaction/redact.ts';

const LOOP_ID = /^ralph-[a-z0-9-]{1,114}$/;
const MAX_SLUG = 40;
const RANDOM_DIGITS = 6;

/** True for `ralph-` with lower-case letters, digits and dashes, at most 120 characters: safe as a folder name. */
export function isLoopId(text: string): boolean {
  return LOOP_ID.test(text);
}

/** `ralph-<slug of the task>-<yyyymmdd>-<6 random base-36 digits>`, in UTC. Secrets in the task are left out. */
export function newLoopId(task: string, now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  const random = randomInt(36 ** RANDOM_DIGITS)
    .toString(36)
    .padStart(RANDOM_DIGITS, '0');
  return `ralph-${slugOf(task)}-${day}-${random}`;
}

function slugOf(task: string): string {
  const words = redact(task)
    .replaceAll(REDACTED, ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const slug = words.replace(/^-+/, '').slice(0, MAX_SLUG).replace(/-+$/, '');
  return slug === '' ? 'task' : slug;
}
