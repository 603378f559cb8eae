import { messageOf } from '../../errors.ts';
import { redact } from '../../platform/redaction/redact.ts';
import type { ModelFailure, ModelFailureKind } from './client.ts';
import { parseRetryAfter } from './retry.ts';
import { isErrorStatus, parseErrorPayload } from './error-payload.ts';
import { WireError } from './wire-error.ts';

/** The failure of one try of a model call. */
export interface TryFailure extends ModelFailure {
  /** Whether asking the same model again may help. */
  readonly transient: boolean;
  /** The number of tries after which the same request is not repeated; undefined: the usual number. */
  readonly maxTries?: number;
  /** The delay that the server asked for, unbounded. */
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
/** Messages that are more precise than the status they come with. */
const KIND_OF_MESSAGE: readonly (readonly [ModelFailureKind, RegExp])[] = [
  [
    'no_tools',
    /\b(does not|doesn't|not) support (the )?(use of )?(tools?|function)|(tools?( use| calling)?|function calling) (is|are) not (supported|enabled)|support tool use/i,
  ],
  // vLLM and llama.cpp, if the server was started without tool support.
  ['no_tools', /\btool choice requires --|\btools param requires|unsupported param: tools/i],
  // LM Studio.
  ['not_found', /\bunexpected endpoint or method/i],
  ['key', /\bapi key not valid|(invalid|incorrect) api key/i],
  ['permission', /\bcredit balance|insufficient_quota/i],
  ['server', /\boverloaded|try again later/i],
];
/** Sent for an exhausted account and, with a retry delay, for a limit per minute. */
const QUOTA = /plan and billing/i;
/** Kinds that a message may give to a 5xx. */
const KINDS_WITH_5XX: readonly ModelFailureKind[] = ['server', 'no_tools', 'not_found'];
const MAX_MESSAGE_CHARS = 600;

/** Classifies an error that a provider package threw, or that came as an error event of a stream. Never throws. */
export function failureOf(error: unknown, model: string): TryFailure {
  const chain = causesOf(error);
  const wire = chain.find((link) => link instanceof WireError);
  if (wire !== undefined) return wireFailure(wire);
  const facts = factsOf(chain);
  if (OTHER_FORMAT.test(facts.text)) return otherFormatFailure(model);
  const kind = kindOf(facts, chain);
  const message = `${model}: ${describe(kind, facts)}`;
  const hint = hintOf(kind, model);
  return {
    kind,
    message,
    hint,
    statusCode: facts.status,
    permanent: PERMANENT.includes(kind),
    transient: TRANSIENT.includes(kind) || kind === 'reply',
    retryAfterMs: facts.retryAfterMs,
  };
}

/** The package of `openai/…` says so of a server that streams the format of `openai-compatible/…`. */
const OTHER_FORMAT = /Received a Chat Completions stream/;

function otherFormatFailure(model: string): TryFailure {
  return {
    kind: 'request',
    message: `${model}: the server speaks Chat Completions, and openai/… speaks Responses`,
    hint: compatibleHint(model),
    permanent: true,
    transient: false,
  };
}

function compatibleHint(model: string): string {
  return `For a server that speaks Chat Completions, use --model ${model.replace(/^openai\//, 'openai-compatible/')}`;
}

/** The failure for an unusable reply: without text and calls, or cut off. `problem` is its description. */
export function replyFailure(model: string, problem: string, maxTries?: number): TryFailure {
  return { kind: 'reply', message: `${model}: ${problem}`, permanent: false, transient: true, maxTries };
}

/** The failure of a model that refused to answer; another request may be answered. */
export function refusalFailure(model: string): TryFailure {
  const message = `${model}: ${DESCRIPTIONS.refusal}`;
  return { kind: 'refusal', message, permanent: false, transient: false };
}

interface Facts {
  readonly status?: number;
  readonly text: string;
  /** The unparsed response body; empty if there was none. */
  readonly body: string;
  readonly retryAfterMs?: number;
}

function wireFailure({ kind, message, hint, transient, maxTries }: WireError): TryFailure {
  return {
    kind,
    message: redact(message),
    hint,
    permanent: !transient,
    transient,
    maxTries,
  };
}

/** The error and its causes, at most eight; an error event of a stream is a plain object. */
function causesOf(error: unknown): unknown[] {
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
  return { status, retryAfterMs, text: messageIn(chain), body };
}

/** Gemini sends the delay in the body, as `"retryDelay": "7s"`. */
function delayIn(body: string): number | undefined {
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** The server's own message if it can be read, else the first specific message of the chain, on one line. */
function messageIn(chain: readonly unknown[]): string {
  const texts = chain.map((link) =>
    typeof link === 'object' && link !== null && 'message' in link ? String(link.message) : messageOf(link),
  );
  const specific = texts.filter((text) => text !== '' && !text.startsWith('[object') && !GENERIC.test(text));
  const body = (chain[0] as { responseBody?: unknown } | undefined)?.responseBody;
  const sent = typeof body === 'string' ? parseErrorPayload(body)?.text : undefined;
  const plain = typeof body === 'string' && body.trim() !== '' ? body : (texts[0] ?? '');
  const text = sent !== undefined && sent !== '' ? sent : (specific[0] ?? plain);
  return redact(text.replace(/\s+/g, ' ').trim()).slice(0, MAX_MESSAGE_CHARS);
}

const GENERIC = /^(Failed to process successful response|Failed to process error response|fetch failed)$/;

function kindOf({ status, text, body }: Facts, chain: readonly unknown[]): ModelFailureKind {
  const fromMessage = KIND_OF_MESSAGE.find(([, pattern]) => pattern.test(text) || pattern.test(body))?.[0];
  if (status !== undefined && status >= 400) {
    if (fromMessage !== undefined && status !== 401 && (status < 500 || KINDS_WITH_5XX.includes(fromMessage)))
      return fromMessage;
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
  return status === 200 ? 'reply' : (fromMessage ?? 'server');
}

function describe(kind: ModelFailureKind, { status, text }: Facts): string {
  const message = text === '' ? '' : `: ${text}`;
  const code = status === undefined || status < 400 ? '' : ` (HTTP ${status})`;
  return `${kind === 'network' ? describeNetwork() : DESCRIPTIONS[kind]}${code}${message}`;
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Node uses these variables only if it is told to, and then a proxy may be what does not answer. */
function describeNetwork(): string {
  const { env } = process;
  const set = env['NODE_USE_ENV_PROXY'] === '1' ? PROXIES.filter((name) => (env[name] ?? '') !== '') : [];
  if (set.length === 0) return DESCRIPTIONS.network;
  return `the server or the proxy of ${set.join(', ')} could not be reached, or closed the connection`;
}

const DESCRIPTIONS: Readonly<Record<ModelFailureKind, string>> = {
  key: 'the key is missing or was rejected',
  permission: 'the account has no permission or no credit',
  not_found: 'unknown model or address',
  rate_limit: 'too many requests',
  server: "the model's server failed",
  network: 'the server could not be reached, or closed the connection',
  timeout: 'the server took too long',
  request: 'the API rejected the request',
  no_tools: 'this model does not support tool calls',
  reply: 'the reply could not be read',
  refusal: 'the model or its provider refused to answer',
  recording: 'the recording has no further call',
};

function hintOf(kind: ModelFailureKind, model: string): string | undefined {
  switch (kind) {
    case 'no_tools':
      return `Use one answer without tools: --actor cot --model ${model}`;
    case 'key':
      return 'Set the key in its environment variable and try again.';
    case 'not_found':
      return `Check the name given with --model, and --base-url if it is set.${model.startsWith('openai/') ? ` ${compatibleHint(model)}` : ''}`;
    case 'network':
      return 'Check --base-url, the network and whether the server runs.';
    default:
      return undefined;
  }
}
