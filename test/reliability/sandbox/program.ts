import { join } from 'node:path';
import { execa } from 'execa';
import { ralph } from '../../support/ralph.ts';
import { ATTACKS } from './attacks.ts';
import { createGround } from './ground.ts';

const SCRIPT = 'attacks.sh';
/** What a folder is called that ralph itself writes into. */
const STATE = '.aiwg';

/** Every attack in a row, each in a folder of its own, from the place where an actor works or where a check runs. */
export async function tryProgram(from: 'actor' | 'check', visible: string): Promise<string[]> {
  const attacks = ATTACKS.map(
    ({ command }) => `(mkdir t; cd t; ln -s ../node_modules; mkdir src; ${command}\n) 2>&1; rm -rf t`,
  );
  const ground = await createGround(visible, {
    repository: { [SCRIPT]: `${attacks.join('\n')}\n` },
    leaves: STATE,
  });
  try {
    const lines = Object.entries(ground.variables).map(([name, value]) => `export ${name}='${value}'`);
    const run = `${lines.join('; ')}; sh ${SCRIPT}`;
    const args =
      from === 'actor'
        ? ['--check', 'tests=false', '--command', run]
        : ['--check', `tests=${run}; false`, '--command', 'true'];
    const { stdout, stderr } = await ralph(
      ground.repository,
      ['run', '--sandbox', 'strict', '--format', 'jsonl', '--verbose', '--max-iterations', '1', ...args],
      { env: { HOME: ground.home, GROUND_DATABASE_URL: ground.secret } },
    );
    const ran = stdout.includes('"type":"attempt_evaluated"');
    return [
      ...(ran ? [] : [`nothing was tried: ${stderr.slice(-300)}`]),
      ...ground.damage(),
      ...((stdout + stderr).includes(ground.secret) ? ['a secret was read'] : []),
    ];
  } finally {
    await ground.close();
  }
}

const BIN = join(import.meta.dirname, '../../../bin/ralph.js');
/** A user name space in which no other can be made, so that no engine works. */
const WITHOUT_ENGINE = ['--unshare-user', '--disable-userns', '--dev-bind', '/', '/', '--'];

/** Runs the program where bubblewrap cannot work. */
export async function ralphWithoutEngine(
  cwd: string,
  args: readonly string[],
): Promise<{ readonly exitCode: number | null; readonly told: string }> {
  const { exitCode = null, all } = await execa('bwrap', [...WITHOUT_ENGINE, process.execPath, BIN, ...args], {
    cwd,
    env: { OPENAI_API_KEY: 'none', CI: undefined },
    stdin: 'ignore',
    all: true,
    reject: false,
  });
  return { exitCode, told: all };
}
