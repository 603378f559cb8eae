/** How the reason begins of a lesson that the user took out: no pass brings it back. */
export const FORGOTTEN_BY_USER = 'Forgotten by the user';

/** True for what a user took out, as against what left by itself. */
export function isForgotten({ status, status_reason }: { status: string; status_reason?: string }): boolean {
  return status === 'archived' && (status_reason ?? '').startsWith(FORGOTTEN_BY_USER);
}

/** Why a lesson leaves that nothing speaks against. */
export const LEFT_FOR_ROOM = 'It was the weakest, and there was no room for more.';
