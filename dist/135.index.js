export const id = 135;
export const ids = [135];
export const modules = {

/***/ 3135:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  connectGitHub: () => (/* binding */ connectGitHub)
});

// EXTERNAL MODULE: ./lib/core/ports/system-clock.js
var system_clock = __webpack_require__(5366);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 3 modules
var schemas = __webpack_require__(9713);
// EXTERNAL MODULE: ./lib/core/errors/failure.js
var failure = __webpack_require__(2719);
// EXTERNAL MODULE: ./lib/github/access/failure-details.js
var failure_details = __webpack_require__(4793);
;// CONCATENATED MODULE: ./lib/github/endpoints/branch-files.js



const idAnswer = schemas/* object */.Ikc({ sha: schemas/* string */.YjP() });
const refAnswer = schemas/* object */.Ikc({ ref: schemas/* string */.YjP() });
const maxAttempts = 10;
const maxPauseMs = 2_000;
const permission = 'contents: write';
function createBranchFiles(github, { refs, commits, sleep, random }) {
    async function attempt(repository, { branch, files, message }) {
        const ref = `refs/heads/${branch}`;
        const call = {
            operation: `write to the branch ${branch} of ${repository}`,
            repository,
            permission,
        };
        const head = await refs.head(repository, ref);
        const base = head === undefined ? undefined : await commits.treeOf(repository, head);
        const entries = Object.entries(files).map(([path, content]) => ({
            path,
            content,
            mode: '100644',
            type: 'blob',
        }));
        const tree = await github.call(call, idAnswer, ({ octokit, owner, repo }) => octokit.rest.git.createTree({
            owner,
            repo,
            tree: entries,
            ...(base === undefined ? {} : { base_tree: base }),
        }));
        if (tree.sha === base)
            return true;
        const commit = await github.call(call, idAnswer, ({ octokit, owner, repo }) => octokit.rest.git.createCommit({
            owner,
            repo,
            message,
            tree: tree.sha,
            parents: head === undefined ? [] : [head],
        }));
        const moved = await github.find({ ...call, absent: [422] }, refAnswer, ({ octokit, owner, repo }) => head === undefined
            ? octokit.rest.git.createRef({ owner, repo, ref, sha: commit.sha })
            : octokit.rest.git.updateRef({ owner, repo, ref: `heads/${branch}`, sha: commit.sha, force: false }));
        return moved !== undefined;
    }
    return {
        async addFiles(repository, files) {
            for (let number = 1;; number += 1) {
                try {
                    if (await attempt(repository, files))
                        return;
                    if (number === maxAttempts)
                        break;
                }
                catch (error) {
                    const isUnknown = error instanceof failure/* Failure */.HR && !(0,failure_details/* failureDetails */.J)(error).refused;
                    if (!isUnknown || number === maxAttempts)
                        throw error;
                }
                await sleep(Math.min(maxPauseMs, 100 * 2 ** number) * (0.5 + random() / 2));
            }
            throw new failure/* Failure */.HR('github-failed', {
                message: `The branch ${files.branch} of ${repository} could not be written: ${maxAttempts} times in a row, another writer was faster.`,
                hint: 'Run the job again.',
            });
        },
    };
}

// EXTERNAL MODULE: ./lib/github/endpoints/check-content.js
var check_content = __webpack_require__(5720);
;// CONCATENATED MODULE: ./lib/github/endpoints/checks.js


const createdAnswer = schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    node_id: schemas/* string */.YjP().optional(),
    html_url: schemas/* string */.YjP().nullish(),
});
const updatedAnswer = createdAnswer.pick({ id: true, node_id: true });
const listAnswer = schemas/* array */.YOg(schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    external_id: schemas/* string */.YjP().nullish(),
    status: schemas/* string */.YjP().nullish(),
    conclusion: schemas/* string */.YjP().nullish(),
}));
const checkAnswer = schemas/* object */.Ikc({
    conclusion: schemas/* string */.YjP().nullable(),
    output: schemas/* object */.Ikc({ title: schemas/* string */.YjP().nullable() }),
});
const checks_permission = 'checks: write';
function contentFields(content) {
    const { status, conclusion, startedAt, completedAt, title, summary, text, annotations, actions } = content;
    return {
        status,
        ...(conclusion === undefined ? {} : { conclusion }),
        ...(startedAt === undefined ? {} : { started_at: (0,check_content/* checkTime */.AK)(startedAt) }),
        ...(completedAt === undefined ? {} : { completed_at: (0,check_content/* checkTime */.AK)(completedAt) }),
        ...(actions === undefined ? {} : { actions: [...actions] }),
        output: {
            title,
            summary,
            ...(text === undefined ? {} : { text }),
            ...(annotations === undefined ? {} : { annotations: [...annotations] }),
        },
    };
}
function createChecks(github) {
    const list = (repository, { commit, name, filter }) => github.call({ operation: `list the check runs of ${repository}`, repository, permission: checks_permission }, listAnswer, async ({ octokit, owner, repo }) => ({
        data: await octokit.paginate(octokit.rest.checks.listForRef, {
            owner,
            repo,
            ref: commit,
            check_name: name,
            filter,
            per_page: 100,
        }),
    }));
    return {
        async create(repository, check) {
            const { commit, name, externalId, detailsUrl } = check;
            const operation = `create a check run on ${repository}`;
            const { id, node_id: node, html_url, } = await github.call({ operation, repository, permission: checks_permission }, createdAnswer, ({ octokit, owner, repo }) => octokit.rest.checks.create({
                owner,
                repo,
                name,
                head_sha: commit,
                external_id: externalId,
                ...(detailsUrl === undefined ? {} : { details_url: detailsUrl }),
                ...contentFields(check),
            }));
            return { id, node, url: html_url ?? undefined };
        },
        async update(repository, id, content) {
            const operation = `update a check run on ${repository}`;
            const { node_id: node } = await github.call({ operation, repository, permission: checks_permission }, updatedAnswer, ({ octokit, owner, repo }) => octokit.rest.checks.update({ owner, repo, check_run_id: id, ...contentFields(content) }));
            return { node };
        },
        async find(repository, { commit, name, externalId }) {
            const all = await list(repository, { commit, name, filter: 'all' });
            return all.find(({ external_id }) => external_id === externalId)?.id;
        },
        async findOpen(repository, { commit, name, externalId }) {
            const all = await list(repository, { commit, name, filter: 'all' });
            return all
                .filter(({ external_id, status }) => external_id === externalId && status !== 'completed')
                .map(({ id }) => id);
        },
        async conclusionsOf(repository, { commit, name }) {
            const newest = await list(repository, { commit, name, filter: 'latest' });
            return newest.map(({ status, conclusion }) => (status === 'completed' ? (conclusion ?? null) : null));
        },
        async read(repository, id) {
            const operation = `read a check run of ${repository}`;
            const checkRun = await github.find({ operation, repository, permission: checks_permission }, checkAnswer, ({ octokit, owner, repo }) => octokit.rest.checks.get({ owner, repo, check_run_id: id }));
            return checkRun && { conclusion: checkRun.conclusion, title: checkRun.output.title };
        },
    };
}

