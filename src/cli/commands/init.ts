import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedAgents } from '../../compose/known-agents.ts';
import { findOffers } from '../../compose/project.ts';
import { INITIAL_CONFIG_NAME, renderInitialConfig } from '../../config/initial-config.ts';
import { CONFIG_FILE_NAMES } from '../../config/config-file.ts';
import { wishIn } from '../../config/load.ts';
import { trust } from '../../config/trust.ts';
import { usageError } from '../../errors.ts';
import { unwritable } from '../../platform/files/file-errors.ts';
import { ensureRalphFolder } from '../../platform/ralph-folder.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { renderOffer } from '../plan-lines.ts';
import type { Answers } from './init-questions.ts';

export interface InitOptions {
  readonly yes?: boolean;
  /** Options that belong to `--hooks`, without which they were given. */
  readonly allGreen?: boolean;
  readonly remove?: boolean;
}

/** A model of each provider, and the variable with its key. */
const MODELS: readonly (readonly [model: string, key: string])[] = [
  ['anthropic/claude-sonnet-4-5', 'ANTHROPIC_API_KEY'],
  ['openai/gpt-5', 'OPENAI_API_KEY'],
  ['google/gemini-2.5-pro', 'GOOGLE_GENERATIVE_AI_API_KEY'],
];
const DEFAULTS: Answers = { settings: { maxTime: '30m' }, shareMemory: true };
const IGNORED = '.aiwg/';

/**
 * `ralph init`: writes a commented configuration, and the ignore lines of the state folder. Asks three questions on a
 * terminal; none with `--yes`, or if there is a configuration. Existing files are not overwritten.
 */
export async function initCommand({ yes = false, allGreen, remove }: InitOptions): Promise<void> {
  if (allGreen === true || remove === true)
    throw usageError(
      `${remove === true ? '--remove' : '--all-green'} has an effect only with --hooks.`,
      'Name the agents: ralph init --hooks claude.',
    );
  const root = findRepositoryRoot(process.cwd());
  const existing = findConfig(root);
  const isInteractive = !yes && existing === undefined && process.stdin.isTTY && process.stdout.isTTY;
  const { settings, shareMemory } = isInteractive ? await ask() : DEFAULTS;
  ensureRalphFolder(root);
  print('.aiwg/ralph/.gitignore  keeps loops out of git; reflections/ and memory/ may be committed');
  if (!shareMemory) ignoreStateFolder(root);
  if (existing !== undefined) print(`${existing}  already exists and was not changed`);
  else {
    writeConfig(root, renderInitialConfig(settings));
    // The user has just chosen these settings.
    const wish = await wishIn([root]);
    if (wish !== undefined) await trust(wish, { repositoryRoot: root, env: process.env });
    print(
      `${INITIAL_CONFIG_NAME.padEnd(23)} written: actor ${actorName(settings)}, at most ${settings.maxTime} per loop; more settings are in it as comments`,
    );
  }
  for (const offer of await findOffers(process.cwd(), root)) print(`offer: ${renderOffer(offer)}`);
  print('next: ralph doctor    show the detected setup and what is missing');
  print('      ralph run       repair every failing check');
}

function actorName({ model, agent, command }: Answers['settings']): string {
  return model ?? agent ?? command ?? 'search (offline)';
}

async function ask(): Promise<Answers> {
  const { askQuestions } = await import('./init-questions.ts');
  const models = MODELS.flatMap(([model, key]) => (process.env[key] ? [model] : []));
  return askQuestions({ models, agents: installedAgents(process.env['PATH'] ?? '') });
}

function findConfig(root: string): string | undefined {
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

function ignoreStateFolder(root: string): void {
  const path = join(root, '.gitignore');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (before.split(/\r?\n/).some((line) => /^\/?\.aiwg\/?$/.test(line.trim()))) return;
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  try {
    appendFileSync(path, `${gap}${IGNORED}\n`);
  } catch (error) {
    throw unwritable(path, error);
  }
  print(`.gitignore              ${IGNORED} added`);
}

function writeConfig(root: string, text: string): void {
  const path = join(root, INITIAL_CONFIG_NAME);
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw unwritable(path, error);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
