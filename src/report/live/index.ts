import type { ChalkInstance } from 'chalk';
import type { Reporter } from '../../ports.ts';
import type { Screen } from '../screen.ts';
import { createLiveScreen } from './live-screen.ts';
import { renderBlock } from './render-block.ts';
import { RunModel } from './run-model.ts';

/** A terminal with a live view of the run below the printed lines. */
export interface LiveTerminal {
  readonly screen: Screen;
  /** Gets all events; their texts must be printable. */
  readonly view: Reporter;
}

/** Creates the live view; `stream` must be a terminal for which `canRedraw` is true. */
export function createLiveTerminal(stream: NodeJS.WriteStream, chalk: ChalkInstance): LiveTerminal {
  const model = new RunModel(performance.now());
  const screen = createLiveScreen({
    stream,
    block: (size) => blockOrNothing(() => renderBlock(model, { ...size, chalk, nowMs: performance.now() })),
  });
  return { screen, view: { on: (event) => model.on(event, performance.now()) } };
}

/** A rendering error must not end the loop: the block is also drawn from a timer. */
function blockOrNothing(render: () => readonly string[]): readonly string[] {
  try {
    return render();
  } catch {
    return [];
  }
}
