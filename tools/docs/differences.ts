const begin = '<!-- differences: written by tools/docs/generate.ts from unknowns.md -->';
const end = '<!-- /differences -->';

/** docs/local-platform.md with all statements of unknowns.md about the local platform between the two marks. */
export function withDifferences(page: string, unknowns: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`docs/local-platform.md lacks "${begin}" or "${end}"`);
  return `${page.slice(0, from)}${begin}\n\n${differencesOf(unknowns)}\n${page.slice(to)}`;
}

/** The points about the local platform, by section. Sections without such a point are left out. */
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
    throw new Error(
      'unknowns.md has an unexpected form: it contains hardly any point about the local platform',
    );
  return parts.join('\n');
}

/** `- **Name.** What the local platform does.`; empty if the point is not about the local platform. */
function pointOf(point: string): string[] {
  const [text = ''] = point.split(/\n\n|\n(?=#)/, 1);
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const [, name = '', rest = ''] = /^\*\*(.+?)\*\* ?(.*)$/.exec(line) ?? [];
  const [statement = '', change] = rest.split(/ ?_Change:_ /);
  if (!about.test(line)) return [];
  // The text after "Local platform:", otherwise the sentences that mention it, otherwise the whole statement.
  const [, owned] = /Local platform: (.*)$/.exec(statement) ?? [];
  const naming = statement.split(/(?<=\.) /).filter((sentence) => about.test(sentence));
  const sentence = owned ?? (naming.length === 0 ? statement : naming.join(' '));
  const words = `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`;
  const seeded =
    change !== undefined && /seed|startPlatform|--loose/.test(change) ? ` _Change:_ ${change}` : '';
  return [`- **${name}** ${words}${seeded}`];
}

const about = /\blocal platform\b/i;

/** The anchor that GitHub derives from a heading. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
