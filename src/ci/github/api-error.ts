import { ExitCode, RalphError, messageOf } from '../../errors.ts';

/** A failed request to the REST API. */
export interface ApiFailure {
  /** HTTP status; 0: no answer arrived. */
  readonly status: number;
  /** Error message of GitHub, or of the network. */
  readonly message: string;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

/** A request: `GET /repos/octo-org/shop/pulls`. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  /** False: no token was sent. */
  readonly authenticated: boolean;
}

/**
 * The error for a failed request, with a hint: exit code 2 for an invalid token, a missing permission or a missing
 * resource; exit code 4 for a rate limit, a refused request, a server error or no network. GitHub's message is cut to
 * 300 characters; no header of the request, so no token, is part of the error.
 */
export function apiError(call: ApiCall, failure: ApiFailure, cause?: unknown): RalphError {
  const { status, message } = failure;
  const [hint, exitCode] = hintFor(call, failure);
  const said = message.replace(/\s+/g, ' ').trim().slice(0, 300);
  const how = status === 0 ? 'could not be reached' : `answered ${status}`;
  return new RalphError(`GitHub ${how} for ${call.method} ${call.path}${said === '' ? '.' : `: ${said}`}`, {
    code: 'github_failed',
    exitCode,
    hint,
    cause,
  });
}

/** Reads a failure from an error of octokit. */
export function failureOf(error: unknown): ApiFailure {
  const { status, response, message } = error as {
    readonly status?: unknown;
    readonly message?: unknown;
    readonly response?: { readonly headers?: ApiFailure['headers']; readonly data?: unknown };
  };
  const headers = response?.headers ?? {};
  const isAnswer = typeof status === 'number' && response !== undefined;
  const details = readDetails(response?.data);
  const text = typeof message === 'string' ? message.replace(/ - https?:\/\/\S+$/, '') : messageOf(error);
  return { status: isAnswer ? status : 0, message: details ?? text, headers };
}

/** The message of an error body, with its validation errors. */
function readDetails(data: unknown): string | undefined {
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

const NEEDED_PERMISSIONS =
  'It needs contents: write, pull-requests: write and, to start the next try, actions: write: in Actions under `permissions` of the job, otherwise as permissions of a fine-grained token for this repository.';

function hintFor(call: ApiCall, failure: ApiFailure): [hint: string, exitCode: ExitCode] {
  const { status, message } = failure;
  if (isRateLimit(failure)) return [rateLimitHint(call, failure), ExitCode.workspace];
  if (status === 401)
    return [
      'The token in GITHUB_TOKEN (or GH_TOKEN) is invalid or has expired: set another one.',
      ExitCode.usage,
    ];
  if (status === 403) {
    const needsSetting = /not permitted to create/i.test(message);
    const setting =
      'Turn on Settings › Actions › General › "Allow GitHub Actions to create and approve pull requests".';
    return [needsSetting ? setting : `The token lacks a permission. ${NEEDED_PERMISSIONS}`, ExitCode.usage];
  }
  if (status === 404)
    return [
      call.authenticated
        ? 'It does not exist, or the token has no access to it.'
        : 'It does not exist, or it is private: set GITHUB_TOKEN.',
      ExitCode.usage,
    ];
  if (status === 422)
    return [
      'GitHub rejected the request: the branch may be deleted, or have no new commits.',
      ExitCode.workspace,
    ];
  if (status === 0)
    return ['Check the network connection, and GITHUB_API_URL if it is set.', ExitCode.workspace];
  return ['Run it again later; see https://www.githubstatus.com.', ExitCode.workspace];
}

function isRateLimit({ status, message, headers }: ApiFailure): boolean {
  if (status === 429) return true;
  return status === 403 && (String(headers['x-ratelimit-remaining']) === '0' || /rate limit/i.test(message));
}

function rateLimitHint({ authenticated }: ApiCall, { headers }: ApiFailure): string {
  const reset = Number(headers['x-ratelimit-reset']);
  const after = Number(headers['retry-after']);
  const when =
    Number.isFinite(after) && after > 0
      ? `in ${after} s`
      : Number.isFinite(reset) && reset > 0 && reset < 8e12
        ? `at ${new Date(reset * 1000).toISOString()}`
        : 'later';
  return `The rate limit is used up; run it again ${when}.${authenticated ? '' : ' With GITHUB_TOKEN the limit is far higher.'}`;
}
