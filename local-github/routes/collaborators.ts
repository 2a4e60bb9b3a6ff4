import { notFound, ok } from '../answers/answer.ts';
import type { Route } from './route.ts';

/** Routes for the permissions of a person in a repository. */
export const collaboratorRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/collaborators/:login/permission',
    needs: [['metadata', 'read']],
    handle(call) {
      const collaborator = call.repository.collaborators.get((call.params['login'] ?? '').toLowerCase());
      if (collaborator === undefined) throw notFound();
      const { id, login, permission } = collaborator;
      return ok({ permission, role_name: permission, user: { id, login, type: 'User' } });
    },
  },
];
