import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';

/** Folder for screenshots; nothing depends on them. */
const pictures = process.env['MILLRACE_PICTURES'];

export interface TestBrowser {
  /** A separate browser window without cookies. At the end of the test its console must be empty. */
  open(options?: BrowserContextOptions): Promise<Page>;
}

/** One headless Chromium for the test file that calls this at its top. */
export function testBrowser(): TestBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = process.env['MILLRACE_BROWSER'];
    if (executablePath === undefined) throw new Error('run these tests with: npm run test:browser');
    browser = await chromium.launch({
      executablePath,
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--no-first-run',
        '--disable-sync',
        '--disable-quic',
      ],
    });
  });
  afterAll(() => browser?.close());
  return {
    async open(options = {}) {
      if (browser === undefined) throw new Error('the browser runs only while tests do');
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const complaints: string[] = [];
      // The console reports blocked scripts and styles and errors of our own script.
      page.on('console', (message) => {
        const expected = /the server responded with a status of (401|403|404|409|502)/.test(message.text());
        if (['error', 'warning'].includes(message.type()) && !expected) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('dialog', (dialog) => {
        complaints.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.addInitScript(
        `addEventListener('securitypolicyviolation', (event) => console.error('CSP ' + event.violatedDirective));`,
      );
      onTestFinished(async () => {
        await context.close();
        expect(complaints).toEqual([]);
      });
      return page;
    },
  };
}

const tallest = 2_400;

/** Saves a screenshot of the page if a folder is configured. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  const [width, height] = await page.evaluate<[number, number]>(
    '[innerWidth, document.documentElement.scrollHeight]',
  );
  const clip = { x: 0, y: 0, width, height: Math.min(height, tallest) };
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true, clip });
}
