import { marked } from 'marked';

/** A page that shows a comment's Markdown with the fonts, widths and colours of a pull request. */
export async function commentPage(author: string, markdown: string): Promise<string> {
  const body = drawSigns(await marked.parse(markdown, { gfm: true }));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Comment on a pull request</title>
<style>${styles}</style>
<article>
<header><strong>${author}</strong> <span>commented</span></header>
<div class="body">${body}</div>
</article>
</html>`;
}

/** The signs of a report, drawn: a machine that makes pictures may have no font with them. */
const drawings: Readonly<Record<string, string>> = {
  '❌': '<path d="M3 3 13 13 M13 3 3 13" stroke="#d1242f" stroke-width="3"/>',
  '✅': '<rect width="16" height="16" rx="3" fill="#1a7f37"/><path d="m3.5 8.5 3 3 6-7" stroke="#fff" stroke-width="2" fill="none"/>',
  '⚪': '<circle cx="8" cy="8" r="7" fill="#eaeef2" stroke="#818b98"/>',
  '❔': '<text x="8" y="14" font-size="16" font-weight="bold" text-anchor="middle" fill="#818b98">?</text>',
};

function drawSigns(html: string): string {
  return Object.entries(drawings).reduce(
    (text, [sign, drawing]) =>
      text.replaceAll(sign, `<svg class="sign" viewBox="0 0 16 16">${drawing}</svg>`),
    html,
  );
}

const styles = `
  body { margin: 0; padding: 16px; background: #fff; color: #1f2328;
    font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
  article { border: 1px solid #d1d9e0; border-radius: 6px; }
  header { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; }
  header span { color: #59636e; }
  .body { padding: 16px; }
  .body > :first-child { margin-top: 0; }
  .body > :last-child { margin-bottom: 0; }
  h1, h2 { padding-bottom: 0.3em; border-bottom: 1px solid #d1d9e0; }
  h2 { font-size: 1.5em; } h3 { font-size: 1.25em; }
  h1, h2, h3, h4 { margin: 24px 0 16px; line-height: 1.25; font-weight: 600; }
  p, table, ul, ol, details { margin: 0 0 16px; }
  a { color: #0969da; }
  code { padding: 0.2em 0.4em; background: #818b981f; border-radius: 6px; font: 85% ui-monospace, "Liberation Mono", monospace; }
  pre { margin: 0 0 16px; padding: 16px; background: #f6f8fa; border-radius: 6px; overflow: hidden; }
  pre code { padding: 0; background: none; }
  table { border-collapse: collapse; }
  th, td { padding: 6px 13px; border: 1px solid #d1d9e0; }
  tr:nth-child(2n) { background: #f6f8fa; }
  blockquote { margin: 0 0 16px; padding: 0 1em; border-left: 0.25em solid #d1d9e0; color: #59636e; }
  sub { color: #59636e; }
  .sign { width: 0.9em; height: 0.9em; vertical-align: -0.1em; }
`;
