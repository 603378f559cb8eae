import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAnalysis } from '../../../src/report/data/read-analysis.ts';
import { readLoopRecord } from '../../../src/report/data/loop-record.ts';
import { renderLoopPage } from '../../../src/report/page/loop-page.ts';
import { renderLoopsPage } from '../../../src/report/page/loops-page.ts';
import { hasChromium, openChromium, openPage, WITHOUT_CHROMIUM } from '../../support/chromium.ts';
import { HOSTILE, hostileLoop, PAYLOADS } from '../../support/hostile.ts';
import { longLoop } from '../../support/long-loop.ts';
import { repositoryWith, temporaryFolder } from '../../support/repositories.ts';
import { storeLoop } from '../../support/stored-loop.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LONG = 'ralph-long-20260101-aaaaaa';
const BAD = 'ralph-hostile-20260102-bbbbbb';
const ATTEMPTS = 24;

if (!hasChromium) process.stderr.write(`${WITHOUT_CHROMIUM}\n`);

describe.skipIf(!hasChromium)('the report pages in Chromium', () => {
  let browser: Browser;
  const pages: Record<'loop' | 'hostile' | 'loops' | 'hostileLoops', string> = {
    ...{ loop: '', hostile: '', loops: '', hostileLoops: '' },
  };

  beforeAll(async () => {
    const folder = temporaryFolder();
    const write = (name: string, text: string): string => {
      const path = join(folder, `${name}.html`);
      writeFileSync(path, text);
      return path;
    };
    const root = repositoryWith({ 'a.txt': 'a\n' });
    await storeLoop(root, longLoop(LONG, ATTEMPTS));
    await storeLoop(root, { ...longLoop('ralph-second-20260103-cccccc', 3), maxIterations: 2 });
    pages.loop = write('loop', renderLoopPage(await readLoopRecord(root, LONG), '1.2.3'));
    const shown = { repository: 'shop', version: '1.2.3' };
    pages.loops = write('loops', renderLoopsPage({ analysis: await readAnalysis(root), ...shown }));
    const hostile = repositoryWith({ 'a.txt': 'a\n' });
    await storeLoop(hostile, hostileLoop(BAD));
    pages.hostile = write('hostile', renderLoopPage(await readLoopRecord(hostile, BAD), '1.2.3'));
    const analysis = await readAnalysis(hostile);
    pages.hostileLoops = write('hostile-loops', renderLoopsPage({ ...shown, repository: HOSTILE, analysis }));
    browser = await openChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
  });

  const open = (
    name: keyof typeof pages,
    options?: Parameters<typeof openPage>[2],
  ): ReturnType<typeof openPage> => openPage(browser, pages[name], options);

  describe.each(['loop', 'loops', 'hostile', 'hostileLoops'] as const)('page %s', (name) => {
    it.each([360, 1024, 1920])(
      'fits %i pixels, asks for nothing, and complains of nothing',
      async (width) => {
        const { page, requests, complaints } = await open(name, { width });
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });
        await page.close();
      },
    );

    it.each([false, true])(
      'has no fault that axe knows of, contrast included; dark: %s',
      async (dark) => {
        const { page } = await open(name, { dark });
        await page.evaluate(
          `for (const one of document.querySelectorAll('main > :not(#attempts) details, #attempt-1, #attempt-1 details, #attempt-17, #attempt-17 details')) one.open = true`,
        );
        await page.evaluate(AXE);
        const faults =
          (await page.evaluate(`axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
        .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary).join(' | ')))`)) as string[];
        expect(faults).toEqual([]);
        await page.close();
      },
      120_000,
    );

    it('link only to existing, unique ids of the page', async () => {
      const { page } = await open(name);
      const [links, ids] = (await page.evaluate(
        '[[...document.links].map((a) => a.getAttribute("href")), [...document.querySelectorAll("[id]")].map((e) => e.id)]',
      )) as [string[], string[]];
      expect(links.length).toBeGreaterThan(0);
      expect(links.filter((link) => !link.startsWith('#') || !ids.includes(link.slice(1)))).toEqual([]);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
      await page.close();
    });
  });

  describe('hostile text', () => {
    const canary = (page: Page): Promise<unknown> => page.evaluate('window.__pwned');

    it.each(PAYLOADS.filter((payload) => payload.includes('__pwned')))(
      'would run if it were not escaped: %s',
      async (payload) => {
        const path = join(temporaryFolder(), 'raw.html');
        writeFileSync(
          path,
          `<!doctype html><title>${payload}</title><p title="${payload}" lang='${payload}'>${payload}</p>`,
        );
        const { page } = await openPage(browser, path);
        await page.evaluate('new Promise((done) => setTimeout(done, 100))');
        expect(await canary(page)).toBe(1);
        await page.close();
      },
    );

    it.each(['hostile', 'hostileLoops'] as const)(
      'has no effect in page %s, even without the Content Security Policy',
      async (name) => {
        const bare = join(temporaryFolder(), 'bare.html');
        const text = readFileSync(pages[name], 'utf8');
        writeFileSync(bare, text.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''));
        expect(readFileSync(bare, 'utf8')).not.toContain('Content-Security-Policy');
        for (const path of [pages[name], bare]) {
          const { page, requests, complaints } = await openPage(browser, path);
          await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
          await page.evaluate('new Promise((done) => setTimeout(done, 100))');
          expect(await canary(page)).toBeUndefined();
          expect(
            await page.evaluate(
              'document.querySelectorAll("img, iframe, object, embed, base, form, input, link[rel=stylesheet]").length',
            ),
          ).toBe(0);
          expect(
            await page.evaluate('document.scripts.length + document.querySelectorAll("style").length'),
          ).toBe(2);
          expect(
            await page.evaluate(
              '[...document.querySelectorAll("*")].flatMap((e) => e.getAttributeNames()).filter((name) => name.startsWith("on")).length',
            ),
          ).toBe(0);
          expect(await page.evaluate('document.body.innerText')).toContain(
            '<script>window.__pwned=1</script>',
          );
          expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });
          await page.close();
        }
      },
    );

    it('makes invisible and direction-changing characters visible', async () => {
      const { page } = await open('hostile');
      const text = (await page.evaluate('document.body.textContent')) as string;
      expect(text).toContain('\\u{202e}gnp.exe');
      expect(text).toContain('\\u{1b}[2J');
      for (const hidden of ['\u202E', '\u200B', '\u001B', '\u0007']) expect(text).not.toContain(hidden);
      await page.close();
    });

    it('cannot run a script under the Content Security Policy', async () => {
      const path = join(temporaryFolder(), 'injected.html');
      const inject =
        '<script>window.__pwned=1</script><img src="https://evil.invalid/x.png"><p style="color:red">x</p>';
      writeFileSync(path, readFileSync(pages.loop, 'utf8').replace('</main>', `${inject}</main>`));
      const { page, complaints } = await openPage(browser, path);
      expect(await canary(page)).toBeUndefined();
      expect(complaints.join('\n')).toContain('Content Security Policy');
      await page.close();
    });
  });

  describe('the page of a loop', () => {
    const focused = (page: Page): Promise<unknown> =>
      page.evaluate(
        'document.activeElement.closest("[id]")?.id + (document.activeElement.tagName === "SUMMARY" ? " summary" : "")',
      );

    it('shows the verdict first, in the only h1', async () => {
      const { page } = await open('loop');
      expect(await page.title()).toMatch(/^Verified: Make the shop add up/);
      expect(await page.evaluate('[...document.querySelectorAll("h1")].map((h) => h.textContent)')).toEqual([
        'Verified',
      ]);
      expect(await page.evaluate('document.querySelectorAll("details.attempt").length')).toBe(ATTEMPTS);
      await page.close();
    });

    it('can be used with the keyboard: skip link, attempts, opening and closing', async () => {
      const { page } = await open('loop');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
      for (const [key, where] of [
        ['j', 'attempt-1'],
        ['j', 'attempt-2'],
        ['j', 'attempt-3'],
        ['k', 'attempt-2'],
      ] as const) {
        await page.keyboard.press(key);
        expect(await focused(page)).toBe(`${where} summary`);
      }
      const isOpen = (): Promise<unknown> => page.evaluate('document.getElementById("attempt-2").open');
      expect(await isOpen()).toBe(false);
      await page.keyboard.press('o');
      expect(await isOpen()).toBe(true);
      await page.keyboard.press('e');
      expect(await page.evaluate('document.querySelectorAll("details.attempt:not([open])").length')).toBe(0);
      await page.keyboard.press('e');
      expect(await page.evaluate('document.querySelectorAll("details.attempt[open]").length')).toBe(0);
      await page.close();
    });

    it('describes the current cell of the matrix and opens its attempt', async () => {
      const { page } = await open('loop');
      const status = (): Promise<unknown> =>
        page.evaluate('document.getElementById("cell-status").textContent');
      await page.focus('#matrix tbody td[tabindex="0"]');
      expect(await status()).toMatch(/^Baseline: (failing|not failing)\. suite/);
      await page.keyboard.press('ArrowRight');
      expect(await status()).toMatch(/^Attempt 1: (new|same|fixed|not failing|no report)\. suite/);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      expect(await status()).toMatch(/^Attempt 2: /);
      expect(await page.evaluate('document.querySelectorAll(\'#matrix [tabindex="0"]\').length')).toBe(1);
      await page.keyboard.press('End');
      expect(await status()).toMatch(new RegExp(`^Attempt ${ATTEMPTS}: `));
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.waitForFunction(
        'location.hash === "#attempt-1" && document.getElementById("attempt-1").open',
      );
      // The page may still scroll to the opened attempt, so that the pointer misses the cell at first.
      await expect
        .poll(async () => {
          await page.mouse.move(0, 0);
          await page.hover('#matrix tbody tr:nth-child(2) td:nth-child(5)');
          return status();
        })
        .toMatch(/^Attempt 3: /);
      await page.close();
    });

    it('opens an attempt from its bar in the reward plot', async () => {
      const { page } = await open('loop');
      await page.click('.plot .wide [data-to="attempt-7"] rect');
      await page.waitForFunction(
        'location.hash === "#attempt-7" && document.getElementById("attempt-7").open',
      );
      await page.close();
    });

    it('lists the same failures as text and in the matrix', async () => {
      const { page } = await open('loop');
      const [cells, words] = (await page.evaluate(`[
        [...document.querySelectorAll('#matrix tbody tr')].map((row) => [...row.cells].slice(2).filter((cell) => cell.textContent === 'new').length),
        [...document.querySelectorAll('ul.text li')].map((item) => item.textContent),
      ]`)) as [number[], string[]];
      const counts = words.map((text) => {
        const ranges = /new in attempt ([\d, –]+)/.exec(text)?.[1]?.split(', ') ?? [];
        return ranges.reduce((sum, range) => {
          const [from, to = from] = range.split('–').map(Number);
          return sum + to! - from! + 1;
        }, 0);
      });
      expect(cells.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
      expect(counts).toEqual(cells);
      await page.close();
    });

    it('links a reflection to the line that it names, and opens the attempt around it', async () => {
      const { page } = await open('loop');
      const link = '#attempt-5 .cause a[href$="-l20"]';
      await page.evaluate('document.getElementById("attempt-5").open = true');
      const href = (await page.$eval(link, (a) => a.getAttribute('href')))!;
      expect(href).toBe('#a5-f0-l20');
      await page.evaluate(
        `document.querySelector('${link}').click(); document.getElementById("attempt-5").open = false`,
      );
      await page.evaluate('new Promise((done) => setTimeout(done, 50))');
      await page.evaluate(`location.hash = ''; location.hash = '${href}'`);
      await page.waitForFunction('document.getElementById("attempt-5").open');
      const text = await page.$eval(`[id="${href.slice(1)}"]`, (row) => row.textContent);
      expect(text).toContain('item.quantity');
      await page.close();
    });

    it('distinguishes own changes of an attempt from inherited ones', async () => {
      const { page } = await open('loop');
      expect(
        await page.evaluate('document.querySelectorAll("#attempt-1 tr.ins:not(.old)").length'),
      ).toBeGreaterThan(0);
      expect(await page.evaluate('document.querySelectorAll("#attempt-1 tr.old").length')).toBe(0);
      expect(await page.evaluate('document.querySelectorAll("tr.del.old").length')).toBeGreaterThan(0);
      await page.close();
    });

    it('follows the dark mode of the system, and prints in light colours with everything open', async () => {
      const { page: light } = await open('loop');
      const { page: dark } = await open('loop', { dark: true });
      const backs = await Promise.all(
        [light, dark].map((page) => page.evaluate('getComputedStyle(document.body).backgroundColor')),
      );
      expect(backs).toEqual(['rgb(246, 245, 241)', 'rgb(15, 18, 22)']);
      const closed = 'document.querySelector("#attempt-2 .body").getBoundingClientRect().height';
      await dark.emulateMediaType('print');
      expect(await dark.evaluate(closed)).toBeGreaterThan(100);
      expect(await dark.evaluate('getComputedStyle(document.querySelector(".card")).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
      await Promise.all([light.close(), dark.close()]);
    });

    it('can be read in full without its script', async () => {
      const { page } = await open('loop');
      await page.setJavaScriptEnabled(false);
      await page.reload();
      await page.click('#attempt-2 > summary');
      const text =
        (await page.$eval('#attempt-2', (attempt) => (attempt as { innerText?: string }).innerText)) ?? '';
      expect(text).toContain('Begin the sum of');
      await page.close();
    });
  });
});
