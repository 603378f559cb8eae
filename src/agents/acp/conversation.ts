import { methods, PROTOCOL_VERSION, RequestError, type ClientContext } from '@agentclientprotocol/sdk';
import { messageOf } from '../../errors.ts';
import { CAPABILITIES } from './services.ts';
import { readSignIns, type SignIn } from './sign-in.ts';
import { fieldsOf, listOf, textOf } from './tool-call.ts';

/** How far a conversation came. */
export type Phase = 'initialize' | 'session' | 'prompt';

/** How a conversation ended, as far as the agent said something. */
export type Ending =
  /** `stopReason` as the agent gave it; `response` is its whole last answer. */
  | { readonly kind: 'stopped'; readonly stopReason: string; readonly response: unknown }
  /** The agent refused to go on; signing in would help where `signIns` is given. */
  | {
      readonly kind: 'refused';
      readonly phase: Phase;
      readonly message: string;
      readonly signIns?: readonly SignIn[];
    }
  /** The connection broke. */
  | { readonly kind: 'broken'; readonly phase: Phase };

export interface Conversation {
  /** Talks to the end of the turn. Never rejects. */
  readonly ended: Promise<Ending>;
  phase(): Phase;
  /** Model that the agent says it uses; undefined where it does not say. */
  model(): string | undefined;
  /** Asks the agent to stop its turn. Never rejects. */
  cancel(): Promise<void>;
}

const AUTH_REQUIRED = -32000;

/** Starts a session in `cwd` and gives the agent the prompt. */
export function converse(options: {
  readonly agent: ClientContext;
  /** Aborts when the connection is gone. */
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

  const talk = async (): Promise<Ending> => {
    const hello = fieldsOf(
      await agent.request<unknown>(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: CAPABILITIES,
        clientInfo: { name: 'ralph', version: '1' },
      }),
    );
    if (hello['protocolVersion'] !== PROTOCOL_VERSION) {
      const version = JSON.stringify(hello['protocolVersion']) ?? 'none';
      return refused(`It speaks version ${version} of the protocol; version ${PROTOCOL_VERSION} is needed.`);
    }
    phase = 'session';
    const signIns = readSignIns(hello['authMethods'], options.env);
    const session = fieldsOf(await openSession(agent, cwd, signIns));
    sessionId = textOf(session['sessionId']);
    if (sessionId === undefined) return refused('It opened no session.');
    model = modelOf(session);
    options.onProgress(model === undefined ? 'the agent works' : `the agent works with ${model}`);
    phase = 'prompt';
    const response = await agent.request<unknown>(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: options.prompt }],
    });
    const stopReason = textOf(fieldsOf(response)['stopReason']) ?? 'end_turn';
    return { kind: 'stopped', stopReason, response };
  };
  const refused = (message: string): Ending => ({ kind: 'refused', phase, message });

  const ended = talk().catch((error: unknown): Ending => {
    if (error instanceof SignInNeeded) {
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
    async cancel() {
      if (sessionId === undefined || phase !== 'prompt') return;
      await agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
    },
  };
}

class SignInNeeded extends Error {
  readonly signIns: readonly SignIn[];

  constructor(message: string, signIns: readonly SignIn[]) {
    super(message);
    this.signIns = signIns;
  }
}

/** Signs in only where the agent asks for it, and where nobody has to be asked. */
async function openSession(agent: ClientContext, cwd: string, signIns: readonly SignIn[]): Promise<unknown> {
  const open = (): Promise<unknown> =>
    agent.request<unknown>(methods.agent.session.new, { cwd, mcpServers: [] });
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== AUTH_REQUIRED) throw error;
    const silent = signIns.find(({ isSilent }) => isSilent);
    if (silent === undefined) throw new SignInNeeded(describe(error), signIns);
    await agent.request<unknown>(methods.agent.authenticate, { methodId: silent.id });
    return open();
  }
}

function describe(error: unknown): string {
  if (!(error instanceof RequestError)) return messageOf(error);
  const { details, message, error: inner } = fieldsOf(error.data);
  const more = [textOf(error.data), textOf(details), textOf(message), textOf(inner)].find(
    (text) => text !== undefined && text !== '' && !error.message.includes(text),
  );
  return more === undefined ? error.message : `${error.message}: ${more}`;
}

/** Where agents tell their model: a setting of the category `model`, or the older list of models. */
function modelOf(session: Readonly<Record<string, unknown>>): string | undefined {
  const setting = listOf(session['configOptions'])
    .map(fieldsOf)
    .find(({ category, id }) => category === 'model' || id === 'model');
  return textOf(setting?.['currentValue']) ?? textOf(fieldsOf(session['models'])['currentModelId']);
}
