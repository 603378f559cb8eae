/**
 * `node bench/evaluate.ts FOLDER [--runs N] [--only NAME]`: times `ralph evaluate` against the scripts of the repositories in
 * `own-scripts.json`, one after the other as a user types them. FOLDER holds the repositories by name, with their
 * dependencies installed; each is copied, and CI is set, as some scripts wait for changes without it. First: nothing is
 * known. Cold: `--fresh` after an edit. Warm: one line of a source file has changed. Same: nothing has changed. Prints ratios
 * to the scripts, measured in turn with them; a repository with a script that fails is left out. `chrt -r 10` in front of it
 * leaves out most of what else runs on the machine.
 */
import { appendFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import { median, RALPH, time } from './measure.ts';
import repositories from './own-scripts.json' with { type: 'json' };

type OwnScripts = (typeof repositories)[number];

/** Ratios to the scripts of the repository. */
interface Ratios {
  readonly first: number;
  readonly cold: number;
  readonly warm: number;
  readonly same: number;
  readonly scriptsMs: number;
  readonly reward: string;
}

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, only: { type: 'string' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder that holds the repositories.');
const KINDS = ['first', 'cold', 'warm', 'same'] as const;
const all: Ratios[] = [];
for (const own of repositories) {
  if (values.only !== undefined && !own.repository.includes(values.only)) continue;
  if (!existsSync(join(folder, own.repository))) continue;
  const ratios = await measure(resolve(folder, own.repository), own);
  if (typeof ratios === 'string') {
    console.log(own.repository.padEnd(22), 'left out:', ratios);
    continue;
  }
  all.push(ratios);
  const columns = KINDS.map((kind) => ratios[kind].toFixed(2).padStart(6));
  console.log(
    own.repository.padEnd(22),
    ...columns,
    `${(ratios.scriptsMs / 1000).toFixed(1)} s`.padStart(8),
    ratios.reward,
  );
}
for (const kind of all.length === 0 ? [] : KINDS) {
  const sorted = all.map((ratios) => ratios[kind]).sort((a, b) => a - b);
  console.log(
    `${kind}: median ${median(sorted).toFixed(2)}, maximum ${sorted.at(-1)!.toFixed(2)}, ${sorted.length} repositories`,
  );
}

/** The ratios, or which script fails: its time is not that of what it runs. */
async function measure(repository: string, { source, scripts }: OwnScripts): Promise<Ratios | string> {
  const work = makeTemporaryFolder('evaluate');
  const copy = join(work, 'repository');
  const cache = join(work, 'tmp');
  try {
    await execa('cp', ['-a', repository, copy]);
    await execa('mkdir', [cache]);
    // For both, since Node's compiled code of other programs lies there.
    const where = { TMPDIR: cache };
    const evaluate = (...args: string[]) =>
      time(process.execPath, [RALPH, 'evaluate', '--format', 'json', ...args], copy, where);
    const forget = (): void => {
      const own = readdirSync(cache).filter((name) => name.startsWith('ralph-'));
      for (const known of [...own.map((name) => join(cache, name)), join(copy, '.aiwg')])
        rmSync(known, { recursive: true, force: true });
    };
    const figures = {
      first: [] as number[],
      cold: [] as number[],
      warm: [] as number[],
      same: [] as number[],
      scriptsMs: [] as number[],
    };
    let reward = '';
    for (let run = 0; run < Number(values.runs); run++) {
      let scriptsMs = 0;
      for (const line of scripts) {
        const script = await time('sh', ['-c', line], copy, { ...where, CI: '1' });
        if (script.exitCode !== 0) return `\`${line}\` exits with ${script.exitCode}`;
        scriptsMs += script.ms;
      }
      forget();
      const first = await evaluate();
      reward = String((JSON.parse(first.stdout) as { reward: number }).reward);
      appendFileSync(join(copy, source), `// ${run}, cold\n`);
      const cold = await evaluate('--fresh');
      appendFileSync(join(copy, source), `// ${run}, warm\n`);
      const warm = await evaluate();
      const same = await evaluate();
      figures.scriptsMs.push(scriptsMs);
      figures.first.push(first.ms / scriptsMs);
      figures.cold.push(cold.ms / scriptsMs);
      figures.warm.push(warm.ms / scriptsMs);
      figures.same.push(same.ms / scriptsMs);
    }
    return {
      first: median(figures.first),
      cold: median(figures.cold),
      warm: median(figures.warm),
      same: median(figures.same),
      scriptsMs: median(figures.scriptsMs),
      reward,
    };
  } finally {
    removeTemporaryFolder(work);
  }
}
