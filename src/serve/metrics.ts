import { sumUsage } from '../schema/usage.ts';
import type { FleetState } from './fleet-state.ts';
import type { ShownLoop } from './local-loops.ts';

/** One metric in Prometheus' text format. */
interface Metric {
  readonly name: string;
  readonly help: string;
  /** Value of each set of labels. */
  readonly samples: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

/** What is measured. */
export interface Measured {
  readonly loops: readonly ShownLoop[];
  /** Open streams of events. */
  readonly streams: number;
  /** The fleet, a sentence why it cannot be read, or undefined without one. */
  readonly fleet: FleetState | string | undefined;
}

/** Renders the numbers of loops, attempts, tokens, dollars, jobs and workers in Prometheus' text format 0.0.4. */
export function renderMetrics({ loops, streams, fleet }: Measured): string {
  const usage = sumUsage(loops.flatMap(({ state }) => state.verdict?.usage ?? []));
  const metrics: Metric[] = [
    {
      name: 'ralph_loops',
      help: 'Stored loops by status.',
      samples: countBy(loops.map(({ status }) => status)).map(([status, count]) => [{ status }, count]),
    },
    gauge(
      'ralph_attempts',
      'Finished attempts of the stored loops.',
      total(loops.map(({ state }) => state.iteration)),
    ),
    {
      name: 'ralph_tokens',
      help: 'Tokens of the loops that have ended.',
      samples: [
        [{ direction: 'input' }, usage.input_tokens],
        [{ direction: 'output' }, usage.output_tokens],
      ],
    },
    // Unknown where the price of some tokens is unknown.
    ...(usage.cost_usd === null
      ? []
      : [gauge('ralph_cost_dollars', 'US dollars of the loops that have ended.', usage.cost_usd)]),
    gauge('ralph_serve_streams', 'Open streams of events.', streams),
    ...(fleet === undefined
      ? []
      : [
          gauge(
            'ralph_fleet_up',
            '1 if the database of the fleet can be read.',
            typeof fleet === 'string' ? 0 : 1,
          ),
        ]),
    ...(fleet === undefined || typeof fleet === 'string' ? [] : fleetMetrics(fleet)),
  ];
  return metrics.map(renderMetric).join('');
}

function fleetMetrics({ counts, workers, pools }: FleetState): Metric[] {
  return [
    {
      name: 'ralph_fleet_jobs',
      help: 'Jobs by state.',
      samples: Object.entries(counts).map(([state, count]) => [{ state }, count]),
    },
    {
      name: 'ralph_fleet_workers',
      help: 'Workers by state.',
      samples: countBy(workers.map(({ state }) => state)).map(([state, count]) => [{ state }, count]),
    },
    {
      name: 'ralph_fleet_spent_dollars',
      help: 'US dollars spent of each budget.',
      samples: pools.map(({ kind, name, spent_usd: spent }) => [{ kind, name }, Number(spent)]),
    },
  ];
}

function gauge(name: string, help: string, value: number): Metric {
  return { name, help, samples: [[{}, value]] };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function countBy(values: readonly string[]): [string, number][] {
  return [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]);
}

function renderMetric({ name, help, samples }: Metric): string {
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
