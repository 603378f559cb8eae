import { WireError } from './wire-error.ts';

const MAX_REDIRECTS = 5;
/** Redirects that keep the method and the body (RFC 9110 §15.4). */
const METHOD_PRESERVING: readonly number[] = [307, 308];
const REDIRECTS: readonly number[] = [301, 302, 303, ...METHOD_PRESERVING];

/**
 * `fetch` that follows a redirect only within the same host, so that the key and the user's code never reach another
 * one. Rejects with a WireError that names the other address.
 */
export async function fetchFromSameHost(address: string | URL, init: RequestInit): Promise<Response> {
  let url = new URL(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!REDIRECTS.includes(response.status) || location === null) return response;
    await response.body?.cancel();
    const target = new URL(location, url);
    if (!METHOD_PRESERVING.includes(response.status) || !isSameHost(url, target))
      throw redirectError(url, target);
    url = target;
  }
  throw new WireError(`${withoutQuery(url)} redirects more than ${MAX_REDIRECTS} times.`, {
    kind: 'reply',
    transient: false,
    hint: 'Check --base-url.',
  });
}

/** The same host and port; HTTPS is never left for HTTP. */
function isSameHost(from: URL, to: URL): boolean {
  return to.host === from.host && (to.protocol === from.protocol || to.protocol === 'https:');
}

function redirectError(from: URL, to: URL): WireError {
  return new WireError(`${withoutQuery(from)} redirects to ${withoutQuery(to)}.`, {
    kind: 'reply',
    transient: false,
    hint: 'If the API is at that address, set it with --base-url.',
  });
}

/** The query is left out: some APIs take the key there. */
function withoutQuery({ origin, pathname }: URL): string {
  return origin + pathname;
}
