import { fieldsOf, listOf, stringOf } from './tool-call.ts';
import { amountOf, tokensOf, type UsageMeter } from './usage-meter.ts';
import type { ActionLog } from './action-log.ts';

export interface UpdateListeners {
  readonly log: ActionLog;
  readonly meter: UsageMeter;
  readonly onProgress: (text: string) => void;
}

/** Applies one unchecked `session/update` to log and meter; unknown kinds are ignored. */
export function applyUpdate(params: unknown, { log, meter, onProgress }: UpdateListeners): void {
  const update = fieldsOf(fieldsOf(params)['update']);
  const callTokens = tokensOf(fieldsOf(update['_meta'])['usage']);
  if (callTokens !== undefined) meter.addCall(callTokens);
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
      return log.addText(stringOf(fieldsOf(update['content'])['text']) ?? '', stringOf(update['messageId']));
    case 'tool_call':
    case 'tool_call_update':
      return void log.updateCall(update);
    case 'plan':
      return reportPlan(update['entries'], onProgress);
    case 'usage_update':
      return applyCost(update['cost'], meter);
  }
}

/** Applies the usage of the whole turn, which agents report in the answer to the prompt. */
export function applyTurnUsage(response: unknown, meter: UsageMeter): void {
  const { usage, _meta } = fieldsOf(response);
  const { usage: otherUsage, quota } = fieldsOf(_meta);
  const tokens = tokensOf(usage) ?? tokensOf(otherUsage) ?? tokensOf(fieldsOf(quota)['token_count']);
  if (tokens !== undefined) meter.setTotal(tokens);
}

function reportPlan(entries: unknown, onProgress: (text: string) => void): void {
  const current = listOf(entries)
    .map(fieldsOf)
    .find(({ status }) => status === 'in_progress');
  const content = stringOf(current?.['content']);
  if (content !== undefined) onProgress(content.slice(0, 200));
}

function applyCost(cost: unknown, meter: UsageMeter): void {
  const { amount, currency } = fieldsOf(cost);
  const usd = amountOf(amount);
  if (usd !== undefined && currency === 'USD') meter.setCost(usd);
}
