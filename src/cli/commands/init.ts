import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE_NAMES } from '../../config/load.ts';
import { ensureRalphFolder } from '../../util/ralph-folder.ts';
import { findRepositoryRoot } from '../../util/repository-root.ts';

const FRESH_CONFIG = {
  $schema: './node_modules/ralph-reflexion/schemas/config.schema.json',
  maxIterations: 5,
  protect: [],
  allow: [],
};

/** `ralph init`: a configuration to start from, and the ignore lines of the state folder. Nothing is overwritten. */
export async function initCommand(): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  ensureRalphFolder(root);
  say('.aiwg/ralph/.gitignore keeps loops out of your history; reflections/ may be committed');
  const existing = CONFIG_FILE_NAMES.find((name) => existsSync(join(root, name)));
  if (existing !== undefined) return say(`${existing} is there already and stays as it is`);
  if (hasManifestConfig(root)) return say('package.json#ralph is there already and stays as it is');
  writeFileSync(join(root, 'ralph.config.json'), `${JSON.stringify(FRESH_CONFIG, null, 2)}\n`, {
    flag: 'wx',
  });
  say('ralph.config.json written; every key is described in its schema');
  say('next: ralph doctor');
}

function hasManifestConfig(root: string): boolean {
  try {
    return 'ralph' in (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object);
  } catch {
    return false;
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
