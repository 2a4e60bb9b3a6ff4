import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { chromium, type Page } from 'playwright-core';
import { createNarrator } from '../demo/narrator.ts';
import { startDemoServers } from '../demo/demo-servers.ts';
import { commentPage } from './comment-page.ts';
import { type PictureName, pictureNames } from './picture-list.ts';
import { operatorTokens, runScenario } from './scenario.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'docs/pictures');

const executablePath = process.env['MILLRACE_BROWSER'];
if (executablePath === undefined) throw new Error('Run this with: npm run docs:pictures');

await using servers = await startDemoServers({
  environment: process.env,
  unpacked: path.join(root, '.millrace/redis'),
});
const narrator = createNarrator(() => {}, false);
const { comment, testedComment, workerUrl, promotionId } = await runScenario({
  servers,
  narrator,
  rows: [],
  signal: AbortSignal.timeout(300_000),
});

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
await mkdir(folder, { recursive: true });

interface Picture {
  /** Opens the page that the picture shows. */
  readonly open: (page: Page) => Promise<unknown>;
  /** Where a longer page is cut. */
  readonly maxHeight?: number;
}

const pictures: Readonly<Record<PictureName, Picture>> = {
  'review-comment.png': {
    open: async (page) => page.setContent(await commentPage('github-actions', comment)),
  },
  'pull-request-comment.png': {
    // Opened, as a reader unfolds it.
    open: async (page) =>
      page.setContent(
        await commentPage('github-actions', testedComment.replaceAll('<details>', '<details open>')),
      ),
  },
  'dashboard.png': { open: (page) => signIn(page, '/') },
  'promotion.png': { maxHeight: 1_200, open: (page) => signIn(page, `/promotions/${promotionId}`) },
  'inspector.png': { maxHeight: 760, open: (page) => page.goto(`${servers.platform.baseUrl}/_platform`) },
};

const width = 1100;
for (const name of pictureNames) {
  const { open, maxHeight = Infinity } = pictures[name];
  const context = await browser.newContext({ colorScheme: 'light', viewport: { width, height: 100 } });
  const page = await context.newPage();
  await open(page);
  const height = Math.min(maxHeight, await page.evaluate<number>('document.documentElement.scrollHeight'));
  await page.setViewportSize({ width, height });
  await page.screenshot({ path: path.join(folder, name) });
  await context.close();
  process.stdout.write(`docs/pictures/${name}\n`);
}
await browser.close();

async function signIn(page: Page, place: string): Promise<void> {
  await page.goto(`${workerUrl}${place}`);
  await page.fill('#token', operatorTokens.ada);
  await page.click('button.go');
  await page.locator('#live-state', { hasText: 'Connected' }).waitFor();
}
