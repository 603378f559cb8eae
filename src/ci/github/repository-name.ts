import { usageError } from '../../errors.ts';

/** `owner/name` of a repository on GitHub. */
export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

const OWNER = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})';
const NAME = '[A-Za-z0-9._-]{1,100}';
const REPOSITORY = new RegExp(`^(${OWNER})/(${NAME})$`);
const ISSUE = new RegExp(`^(${OWNER}/${NAME})#([1-9][0-9]{0,9})$`);
/** `git@host:owner/name.git`, the one remote form of git that is neither a URL nor a path. */
const SCP_LIKE = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/;

/** Parses `owner/name`; undefined for any other text. */
export function parseRepository(text: string): RepositoryName | undefined {
  const [, owner, name] = REPOSITORY.exec(text) ?? [];
  if (owner === undefined || name === undefined || /^\.{1,2}$/.test(name)) return undefined;
  return { owner, name };
}

/** `owner/name`. */
export function renderRepository({ owner, name }: RepositoryName): string {
  return `${owner}/${name}`;
}

/** Parses `owner/name#7`, the value of `--issue`. Throws a usage error. */
export function parseIssue(text: string): { readonly repository: RepositoryName; readonly number: number } {
  const [, repository = '', number = ''] = ISSUE.exec(text) ?? [];
  const parsed = parseRepository(repository);
  if (parsed === undefined)
    throw usageError(
      `--issue ${JSON.stringify(text.slice(0, 200))} is not a GitHub issue.`,
      'Write it as owner/repository#number, such as --issue octo-org/shop#42.',
    );
  return { repository: parsed, number: Number(number) };
}

/** Host and repository of a git remote; undefined for a path and for URLs that are not `host/owner/name`. */
export function parseRemote(
  url: string,
): { readonly host: string; readonly repository: RepositoryName } | undefined {
  const [host, path] = URL.canParse(url) ? splitUrl(new URL(url)) : (SCP_LIKE.exec(url)?.slice(1) ?? []);
  if (host === undefined || host === '' || path === undefined) return undefined;
  const repository = parseRepository(
    path
      .replace(/^\/+/, '')
      .replace(/\/$/, '')
      .replace(/\.git$/, ''),
  );
  return repository && { host: host.toLowerCase(), repository };
}

function splitUrl({ host, hostname, pathname, protocol }: URL): string[] {
  // An SSH port is not the port of the API.
  return protocol === 'file:' ? [] : [protocol === 'ssh:' ? hostname : host, pathname];
}
