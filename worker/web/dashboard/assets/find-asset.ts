import { pageHeaders, type PageReply } from '../page-reply.ts';
import { icon, iconPlace } from './icon.ts';
import { liveScript, scriptPlace } from './live-script.ts';
import { stylesheet, stylesheetPlace } from './stylesheet.ts';

const assets: Readonly<Record<string, readonly [type: string, text: string]>> = {
  [stylesheetPlace]: ['text/css; charset=utf-8', stylesheet],
  [scriptPlace]: ['text/javascript; charset=utf-8', liveScript],
  [iconPlace]: ['image/svg+xml', icon],
};

/** A static file, the same for every reader. */
export function findAsset(path: string): PageReply | undefined {
  const [type, text] = (Object.hasOwn(assets, path) ? assets[path] : undefined) ?? [];
  if (type === undefined || text === undefined) return undefined;
  return {
    status: 200,
    body: undefined,
    text,
    headers: { ...pageHeaders, 'content-type': type, 'cache-control': 'public, max-age=60' },
  };
}
