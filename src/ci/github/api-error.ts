import { ExitCode, RalphError, messageOf } from '../../errors.ts';

/** What the REST API answered, as far as an error needs it. */
export interface ApiFailure {
  /** 0: no answer came. */
  readonly status: number;
  /** GitHub's own words. */
  readonly message: string;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

/** What was asked for: `GET /repos/octo-org/shop/pulls`. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  /** False: no token was sent. */
  readonly authenticated: boolean;
}

/**
 * The error for an answer that was no success, with the remedy: wrong key or right (exit code 2), nothing there, a limit
 * that is used up, a server that fails (exit code 4). GitHub's words are bounded; no header of the request is in it.
 */
export function apiError(call: ApiCall, failure: ApiFailure, cause?: unknown): RalphError {
  const { status, message } = failure;
  const [hint, exitCode] = remedyFor(call, failure);
  const said = message.replace(/\s+/g, ' ').trim().slice(0, 300);
  const how = status === 0 ? 'could not be reached' : `answered ${status}`;
  return new RalphError(`GitHub ${how} for ${call.method} ${call.path}${said === '' ? '.' : `: ${said}`}`, {
    code: 'github_failed',
    exitCode,
    hint,
    cause,
  });
}

/** What octokit throws, as a failure. */
export function failureOf(error: unknown): ApiFailure {
  const { status, response, message } = error as {
    readonly status?: unknown;
    readonly message?: unknown;
    readonly response?: { readonly headers?: ApiFailure['headers']; readonly data?: unknown };
  };
  const headers = response?.headers ?? {};
  const isAnswer = typeof status === 'number' && response !== undefined;
  const details = detailsOf(response?.data);
  const text = typeof message === 'string' ? message.replace(/ - https?:\/\/\S+$/, '') : messageOf(error);
  return { status: isAnswer ? status : 0, message: details ?? text, headers };
}

/** The message and, of a validation, what was not valid. */
function detailsOf(data: unknown): string | undefined {
  const { message, errors } = (data ?? {}) as { readonly message?: unknown; readonly errors?: unknown };
  if (typeof message !== 'string') return undefined;
  if (!Array.isArray(errors)) return message;
  const found = (errors as readonly unknown[]).map((item) =>
    typeof item === 'object' && item !== null && 'message' in item
      ? String(item.message)
      : JSON.stringify(item),
  );
  return [message, ...found].join('; ');
}

const TOKEN_NEEDS =
  'Of Actions, the job needs permissions: contents: write, pull-requests: write, actions: read. Of a fine-grained token: the same on this repository.';

function remedyFor(call: ApiCall, failure: ApiFailure): [hint: string, exitCode: ExitCode] {
  const { status, message } = failure;
  if (isLimit(failure)) return [limitHint(call, failure), ExitCode.workspace];
  if (status === 401)
    return [
      'The token in GITHUB_TOKEN (or GH_TOKEN) is not valid any more: set another one.',
      ExitCode.usage,
    ];
  if (status === 403) {
    const isSetting = /not permitted to create/i.test(message);
    const setting =
      'Settings › Actions › General › "Allow GitHub Actions to create and approve pull requests" must be on.';
    return [isSetting ? setting : `The token may not do this. ${TOKEN_NEEDS}`, ExitCode.usage];
  }
  if (status === 404)
    return [
      call.authenticated
        ? 'It is not there, or the token may not see it.'
        : 'It is not there, or it is private: set GITHUB_TOKEN.',
      ExitCode.usage,
    ];
  if (status === 422)
    return ['GitHub refuses what was sent: the branch may be gone, or have nothing new.', ExitCode.workspace];
  if (status === 0) return ['Check the network, and GITHUB_API_URL where it is set.', ExitCode.workspace];
  return ['It may work later: run it again. https://www.githubstatus.com tells more.', ExitCode.workspace];
}

function isLimit({ status, message, headers }: ApiFailure): boolean {
  if (status === 429) return true;
  return status === 403 && (String(headers['x-ratelimit-remaining']) === '0' || /rate limit/i.test(message));
}

function limitHint({ authenticated }: ApiCall, { headers }: ApiFailure): string {
  const reset = Number(headers['x-ratelimit-reset']);
  const after = Number(headers['retry-after']);
  const when =
    Number.isFinite(after) && after > 0
      ? `in ${after} s`
      : Number.isFinite(reset) && reset > 0 && reset < 8e12
        ? `at ${new Date(reset * 1000).toISOString()}`
        : 'later';
  return `The rate limit is used up; run it again ${when}.${authenticated ? '' : ' With GITHUB_TOKEN it is far higher.'}`;
}