;// CONCATENATED MODULE: ./lib/github/access/current-user.js
async function requestCurrentUser(octokit) {
    return octokit.rest.users.getAuthenticated();
}

;// CONCATENATED MODULE: ./lib/github/access/read-answer.js
function notFromGitHub() {
    return new Error('the answer does not have the format of its API; a proxy or login page may have sent it');
}
function readAnswer(schema, data) {
    const result = schema.safeParse(data);
    if (result.success)
        return result.data;
    throw notFromGitHub();
}
function isWebPage(data) {
    return (typeof data === 'string' && data !== '') || data instanceof ArrayBuffer;
}

;// CONCATENATED MODULE: ./lib/github/endpoints/comments.js



const commentAnswer = schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    html_url: schemas/* string */.YjP(),
    body: schemas/* string */.YjP().nullish(),
    user: schemas/* object */.Ikc({ login: schemas/* string */.YjP(), type: schemas/* string */.YjP() }).nullable(),
});
const comments_createdAnswer = schemas/* object */.Ikc({ id: schemas/* number */.aig(), html_url: schemas/* string */.YjP() });
const writtenAnswer = comments_createdAnswer.pick({ html_url: true });
const userAnswer = schemas/* object */.Ikc({ login: schemas/* string */.YjP() });
const comments_permission = 'pull-requests: write';
function createComments(github) {
    const operationOf = (repository, pull) => `list the comments of pull request ${pull} of ${repository}`;
    const search = (pull, matches, { since, max = Infinity } = {}) => async ({ octokit, owner, repo }) => {
        const comments = [];
        const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
            owner,
            repo,
            issue_number: pull,
            ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
            per_page: 100,
        });
        for await (const { data } of pages) {
            for (const comment of readAnswer(schemas/* array */.YOg(commentAnswer), data))
                if (await matches(comment))
                    comments.push(comment);
            if (comments.length >= max)
                break;
        }
        return { data: comments };
    };
    async function ownLogin(repository) {
        const operation = 'read the user of the token';
        const user = await github.find({ operation, repository, absent: [401, 403, 404] }, userAnswer, ({ octokit }) => requestCurrentUser(octokit));
        return user?.login;
    }
    return {
        findAll: (repository, pull, matches, options) => github.call({ operation: operationOf(repository, pull), repository, permission: comments_permission }, schemas/* array */.YOg(commentAnswer), search(pull, matches, options)),
        async isOwn(repository, { user }) {
            if (user === null)
                return false;
            if (user.type !== 'Bot')
                return (await ownLogin(repository)) === user.login;
            const app = await github.access.app();
            return app === undefined || user.login === `${app.name}[bot]`;
        },
        async textOf(repository, { pull, id, since }) {
            const comments = await github.find({ operation: operationOf(repository, pull), repository, permission: 'pull-requests: read' }, schemas/* array */.YOg(commentAnswer), search(pull, (comment) => comment.id === id, { since, max: 1 }));
            return comments?.[0]?.body ?? undefined;
        },
        async create(repository, pull, body) {
            const operation = `create a comment on pull request ${pull} of ${repository}`;
            const { id, html_url: url } = await github.call({ operation, repository, permission: comments_permission }, comments_createdAnswer, ({ octokit, owner, repo }) => octokit.rest.issues.createComment({ owner, repo, issue_number: pull, body }));
            return { id, url };
        },
        async update(repository, id, body) {
            const operation = `update a comment of ${repository}`;
            const { html_url } = await github.call({ operation, repository, permission: comments_permission }, writtenAnswer, ({ octokit, owner, repo }) => octokit.rest.issues.updateComment({ owner, repo, comment_id: id, body }));
            return html_url;
        },
        async remove(repository, id) {
            await github.find({ operation: `remove a comment of ${repository}`, repository, permission: comments_permission }, schemas/* unknown */.L5J(), ({ octokit, owner, repo }) => octokit.rest.issues.deleteComment({ owner, repo, comment_id: id }));
        },
    };
}

// EXTERNAL MODULE: ./lib/core/files/decode-text.js
var decode_text = __webpack_require__(587);
// EXTERNAL MODULE: ./lib/core/errors/message-of.js
var message_of = __webpack_require__(2318);
// EXTERNAL MODULE: ./lib/core/text/sanitize-text.js
var sanitize_text = __webpack_require__(7192);
;// CONCATENATED MODULE: ./lib/github/access/error-response.js

const errorWithResponse = schemas/* object */.Ikc({
    response: schemas/* object */.Ikc({
        status: schemas/* number */.aig(),
        headers: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()).default({}),
    }),
});
function responseOf(error) {
    return errorWithResponse.safeParse(error).data?.response;
}

// EXTERNAL MODULE: ./lib/core/text/shorten.js
var shorten = __webpack_require__(4280);
;// CONCATENATED MODULE: ./lib/github/access/refusal-cause.js


const permissionWords = /resource not accessible by|must have (?:admin|push|write)|not authorized to/iu;
function readRefusalCause(error) {
    const status = responseOf(error)?.status;
    const message = (0,message_of/* messageOf */.b)(error);
    if (status === undefined)
        return isRedirect(error) ? 'moved' : 'network';
    if (status === 401)
        return causeOf401(message);
    if (status === 403) {
        if (/suspended/iu.test(message))
            return 'suspended';
        if (/must authenticate via a github app/iu.test(message))
            return 'no-app';
        if (/is locked/iu.test(message))
            return 'locked';
        return permissionWords.test(message) ? 'permission' : 'other';
    }
    if (status === 404)
        return /integration not found/iu.test(message) ? 'key' : 'not-found';
    return status >= 500 ? 'server' : 'other';
}
function causeOf401(message) {
    if (/'(?:iat|exp)'|issued at|expiration time/iu.test(message))
        return 'clock';
    return /json web token/iu.test(message) ? 'key' : 'token';
}
function isRedirect(error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause)
        if (/redirect/iu.test(cause.message))
            return true;
    return false;
}

;// CONCATENATED MODULE: ./lib/github/access/rate-limit.js


