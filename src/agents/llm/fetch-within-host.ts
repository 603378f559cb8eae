import { exchange, type Exchange, type HttpRequest } from './http/exchange.ts';
import { WireError } from './wire-error.ts';

const MAX_REDIRECTS = 5;
/** Those that keep the method and the body. */
const FAITHFUL: readonly number[] = [307, 308];
const REDIRECTS: readonly number[] = [301, 302, 303, ...FAITHFUL];

/**
 * A request that follows a redirect only to where it was sent anyway: a key in a header of its own, and the user's
 * code, go nowhere else. Rejects with a WireError that names the other address.
 */
export async function fetchWithinHost(address: string | URL, request: HttpRequest): Promise<Exchange> {
  let url = new URL(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answered = await exchange(url, request);
    const location = answered.head.headers.get('location');
    if (!REDIRECTS.includes(answered.head.status) || location === null) return answered;
    answered.hangUp();
    const target = new URL(location, url);
    if (!FAITHFUL.includes(answered.head.status) || !isSamePlace(url, target)) throw redirected(url, target);
    url = target;
  }
  throw new WireError(`${shown(url)} redirects without end.`, {
    ...{ kind: 'reply', transient: false, hint: 'Check --base-url.' },
  });
}

/** The same server; what was encrypted stays so. */
function isSamePlace(from: URL, to: URL): boolean {
  return to.host === from.host && (to.protocol === from.protocol || to.protocol === 'https:');
}

function redirected(from: URL, to: URL): WireError {
  return new WireError(`${shown(from)} redirects to ${shown(to)}.`, {
    ...{ kind: 'reply', transient: false, hint: 'If that is where the API is, set it with --base-url.' },
  });
}

/** Without its query, in which some put keys. */
function shown({ origin, pathname }: URL): string {
  return origin + pathname;
}
