import type { Attributes } from '@opentelemetry/api';
import type { RunEvent } from '../events.ts';
import { version } from '../platform/version.ts';

/** The trace of one loop, sent to a collector of OpenTelemetry. */
export interface LoopTrace {
  /** Never throws. */
  readonly on: (event: RunEvent) => void;
  /** Sends what is left, for at most some seconds. Never rejects. */
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const CLOSE_TIMEOUT_MS = 5000;
const OFF: LoopTrace = { on: () => {}, close: () => Promise.resolve() };

/**
 * Opens a trace if a collector is configured by OpenTelemetry's own variables (`OTEL_EXPORTER_OTLP_ENDPOINT`, with
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and the others); else nothing is loaded and nothing is sent. A collector
 * that does not answer has no effect on the loop.
 */
export async function openTrace(env: Environment, attributes: Attributes = {}): Promise<LoopTrace> {
  if (!isTraced(env)) return OFF;
  const { TracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes, detectResources, envDetector } = await import('@opentelemetry/resources');
  const { createSpanRecorder } = await import('./record-spans.ts');
  const own = resourceFromAttributes({ 'service.name': 'ralph', 'service.version': version() });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ timeoutMillis: CLOSE_TIMEOUT_MS }) }),
    ],
  });
  const recorder = createSpanRecorder(provider.getTracer('ralph', version()), attributes);
  return {
    on: (event) => recorder.on(event),
    async close() {
      recorder.end();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}

function isTraced(env: Environment): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = env;
  return env['OTEL_SDK_DISABLED'] !== 'true' && [all, traces].some((url) => url !== undefined && url !== '');
}
