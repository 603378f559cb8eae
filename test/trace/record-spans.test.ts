import { BatchSpanProcessor, InMemorySpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import { createSpanRecorder } from '../../src/trace/record-spans.ts';

const USAGE = { input_tokens: 120, output_tokens: 8, cached_input_tokens: 0, cost_usd: 0.01 };

describe('the span of a model call', () => {
  it('has the names of the GenAI conventions, its duration, and the phase that called', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
    const recorder = createSpanRecorder(provider.getTracer('test'), { 'ralph.job.id': 'one' });
    const events = [
      { type: 'loop_started', loopId: 'ralph-one', actor: 'react', model: 'openai/gpt-5', resumed: false },
      { type: 'attempt_started', iteration: 1, window: [] },
      { type: 'model_called', model: 'openai/gpt-5', usage: USAGE, durationMs: 1500 },
      { type: 'loop_failed', message: 'The key was refused.' },
    ];
    for (const event of events) recorder.on(event as unknown as RunEvent);
    await provider.forceFlush();
    const spans = exporter.getFinishedSpans();
    const named = (name: string) => spans.find((span) => span.name === name)!;
    const call = named('chat gpt-5');
    expect(call.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.usage.input_tokens': 120,
      'gen_ai.usage.output_tokens': 8,
      'ralph.usage.cost_usd': 0.01,
    });
    expect(call.duration[0] + call.duration[1] / 1e9).toBeCloseTo(1.5, 1);
    expect(call.parentSpanContext?.spanId).toBe(named('ralph.act').spanContext().spanId);
    expect(named('ralph.loop')).toMatchObject({ status: { code: 2 }, attributes: { 'ralph.job.id': 'one' } });
  });
});
