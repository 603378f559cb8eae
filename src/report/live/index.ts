import type { ChalkInstance } from 'chalk';
import type { Reporter } from '../../ports.ts';
import type { Screen } from '../screen.ts';
import { createLiveScreen } from './live-screen.ts';
import { renderBlock } from './render-block.ts';
import { RunModel } from './run-model.ts';

/** A terminal that shows the run as it goes, below its record. */
export interface LiveTerminal {
  readonly screen: Screen;
  /** Told of everything that happens; its texts are printable. */
  readonly view: Reporter;
}

/** `stream` is a terminal that `canRedraw`. */
export function createLiveTerminal(stream: NodeJS.WriteStream, chalk: ChalkInstance): LiveTerminal {
  const model = new RunModel(performance.now());
  const screen = createLiveScreen({
    stream,
    block: (size) => blockOrNothing(() => renderBlock(model, { ...size, chalk, nowMs: performance.now() })),
  });
  return { screen, view: { on: (event) => model.on(event, performance.now()) } };
}

/** It is drawn by a clock as well, and what cannot be drawn must not end the loop. */
function blockOrNothing(render: () => readonly string[]): readonly string[] {
  try {
    return render();
  } catch {
    return [];
  }
}
