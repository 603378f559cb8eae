/** A real browser, headless, as Debian packages it. */
import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const program = process.env.CHROMIUM ?? PROGRAMS.find((path) => existsSync(path));

/** Whether there is one here; what needs it is skipped, and says so, where not. */
export const hasChromium = program !== undefined;
export const WITHOUT_CHROMIUM = 'No Chromium here: apt-get install chromium, or set CHROMIUM to its path.';

export async function openChromium(): Promise<Browser> {
  if (program === undefined) throw new Error(WITHOUT_CHROMIUM);
  return puppeteer.launch({
    executablePath: program,
    headless: true,
    // Root has no sandbox of Chromium's; it opens our own files alone.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars'],
  });
}

/** What a page did beside showing itself. */
export interface Watched {
  readonly page: Page;
  /** Addresses that it asked for, its own not counted. */
  readonly requests: string[];
  /** Errors, warnings and refusals of the policy on its console. */
  readonly complaints: string[];
}

/** Opens a file in a fresh page and notes whatever it asks for or complains of. */
export async function openPage(
  browser: Browser,
  path: string,
  { width = 1024, height = 900, dark = false }: { width?: number; height?: number; dark?: boolean } = {},
): Promise<Watched> {
  const page = await browser.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  const address = `file://${path}`;
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address && request.url() !== 'data:,') requests.push(request.url());
  });
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await page.goto(address, { waitUntil: 'load' });
  return { page, requests, complaints };
}
