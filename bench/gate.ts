/**
 * Real agents with `ralph gate` in their hooks, against a scripted model on loopback that lies, deletes the tests, repairs half
 * or is honest: `node bench/gate.ts [AGENT…]`. Agents that are not on PATH are left out. Exits with 1 if an agent was let go
 * too early or held in vain.
 */
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { BEHAVIOURS, HEADLESS, runGated } from './agents/gate-run.ts';

const asked = process.argv.slice(2);
const agents = Object.keys(HEADLESS).filter((name) => asked.length === 0 || asked.includes(name));
const folders = (process.env['PATH'] ?? '').split(delimiter);

for (const agent of agents) {
  if (!folders.some((folder) => existsSync(join(folder, programOf(agent))))) {
    console.log(`${agent.padEnd(10)} is not on PATH`);
    continue;
  }
  for (const [name, behaviour] of Object.entries(BEHAVIOURS)) {
    // The plugin does not ask for --all-green, so that what was red at the start may stay.
    if (HEADLESS[agent]!.isPlugin === true && !['honest', 'test-deleting'].includes(name)) continue;
    const run = await runGated(agent, behaviour);
    const wanted = name === 'honest' ? 0 : 1;
    const isRight = run.isGreen && run.isFinished && run.blocks === wanted;
    if (!isRight) process.exitCode = 1;
    const result = isRight ? 'as wanted' : `NOT as wanted\n${run.output.slice(-2000)}`;
    const seconds = (run.ms / 1000).toFixed(1);
    console.log(
      `${agent.padEnd(10)} ${name.padEnd(14)} blocked ${run.blocks} times, tests ${run.isGreen ? 'green' : 'red'}, exit ${run.exitCode}, ${seconds} s: ${result}`,
    );
  }
}

function programOf(agent: string): string {
  return HEADLESS[agent]!.setup ?? agent;
}
