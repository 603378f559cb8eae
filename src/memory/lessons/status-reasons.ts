/** Prefix of the status reason of a lesson that the user archived: no pass restores it. */
export const FORGOTTEN_BY_USER = 'Forgotten by the user';

/** True for a lesson that the user archived. */
export function isForgotten({ status, status_reason }: { status: string; status_reason?: string }): boolean {
  return status === 'archived' && (status_reason ?? '').startsWith(FORGOTTEN_BY_USER);
}

/** Prefix of the status reason of a lesson that did not help when it was withheld at random: only the user restores it. */
export const RESTED = 'Put to rest';

/** True for a lesson that was put to rest. */
export function isRested({ status, status_reason }: { status: string; status_reason?: string }): boolean {
  return status === 'archived' && (status_reason ?? '').startsWith(RESTED);
}

/** Status reason of a lesson that was archived only to make room. */
export const LEFT_FOR_ROOM = 'It was the weakest, and there was no room for more.';
