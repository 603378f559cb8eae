import { methods, PROTOCOL_VERSION, RequestError, type ClientContext } from '@agentclientprotocol/sdk';
import { messageOf } from '../../errors.ts';
import { CAPABILITIES } from './services.ts';
import { readSignIns, type SignIn } from './sign-in.ts';
import { fieldsOf, listOf, stringOf } from './tool-call.ts';

/** The step that a conversation has reached. */
export type Phase = 'initialize' | 'session' | 'prompt';

/** The end of a conversation as seen on the connection. */
export type Ending =
  /** `stopReason` as sent by the agent; `response` is the complete answer to the prompt. */
  | { readonly kind: 'stopped'; readonly stopReason: string; readonly response: unknown }
  /** The agent answered with an error; `signIns` is set if it requires signing in. */
  | {
      readonly kind: 'refused';
      readonly phase: Phase;
      readonly message: string;
      readonly signIns?: readonly SignIn[];
    }
  /** The connection broke. */
  | { readonly kind: 'broken'; readonly phase: Phase };

export interface Conversation {
  /** Resolves at the end of the turn. Never rejects. */
  readonly ended: Promise<Ending>;
  phase(): Phase;
  /** The model reported by the agent, if any. */
  model(): string | undefined;
  /** The agent's id of the session; undefined before there is one. */
  sessionId(): string | undefined;
  /** Asks the agent to stop its turn. Never rejects. */
  cancel(): Promise<void>;
}

const AUTH_REQUIRED = -32000;

/** Starts a session in `cwd` and sends the prompt. */
export function converse(options: {
  readonly agent: ClientContext;
  /** Aborts when the connection is closed. */
  readonly connection: AbortSignal;
  readonly cwd: string;
  readonly prompt: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onProgress: (text: string) => void;
}): Conversation {
  const { agent, connection, cwd } = options;
  let phase: Phase = 'initialize';
  let sessionId: string | undefined;
  let model: string | undefined;

  const runTurn = async (): Promise<Ending> => {
    const initialized = fieldsOf(
      await agent.request<unknown>(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: CAPABILITIES,
        clientInfo: { name: 'ralph', version: '1' },
      }),
    );
    if (initialized['protocolVersion'] !== PROTOCOL_VERSION) {
      const version = JSON.stringify(initialized['protocolVersion']) ?? 'none';
      return refused(`It uses version ${version} of the protocol; version ${PROTOCOL_VERSION} is required.`);
    }
    phase = 'session';
    const signIns = readSignIns(initialized['authMethods'], options.env);
    const session = fieldsOf(await openSession(agent, cwd, signIns));
    sessionId = stringOf(session['sessionId']);
    if (sessionId === undefined) return refused('It opened no session.');
    model = modelOf(session);
    options.onProgress(model === undefined ? 'the agent is working' : `the agent is working with ${model}`);
    phase = 'prompt';
    const response = await agent.request<unknown>(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: options.prompt }],
    });
    const stopReason = stringOf(fieldsOf(response)['stopReason']) ?? 'end_turn';
    return { kind: 'stopped', stopReason, response };
  };
  const refused = (message: string): Ending => ({ kind: 'refused', phase, message });

  const ended = runTurn().catch((error: unknown): Ending => {
    if (error instanceof SignInRequired) {
      return { kind: 'refused', phase, message: error.message, signIns: error.signIns };
    }
    return connection.aborted && !(error instanceof RequestError)
      ? { kind: 'broken', phase }
      : refused(describe(error));
  });
  return {
    ended,
    phase: () => phase,
    model: () => model,
    sessionId: () => sessionId,
    async cancel() {
      if (sessionId === undefined || phase !== 'prompt') return;
      await agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
    },
  };
}

class SignInRequired extends Error {
  readonly signIns: readonly SignIn[];

  constructor(message: string, signIns: readonly SignIn[]) {
    super(message);
    this.signIns = signIns;
  }
}

/** Opens a session; signs in if the agent requires it and a key is in the environment. */
async function openSession(agent: ClientContext, cwd: string, signIns: readonly SignIn[]): Promise<unknown> {
  const open = (): Promise<unknown> =>
    agent.request<unknown>(methods.agent.session.new, { cwd, mcpServers: [] });
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== AUTH_REQUIRED) throw error;
    const silent = signIns.find(({ isSilent }) => isSilent);
    if (silent === undefined) throw new SignInRequired(describe(error), signIns);
    await agent.request<unknown>(methods.agent.authenticate, { methodId: silent.id });
    return open();
  }
}

function describe(error: unknown): string {
  if (!(error instanceof RequestError)) return messageOf(error);
  const { details, message, error: inner } = fieldsOf(error.data);
  const more = [stringOf(error.data), stringOf(details), stringOf(message), stringOf(inner)].find(
    (text) => text !== undefined && text !== '' && !error.message.includes(text),
  );
  return more === undefined ? error.message : `${error.message}: ${more}`;
}

/** The model of a session: the option of the category `model`, or the current one in the older list of models. */
function modelOf(session: Readonly<Record<string, unknown>>): string | undefined {
  const setting = listOf(session['configOptions'])
    .map(fieldsOf)
    .find(({ category, id }) => category === 'model' || id === 'model');
  return stringOf(setting?.['currentValue']) ?? stringOf(fieldsOf(session['models'])['currentModelId']);
}
