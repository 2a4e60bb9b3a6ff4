export const id = 249;
export const ids = [249];
export const modules = {

/***/ 1249:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   connectGitHub: () => (/* binding */ connectGitHub)
/* harmony export */ });
/* harmony import */ var _actions_github__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2218);
/* harmony import */ var _core_system_clock_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2698);
/* harmony import */ var _rate_limit_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9293);
/* harmony import */ var _request_status_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9967);




const transient = new Set([429, 500, 502, 503, 504]);
const longestPauseMs = 60_000;
function connectGitHub(options) {
    const { apiUrl, token, repository, clock = _core_system_clock_js__WEBPACK_IMPORTED_MODULE_1__/* .systemClock */ .m, attempts = 3, timeoutMs = 30_000, patienceMs = 0, signal, } = options;
    const [owner = '', repo = ''] = repository.split('/');
    const octokit = (0,_actions_github__WEBPACK_IMPORTED_MODULE_0__/* .getOctokit */ .Q)(token, { baseUrl: apiUrl.replace(/\/+$/u, '') });
    let patienceLeft = patienceMs;
    const pauseAfter = (error, method, attempt) => {
        const limited = patienceMs === 0 ? undefined : (0,_rate_limit_js__WEBPACK_IMPORTED_MODULE_2__/* .rateLimitOf */ .t)(error, clock.now());
        if (limited !== undefined) {
            if (limited > patienceLeft)
                return undefined;
            patienceLeft -= limited;
            return limited;
        }
        if (method !== 'GET' || !transient.has((0,_request_status_js__WEBPACK_IMPORTED_MODULE_3__/* .statusOf */ .c)(error) ?? 500))
            return undefined;
        return Math.min((0,_rate_limit_js__WEBPACK_IMPORTED_MODULE_2__/* .retryAfterOf */ .s)(error) ?? 500 * 2 ** (attempt - 1), longestPauseMs);
    };
    octokit.hook.wrap('request', async (request, parameters) => {
        for (let attempt = 1;; attempt += 1) {
            const limit = AbortSignal.timeout(timeoutMs);
            const within = signal === undefined ? limit : AbortSignal.any([limit, signal]);
            try {
                parameters.request = { ...parameters.request, signal: within };
                return await request(parameters);
            }
            catch (error) {
                signal?.throwIfAborted();
                const pause = attempt < attempts ? pauseAfter(error, parameters.method, attempt) : undefined;
                if (pause === undefined)
                    throw error;
                await clock.sleep(pause, signal);
            }
        }
    });
    return { octokit, owner, repo };
}


/***/ })

};
