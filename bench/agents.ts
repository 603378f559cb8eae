/**
 * `node bench/agents.ts [NAME…]`: real coding agents under `ralph run`, with a local scripted model that repairs the bug.
 * Runs those that are installed: opencode, qwen, gemini, claude, codex, pi. Needs `npm run build` and no key.
 *
 * Prints one line for each agent: the verdict, the wall time and the agent's share of it, model calls, tokens and cost as
 * reported by the agent, and its actions. Exits with 1 if a run was not verified.
 */
import { findAgent } from '../src/agents/acp/find-agent.ts';
import { plural } from '../src/platform/text/plural.ts';
import { runAgent, type AgentRun } from './agents/run-agent.ts';
import { SETUPS } from './agents/setups.ts';

const selected = process.argv.slice(2);
for (const [name, setup] of Object.entries(SETUPS)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  const protocol = protocolOf(name);
  if (protocol === undefined) {
    console.log(`${name.padEnd(10)}not installed`);
    continue;
  }
  const run = await runAgent(name, setup);
  console.log(`${name.padEnd(10)}${protocol.padEnd(10)}${renderRun(run)}`);
  if (run.exitCode === 0) continue;
  process.exitCode = 1;
  console.log(run.trajectories.map(({ message }) => message).join('\n'), run.stderr);
}

/** `protocol` or the name of the agent's headless format; undefined if the agent is not installed. */
function protocolOf(name: string): string | undefined {
  try {
    return findAgent(name).speaks;
  } catch {
    return undefined;
  }
}

function renderRun({ ms, exitCode, verdict, trajectories, requests, unscripted }: AgentRun): string {
  const agentMs = trajectories.reduce((sum, { duration_ms: duration }) => sum + duration, 0);
  const { input_tokens: input, output_tokens: output, cost_usd: cost } = trajectories[0]?.usage ?? {};
  const types = trajectories.flatMap(({ actions }) => actions.map(({ type }) => type)).join(', ');
  return [
    `${verdict?.status ?? 'no verdict'} (exit code ${exitCode})`,
    `${seconds(ms)} s wall time, ${seconds(agentMs)} s in ${plural(trajectories.length, 'attempt')}`,
    `${plural(requests.length, 'model call')}, ${unscripted} of them not in the script`,
    `${input} tokens in, ${output} out, cost ${cost?.toFixed(4) ?? 'not reported'}`,
    types,
  ].join(' · ');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
