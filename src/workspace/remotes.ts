import { readUserConfig } from './user-config.ts';
import type { Repository } from './repository.ts';

/** A name that needs no quotes in a configuration file, and a URL without a line break or quotes. */
const REMOTE = /^remote\.([\w./-]+)\.url ([^\s"\\]+)$/;
const NO_PUSH = 'a-workspace-of-ralph-does-not-push';

/**
 * The remotes of the repository, as text for the configuration of a copy: tools read them to make links. URLs have
 * no credentials, and cannot be pushed to by the remote's name.
 */
export async function readRemotes(repository: Repository): Promise<string> {
  const lines = await readUserConfig(repository);
  return lines
    .map((line) => {
      const [, name, url] = REMOTE.exec(line) ?? [];
      if (name === undefined) return '';
      return `[remote "${name}"]\n\turl = ${withoutCredentials(url!)}\n\tpushurl = ${NO_PUSH}\n`;
    })
    .join('');
}

function withoutCredentials(url: string): string {
  return url.replace(/^(https?:\/\/)[^/@]*@/i, '$1');
}
