import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a token allows: `reader` every page, `metrics` only `/metrics`. */
export const SERVE_ROLES = ['reader', 'metrics'] as const;
export type ServeRole = (typeof SERVE_ROLES)[number];

export interface TokenClaims {
  readonly role: ServeRole;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** Claims, or the reason why the token is refused. */
export type TokenCheck = TokenClaims | 'missing' | 'forged' | 'expired';

const PREFIX = 'ralph1';
/** A shorter secret could be guessed from a token. */
export const LEAST_SECRET_CHARS = 32;

/** A token that `readToken` accepts with the same secret until it expires. */
export function createToken(secret: string, { role, expires }: TokenClaims): string {
  const claims = `${PREFIX}.${role}.${expires}`;
  return `${claims}.${signatureOf(secret, claims)}`;
}

/** Checks a token; the signature is compared in constant time, before anything else of it is believed. */
export function readToken(secret: string, token: string | undefined, now: Date): TokenCheck {
  if (token === undefined || token === '') return 'missing';
  const [, claims, role, expires, signature] =
    /^(ralph1\.([a-z]{1,20})\.(\d{1,12}))\.([\w-]{1,100})$/.exec(token) ?? [];
  if (claims === undefined) return 'forged';
  const expected = Buffer.from(signatureOf(secret, claims));
  const given = Buffer.from(signature!);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
  const known = SERVE_ROLES.find((one) => one === role);
  if (known === undefined) return 'forged';
  return Number(expires) * 1000 > now.getTime() ? { role: known, expires: Number(expires) } : 'expired';
}

function signatureOf(secret: string, claims: string): string {
  return createHmac('sha256', secret).update(claims).digest('base64url');
}
