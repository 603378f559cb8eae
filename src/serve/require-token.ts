import { textAnswer, type Answer } from './answer.ts';
import { readToken, type TokenCheck } from './token.ts';

/** The parts of a request that may carry a token. */
export interface TokenRequest {
  readonly url: URL;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
}

const COOKIE = 'ralph_token';
/** Answered without a token: it says nothing but that the server runs. */
const OPEN = '/healthz';
const REFUSALS = {
  missing: 'This page needs a token: open the address with ?token=…, or send Authorization: Bearer ….',
  forged: 'The token is not one of this server.',
  expired: 'The token has expired.',
};

/**
 * The refusal of a request without a valid token, or undefined. A token in the address becomes a cookie, and the browser
 * goes on to the address without it, so that it stays in no history.
 */
export function requireToken(secret: string, request: TokenRequest, now: Date): Answer | undefined {
  const { url } = request;
  if (url.pathname === OPEN) return undefined;
  const inAddress = url.searchParams.get('token');
  const check = readToken(secret, inAddress ?? tokenOf(request), now);
  if (typeof check === 'string') return refused(check);
  if (check.role === 'metrics' && url.pathname !== '/metrics')
    return textAnswer(403, 'This token is for /metrics only.\n');
  return inAddress === null ? undefined : withCookie(url, inAddress, check.expires, now);
}

function refused(reason: Extract<TokenCheck, string>): Answer {
  return textAnswer(401, `${REFUSALS[reason]}\nMake one on the server's machine: ralph serve token\n`, {
    'www-authenticate': 'Bearer',
  });
}

function tokenOf({ authorization, cookie }: TokenRequest): string | undefined {
  const bearer = /^Bearer (\S{1,300})$/i.exec(authorization ?? '')?.[1];
  return bearer ?? new RegExp(`(?:^|; )${COOKIE}=([\\w.-]{1,300})(?:;|$)`).exec(cookie ?? '')?.[1];
}

function withCookie(url: URL, token: string, expires: number, now: Date): Answer {
  const rest = new URLSearchParams(url.searchParams);
  rest.delete('token');
  // One leading slash: two of them would name another server.
  const path = url.pathname.replace(/^\/+/, '/');
  const seconds = Math.floor(expires - now.getTime() / 1000);
  return textAnswer(303, '', {
    location: `${path}${rest.size === 0 ? '' : `?${rest.toString()}`}`,
    'set-cookie': `${COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`,
  });
}
