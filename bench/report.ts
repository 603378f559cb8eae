import { statSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import { hasChromium, openChromium, WITHOUT_CHROMIUM } from '../test/support/chromium.ts';
import { longLoop } from '../test/support/long-loop.ts';
import { storeLoop } from '../test/support/stored-loop.ts';
import { RALPH, spread, time } from './measure.ts';

const LOOP = 'ralph-long-20260101-aaaaaa';
const BLANK = 'data:text/html,<!doctype html><title>blank</title><p>blank';

/** Measures the HTML report of a loop of 200 attempts: time to write it, its size, and its load time in a browser. */
export async function measureReport(runs: number, attempts = 200): Promise<string> {
  if (!hasChromium) return `report    skipped: ${WITHOUT_CHROMIUM}`;
  const root = makeTemporaryFolder('bench');
  try {
    execaSync('git', ['init', '--quiet'], { cwd: root });
    await storeLoop(root, longLoop(LOOP, attempts));
    const page = join(root, 'report.html');
    const written: number[] = [];
    for (let run = 0; run < runs; run++)
      written.push((await time(process.execPath, [RALPH, 'report', LOOP, '--html', page], root)).ms);
    const { paint, load, ratios } = await loadRepeatedly(`file://${page}`, runs);
    const size = (statSync(page).size / 2 ** 20).toFixed(1);
    return [
      `report    ${attempts} attempts, ${size} MiB: written in ${spread(written, 0)} ms`,
      `          first paint ${spread(paint, 0)} ms, loaded ${spread(load, 0)} ms, ${spread(ratios, 1)} × a blank page, ${runs} runs`,
    ].join('\n');
  } finally {
    removeTemporaryFolder(root);
  }
}

interface LoadTimes {
  /** First contentful paint, in milliseconds from the start of the navigation. */
  readonly paint: number[];
  /** End of the load event, in milliseconds from the start of the navigation. */
  readonly load: number[];
  /** Load time of the page divided by that of a blank one, in pairs of runs. */
  readonly ratios: number[];
}

async function loadRepeatedly(address: string, runs: number): Promise<LoadTimes> {
  const browser = await openChromium();
  const times: LoadTimes = { paint: [], load: [], ratios: [] };
  try {
    for (let run = 0; run < runs; run++) {
      const blank = await loadOnce(BLANK);
      const page = await loadOnce(address);
      times.paint.push(page.paint);
      times.load.push(page.load);
      times.ratios.push(page.load / blank.load);
    }
    return times;
  } finally {
    await browser.close();
  }

  async function loadOnce(url: string): Promise<{ paint: number; load: number }> {
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
