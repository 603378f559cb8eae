import { runProcess } from '../../platform/processes/process.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import type { ProgramCall } from './agents.ts';
import { fieldsOf } from './tool-call.ts';
import { countOf, type Tokens } from './usage-meter.ts';

const TIMEOUT_MS = 60_000;
const KEEP_BYTES = 2 ** 26;

interface ExportRequest {
  readonly sessionId: string;
  /** Absolute path of the folder in which the session was. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * The tokens of every model call of a finished session, from `opencode export`: over the protocol, it reports those of the last
 * call only. Undefined if there is no such session or nothing can be read. Never rejects.
 */
export async function exportedTokens(
  { file, args }: ProgramCall,
  { sessionId, ...where }: ExportRequest,
): Promise<Tokens | undefined> {
  try {
    const limits = { timeoutMs: TIMEOUT_MS, keepBytes: KEEP_BYTES };
    const { stdout } = await runProcess({ file, args: [...args, sessionId], ...where, ...limits });
    return tokensOfSession(parseBoundedJson(stdout.slice(stdout.indexOf('{'))));
  } catch {
    return undefined;
  }
}

/** The sum that opencode keeps with a session; cached tokens are beside its input. */
function tokensOfSession(session: unknown): Tokens | undefined {
  const tokens = fieldsOf(fieldsOf(session)['info'])['tokens'];
  const [input, output] = [countOf(tokens, 'input'), countOf(tokens, 'output')];
  if (input === undefined || output === undefined) return undefined;
  const cache = fieldsOf(tokens)['cache'];
  const cached = countOf(cache, 'read') ?? 0;
  return {
    input: input + cached + (countOf(cache, 'write') ?? 0),
    output: output + (countOf(tokens, 'reasoning') ?? 0),
    cached,
  };
}
