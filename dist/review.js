import { startReview } from './index.js';

await startReview();
