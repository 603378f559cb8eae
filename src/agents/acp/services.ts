import { client, methods, type ClientApp } from '@agentclientprotocol/sdk';
import type { WorkEvent } from '../../events.ts';
import { readTextFile, writeTextFile } from './files.ts';
import { decidePermission } from './permissions.ts';
import { commandLineOf, type Terminals } from './terminals.ts';
import type { ActionLog } from './action-log.ts';
import type { WorkspaceScope } from './workspace-scope.ts';

/** The client capabilities sent in `initialize`. */
export const CAPABILITIES = { fs: { readTextFile: true, writeTextFile: true }, terminal: true } as const;

const MAX_WARNINGS = 20;

export interface Services {
  readonly scope: WorkspaceScope;
  readonly terminals: Terminals;
  readonly log: ActionLog;
  /** Whether the attempt is being ended: permission requests are then answered with "cancelled". */
  readonly isEnding: () => boolean;
  readonly onWork: (event: WorkEvent) => void;
}

/** Creates the client that answers an agent's requests: permissions, files and terminals of the workspace. */
export function createServices(services: Services): ClientApp {
  const { scope, terminals, log } = services;
  const warn = createRefusalWarning(services);
  return client({ name: 'ralph' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      const call = log.updateCall(params.toolCall);
      const { reason, optionId } = decidePermission(call, params.options, scope);
      if (reason !== '') warn(reason);
      if (services.isEnding() || optionId === undefined) return { outcome: { outcome: 'cancelled' } };
      return { outcome: { outcome: 'selected', optionId } };
    })
    .onRequest(methods.client.fs.readTextFile, async ({ params }) => ({
      content: await readTextFile(scope, params),
    }))
    .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
      log.addWrite(await writeTextFile(scope, params));
      return {};
    })
    .onRequest(methods.client.terminal.create, ({ params }) => {
      const terminalId = terminals.create(params);
      void terminals
        .waitForExit(terminalId)
        .then((exit) => log.addCommand(commandLineOf(params), endingOf(exit)));
      return { terminalId };
    })
    .onRequest(methods.client.terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(methods.client.terminal.waitForExit, ({ params }) => terminals.waitForExit(params.terminalId))
    .onRequest(methods.client.terminal.kill, async ({ params }) => {
      await terminals.kill(params.terminalId);
      return {};
    })
    .onRequest(methods.client.terminal.release, async ({ params }) => {
      await terminals.release(params.terminalId);
      return {};
    });
}

function endingOf({ exitCode, signal }: { exitCode?: number | null; signal?: string | null }): string {
  return typeof exitCode === 'number' ? `exit code ${exitCode}` : `ended by ${signal ?? 'a signal'}`;
}

/** Reports each refusal once, and at most MAX_WARNINGS of them. */
function createRefusalWarning({ onWork }: Services): (reason: string) => void {
  const reported = new Set<string>();
  return (reason) => {
    if (reported.has(reason) || reported.size >= MAX_WARNINGS) return;
    reported.add(reason);
    onWork({ type: 'warning', text: `A request of the agent was refused: ${reason}.` });
  };
}
