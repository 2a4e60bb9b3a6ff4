const begin = '<!-- differences: written by tools/docs/generate.ts from unknowns.md -->';
const end = '<!-- /differences -->';

/** docs/local-platform.md with all that unknowns.md says of the local platform between the two marks. */
export function withDifferences(page: string, unknowns: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`docs/local-platform.md lacks "${begin}" or "${end}"`);
  return `${page.slice(0, from)}${begin}\n\n${differencesOf(unknowns)}\n${page.slice(to)}`;
}

/** The points where the local platform decided something, by their sections; those without one are left out. */
function differencesOf(unknowns: string): string {
  const parts = unknowns
    .replaceAll('\r\n', '\n')
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [title = ''] = section.split('\n', 1);
      const points = section
        .split(/^- (?=\*\*)/m)
        .slice(1)
        .flatMap(pointOf);
      return points.length === 0
        ? []
        : [`**[${title}](unknowns.md#${anchorOf(title)})**\n\n${points.join('\n')}\n`];
    });
  if (parts.length < 3)
    throw new Error('unknowns.md does not look as it did: nothing of it is about the local platform');
  return parts.join('\n');
}

/** `- **Name.** What the local platform does.`; nothing where the point is not about it. */
function pointOf(point: string): string[] {
  const [text = ''] = point.split(/\n\n|\n(?=#)/, 1);
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const [, name = '', rest = ''] = /^\*\*(.+?)\*\* ?(.*)$/.exec(line) ?? [];
  const [said = '', change] = rest.split(/ ?_Change:_ /);
  if (!about.test(line)) return [];
  // All that follows "Local platform:" is about it, else the sentences that name it, else the heading does.
  const [, owned] = /Local platform: (.*)$/.exec(said) ?? [];
  const naming = said.split(/(?<=\.) /).filter((sentence) => about.test(sentence));
  const sentence = owned ?? (naming.length === 0 ? said : naming.join(' '));
  const words = `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`;
  const seeded =
    change !== undefined && /seed|startPlatform|--loose/.test(change) ? ` _Change:_ ${change}` : '';
  return [`- **${name}** ${words}${seeded}`];
}

const about = /\blocal platform\b/i;

/** As GitHub makes anchors of headings. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
