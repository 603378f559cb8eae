import { existsSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { textOf } from '../files/text-of.ts';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';

/** Settings without which a test that commits in a repository of its own fails; none of them is secret or runs a program. */
const NAMES = String.raw`^(user\.(name|email)|init\.defaultbranch)$`;
/** The file that the system's own git reads; left out where it does not exist. */
const SYSTEM_FILE = '/etc/gitconfig';

/** By the variables that name the user's configuration. */
const found = new Map<string, Promise<string | undefined>>();

/**
 * Absolute path of a file with the user's name, address and first branch for git, as it applies outside of any repository:
 * a home folder is empty in a sandbox, and git refuses to commit without a name. Confined programs get it as the system's
 * configuration (`GIT_CONFIG_SYSTEM`), so that a repository and `git config --global` go before it. Undefined where the user
 * has set nothing, or has no git. Never rejects.
 */
export function gitIdentityFile(): Promise<string | undefined> {
  const { HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = process.env;
  const key = JSON.stringify([HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM]);
  const known = found.get(key) ?? writeIdentity().catch(() => undefined);
  found.set(key, known);
  return known;
}

async function writeIdentity(): Promise<string | undefined> {
  const lines = plainLines() ?? (await linesOfGit());
  if (lines.length === 0) return undefined;
  const file = join(makeTemporaryFolder('git'), 'gitconfig');
  const included = existsSync(SYSTEM_FILE) ? `[include]\n\tpath = ${SYSTEM_FILE}\n` : '';
  writeFileSync(file, `${included}${lines.join('')}`, { mode: 0o600 });
  return file;
}

const SECTION = /^\[(user|init)\]$/i;
const SETTING = /^(name|email|defaultbranch)\s*=\s*([^"\\#;\0]+)$/i;
/** Other files, and lines that go on. */
const SPECIAL = /^\s*\[\s*include|\\$/im;

/**
 * The settings of the user's own file, without a git process, where that is all there is and it is plainly written: the process
 * would take as long as a small test file. Undefined in every other case.
 */
function plainLines(): string[] | undefined {
  const { HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = process.env;
  if (HOME === undefined || GIT_CONFIG_GLOBAL !== undefined || GIT_CONFIG_SYSTEM !== undefined)
    return undefined;
  const other = join(XDG_CONFIG_HOME ?? join(HOME, '.config'), 'git/config');
  const text = textOf(join(HOME, '.gitconfig'));
  if (existsSync(other) || SPECIAL.test(text) || (text === '' && existsSync(SYSTEM_FILE))) return undefined;
  let section: string | undefined;
  const lines: string[] = [];
  for (const line of text.split('\n').map((it) => it.trim())) {
    if (line.startsWith('[')) {
      section = SECTION.exec(line)?.[1];
      if (section === undefined && /^\[\s*(user|init)\b/i.test(line)) return undefined;
    } else if (section !== undefined && /^(name|email|defaultbranch)\b/i.test(line)) {
      const [, name, value] = SETTING.exec(line) ?? [];
      if (name === undefined) return undefined;
      lines.push(toLine(`${section}.${name}\n${value!.trim()}`));
    }
  }
  return lines;
}

async function linesOfGit(): Promise<string[]> {
  const { root } = parse(process.cwd());
  const { execa } = await import('execa');
  // Outside of any repository, and not in the one that a variable of a git hook names.
  const env = { GIT_DIR: undefined, GIT_CEILING_DIRECTORIES: root };
  const { stdout } = await execa('git', ['config', '-z', '--get-regexp', NAMES], {
    cwd: root,
    env,
    timeout: 10_000,
  });
  return stdout.split('\0').filter(Boolean).map(toLine);
}

/** `user.name\nAda` → a section of its own, with the value in quotes. */
function toLine(entry: string): string {
  const at = entry.indexOf('\n');
  const [section, name] = entry.slice(0, at).split('.');
  const value = entry
    .slice(at + 1)
    .replace(/["\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);
  return `[${section}]\n\t${name} = "${value}"\n`;
}
