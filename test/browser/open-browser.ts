import process from 'node:process';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';

export interface OpenBrowser extends AsyncDisposable {
  readonly page: Page;
  /** What the browser itself complained about: errors of the console, of scripts, of what could not be loaded. */
  readonly complaints: readonly string[];
}

/** A page in a browser of its own that stays on this machine. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<OpenBrowser> {
  const executablePath = process.env['MILLRACE_BROWSER'];
  if (executablePath === undefined) throw new Error('Run these tests with: npm run test:browser');
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--no-first-run',
      '--disable-sync',
    ],
  });
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => {
    // A page that is left ends the request of its script.
    const isLeft = request.resourceType() === 'fetch' && request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!isLeft) complaints.push(`${request.url()} was not loaded`);
  });
  return { page, complaints, [Symbol.asyncDispose]: () => browser.close() };
}
