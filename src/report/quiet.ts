import type { ChalkInstance } from 'chalk';
import type { Reporter } from '../ports.ts';
import { mapTexts } from '../platform/text/map-texts.ts';
import { printable } from '../platform/text/printable.ts';
import { EndedState } from './end/ended-state.ts';
import { renderVerdict } from './end/end-screen.ts';

/** Options of `createQuietReporter`. */
export interface QuietOptions {
  readonly chalk: ChalkInstance;
  /** Prints the verdict line. */
  readonly print: (line: string) => void;
  /** Prints warnings, and the location of a result that could not be applied. */
  readonly warn: (line: string) => void;
}

/** Creates the reporter of `--quiet`: one line with the verdict. */
export function createQuietReporter({ chalk, print, warn }: QuietOptions): Reporter {
  const state = new EndedState();
  return {
    on(raw) {
      const event = mapTexts(raw, printable);
      const ended = state.on(event);
      if (event.type === 'warning') warn(event.text);
      if (event.type === 'delivered' && event.outcome.conflict) warn(event.outcome.message);
      if (ended === undefined) return;
      const { head, text } = renderVerdict(ended, chalk);
      print(head + text);
    },
  };
}
