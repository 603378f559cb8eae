import type { HeadlessFormat } from './agents.ts';
import { fieldsOf, listOf, stringOf } from './tool-call.ts';
import { amountOf, countOf, tokensOf, type UsageMeter } from './usage-meter.ts';
import type { ActionLog } from './action-log.ts';

/** The end of a headless run as far as the agent reported it. */
export interface HeadlessResult {
  /** The agent's error message. */
  failure: string | undefined;
  /** A stop reason of the Agent Client Protocol. */
  stopReason: string | undefined;
  /** What the agent waits for, in its words, as of the last line; undefined if it goes on. */
  waitsFor?: string | undefined;
}

export interface HeadlessSink {
  readonly log: ActionLog;
  readonly meter: UsageMeter;
  readonly result: HeadlessResult;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads one line of output; missing and unknown fields are ignored. */
type HeadlessReader = (line: Fields, sink: HeadlessSink) => void;

/** The readers of `claude --output-format stream-json`, `codex exec --json`, `pi --mode json` and `cline --json`. */
export const HEADLESS_READERS: Readonly<Record<HeadlessFormat, HeadlessReader>> = {
  claude: readClaude,
  codex: readCodex,
  pi: readPi,
  cline: readCline,
};

/** Tool kinds of the Agent Client Protocol by Claude's tool names. */
const CLAUDE_KINDS: Readonly<Record<string, string>> = {
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Read: 'read',
  LS: 'read',
  Glob: 'search',
  Grep: 'search',
  Bash: 'execute',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
};
const PI_KINDS: Readonly<Record<string, string>> = {
  edit: 'edit',
  write: 'edit',
  bash: 'execute',
  read: 'read',
  ls: 'read',
  grep: 'search',
  find: 'search',
};

function readClaude(line: Fields, { log, meter, result }: HeadlessSink): void {
  const content = listOf(fieldsOf(line['message'])['content']).map(fieldsOf);
  if (line['type'] === 'assistant') {
    for (const { type, text, id, name, input } of content) {
      if (type === 'text') log.addText(stringOf(text) ?? '');
      if (type === 'tool_use') log.updateCall(toolCall(stringOf(id), stringOf(name), input, CLAUDE_KINDS));
    }
    log.endMessage();
  }
  if (line['type'] === 'user') {
    for (const { type, tool_use_id: id, is_error: isError } of content) {
      if (type === 'tool_result')
        log.updateCall({ toolCallId: id, status: isError === true ? 'failed' : 'completed' });
    }
  }
  if (line['type'] !== 'result') return;
  const tokens = tokensOf(line['usage']);
  if (tokens !== undefined) meter.setTotal(tokens);
  const cost = amountOf(line['total_cost_usd']);
  if (cost !== undefined) meter.setCost(cost);
  if (line['subtype'] === 'error_max_turns') result.stopReason = 'max_turn_requests';
  else if (line['is_error'] === true)
    result.failure = stringOf(line['result']) ?? String(line['subtype'] ?? 'error');
  else result.stopReason = 'end_turn';
}

function readCodex(line: Fields, { log, meter, result }: HeadlessSink): void {
  const item = fieldsOf(line['item']);
  // It reports each attempt to reach its model as an error, and goes on.
  result.waitsFor = line['type'] === 'error' ? stringOf(line['message']) : undefined;
  if (line['type'] === 'item.completed' && item['type'] === 'agent_message') {
    log.addText(stringOf(item['text']) ?? '');
    log.endMessage();
  } else if (line['type'] === 'item.started' || line['type'] === 'item.completed') {
    log.updateCall(codexCall(item, line['type'] === 'item.completed'));
  }
  if (line['type'] === 'turn.failed') {
    result.failure = stringOf(fieldsOf(line['error'])['message']) ?? 'the turn failed';
  }
  if (line['type'] !== 'turn.completed') return;
  result.stopReason = 'end_turn';
  const usage = line['usage'];
  meter.setTotal({
    input: countOf(usage, 'input_tokens') ?? 0,
    output: countOf(usage, 'output_tokens') ?? 0,
    cached: countOf(usage, 'cached_input_tokens') ?? 0,
  });
}

function codexCall(
  { id, type, command, changes, status, exit_code: exitCode }: Fields,
  isFinished: boolean,
): unknown {
  const finalStatus =
    status === 'failed' || (typeof exitCode === 'number' && exitCode !== 0) ? 'failed' : 'completed';
  const call = { toolCallId: id, status: isFinished ? finalStatus : 'in_progress' };
  if (type === 'command_execution')
    return { ...call, kind: 'execute', title: command, rawInput: { command } };
  if (type !== 'file_change') return undefined;
  const files = listOf(changes).map(fieldsOf);
  const kind = files.length > 0 && files.every((file) => file['kind'] === 'delete') ? 'delete' : 'edit';
  const locations = files.map(({ path }) => ({ path }));
  return { ...call, kind, title: `Changed ${files.map(({ path }) => String(path)).join(', ')}`, locations };
}

function readPi(line: Fields, { log, meter, result }: HeadlessSink): void {
  const { type, toolCallId, toolName, args, isError } = line;
  if (type === 'tool_execution_start')
    log.updateCall(toolCall(stringOf(toolCallId), stringOf(toolName), args, PI_KINDS));
  if (type === 'tool_execution_end') {
    log.updateCall({ toolCallId, status: isError === true ? 'failed' : 'completed' });
  }
  const { role, content, usage, stopReason, errorMessage } = fieldsOf(line['message']);
  if (type !== 'message_end' || role !== 'assistant') return;
  for (const part of listOf(content).map(fieldsOf))
    if (part['type'] === 'text') log.addText(stringOf(part['text']) ?? '');
  log.endMessage();
  const cached = countOf(usage, 'cacheRead') ?? 0;
  const input = (countOf(usage, 'input') ?? 0) + cached + (countOf(usage, 'cacheWrite') ?? 0);
  meter.addCall({ input, output: countOf(usage, 'output') ?? 0, cached });
  const cost = amountOf(fieldsOf(fieldsOf(usage)['cost'])['total']);
  if (cost !== undefined) meter.addCost(cost);
  result.failure = stopReason === 'error' ? (stringOf(errorMessage) ?? 'the model failed') : undefined;
  result.stopReason = stopReason === 'length' ? 'max_tokens' : undefined;
}

const CLINE_KINDS: Readonly<Record<string, string>> = {
  editor: 'edit',
  apply_patch: 'edit',
  run_commands: 'execute',
  read_files: 'read',
  search_codebase: 'search',
  fetch_web_content: 'fetch',
};

function readCline(line: Fields, { log, meter, result }: HeadlessSink): void {
  if (line['type'] === 'agent_event') readClineEvent(fieldsOf(line['event']), log);
  if (line['type'] === 'error') result.failure = stringOf(line['message']) ?? 'the session failed';
  if (line['type'] !== 'run_result') return;
  const usage = line['aggregateUsage'] ?? line['usage'];
  const [cached, written] = [countOf(usage, 'cacheReadTokens') ?? 0, countOf(usage, 'cacheWriteTokens') ?? 0];
  const input = countOf(usage, 'inputTokens') ?? 0;
  meter.setTotal({
    // Models of some providers count cached tokens as input, those of others beside it.
    input: Math.max(input, cached + written),
    output: countOf(usage, 'outputTokens') ?? 0,
    cached,
  });
  const cost = amountOf(fieldsOf(usage)['totalCost']);
  if (cost !== undefined) meter.setCost(cost);
  const reason = stringOf(line['finishReason']);
  if (reason === 'error') result.failure = stringOf(line['text']) ?? 'the session failed';
  else result.stopReason = reason === 'completed' ? 'end_turn' : (reason ?? 'end_turn');
}

function readClineEvent(
  { type, contentType, text, toolName, toolCallId, input, output }: Fields,
  log: ActionLog,
): void {
  if (type === 'content_end' && contentType === 'text') {
    log.addText(stringOf(text) ?? '');
    log.endMessage();
  }
  if (contentType !== 'tool') return;
  if (type === 'content_start') {
    const commands = fieldsOf(input)['commands'];
    const command = listOf(commands).filter((one) => typeof one === 'string');
    const { path, old_text: oldText, new_text: newText } = fieldsOf(input);
    const own = { path, old_string: oldText, new_string: newText };
    const given = command.length > 0 ? { command: command.join(' && ') } : own;
    log.updateCall(toolCall(stringOf(toolCallId), stringOf(toolName), given, CLINE_KINDS));
  }
  if (type === 'content_end') {
    const isFailed = listOf(output).some((one) => fieldsOf(one)['success'] === false);
    log.updateCall({ toolCallId, status: isFailed ? 'failed' : 'completed' });
  }
}

/** A call of a named tool in the form of the protocol's `tool_call` update. */
function toolCall(
  id: string | undefined,
  name: string | undefined,
  input: unknown,
  kinds: Readonly<Record<string, string>>,
): unknown {
  const { file_path: filePath, path, command, old_string: oldText, new_string: newText } = fieldsOf(input);
  const file = stringOf(filePath) ?? stringOf(path);
  const isEdit = file !== undefined && typeof oldText === 'string' && typeof newText === 'string';
  return {
    toolCallId: id,
    title: [name, stringOf(command) ?? file].filter((part) => part !== undefined).join(' '),
    kind: kinds[name ?? ''] ?? 'other',
    status: 'in_progress',
    rawInput: input,
    content: isEdit ? [{ type: 'diff', path: file, oldText, newText }] : undefined,
  };
}
