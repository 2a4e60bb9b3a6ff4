import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The targets of links that the built site lacks, and what its pages load from other hosts; one line for each. */
export function deadLinks(site: string): string[] {
  const files = new Set(globSync('**/*', { cwd: site }).map((file) => file.replaceAll('\\', '/')));
  const texts = new Map(
    [...files]
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readFileSync(path.join(site, file), 'utf8')]),
  );
  const ids = new Map([...texts].map(([file, text]) => [file, new Set(valuesOf(text, /\sid="([^"]+)"/g))]));
  return [...texts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, text]) => {
      const links = valuesOf(text, /\s(?:href|src)="([^"]*)"/g).filter(
        (link) => !/^(?:https?|mailto|data):/.test(link),
      );
      const dead = [...new Set(links)].filter((link) => {
        const [target = '', anchor] = link.split('#');
        const place = target === '' ? file : path.posix.join(path.posix.dirname(file), decodeURI(target));
        if (!files.has(place)) return true;
        return anchor !== undefined && ids.has(place) && !ids.get(place)?.has(decodeURIComponent(anchor));
      });
      const foreign = valuesOf(text, /<(?:script|link|img|source)[^>]*\s(?:src|href)="(https?:[^"]*)"/g);
      return [
        ...dead.map((link) => `${file}: dead link ${link}`),
        ...foreign.map((link) => `${file}: loads ${link} from another host`),
      ];
    });
}

function valuesOf(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, value = '']) => value.replaceAll('&amp;', '&'));
}
