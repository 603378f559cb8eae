import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { RunEvent } from '../events.ts';
import type { Usage } from '../schema/generated.ts';

/** Turns the events of one loop into spans. */
export interface SpanRecorder {
  /** Never throws. */
  on(event: RunEvent): void;
  /** Ends every open span, for a loop that was given up. */
  end(): void;
}

type Phase = 'baseline' | 'attempt' | 'act' | 'evaluate' | 'reflect';

/**
 * Spans of a loop: `ralph.loop` has `ralph.baseline` and one `ralph.attempt` each, which has `ralph.act`,
 * `ralph.evaluate` and `ralph.reflect`. Checks and calls of a model belong to the innermost phase. Names and attributes of
 * calls are those of OpenTelemetry's GenAI conventions. No task, code, prompt or answer is recorded.
 */
export function createSpanRecorder(tracer: Tracer, attributes: Attributes = {}): SpanRecorder {
  let loop: Span | undefined;
  const open = new Map<Phase, Span>();

  const parent = (phase?: Phase): Span | undefined => {
    const within: readonly Phase[] =
      phase === 'attempt' || phase === 'baseline'
        ? []
        : phase === undefined
          ? ['reflect', 'evaluate', 'act', 'attempt', 'baseline']
          : ['attempt'];
    return within.map((name) => open.get(name)).find((span) => span !== undefined) ?? loop;
  };
  const start = (phase: Phase, values: Attributes = {}): void => {
    end(phase);
    open.set(phase, tracer.startSpan(`ralph.${phase}`, { attributes: values }, within(parent(phase))));
  };
  const end = (phase: Phase, values: Attributes = {}): void => {
    const span = open.get(phase);
    span?.setAttributes(values).end();
    open.delete(phase);
  };
  const endAttempt = (): void =>
    (['reflect', 'evaluate', 'act', 'attempt'] as const).forEach((phase) => end(phase));
  /** A span that ends now and began `durationMs` ago. */
  const past = (
    name: string,
    durationMs: number,
    options: { kind?: SpanKind; attributes: Attributes },
  ): Span => {
    const span = tracer.startSpan(name, { ...options, startTime: Date.now() - durationMs }, within(parent()));
    span.end();
    return span;
  };

  const record = (event: RunEvent): void => {
    switch (event.type) {
      case 'loop_started': {
        const { loopId, actor, model, resumed, maxIterations } = event;
        loop ??= tracer.startSpan('ralph.loop', {
          attributes: {
            ...attributes,
            ...{ 'ralph.loop.id': loopId, 'ralph.actor': actor, 'ralph.loop.resumed': resumed },
            ...{ 'ralph.loop.max_iterations': maxIterations },
            ...(model === undefined ? {} : modelAttributes(model)),
          },
        });
        return;
      }
      case 'baseline_started':
        return start('baseline');
      case 'baseline_evaluated':
        return end('baseline', { 'ralph.reward': event.evaluation.reward });
      case 'attempt_started':
        endAttempt();
        start('attempt', { 'ralph.attempt.iteration': event.iteration });
        return start('act');
      case 'actor_finished':
        return end('act', { 'ralph.attempt.outcome': event.trajectory.outcome });
      case 'evaluation_started':
        end('act');
        return start('evaluate', { 'ralph.evaluation.confirm': event.confirm });
      case 'attempt_evaluated': {
        const { reward, passed } = event.evaluation;
        const result = { 'ralph.reward': reward, 'ralph.attempt.passed': passed };
        end('evaluate', result);
        open.get('attempt')?.setAttributes(result);
        return passed ? undefined : start('reflect');
      }
      case 'reflection_written':
        return end('reflect', { 'ralph.reflector': event.reflection.reflector.name });
      case 'check_finished': {
        const { name, status, duration_ms: durationMs } = event.check;
        return void past('ralph.check', durationMs, {
          attributes: { 'ralph.check.name': name, 'ralph.check.status': status },
        });
      }
      case 'model_called':
        return void past(`chat ${modelName(event.model)}`, event.durationMs, {
          kind: SpanKind.CLIENT,
          attributes: {
            'gen_ai.operation.name': 'chat',
            ...modelAttributes(event.model),
            ...usageAttributes(event.usage),
          },
        });
      case 'model_retry':
        return void parent()?.addEvent('gen_ai.retry', {
          ...modelAttributes(event.model),
          'ralph.retry.attempt': event.attempt,
        });
      case 'loop_finished': {
        const { status, verified, reward, usage } = event.verdict;
        loop?.setAttributes({
          ...{ 'ralph.loop.status': status, 'ralph.loop.verified': verified, 'ralph.reward': reward },
          ...usageAttributes(usage),
        });
        return endAll();
      }
      case 'loop_failed':
        loop?.setStatus({ code: SpanStatusCode.ERROR });
        return endAll();
      default:
    }
  };
  const endAll = (): void => {
    endAttempt();
    end('baseline');
    loop?.end();
    loop = undefined;
  };
  return {
    on(event) {
      try {
        record(event);
      } catch {
        // A trace never ends a loop.
      }
    },
    end: endAll,
  };
}

function within(parent: Span | undefined): Context {
  return parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
}

/** `openai/gpt-5` → its provider and model. */
function modelAttributes(model: string): Attributes {
  const at = model.indexOf('/');
  return {
    ...(at === -1 ? {} : { 'gen_ai.provider.name': model.slice(0, at) }),
    'gen_ai.request.model': modelName(model),
  };
}

function modelName(model: string): string {
  return model.slice(model.indexOf('/') + 1);
}

function usageAttributes({ input_tokens, output_tokens, cost_usd }: Usage): Attributes {
  return {
    'gen_ai.usage.input_tokens': input_tokens,
    'gen_ai.usage.output_tokens': output_tokens,
    ...(cost_usd === null ? {} : { 'ralph.usage.cost_usd': cost_usd }),
  };
}
