/**
 * What the operators' API says about a subject that does not exist, or that the operator may not see. By it, `millrace` tells a worker's 404 from that
 * of another server.
 */
export const notFoundText = 'not found, or you do not have access';
