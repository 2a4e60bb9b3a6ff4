/** The files that `npm run docs:pictures` writes to `docs/pictures/`. */
export const pictureNames = [
  'review-comment.png',
  'pull-request-comment.png',
  'dashboard.png',
  'promotion.png',
  'inspector.png',
] as const;

export type PictureName = (typeof pictureNames)[number];

/** The pictures that `npm run docs:session` writes there. */
export const sessionName = 'session.svg';

/** The picture that `npm run docs` writes there: the graph of the example. */
export const graphName = 'graph.svg';
