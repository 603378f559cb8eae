import { messageOf } from '../../errors.ts';
import { redact } from '../../platform/redaction/redact.ts';
import type { ModelFailure, ModelFailureKind } from './client.ts';
import { parseRetryAfter } from './retry.ts';
import { isErrorStatus, readToldError } from './told-error.ts';
import { WireError } from './wire-error.ts';

/** What one try of a call came to, and what is to be done about it. */
export interface TryFailure extends ModelFailure {
  /** Asking the same model again may help. */
  readonly transient: boolean;
  /** What the server asked to wait, as it said it. */
  readonly retryAfterMs?: number;
}

const KIND_OF_STATUS: Readonly<Record<number, ModelFailureKind>> = {
  401: 'key',
  402: 'permission',
  403: 'permission',
  404: 'not_found',
  408: 'server',
  409: 'server',
  425: 'server',
  429: 'rate_limit',
};
const STATUS_OF_TYPE: ReadonlyMap<string, number> = new Map(
  Object.entries({
    authentication_error: 401,
    invalid_api_key: 401,
    permission_error: 403,
    insufficient_quota: 402,
    billing_error: 402,
    not_found_error: 404,
    model_not_found: 404,
    request_too_large: 413,
    invalid_request_error: 400,
    context_length_exceeded: 400,
    rate_limit_error: 429,
    rate_limit_exceeded: 429,
  }),
);
const TRANSIENT: readonly ModelFailureKind[] = ['rate_limit', 'server', 'network', 'timeout'];
const PERMANENT: readonly ModelFailureKind[] = ['key', 'permission', 'not_found', 'no_tools', 'recording'];
/** What providers say where their status says less than they know. */
const TOLD: readonly (readonly [ModelFailureKind, RegExp])[] = [
  [
    'no_tools',
    /\b(does not|doesn't|not) support (the )?(use of )?(tools?|function)|(tools?( use| calling)?|function calling) (is|are) not (supported|enabled)|support tool use/i,
  ],
  // vLLM and llama.cpp, where the server was started without.
  ['no_tools', /\btool choice requires --|\btools param requires|unsupported param: tools/i],
  // LM Studio.
  ['not_found', /\bunexpected endpoint or method/i],
  ['key', /\bapi key not valid|(invalid|incorrect) api key/i],
  ['permission', /\bcredit balance|insufficient_quota/i],
  ['server', /\boverloaded|try again later/i],
];
/** Said of what is used up for good, and also, with a delay, of what is used up for this minute. */
const QUOTA = /plan and billing/i;
/** What is told along with a 5xx and is so nevertheless. */
const OUTWEIGHS_5XX: readonly ModelFailureKind[] = ['server', 'no_tools', 'not_found'];
const MAX_MESSAGE_CHARS = 600;

/** Reads whatever a provider threw, or sent as an error within a stream. Never throws. */
export function failureOf(error: unknown, model: string): TryFailure {
  const chain = chainOf(error);
  const wire = chain.find((link) => link instanceof WireError);
  if (wire !== undefined) return wireFailure(wire);
  const facts = factsOf(chain);
  const kind = kindOf(facts, chain);
  const message = `${model}: ${describe(kind, facts)}`;
  const hint = hintOf(kind, model);
  return {
    kind,
    message,
    ...(hint !== undefined && { hint }),
    ...(facts.status !== undefined && { statusCode: facts.status }),
    permanent: PERMANENT.includes(kind),
    transient: TRANSIENT.includes(kind) || kind === 'reply',
    ...(facts.retryAfterMs !== undefined && { retryAfterMs: facts.retryAfterMs }),
  };
}

/** A reply that came whole and is of no use: no text and no call, or cut off before its end. */
export function replyFailure(model: string, what: string): TryFailure {
  return { kind: 'reply', message: `${model}: ${what}`, permanent: false, transient: true };
}

interface Facts {
  readonly status?: number;
  readonly text: string;
  /** Of the error, as it came; empty where there was none. */
  readonly body: string;
  readonly retryAfterMs?: number;
}

function wireFailure({ kind, message, hint, transient }: WireError): TryFailure {
  return {
    kind,
    message: redact(message),
    ...(hint !== undefined && { hint }),
    permanent: !transient,
    transient,
  };
}

/** The error and its causes; an error event of a stream is a plain object. */
function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link: unknown = error; link !== undefined && link !== null && chain.length < 8;) {
    if (chain.includes(link)) break;
    chain.push(link);
    link = (link as { cause?: unknown; error?: unknown }).cause ?? (link as { error?: unknown }).error;
  }
  return chain;
}

