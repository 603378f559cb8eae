import { Chalk } from 'chalk';
import type { RunEvent } from '../../../src/events.ts';
import { fitLine } from '../../../src/report/live/fit.ts';
import { renderBlock } from '../../../src/report/live/render-block.ts';
import { RunModel } from '../../../src/report/live/run-model.ts';
import { createTerminalReporter } from '../../../src/report/terminal.ts';
import { NO_USAGE } from '../../../src/schema/usage.ts';
import { printable, printableColoured, printableJson } from '../../../src/platform/text/printable.ts';
import type { Row } from '../suite.ts';
import { rowOf, type Trial } from './row.ts';
import { dangerIn, HARMLESS_SAMPLES, TERMINAL_SAMPLES } from './terminal-samples.ts';

/** Shows dangerous text in every kind of output. Tests replace `show` by a function without effect. */
export function tryTerminal(show: (text: string) => string = printable): Row {
  const trials = Object.entries(TERMINAL_SAMPLES).flatMap(([name, sample]): Trial[] => {
    const shown = show(sample);
    const json = printableJson({ text: sample }, 2);
    return [
      { name, held: dangerIn(shown) === undefined && shown !== sample && show(shown) === shown },
      {
        name: `${name}, in a coloured line`,
        held: dangerIn(withoutColours(printableColoured(sample))) === undefined,
      },
      { name: `${name}, in JSON`, held: dangerIn(json) === undefined && sameText(json, sample) },
      { name: `${name}, in the events of a run`, held: dangerIn(reported(sample)) === undefined },
    ];
  });
  const plain = HARMLESS_SAMPLES.map((text): Trial => ({ name: text, held: show(text) === text }));
  return rowOf('terminal escapes and invisible characters: shown escaped', [...trials, ...plain]);
}

function sameText(json: string, text: string): boolean {
  return (JSON.parse(json) as { text: string }).text === text;
}

function withoutColours(text: string): string {
  return text.replaceAll(new RegExp(`${'\u001B'}\\[[\\d;]*m`, 'g'), '');
}

/** Terminal output of events whose texts are all `text`. */
function reported(text: string): string {
  let out = '';
  const chalk = new Chalk({ level: 0 });
  const model = new RunModel(0);
  const reporter = createTerminalReporter({
    chalk,
    screen: {
      print: (line) => void (out += `${fitLine(line, 80)}\n${line.head}${line.text}\n`),
      release: (use) => use(),
      close: () => {},
    },
    live: {
      on(event) {
        model.on(event, 0);
        out += `${renderBlock(model, { columns: 80, rows: 24, chalk, nowMs: 1000 }).join('\n')}\n`;
      },
    },
    verbose: true,
  });
  const action = { type: 'command_execution', description: text, command: text, file_path: text } as const;
  const checks = [{ name: text, tool: 'command', version: text }];
  const events: readonly object[] = [
    {
      type: 'loop_started',
      loopId: text,
      task: text,
      actor: text,
      model: text,
      workspace: text,
      project: { checks },
      limits: {},
      maxIterations: 2,
    },
    { type: 'memory_recalled', iteration: 1, lessons: [{ text }], insights: 0, playbook: false },
    { type: 'progress', text },
    { type: 'model_text', model: text, text: `${text}\n` },
    { type: 'model_retry', model: text, attempt: 1, delayMs: 1, reason: text },
    { type: 'model_fallback', from: text, to: text, reason: text },
    { type: 'action', action },
    {
      type: 'actor_finished',
      iteration: 1,
      trajectory: { actions: [action], message: text, strategy: text, usage: NO_USAGE },
    },
    { type: 'tampering_found', iteration: 1, tampering: [{ kind: 'restored', file: text, detail: text }] },
    { type: 'warning', text },
    { type: 'delivered', outcome: { applied: 'branch', conflict: true, message: text } },
  ];
  for (const event of events) reporter.on(event as RunEvent);
  return out;
}
