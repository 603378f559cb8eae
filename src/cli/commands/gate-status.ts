import { openSessionStore } from '../../gate/session-store.ts';
import { plural } from '../../platform/text/plural.ts';
import { printable } from '../../platform/text/printable.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { GateSession } from '../../schema/generated.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** `ralph gate status`: the sessions that the gate watches, the one that was used last first. */
export function gateStatusCommand(options: OutputOptions): void {
  const sessions = openSessionStore(findRepositoryRoot(process.cwd())).list();
  printResult(options, sessions, (chalk) =>
    sessions.length === 0
      ? [
          'The gate watches no session. Start one: ralph gate start, or let your agent do it: ralph init --hooks claude',
        ]
      : sessions.map((session) => `${chalk.bold(printable(session.session))}  ${describe(session)}`),
  );
}

function describe({ agent, started_at: since, checks, last }: GateSession): string {
  const time = since.replace('T', ' ').slice(0, 16);
  const result = last === undefined ? 'not checked yet' : last.passed ? 'passed' : 'not done';
  return `${printable(agent)}, since ${time} UTC, ${plural(checks, 'check')}, ${result}`;
}