function factsOf(chain: readonly unknown[]): Facts {
  const links = chain.filter((link) => typeof link === 'object') as Record<string, unknown>[];
  const given = links.map(({ statusCode }) => statusCode).find((status) => typeof status === 'number');
  const named = links
    .flatMap(({ type, code }) => [type, code])
    .map((name) => (isErrorStatus(name) ? name : STATUS_OF_TYPE.get(String(name))));
  const status = given ?? named.find((found) => found !== undefined);
  const headers = links.map(({ responseHeaders }) => responseHeaders).find((found) => found !== undefined);
  const body = links.map(({ responseBody }) => String(responseBody ?? '')).join('');
  const retryAfterMs =
    parseRetryAfter((headers as Record<string, string> | undefined) ?? {}) ?? delayIn(body);
  return {
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...{ text: textOf(chain), body },
  };
}

/** Gemini says the delay in its body, as `"retryDelay": "7s"`. */
function delayIn(body: string): number | undefined {
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function textOf(chain: readonly unknown[]): string {
  const texts = chain.map((link) =>
    typeof link === 'object' && link !== null && 'message' in link ? String(link.message) : messageOf(link),
  );
  const telling = texts.filter((text) => text !== '' && !text.startsWith('[object') && !GENERIC.test(text));
  const body = (chain[0] as { responseBody?: unknown } | undefined)?.responseBody;
  const told = typeof body === 'string' ? readToldError(body)?.text : undefined;
  const plain = typeof body === 'string' && body.trim() !== '' ? body : (texts[0] ?? '');
  const text = told !== undefined && told !== '' ? told : (telling[0] ?? plain);
  return redact(text.replace(/\s+/g, ' ').trim()).slice(0, MAX_MESSAGE_CHARS);
}

const GENERIC = /^(Failed to process successful response|Failed to process error response|fetch failed)$/;

function kindOf({ status, text, body }: Facts, chain: readonly unknown[]): ModelFailureKind {
  const told = TOLD.find(([, pattern]) => pattern.test(text) || pattern.test(body))?.[0];
  if (status !== undefined && status >= 400) {
    if (told !== undefined && status !== 401 && (status < 500 || OUTWEIGHS_5XX.includes(told))) return told;
    if (status === 429 && QUOTA.test(text) && !body.includes('retryDelay')) return 'permission';
    return KIND_OF_STATUS[status] ?? (status >= 500 ? 'server' : 'request');
  }
  const names = chain.map((link) => String((link as { name?: unknown }).name ?? ''));
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (has(/LoadAPIKeyError/)) return 'key';
  if (has(/NoSuchModelError/)) return 'not_found';
  if (has(/UnsupportedFunctionality|InvalidArgument|InvalidPrompt/)) return 'request';
  if (has(/JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|InvalidStreamPart/)) return 'reply';
  const codes = chain.map((link) => String((link as { code?: unknown }).code ?? ''));
  if (
    codes.some((code) => /^(E[A-Z]{3,}|UND_ERR_)/.test(code)) ||
    /cannot connect|terminated|socket|network/i.test(text)
  )
    return 'network';
  return status === 200 ? 'reply' : (told ?? 'server');
}

function describe(kind: ModelFailureKind, { status, text }: Facts): string {
  const said = text === '' ? '' : `: ${text}`;
  const code = status === undefined || status < 400 ? '' : ` (HTTP ${status})`;
  return `${WORDS[kind]}${code}${said}`;
}

const WORDS: Readonly<Record<ModelFailureKind, string>> = {
  key: 'the key is missing or was refused',
  permission: 'the account may not use it',
  not_found: 'no such model, or no such address',
  rate_limit: 'too many requests',
  server: "the model's server failed",
  network: 'the server could not be reached, or hung up',
  timeout: 'the server took too long',
  request: 'the request was not taken',
  no_tools: 'this model takes no tool calls',
  reply: 'the reply could not be read',
  recording: 'the recording ends here',
};

function hintOf(kind: ModelFailureKind, model: string): string | undefined {
  switch (kind) {
    case 'no_tools':
      return `One answer without tools: --actor cot --model ${model}`;
    case 'key':
      return 'Set the key in its environment variable and try again.';
    case 'not_found':
      return 'Check the name given with --model, and --base-url where it is set.';
    case 'network':
      return 'Check --base-url, the network and whether the server runs.';
    default:
      return undefined;
  }
}
