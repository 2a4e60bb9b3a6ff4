import { pageHeaders, type PageReply } from '../parts/page-reply.ts';
import { icon, iconPlace } from './icon.ts';
import { liveScript } from '../../../../lib/html/live-script.ts';
import { stylesheet, stylesheetPlace } from './stylesheet.ts';

export const scriptPlace = '/assets/live.js';

const asset = (type: string, text: string): PageReply => ({
  status: 200,
  text,
  headers: { ...pageHeaders, 'content-type': type, 'cache-control': 'public, max-age=60' },
});

/** The static files of the dashboard, by path. */
export const assets: readonly (readonly [path: string, reply: PageReply])[] = [
  [stylesheetPlace, asset('text/css; charset=utf-8', stylesheet)],
  [scriptPlace, asset('text/javascript; charset=utf-8', liveScript)],
  [iconPlace, asset('image/svg+xml', icon)],
];
