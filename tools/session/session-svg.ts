/** A command and what it printed, with the colours of a terminal (SGR 31 to 36). */
export interface RecordedCommand {
  readonly command: string;
  readonly lines: readonly string[];
}

const size = { charWidth: 7.8, lineHeight: 19, padding: 16, head: 30 } as const;
/** Pauses in seconds: the reader reads a command, then its lines appear. */
const pace = { beforeCommand: 1.2, afterCommand: 0.9, line: 0.07 } as const;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Draws a terminal session as an SVG whose lines appear one after the other; all at once for readers who prefer reduced
 * motion. It follows the dark or light mode of the system. `title` is its alternative text.
 */
export function sessionSvg(title: string, recorded: readonly RecordedCommand[]): string {
  let seconds = 0;
  const rows = recorded.flatMap(({ command, lines }, index) => {
    seconds += index === 0 ? 0.3 : pace.beforeCommand;
    const prompt = { at: seconds, text: `\u001b[35m$\u001b[39m ${command}` };
    seconds += pace.afterCommand;
    const printed = lines.map((text) => ({ at: (seconds += pace.line), text }));
    return [prompt, ...printed, { at: seconds, text: '' }];
  });
  const columns = Math.max(
    ...rows.map(
      ({ text }) =>
        partsOf(text)
          .map((part) => part.text)
          .join('').length,
    ),
  );
  const width = Math.ceil(columns * size.charWidth + 2 * size.padding);
  const height = size.head + rows.length * size.lineHeight + size.padding;
  const texts = rows.flatMap(({ at, text }, index) =>
    text === ''
      ? []
      : [
          `<text x="${size.padding}" y="${size.head + (index + 1) * size.lineHeight}" style="animation-delay:${at.toFixed(2)}s">${coloured(text)}</text>`,
        ],
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escapeXml(title)}</title>
<style>
svg { --back: #f6f8fa; --text: #1f2630; --line: #d0d7de; --red: #b3261e; --green: #1a7f37; --yellow: #855b00; --purple: #7b3fb8; --cyan: #0b6b7c; }
@media (prefers-color-scheme: dark) { svg { --back: #161b22; --text: #dde3ec; --line: #3a4250; --red: #ff8a80; --green: #7ee2a0; --yellow: #f0c674; --purple: #d0a8ff; --cyan: #7fdbe8; } }
rect { fill: var(--back); stroke: var(--line); }
.button { fill: var(--line); }
text { fill: var(--text); font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre; }
.c31 { fill: var(--red); } .c32 { fill: var(--green); } .c33 { fill: var(--yellow); } .c35 { fill: var(--purple); } .c36 { fill: var(--cyan); }
@keyframes show { from { opacity: 0; } to { opacity: 1; } }
@media (prefers-reduced-motion: no-preference) { text { animation: show 0.01s linear both; } }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<rect class="button" x="13" y="12" width="10" height="10" rx="5"/><rect class="button" x="31" y="12" width="10" height="10" rx="5"/><rect class="button" x="49" y="12" width="10" height="10" rx="5"/>
${texts.join('\n')}
</svg>
`;
}

function coloured(line: string): string {
  return partsOf(line)
    .map(({ text, colour }) =>
      colour === undefined ? escapeXml(text) : `<tspan class="c${colour}">${escapeXml(text)}</tspan>`,
    )
    .join('');
}

/** The parts of a line by colour: `39` ends a colour. */
function partsOf(line: string): { readonly text: string; readonly colour?: string }[] {
  return line.split('\u001b[').map((part, index) => {
    if (index === 0) return { text: part };
    const end = part.indexOf('m');
    const [colour, text] = [part.slice(0, end), part.slice(end + 1)];
    return colour === '39' ? { text } : { text, colour };
  });
}
