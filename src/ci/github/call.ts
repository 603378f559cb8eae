import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { unbelievable, whyNoAnswer, type Route } from './answers.ts';
import { apiError, failureOf } from './api-error.ts';
import { boundedFetch, restOf } from './bounded-fetch.ts';
import type { GitHubOptions } from './client.ts';

/** Longest wait for a rate limit; each request waits at most once. */
const MAX_WAIT_S = 60;
const PAGE_SIZE = 100;
const MAX_PAGES = 10;

const Client = Octokit.plugin(retry, throttling);

/** A request to the REST API: `call('GET /repos/{owner}/{repo}', …)`. Throws RalphError `github_failed`. */
export type Call = (
  route: Route,
  parameters?: Readonly<Record<string, unknown>>,
) => Promise<{ readonly data: unknown }>;

/**
 * Creates the function that sends requests. Those that end with 5xx or without an answer are repeated up to three times,
 * while the time of the step lasts; rate limits are awaited up to 60 s.
 */
export function createCall({ token, apiUrl, bounds = {}, warn = () => {} }: GitHubOptions): Call {
  const waitFor = (
    seconds: number,
    { method, url }: { method: string; url: string },
    count: number,
  ): boolean => {
    const isShort = seconds <= MAX_WAIT_S && count < 1 && seconds * 1000 < restOf(bounds);
    if (isShort) warn(`The rate limit for ${method} ${url} is used up; retrying in ${seconds} s.`);
    return isShort;
  };
  const client = new Client({
    auth: token,
    baseUrl: apiUrl.replace(/\/+$/, ''),
    userAgent: 'ralph-reflexion',
    request: { fetch: boundedFetch(bounds) },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    throttle: {
      onRateLimit: (seconds, request, _octokit, count) => waitFor(seconds, request, count),
      onSecondaryRateLimit: (seconds, request, _octokit, count) => waitFor(seconds, request, count),
    },
  });
  const send: Call = async (route, parameters) => {
    try {
      return await client.request(route, {
        ...parameters,
        headers: { 'x-github-api-version': '2022-11-28' },
      });
    } catch (error) {
      const authenticated = token !== undefined;
      throw apiError({ ...place(route, parameters), authenticated }, failureOf(error), withoutRequest(error));
    }
  };
  const place = (route: Route, parameters: Parameters<Call>[1]): { method: string; path: string } => {
    const { method, url } = client.request.endpoint(route, parameters);
    return { method, path: new URL(url).pathname };
  };
  return async (route, parameters) => {
    const answer = await send(route, parameters);
    const why = whyNoAnswer(route, answer.data);
    if (why === undefined) return answer;
    const { method, path } = place(route, parameters);
    throw unbelievable(method, path, why);
  };
}

/** An error of octokit holds the request with the token in a header, so only its name is kept as the cause. */
function withoutRequest(error: unknown): unknown {
  return error instanceof Error ? error.name : undefined;
}

/** All items of a list, at most 1,000. `key`: the field that holds them, if the answer is no list itself. */
export async function listAll(
  call: Call,
  route: Route,
  { key, ...parameters }: Readonly<Record<string, unknown>> & { readonly key?: string },
): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data } = await call(route, { ...parameters, per_page: PAGE_SIZE, page });
    const items = (key === undefined ? data : (data as Readonly<Record<string, unknown>>)[key]) as unknown[];
    all.push(...items);
    if (items.length < PAGE_SIZE) break;
  }
  return all;
}

/** The answer; undefined for 404. */
export async function undefinedIfMissing(answer: Promise<{ readonly data: unknown }>): Promise<unknown> {
  try {
    return (await answer).data;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether no answer came, or one that says that the server failed: the request may have had its effect. */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof Error && / could not be reached | answered 5\d\d /.test(error.message);
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && / answered 404 /.test(error.message);
}
