/** Text that is HTML already. */
export interface Markup {
  readonly html: string;
}

type Part = string | number | Markup | readonly Markup[];

/** HTML with escaped values. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { html: texts.map((text, i) => text + (i < parts.length ? write(parts[i] ?? '') : '')).join('') };
}

function write(part: Part): string {
  if (typeof part === 'string') return escape(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map((item) => item.html).join('');
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => escapes[character] ?? character);

/** A table with a header row, or a sentence if it has no rows. */
export function table(header: readonly string[], rows: readonly (readonly Part[])[]): Markup {
  if (rows.length === 0) return html`<p>None yet.</p>`;
  return html`<table>
    <thead>
      <tr>
        ${header.map((name) => html`<th>${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #8884}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#8881;padding:.5rem}:root{color-scheme:light dark}`;

/** A whole page. */
export function pageOf(title: string, content: Markup): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${{ html: style }}
        </style>
      </head>
      <body>
        <p>A stand-in for GitHub</p>
        <h1>${title}</h1>
        ${content}
      </body>
    </html> `.html;
}