const minSecondaryPauseMs = 60_000;
const minPrimaryPauseMs = 1_000;
const maxPrimaryPauseMs = 3_600_000;
function readRateLimit(error, now) {
    const response = responseOf(error);
    if (response === undefined || (response.status !== 403 && response.status !== 429))
        return undefined;
    const retryAfterMs = readRetryAfter(response);
    const pauses = [
        ...(retryAfterMs === undefined ? [] : [Math.max(minSecondaryPauseMs, retryAfterMs)]),
        ...primaryPauses(response, now),
    ];
    if (pauses.length > 0)
        return Math.max(...pauses);
    const message = (0,message_of/* messageOf */.b)(error);
    return response.status === 429 || /rate limit|abuse/iu.test(message) ? minSecondaryPauseMs : undefined;
}
function readRetryAfter({ headers }) {
    const seconds = numberIn(headers['retry-after']);
    return seconds === undefined ? undefined : seconds * 1_000;
}
function limitsWritesOnly(error, method) {
    const response = responseOf(error);
    return (method !== 'GET' && response !== undefined && numberIn(response.headers['x-ratelimit-remaining']) !== 0);
}
function primaryPauses({ headers }, now) {
    if (numberIn(headers['x-ratelimit-remaining']) !== 0)
        return [];
    const reset = numberIn(headers['x-ratelimit-reset']);
    if (reset === undefined)
        return [minSecondaryPauseMs];
    const date = Date.parse(String(headers['date']));
    const pause = reset * 1_000 - (Number.isNaN(date) ? now : date);
    return [Math.min(Math.max(pause, minPrimaryPauseMs), maxPrimaryPauseMs)];
}
function numberIn(header) {
    if (typeof header === 'number')
        return header;
    return typeof header === 'string' && /^\d+$/u.test(header.trim()) ? Number(header) : undefined;
}

;// CONCATENATED MODULE: ./lib/github/access/github-failure.js







function permissionHint(permission) {
    return `Add "${permission}" under "permissions:" of the job, or to the permissions of the worker's token or App. Pull requests from forks and from Dependabot always get a read-only token.`;
}
function absentHint(permission) {
    return `It does not exist any more, or the token may not see it. If it exists, give the token the permission "${permission}" for this repository.`;
}
const hints = {
    limit: 'The token has reached GitHub’s rate limit. Its permissions are not the cause. Try again later, with fewer jobs at the same time.',
    token: 'The token is wrong, expired or revoked. Its permissions are not the cause. In an action, check the input github-token. In the worker, check the App and its key, or MILLRACE_GITHUB_TOKEN.',
    suspended: 'An owner has suspended the installation of the GitHub App. Its permissions are not the cause. Unsuspend it in the settings of the organization or account (GitHub Apps, Configure). The worker continues by itself.',
    moved: 'The repository was renamed or transferred. The worker finds its new name by its id, if its credential has access there.',
    key: 'GitHub does not accept the key of the GitHub App: it belongs to another App, or it was deleted. Create a private key in the settings of the App, and check the id.',
    clock: 'The clock of this host differs from GitHub’s. Set the clock by NTP. The id, the key and the installation of the GitHub App are not the cause.',
    'no-app': 'Only a GitHub App may do this. Use the token of the workflow (github.token) or of an App. A person’s token cannot, whatever its permissions are.',
    locked: 'The conversation is locked. The permissions of the token are not the cause. Unlock the conversation, or use the token of a person who may still write there.',
    other403: 'See the reason in GitHub’s message. It does not say that a permission is missing.',
    server: 'GitHub itself failed. The token and its permissions are not the cause. Try again later, and check www.githubstatus.com.',
    network: 'The connection to GitHub failed. The token and its permissions are not the cause. Check the network, the proxy settings and, for GitHub Enterprise Server, the address of its API.',
};
function hintFor({ permission, deniedHint }, { status, cause }) {
    switch (cause) {
        case 'rate-limit':
            return hints.limit;
        case 'suspended':
        case 'moved':
        case 'network':
        case 'clock':
        case 'key':
        case 'locked':
        case 'no-app':
            return hints[cause];
        case 'permission':
            return deniedHint ?? (permission === undefined ? undefined : permissionHint(permission));
        case 'not-found':
        case 'not-installed':
            return deniedHint ?? (permission === undefined ? undefined : absentHint(permission));
        case 'token':
        case 'server':
        case 'other':
            break;
    }
    if (status === 401)
        return hints.token;
    if (status === 403)
        return deniedHint ?? hints.other403;
    return status !== undefined && status >= 500 ? hints.server : undefined;
}
function githubFailure(error, context) {
    if (error instanceof failure/* Failure */.HR)
        return error;
    const { operation, permission, notFound = 'not-found', now, redact } = context;
    const status = responseOf(error)?.status;
    const pauseMs = readRateLimit(error, now);
    const cause = readRefusalCause(error);
    const details = {
        status,
        refused: status !== undefined && status >= 400 && status < 500,
        cause: pauseMs === undefined ? (cause === 'not-found' ? notFound : cause) : 'rate-limit',
        pauseMs,
    };
    const reason = (0,shorten/* shorten */.m)((0,sanitize_text/* oneLine */.TN)(redact((0,message_of/* messageOf */.b)(error))), 300);
    const hint = hintFor(context, details);
    return new failure/* Failure */.HR('github-failed', {
        message: `GitHub could not ${operation}${status === undefined ? '' : ` (${status})`}: ${reason}`,
        ...(hint === undefined ? {} : { hint }),
        details: { ...details, ...(permission === undefined ? {} : { permission }) },
        cause: redactedCause(error, redact),
    });
}
function redactedCause(error, redact) {
    if (!(error instanceof Error))
        return undefined;
    const cause = redactedCause(error.cause, redact);
    const redacted = new Error(redact(error.message), cause === undefined ? {} : { cause });
    redacted.name = error.name;
    redacted.stack = redact(error.stack ?? '');
    return redacted;
}
function pausedFailure(operation, pauseMs) {
    const seconds = Math.ceil(pauseMs / 1_000);
    return new failure/* Failure */.HR('github-failed', {
        message: `Millrace did not ask GitHub to ${operation}, because GitHub demanded a pause. The pause ends in ${seconds} s.`,
        hint: hints.limit,
        details: { status: 429, refused: true, cause: 'rate-limit', pauseMs },
    });
}

;// CONCATENATED MODULE: ./lib/github/endpoints/people.js

const websiteLogin = 'web-flow';
const permissionAnswer = schemas/* object */.Ikc({
    permission: schemas/* string */.YjP(),
    user: schemas/* object */.Ikc({ id: schemas/* number */.aig() }).nullish(),
});
const membershipAnswer = schemas/* object */.Ikc({ state: schemas/* string */.YjP() });
const teamAnswer = schemas/* object */.Ikc({ slug: schemas/* string */.YjP() });
function createPeople(github) {
    return {
        async accessOf(repository, login) {
            const access = await github.find({ operation: `read the permission of ${login} in ${repository}`, repository }, permissionAnswer, ({ octokit, owner, repo }) => octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: login }));
            if (access?.user === undefined || access.user === null)
                return undefined;
            return { id: access.user.id, mayWrite: ['admin', 'write'].includes(access.permission) };
        },
        async isInTeam(repository, team, login) {
            const [org = '', slug = ''] = partsOf(team);
            const membership = await github.find({ operation: `read whether ${login} is in ${team}`, repository, permission: 'members: read' }, membershipAnswer, ({ octokit }) => octokit.rest.teams.getMembershipForUserInOrg({ org, team_slug: slug, username: login }));
            return membership?.state === 'active';
        },
        async seesTeam(repository, team) {
            const [org = '', slug = ''] = partsOf(team);
            const visibleTeam = await github.find({ operation: `read team ${team}`, repository, permission: 'members: read' }, teamAnswer, ({ octokit }) => octokit.rest.teams.getByName({ org, team_slug: slug }));
            return visibleTeam !== undefined;
        },
    };
}
function partsOf(team) {
    return team.replace('@', '').split('/');
}

