import * as actions from '../../actions/index.ts';

// The action of a walk, from its source: what is shipped is one file.
const start = process.env['MILLRACE_ACTION'] === 'diff' ? actions.startDiff : actions.startReview;
await start();
