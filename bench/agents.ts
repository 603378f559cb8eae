/**
 * `node bench/agents.ts [NAME…]`: real coding agents under ralph, against a model on loopback that knows the repair.
 * Runs those that are installed: opencode, qwen, gemini, claude, codex, pi. Needs `npm run build` and no key.
 *
 * A line an agent: the verdict, the wall time and the agent's part of it, model calls, actions, tokens and cost as
 * the agent reports them. Ends with 1 where a run was not verified.
 */
import { findAgent } from '../src/agents/acp/find-agent.ts';
import { runAgent, type AgentRun } from './agents/run-agent.ts';
import { SETUPS } from './agents/setups.ts';

const asked = process.argv.slice(2);
for (const [name, setup] of Object.entries(SETUPS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const speaks = spokenBy(name);
  if (speaks === undefined) {
    console.log(`${name.padEnd(10)}not installed`);
    continue;
  }
  const run = await runAgent(name, setup);
  console.log(`${name.padEnd(10)}${speaks.padEnd(10)}${lineOf(run)}`);
  if (run.exitCode === 0) continue;
  process.exitCode = 1;
  console.log(run.trajectories.map(({ message }) => message).join('\n'), run.stderr);
}

/** `protocol` or the headless format; undefined where the agent is not installed. */
function spokenBy(name: string): string | undefined {
  try {
    return findAgent(name).speaks;
  } catch {
    return undefined;
  }
}

function lineOf({ ms, exitCode, verdict, trajectories, requests, asides }: AgentRun): string {
  const agentMs = trajectories.reduce((sum, { duration_ms: duration }) => sum + duration, 0);
  const { input_tokens: input, output_tokens: output, cost_usd: cost } = trajectories[0]?.usage ?? {};
  const types = trajectories.flatMap(({ actions }) => actions.map(({ type }) => type)).join(', ');
  return [
    `${verdict?.status ?? 'no verdict'} (exit code ${exitCode})`,
    `${seconds(ms)} s wall, ${seconds(agentMs)} s in ${trajectories.length} attempts`,
    `${requests.length} model calls, ${asides} of them aside`,
    `${input} tokens in, ${output} out, cost ${cost?.toFixed(4) ?? 'not told'}`,
    types,
  ].join(' · ');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
