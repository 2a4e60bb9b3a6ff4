import { registerHooks } from 'node:module';

// Says on stderr which file of ours each stub loads: `read: index.js`.
registerHooks({
  load(url, context, next) {
    if (url.includes('/dist/')) process.stderr.write(`read: ${url.split('/').at(-1)}\n`);
    return next(url, context);
  },
});
