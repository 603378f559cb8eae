import type { OfKind } from './claim.ts';

/** True where several commands failed, or one that could not run: one that fails alone may be a test that fails. */
export function areCommandsAtFault({ count, description }: OfKind<'commands_failed'>): boolean {
  return count > 1 || COULD_NOT_RUN.test(description);
}

const COULD_NOT_RUN = /\bexit code 12[67]\b|\bkilled by\b|\bended by SIG|could not be started|\bsignal SIG/;

/** True for an action's description that says that its command failed. */
export function hasFailed(description: string): boolean {
  return /\bexit code (?!0\b)-?\d+|\bkilled by\b|\bended by SIG|\bwhich failed\b|could not be started|\bsignal SIG/.test(
    description,
  );
}
