import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedAgents } from '../../compose/known-agents.ts';
import { CONFIG_FILE_NAMES } from '../../config/load.ts';
import { FRESH_CONFIG_NAME, renderFreshConfig } from '../../config/fresh-config.ts';
import { unwritable } from '../../platform/files/durable-write.ts';
import { ensureRalphFolder } from '../../platform/ralph-folder.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { Answers } from '../ask-settings.ts';

export interface InitOptions {
  readonly yes?: boolean;
}

/** A model of each provider, and the variable that its key is in. */
const MODELS: readonly (readonly [model: string, key: string])[] = [
  ['anthropic/claude-sonnet-4-5', 'ANTHROPIC_API_KEY'],
  ['openai/gpt-5', 'OPENAI_API_KEY'],
  ['google/gemini-2.5-pro', 'GOOGLE_GENERATIVE_AI_API_KEY'],
];
const DEFAULTS: Answers = { settings: { maxTime: '30m' }, shareMemory: true };
const IGNORED = '.aiwg/';

/**
 * `ralph init`: a configuration with comments, and the ignore lines of the state folder. Asks three questions on a
 * terminal, none with `--yes` or without one. Nothing that is there is overwritten.
 */
export async function initCommand({ yes = false }: InitOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const existing = existingConfig(root);
  const isAsked = !yes && existing === undefined && process.stdin.isTTY && process.stdout.isTTY;
  const { settings, shareMemory } = isAsked ? await ask() : DEFAULTS;
  ensureRalphFolder(root);
  say('.aiwg/ralph/.gitignore  keeps loops out of your history; reflections/ and memory/ may be committed');
  if (!shareMemory) ignoreAll(root);
  if (existing !== undefined) say(`${existing}  is there already and stays as it is`);
  else {
    write(root, renderFreshConfig(settings));
    say(
      `${FRESH_CONFIG_NAME.padEnd(23)} written: ${editorOf(settings)} repairs, a loop takes ${settings.maxTime} at most; the rest is in it as comments`,
    );
  }
  say('next: ralph doctor    what was found here, and what is missing');
  say('      ralph run       repair whatever fails');
}

function editorOf({ model, agent, command }: Answers['settings']): string {
  return model ?? agent ?? command ?? 'the offline search';
}

async function ask(): Promise<Answers> {
  const { askSettings } = await import('../ask-settings.ts');
  const models = MODELS.flatMap(([model, key]) => (process.env[key] ? [model] : []));
  return askSettings({ models, agents: installedAgents(process.env['PATH'] ?? '') });
}

function existingConfig(root: string): string | undefined {
  const file = CONFIG_FILE_NAMES.find((name) => existsSync(join(root, name)));
  return file ?? (hasManifestConfig(root) ? 'package.json#ralph' : undefined);
}

function hasManifestConfig(root: string): boolean {
  try {
    return 'ralph' in (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object);
  } catch {
    return false;
  }
}

/** One line behind what is there. */
function ignoreAll(root: string): void {
  const path = join(root, '.gitignore');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (before.split(/\r?\n/).some((line) => /^\/?\.aiwg\/?$/.test(line.trim()))) return;
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  try {
    appendFileSync(path, `${gap}${IGNORED}\n`);
  } catch (error) {
    throw unwritable(path, error);
  }
  say(`.gitignore              ${IGNORED} added`);
}

function write(root: string, text: string): void {
  const path = join(root, FRESH_CONFIG_NAME);
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw unwritable(path, error);
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
