import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { hasChromium, openChromium, WITHOUT_CHROMIUM } from '../test/support/chromium.ts';
import { longLoop } from '../test/support/long-loop.ts';
import { storeLoop } from '../test/support/stored-loop.ts';
import { RALPH, spread, time } from './measure.ts';

const LOOP = 'ralph-long-20260101-aaaaaa';
const BLANK = 'data:text/html,<!doctype html><title>blank</title><p>blank';

/** The page of a loop of 200 attempts: how long it takes to write, how large it is, how soon a browser shows it. */
export async function measureReport(runs: number, attempts = 200): Promise<string> {
  if (!hasChromium) return `report    skipped: ${WITHOUT_CHROMIUM}`;
  const root = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    execaSync('git', ['init', '--quiet'], { cwd: root });
    await storeLoop(root, longLoop(LOOP, attempts));
    const page = join(root, 'report.html');
    const written: number[] = [];
    for (let run = 0; run < runs; run++)
      written.push((await time(process.execPath, [RALPH, 'report', LOOP, '--html', page], root)).ms);
    const { paint, load, ratios } = await openOften(`file://${page}`, runs);
    const size = (statSync(page).size / 2 ** 20).toFixed(1);
    return [
      `report    ${attempts} attempts, ${size} MiB: written in ${spread(written, 0)} ms`,
      `          first paint ${spread(paint, 0)} ms, loaded ${spread(load, 0)} ms, over a blank page ${spread(ratios, 1)}, ${runs} runs`,
    ].join('\n');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

interface Opened {
  /** Milliseconds from the start of the navigation. */
  readonly paint: number[];
  readonly load: number[];
  /** Loading the page over loading a blank one, pair by pair. */
  readonly ratios: number[];
}

async function openOften(address: string, runs: number): Promise<Opened> {
  const browser = await openChromium();
  const opened: Opened = { paint: [], load: [], ratios: [] };
  try {
    for (let run = 0; run < runs; run++) {
      const blank = await openOnce(BLANK);
      const page = await openOnce(address);
      opened.paint.push(page.paint);
      opened.load.push(page.load);
      opened.ratios.push(page.load / blank.load);
    }
    return opened;
  } finally {
    await browser.close();
  }

  async function openOnce(url: string): Promise<{ paint: number; load: number }> {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(url, { waitUntil: 'load' });
    const figures =
      (await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(() => done({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now(),
      load: performance.getEntriesByType('navigation')[0].loadEventEnd,
    }))))`)) as { paint: number; load: number };
    await page.close();
    return figures;
  }
}