// EXTERNAL MODULE: ./lib/core/values/version.js
var version = __webpack_require__(56);
;// CONCATENATED MODULE: ./lib/github/access/rest-request.js

const encodePath = (path) => path.split('/').map(encodeURIComponent).join('/');
const repositoryPath = (fullName) => `/repos/${encodePath(fullName)}`;
class Refused extends Error {
    response;
    constructor(message, response) {
        super(message);
        this.response = response;
    }
}
function sendDirectly({ apiUrl, token, fetch, signal }) {
    const base = apiUrl.replace(/\/+$/u, '');
    const common = {
        accept: 'application/vnd.github.v3+json',
        authorization: `token ${token}`,
        'user-agent': `millrace/${version/* version */.r}`,
    };
    return async ({ method, path, body }) => {
        const { status, headers, text } = await fetch(`${base}${path}`, {
            method,
            headers: body === undefined ? common : { ...common, 'content-type': 'application/json; charset=utf-8' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            ...(signal === undefined ? {} : { signal }),
        });
        const answer = { data: parsed(await text()), headers: Object.fromEntries(headers) };
        if (status < 400)
            return answer;
        throw new Refused(reasonIn(answer.data), { status, headers: answer.headers });
    };
}
async function readPages(send, path, apiUrl) {
    const base = apiUrl.replace(/\/+$/u, '');
    const all = [];
    for (let next = path; next !== undefined;) {
        const { data, headers } = await send({ method: 'GET', path: next });
        if (!Array.isArray(data))
            return { data, headers };
        all.push(...data);
        next = nextIn(headers['link'], base);
    }
    return { data: all, headers: {} };
}
function nextIn(link, base) {
    const [, next] = /<([^<>]+)>;\s*rel="next"/u.exec(typeof link === 'string' ? link : '') ?? [];
    return next?.startsWith(`${base}/`) === true ? next.slice(base.length) : undefined;
}
function parsed(text) {
    try {
        return text === '' ? '' : JSON.parse(text);
    }
    catch {
        return text;
    }
}
function reasonIn(data) {
    if (typeof data !== 'object' || data === null || !('message' in data))
        return typeof data === 'string' ? data : 'Unknown error';
    const errors = 'errors' in data && Array.isArray(data.errors) ? data.errors : [];
    const details = errors.length === 0 ? '' : `: ${errors.map((error) => JSON.stringify(error)).join(', ')}`;
    const page = 'documentation_url' in data ? ` - ${String(data.documentation_url)}` : '';
    return `${String(data.message)}${details}${page}`;
}

;// CONCATENATED MODULE: ./lib/github/endpoints/commits.js






const listedFiles = schemas/* array */.YOg(schemas/* object */.Ikc({ filename: schemas/* string */.YjP(), status: schemas/* string */.YjP(), previous_filename: schemas/* string */.YjP().optional() }));
const commitAnswer = schemas/* object */.Ikc({
    parents: schemas/* array */.YOg(schemas/* object */.Ikc({ sha: schemas/* string */.YjP() })),
    committer: schemas/* object */.Ikc({ date: schemas/* string */.YjP().optional() }).nullish(),
    tree: schemas/* object */.Ikc({ sha: schemas/* string */.YjP() }),
});
const contentAnswer = schemas/* union */.KCZ([
    schemas/* object */.Ikc({ type: schemas/* literal */.euz('file'), content: schemas/* string */.YjP() }),
    schemas/* array */.YOg(schemas/* object */.Ikc({ type: schemas/* string */.YjP(), name: schemas/* string */.YjP(), sha: schemas/* string */.YjP(), size: schemas/* number */.aig() })),
    schemas/* object */.Ikc({ type: schemas/* string */.YjP() }),
]);
const comparisonAnswer = schemas/* object */.Ikc({
    status: schemas/* enum */.k5n(['identical', 'ahead', 'behind', 'diverged']),
    files: listedFiles.default([]),
    merge_base_commit: schemas/* object */.Ikc({ sha: schemas/* string */.YjP() }).optional(),
});
const accountAnswer = schemas/* union */.KCZ([schemas/* object */.Ikc({ login: schemas/* string */.YjP(), id: schemas/* number */.aig() }), schemas/* object */.Ikc({}).transform(() => undefined)])
    .nullish();
const authorsAnswer = schemas/* object */.Ikc({
    total_commits: schemas/* number */.aig(),
    commits: schemas/* array */.YOg(schemas/* object */.Ikc({ author: accountAnswer, committer: accountAnswer })),
});
const betweenAnswer = schemas/* object */.Ikc({
    total_commits: schemas/* int */.Whr(),
    behind_by: schemas/* int */.Whr(),
    commits: schemas/* array */.YOg(schemas/* object */.Ikc({
        sha: schemas/* string */.YjP(),
        commit: schemas/* object */.Ikc({ message: schemas/* string */.YjP(), author: schemas/* object */.Ikc({ name: schemas/* string */.YjP().nullish() }).nullish() }),
        author: accountAnswer,
    })),
});
const commitsPerPage = 100;
const maxPages = 10;
const commits_permission = 'contents: read';
function listedCommit({ sha, commit: { message, author: written }, author, }) {
    const [subject = ''] = message.split('\n');
    return { commit: sha, subject, author: author?.login ?? written?.name ?? '' };
}
function createCommits(github) {
    const comparePage = ({ repository, base, head }, answer, page) => github.find({ operation: `compare commits of ${repository}`, repository, permission: commits_permission }, answer, ({ rest }) => rest({
        method: 'GET',
        path: `${repositoryPath(repository)}/compare/${encodeURIComponent(`${base}...${head}`)}?${page}`,
    }));
    const compare = (repository, base, head) => comparePage({ repository, base, head }, comparisonAnswer, 'per_page=1');
    const readCommit = (repository, commit) => github.find({ operation: `read a commit of ${repository}`, repository, permission: commits_permission, absent: [404, 422] }, commitAnswer, ({ rest }) => rest({
        method: 'GET',
        path: `${repositoryPath(repository)}/git/commits/${encodeURIComponent(commit)}`,
    }));
    const readContent = (repository, path, ref) => github.find({ operation: `read ${path} of ${repository}`, repository, permission: commits_permission, absent: [404, 422] }, contentAnswer, ({ rest }) => rest({
        method: 'GET',
        path: `${repositoryPath(repository)}/contents/${encodePath(path)}?ref=${encodeURIComponent(ref)}`,
    }));
    return {
        async filesBetween(repository, base, head) {
            const comparison = await compare(repository, base, head);
            if (comparison !== undefined) {
                const { files, status } = comparison;
                return { files, containsBase: status === 'ahead' || status === 'identical' };
            }
            throw new failure/* Failure */.HR('github-failed', {
                message: `GitHub could not compare the commits ${base} and ${head} of ${repository}: one of them does not exist there, or the token has no access to it.`,
                hint: absentHint(commits_permission),
            });
        },
        mergeBase: async (repository, base, head) => (await compare(repository, base, head))?.merge_base_commit?.sha,
        async authorsBetween(repository, base, head) {
            const people = new Map();
            let isComplete = true;
            let read = 0;
            for (let page = 1; page <= maxPages; page += 1) {
                const query = `per_page=${commitsPerPage}&page=${page}`;
                const comparison = await comparePage({ repository, base, head }, authorsAnswer, query);
                if (comparison === undefined)
                    return undefined;
                for (const account of comparison.commits.flatMap(({ author, committer }) => [author, committer])) {
                    if (account === undefined || account === null)
                        isComplete = false;
                    else if (account.login !== websiteLogin)
                        people.set(account.login, account);
                }
                read += comparison.commits.length;
                if (read >= comparison.total_commits)
                    return { people: [...people.values()], isComplete };
                if (comparison.commits.length < commitsPerPage)
                    break;
            }
            return { people: [...people.values()], isComplete: false };
        },
        async commitsBetween(repository, base, head, newest) {
            const pageOf = async (page) => comparePage({ repository, base, head }, betweenAnswer, `per_page=${newest}&page=${page}`);
            const first = await pageOf(1);
            if (first === undefined)
                return undefined;
            const { total_commits: added, behind_by: removed } = first;
            const last = Math.max(1, Math.ceil(added / newest));
            const pages = [first.commits];
            for (let page = Math.max(2, last - 1); page <= last; page += 1)
                pages.push((await pageOf(page))?.commits ?? []);
            const commits = pages.flat().slice(-Math.min(newest, added)).toReversed();
            return { added, removed, newest: added === 0 ? [] : commits.map(listedCommit) };
        },
        relation: async (repository, base, head) => (await compare(repository, base, head))?.status ?? 'unrelated',
        async committedAt(repository, commit) {
            const date = (await readCommit(repository, commit))?.committer?.date;
            return date === undefined ? undefined : Date.parse(date);
        },
        async parentOf(repository, commit) {
            const details = await readCommit(repository, commit);
            if (details === undefined) {
                throw new failure/* Failure */.HR('github-failed', {
                    message: `GitHub has no commit ${commit} in ${repository}, or the token has no access to it.`,
                    hint: 'Push the commit, or give the token or App the permission "contents: read" for that repository.',
                });
            }
            return details.parents[0]?.sha;
        },
        treeOf: async (repository, commit) => (await readCommit(repository, commit))?.tree.sha,
        async textAt(repository, path, commit) {
            const content = await readContent(repository, path, commit);
            if (content === undefined || !('content' in content))
                return undefined;
            return (0,decode_text/* requireText */.He)(Buffer.from(content.content, 'base64'), path);
        },
        async filesIn(repository, folder, ref) {
            const content = await readContent(repository, folder, ref);
            if (!Array.isArray(content))
                return undefined;
            return content
                .filter(({ type }) => type === 'file')
                .map(({ name, sha, size }) => ({ name, oid: sha, bytes: size }));
        },
    };
}

;// CONCATENATED MODULE: ./lib/github/endpoints/deployments.js



const deploymentText = (text) => (0,shorten/* shorten */.m)((0,sanitize_text/* oneLine */.TN)(text), 140);
const deployments_idAnswer = schemas/* object */.Ikc({ id: schemas/* number */.aig() });
const deployments_createdAnswer = deployments_idAnswer.extend({ node_id: schemas/* string */.YjP().optional() });
const deployments_listAnswer = schemas/* array */.YOg(schemas/* object */.Ikc({ id: schemas/* number */.aig(), payload: schemas/* unknown */.L5J() }));
const statusesAnswer = schemas/* array */.YOg(schemas/* object */.Ikc({ state: schemas/* string */.YjP(), description: schemas/* string */.YjP() }));
const deployments_permission = 'deployments: write';
function createDeployments(github) {
    async function list(repository, query, pages = 'all') {
        const operation = `list the deployments of ${repository}`;
        return github.call({ operation, repository, permission: deployments_permission }, deployments_listAnswer, async ({ octokit, owner, repo }) => ({
            data: await octokit.paginate(octokit.rest.repos.listDeployments, { owner, repo, ...query, per_page: 100 }, ({ data }, done) => {
                if (pages === 'first page')
                    done();
                return data;
            }),
        }));
    }
    return {
        async create(repository, { commit, environment, description, payload, isProduction }) {
            const operation = `create a deployment of ${repository}`;
            const { id, node_id: node } = await github.call({ operation, repository, permission: deployments_permission }, deployments_createdAnswer, ({ octokit, owner, repo }) => octokit.rest.repos.createDeployment({
                owner,
                repo,
                ref: commit,
                environment,
                description: deploymentText(description),
                payload: { ...payload },
                transient_environment: false,
                ...(isProduction === undefined ? {} : { production_environment: isProduction }),
                auto_merge: false,
                required_contexts: [],
            }));
            return { id, node };
        },
        async find(repository, { commit, environment, promotion }) {
            const all = await list(repository, { sha: commit, environment });
            return all.find(({ payload }) => promotionIn(payload) === promotion)?.id;
        },
        async ofEnvironment(repository, environment) {
            const newest = await list(repository, { environment }, 'first page');
            return newest.flatMap(({ id, payload }) => {
                const promotion = promotionIn(payload);
                return typeof promotion === 'string' ? [{ id, promotion }] : [];
            });
        },
        async ofVersion(repository, environment, version) {
            const newest = await list(repository, { environment }, 'first page');
            return newest.flatMap(({ id, payload }) => (fieldIn(payload, 'version') === version ? [id] : []));
        },
        async setStatus(repository, id, { state, description, logUrl, environmentUrl, closesPrior }) {
            const operation = `set the status of a deployment of ${repository}`;
            await github.call({ operation, repository, permission: deployments_permission }, deployments_idAnswer, ({ octokit, owner, repo }) => octokit.rest.repos.createDeploymentStatus({
                owner,
                repo,
                deployment_id: id,
                state,
                description: deploymentText(description),
                ...(closesPrior === undefined ? {} : { auto_inactive: closesPrior }),
                ...(logUrl === undefined ? {} : { log_url: logUrl }),
                ...(environmentUrl === undefined ? {} : { environment_url: environmentUrl }),
            }));
        },
        async readStatus(repository, id) {
            const operation = `read the status of a deployment of ${repository}`;
            const statuses = await github.find({ operation, repository, permission: deployments_permission }, statusesAnswer, ({ octokit, owner, repo }) => octokit.rest.repos.listDeploymentStatuses({ owner, repo, deployment_id: id, per_page: 1 }));
            return statuses?.[0];
        },
    };
}
const promotionIn = (payload) => fieldIn(payload, 'promotion');
function fieldIn(payload, field) {
    if (typeof payload === 'string') {
        try {
            return fieldIn(JSON.parse(payload), field);
        }
        catch {
            return undefined;
        }
    }
    if (typeof payload !== 'object' || payload === null)
        return undefined;
    return payload[field];
}

;// CONCATENATED MODULE: ./lib/github/access/github-access.js
function tokenAccess(token) {
    const ids = new Map();
    return {
        kind: 'token',
        tokenFor: async () => token(),
        accountTokenFor: async () => token(),
        accountOf: async () => 'token',
        appToken: async () => undefined,
        app: async () => undefined,
        installation: async () => undefined,
        hasMoved: async () => false,
        keyOf: (repository) => typeof repository === 'string' ? (ids.get(repository.toLowerCase()) ?? repository) : repository,
        learn: (fullName, id) => void ids.set(fullName.toLowerCase(), id),
    };
}

// EXTERNAL MODULE: external "node:async_hooks"
var external_node_async_hooks_ = __webpack_require__(6698);
// EXTERNAL MODULE: ./lib/core/text/redactor.js + 1 modules
var redactor = __webpack_require__(4422);
// EXTERNAL MODULE: ./node_modules/@actions/github/lib/utils.js + 23 modules
var utils = __webpack_require__(6144);
;// CONCATENATED MODULE: ./lib/github/access/octokit.js

const silentLog = { debug: () => { }, info: () => { }, warn: () => { }, error: () => { } };
function createOctokit({ apiUrl, token, signal, fetch }) {
    const options = { baseUrl: apiUrl.replace(/\/+$/u, ''), log: silentLog };
    const octokit = new utils/* GitHub */.gq(token === undefined ? options : (0,utils/* getOctokitOptions */.EG)(token, options));
    octokit.hook.before('request', (parameters) => {
        parameters.request = { ...parameters.request, fetch, ...(signal === undefined ? {} : { signal }) };
    });
    return octokit;
}

// EXTERNAL MODULE: ./lib/http/decode-body.js
var decode_body = __webpack_require__(3311);
// EXTERNAL MODULE: ./lib/http/connections.js + 2 modules
var http_connections = __webpack_require__(417);
;// CONCATENATED MODULE: ./lib/github/access/pooled-fetch.js


const redirects = new Set([301, 302, 303, 307, 308]);
function createPooledFetch({ timeoutMs, proxy, maxAnswerBytes = 64 * 1024 * 1024, }) {
    const connections = (0,http_connections/* openConnections */.q)({ proxy });
    return async (address, request) => {
        const url = new URL(address);
        const dispatcher = await connections.dispatcherFor(url.origin, false);
        const answer = await send(dispatcher, url, request, { timeoutMs, maxAnswerBytes });
        if (redirects.has(answer.status))
            throw new TypeError('unexpected redirect');
        const body = await decode(answer, maxAnswerBytes);
        return {
            status: answer.status,
            url: address,
            headers: answer.headers,
            get body() {
                return new Blob([new Uint8Array(body)]).stream();
            },
            text: async () => body.toString('utf8'),
            arrayBuffer: async () => new Uint8Array(body).buffer,
        };
    };
}
function send(dispatcher, url, request, { timeoutMs, maxAnswerBytes }) {
    const { method, headers, body, signal } = request;
    return new Promise((resolve, reject) => {
        if (signal?.aborted === true)
            return reject(signal.reason);
        let abort;
        let isOver = false;
        const end = (conclude) => {
            isOver = true;
            clearTimeout(timer);
            signal?.removeEventListener('abort', onAbort);
            conclude();
        };
        const fail = (error) => {
            end(() => reject(error));
            abort?.(error);
        };
        const onAbort = () => fail(signal?.reason);
        const timer = setTimeout(() => fail(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
        signal?.addEventListener('abort', onAbort, { once: true });
        let head = { status: 0, headers: new Map() };
        const chunks = [];
        let bytes = 0;
        dispatcher.dispatch({
            origin: url.origin,
            path: `${url.pathname}${url.search}`,
            method: method,
            headers: { ...headers, 'accept-encoding': 'gzip' },
            body: body ?? null,
        }, {
            onConnect(stop) {
                abort = stop;
                if (isOver)
                    stop(new Error('no longer wanted'));
            },
            onHeaders(status, raw) {
                if (status >= 200)
                    head = { status, headers: readHeaders(raw) };
                return true;
            },
            onData(chunk) {
                bytes += chunk.length;
                chunks.push(chunk);
                if (bytes > maxAnswerBytes)
                    fail(tooLong(maxAnswerBytes));
                return !isOver;
            },
            onComplete: () => end(() => resolve({ ...head, body: Buffer.concat(chunks, bytes) })),
            onError: (error) => end(() => reject(error)),
        });
    });
}
async function decode({ headers, body }, maxAnswerBytes) {
    const encoding = headers.get('content-encoding');
    if (!(0,decode_body/* isEncoded */.f)(encoding))
        return body;
    const decoded = await (0,decode_body/* decodeBody */.V)(body, encoding, maxAnswerBytes);
    if (decoded.kind === 'decoded')
        return decoded.bytes;
    if (decoded.kind === 'too-large')
        throw tooLong(maxAnswerBytes);
    throw new Error(`the answer cannot be decoded: ${decoded.problem}`);
}
const tooLong = (maxAnswerBytes) => new Error(`the answer is longer than ${maxAnswerBytes} bytes`);
function readHeaders(raw) {
    const headers = new Map();
    for (let i = 0; i + 1 < raw.length; i += 2) {
        const name = String(raw[i]).toLowerCase();
        const value = String(raw[i + 1]);
        const previous = headers.get(name);
        headers.set(name, previous === undefined ? value : `${previous}, ${value}`);
    }
    return headers;
}

;// CONCATENATED MODULE: ./lib/github/access/github-caller.js










const transientStatuses = new Set([500, 502, 503, 504]);
const maxRetryPauseMs = 60_000;
const maxClients = 200;
function createGitHubCaller(options) {
    const { apiUrl, access, clock, timeoutMs, proxy, signal, health, allowances } = options;
    const fetch = createPooledFetch({ timeoutMs, proxy });
    const attempts = createAttempts(options);
    async function tokenOf({ repository, as }, renewToken) {
        if (as === 'app')
            return (await access.appToken()) ?? '';
        return as === undefined
            ? access.tokenFor(repository, renewToken)
            : access.accountTokenFor(repository, as, renewToken);
    }
    const calls = new external_node_async_hooks_.AsyncLocalStorage();
    const clients = new Map();
    async function sendInTurn(method, send) {
        const { account, operation } = calls.getStore() ?? { account: '', operation: '' };
        if (method !== 'GET')
            await attempts.waitForPause('writes', account, operation);
        let response;
        try {
            response = await attempts.repeat({ method, account }, send);
        }
        catch (error) {
            allowances?.record(account, responseOf(error)?.headers ?? {});
            throw error;
        }
        allowances?.record(account, response.headers);
        if (isWebPage(response.data))
            throw notFromGitHub();
        return response;
    }
    function clientFor(token) {
        const existing = clients.get(token);
        if (existing !== undefined)
            return existing;
        const octokit = createOctokit({ apiUrl, token, signal, fetch });
        octokit.hook.wrap('request', async (send, parameters) => sendInTurn(isQuery(parameters) ? 'GET' : parameters.method, async () => send(parameters)));
        const direct = sendDirectly({ apiUrl, token, fetch, signal });
        const rest = async (request) => sendInTurn(request.method, async () => direct(request));
        const client = {
            octokit,
            rest,
            pages: async (path) => readPages(rest, path, apiUrl),
            redact: (text) => (0,redactor/* createRedactor */.lY)([token]).text(text),
        };
        if (clients.size >= maxClients)
            clients.clear();
        clients.set(token, client);
        return client;
    }
    async function open(call, renewToken) {
        const { repository } = call;
        const client = clientFor(await tokenOf(call, renewToken));
        const [owner = '', repo = ''] = typeof repository === 'string' ? repository.split('/') : [];
        return { ...client, owner, repo };
    }
    async function perform(call, answer, send) {
        const { repository, as } = call;
        if (as === 'app')
            return performOnce(call, answer, send);
        try {
            const result = await performOnce(call, answer, send);
            if (result.ok)
                health?.succeeded(access.keyOf(repository));
            else
                health?.failed(access.keyOf(repository), (0,failure_details/* failureDetails */.J)(result.failure).cause);
            return result;
        }
        catch (error) {
            health?.failed(access.keyOf(repository), (0,failure_details/* failureDetails */.J)(error).cause);
            throw error;
        }
    }
    async function performOnce(call, answer, send) {
        const { operation, repository, permission, as } = call;
        const account = as === 'app' ? as : await access.accountOf(repository);
        await attempts.waitForPause('all', account, operation);
        for (let renewToken = false;; renewToken = true) {
            const api = await open(call, renewToken);
            try {
                const { data } = await calls.run({ account, operation }, () => send(api));
                return { ok: true, data: readAnswer(answer, data) };
            }
            catch (error) {
                signal?.throwIfAborted();
                const failure = githubFailure(error, { operation, permission, now: clock.now(), redact: api.redact });
                if (!renewToken && as !== 'app' && (await isStale(repository, failure)))
                    continue;
                return { ok: false, failure };
            }
        }
    }
    async function isStale(repository, failure) {
        if (access.kind !== 'app')
            return false;
        const { status, pauseMs } = (0,failure_details/* failureDetails */.J)(failure);
        if (status === 401)
            return true;
        return pauseMs === undefined && (status === 403 || status === 404) && access.hasMoved(repository);
    }
    return {
        access,
        async call(call, answer, send) {
            const result = await perform(call, answer, send);
            if (result.ok)
                return result.data;
            throw result.failure;
        },
        async find({ absent = [404], ...call }, answer, send) {
            const result = await perform(call, answer, send);
            if (result.ok)
                return result.data;
            const { status, pauseMs } = (0,failure_details/* failureDetails */.J)(result.failure);
            if (status !== undefined && absent.includes(status) && pauseMs === undefined)
                return undefined;
            throw result.failure;
        },
    };
}
const isQuery = ({ url, query }) => url.endsWith('/graphql') && !(typeof query === 'string' && query.startsWith('mutation'));
function createAttempts({ clock, attempts = 1, patienceMs = 0, signal }) {
    const pausedUntil = { all: new Map(), writes: new Map() };
    let patienceLeft = patienceMs;
    async function waitFor(pauseMs) {
        if (pauseMs > patienceLeft)
            return false;
        patienceLeft -= pauseMs;
        await clock.sleep(pauseMs, signal);
        return true;
    }
    async function mayRetry(error, { method, account, attempt }) {
        const limitMs = readRateLimit(error, clock.now());
        if (limitMs !== undefined) {
            pausedUntil[limitsWritesOnly(error, method) ? 'writes' : 'all'].set(account, clock.now() + limitMs);
            return attempt < attempts && (await waitFor(limitMs));
        }
        const response = responseOf(error);
        const isTransient = response === undefined || transientStatuses.has(response.status);
        if (attempt >= attempts || method !== 'GET' || !isTransient)
            return false;
        const retryAfterMs = response === undefined ? undefined : readRetryAfter(response);
        await clock.sleep(Math.min(retryAfterMs ?? 500 * 2 ** (attempt - 1), maxRetryPauseMs), signal);
        return true;
    }
    return {
        async repeat(request, send) {
            for (let attempt = 1;; attempt += 1) {
                try {
                    return await send();
                }
                catch (error) {
                    signal?.throwIfAborted();
                    if (!(await mayRetry(error, { ...request, attempt })))
                        throw error;
                }
            }
        },
        async waitForPause(of, account, operation) {
            const pauseMs = (pausedUntil[of].get(account) ?? 0) - clock.now();
            if (pauseMs > 0 && !(await waitFor(pauseMs)))
                throw pausedFailure(operation, pauseMs);
        },
    };
}

;// CONCATENATED MODULE: ./lib/github/endpoints/pulls.js



const pullAnswer = schemas/* object */.Ikc({
    head: schemas/* object */.Ikc({ sha: schemas/* string */.YjP() }),
    base: schemas/* object */.Ikc({ ref: schemas/* string */.YjP(), sha: schemas/* string */.YjP() }),
    merged: schemas/* boolean */.zMY(),
    merge_commit_sha: schemas/* string */.YjP().nullish(),
    merged_at: schemas/* string */.YjP().nullish(),
});
const mergedAnswer = schemas/* array */.YOg(schemas/* object */.Ikc({
    number: schemas/* number */.aig(),
    head: schemas/* object */.Ikc({ sha: schemas/* string */.YjP() }),
    user: schemas/* object */.Ikc({ login: schemas/* string */.YjP() }).nullish(),
    merge_commit_sha: schemas/* string */.YjP().nullish(),
    merged_at: schemas/* string */.YjP().nullish(),
}));
const reviewsAnswer = schemas/* array */.YOg(schemas/* object */.Ikc({
    user: schemas/* object */.Ikc({ login: schemas/* string */.YjP(), id: schemas/* number */.aig() }).nullish(),
    state: schemas/* string */.YjP(),
    commit_id: schemas/* string */.YjP().nullish(),
    submitted_at: schemas/* string */.YjP().nullish(),
}));
const pulls_permission = 'pull-requests: read';
function createPulls(github) {
    return {
        async commits(repository, pull) {
            const pullRequest = await github.find({ operation: `read pull request ${pull} of ${repository}`, repository, permission: pulls_permission }, pullAnswer, ({ octokit, owner, repo }) => octokit.rest.pulls.get({ owner, repo, pull_number: pull }));
            return (pullRequest && {
                head: pullRequest.head.sha,
                base: { branch: pullRequest.base.ref, commit: pullRequest.base.sha },
                merged: pullRequest.merged ? (pullRequest.merge_commit_sha ?? undefined) : undefined,
                mergedAt: typeof pullRequest.merged_at === 'string' ? Date.parse(pullRequest.merged_at) : undefined,
            });
        },
        async mergedAs(repository, commit) {
            const pulls = await github.call({ operation: `list the pull requests of a commit of ${repository}`, repository, permission: pulls_permission }, mergedAnswer, ({ pages }) => pages(`${repositoryPath(repository)}/commits/${encodeURIComponent(commit)}/pulls`));
            return pulls
                .filter(({ merged_at: mergedAt, merge_commit_sha: merge }) => mergedAt != null && merge === commit)
                .map(({ number, head, user }) => ({ number, head: head.sha, author: user?.login ?? '' }));
        },
        async reviews(repository, pull) {
            const reviews = await github.call({ operation: `list the reviews of pull request ${pull} of ${repository}`, repository, permission: pulls_permission }, reviewsAnswer, ({ pages }) => pages(`${repositoryPath(repository)}/pulls/${pull}/reviews?per_page=100`));
            return reviews.flatMap(({ user, state, commit_id: commit, submitted_at: submittedAt }) => user == null || submittedAt == null
                ? []
                : [{ ...user, state, commit: commit ?? undefined, submittedAt }]);
        },
        async files(repository, pull) {
            const operation = `list the files of pull request ${pull} of ${repository}`;
            return await github.call({ operation, repository, permission: pulls_permission }, listedFiles, async ({ octokit, owner, repo }) => {
                const query = { owner, repo, pull_number: pull, per_page: 100 };
                return { data: await octokit.paginate(octokit.rest.pulls.listFiles, query) };
            });
        },
    };
}

;// CONCATENATED MODULE: ./lib/github/endpoints/refs.js


const maxTagDepth = 5;
const gitObject = schemas/* object */.Ikc({ type: schemas/* string */.YjP(), sha: schemas/* string */.YjP() });
const refs_refAnswer = schemas/* object */.Ikc({ object: gitObject });
const tagAnswer = schemas/* object */.Ikc({
    object: gitObject,
    tagger: schemas/* object */.Ikc({ date: schemas/* string */.YjP().optional() }).nullish(),
});
const branchesAnswer = schemas/* array */.YOg(schemas/* object */.Ikc({ name: schemas/* string */.YjP(), commit: schemas/* object */.Ikc({ sha: schemas/* string */.YjP() }) }));
const matchingAnswer = schemas/* array */.YOg(schemas/* object */.Ikc({ ref: schemas/* string */.YjP(), object: schemas/* object */.Ikc({ sha: schemas/* string */.YjP() }) }));
const refs_permission = 'contents: read';
function createRefs(github) {
    async function peel(repository, object, depth = 0) {
        if (object.type === 'commit')
            return object.sha;
        if (object.type !== 'tag' || depth >= maxTagDepth)
            return undefined;
        const tag = await readTag(repository, object.sha);
        return tag && peel(repository, tag.object, depth + 1);
    }
    const readTag = (repository, id) => github.find({ operation: `read a tag of ${repository}`, repository, permission: refs_permission }, tagAnswer, ({ rest }) => rest({ method: 'GET', path: `${repositoryPath(repository)}/git/tags/${id}` }));
    const listRefs = (repository, prefix) => github.call({ operation: `list ${prefix} of ${repository}`, repository, permission: refs_permission }, matchingAnswer, ({ pages }) => pages(`${repositoryPath(repository)}/git/matching-refs/${encodeURIComponent(prefix.replace(/^refs\//u, ''))}`));
    const readRef = (repository, ref) => github.find({ operation: `read ${ref} of ${repository}`, repository, permission: refs_permission }, refs_refAnswer, ({ rest }) => rest({
        method: 'GET',
        path: `${repositoryPath(repository)}/git/ref/${encodeURIComponent(ref.replace(/^refs\//u, ''))}`,
    }));
    return {
        async head(repository, ref) {
            const answer = await readRef(repository, ref);
            return answer && peel(repository, answer.object);
        },
        async exists(repository, ref) {
            return (await listRefs(repository, ref)).some((listed) => listed.ref === ref);
        },
        async taggedAt(repository, ref) {
            const object = (await readRef(repository, ref))?.object;
            const tag = object?.type === 'tag' ? await readTag(repository, object.sha) : undefined;
            const date = tag?.tagger?.date;
            return date === undefined ? undefined : Date.parse(date);
        },
        async branches(repository) {
            const branches = await github.call({ operation: `list the branches of ${repository}`, repository, permission: refs_permission }, branchesAnswer, ({ pages }) => pages(`${repositoryPath(repository)}/branches?per_page=100`));
            return branches.map(({ name, commit }) => ({ name, commit: commit.sha }));
        },
        async tags(repository) {
            const tags = await listRefs(repository, 'refs/tags/');
            return tags.map(({ ref, object }) => ({
                name: ref.replace(/^refs\/tags\//u, ''),
                commit: object.sha,
            }));
        },
    };
}

;// CONCATENATED MODULE: ./lib/github/workflow-run/connect-github.js










const lastTimeoutMs = 5_000;
function connectGitHub({ token, repository, clock = system_clock/* systemClock */.m, random = Math.random, attempts = 3, timeoutMs = 30_000, ...options }) {
    const access = tokenAccess(() => token);
    const github = createGitHubCaller({ ...options, access, clock, attempts, timeoutMs });
    const last = createGitHubCaller({ apiUrl: options.apiUrl, access, clock, timeoutMs: lastTimeoutMs });
    const commits = createCommits(github);
    const refs = createRefs(github);
    const sleep = (ms) => clock.sleep(ms, options.signal);
    return {
        repository,
        github,
        branchFiles: createBranchFiles(github, { refs, commits, sleep, random }),
        checks: createChecks(github),
        lastChecks: createChecks(last),
        comments: createComments(github),
        commits,
        deployments: createDeployments(github),
        pulls: createPulls(github),
        refs,
    };
}


/***/ })

};
