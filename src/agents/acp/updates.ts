import { fieldsOf, listOf, textOf } from './tool-call.ts';
import { amountOf, tokensOf, type UsageMeter } from './usage-meter.ts';
import type { WorkLog } from './work-log.ts';

export interface UpdateListeners {
  readonly log: WorkLog;
  readonly meter: UsageMeter;
  readonly onProgress: (text: string) => void;
}

/** Takes in one `session/update`, unchecked. Kinds that are not known are left alone. */
export function takeUpdate(params: unknown, { log, meter, onProgress }: UpdateListeners): void {
  const update = fieldsOf(fieldsOf(params)['update']);
  const callTokens = tokensOf(fieldsOf(update['_meta'])['usage']);
  if (callTokens !== undefined) meter.addCall(callTokens);
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
      return log.says(textOf(fieldsOf(update['content'])['text']) ?? '', textOf(update['messageId']));
    case 'tool_call':
    case 'tool_call_update':
      return void log.hears(update);
    case 'plan':
      return tellPlan(update['entries'], onProgress);
    case 'usage_update':
      return takeCost(update['cost'], meter);
  }
}

/** Takes in the answer to the prompt, which is where agents tell what the whole turn took. */
export function takeTurnUsage(response: unknown, meter: UsageMeter): void {
  const { usage, _meta } = fieldsOf(response);
  const { usage: otherUsage, quota } = fieldsOf(_meta);
  const tokens = tokensOf(usage) ?? tokensOf(otherUsage) ?? tokensOf(fieldsOf(quota)['token_count']);
  if (tokens !== undefined) meter.setTotal(tokens);
}

function tellPlan(entries: unknown, onProgress: (text: string) => void): void {
  const current = listOf(entries)
    .map(fieldsOf)
    .find(({ status }) => status === 'in_progress');
  const content = textOf(current?.['content']);
  if (content !== undefined) onProgress(content.slice(0, 200));
}

function takeCost(cost: unknown, meter: UsageMeter): void {
  const { amount, currency } = fieldsOf(cost);
  const usd = amountOf(amount);
  if (usd !== undefined && currency === 'USD') meter.setCost(usd);
}
