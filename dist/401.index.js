export const id = 401;
export const ids = [401];
export const modules = {

/***/ 464:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ runUntilFailed)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);
/* harmony import */ var _files_overlay_project_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9926);
/* harmony import */ var _files_planned_test_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9015);
/* harmony import */ var _run_test_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7931);




async function runUntilFailed(tests, changed, { warehouse, setting }) {
    const contents = new Map([...changed].map(([file, text]) => [file, Buffer.from(text)]));
    const project = (0,_files_overlay_project_js__WEBPACK_IMPORTED_MODULE_1__/* .overlayProject */ ._)(setting.project, { contents });
    const replanned = new Map();
    const planOf = ({ file, test }) => {
        const known = replanned.get(file) ?? (0,_files_planned_test_js__WEBPACK_IMPORTED_MODULE_2__/* .planTests */ .z)(file, project);
        replanned.set(file, known);
        const planned = known.find((other) => other.test === test);
        if (planned === undefined)
            throw new Error('a test is not planned again');
        return planned;
    };
    let refusal;
    for (const [index, planned] of tests.entries()) {
        setting.signal.throwIfAborted();
        const result = await problemsOr(async () => (0,_run_test_js__WEBPACK_IMPORTED_MODULE_3__/* .runTest */ .YA)(planOf(planned), warehouse, { ...setting, project }));
        if (result instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq)
            return { verdict: 'failed', test: index, by: 'failure' };
        if (result.status === 'failed')
            return { verdict: 'failed', test: index, by: reasonOf(result) };
        if (result.status === 'refused')
            refusal ??= result.differences[0]?.message ?? '';
    }
    return refusal === undefined ? { verdict: 'passed' } : { verdict: 'refused', message: refusal };
}
function reasonOf({ differences }) {
    return differences.some(({ kind }) => kind === 'outcome' || kind === 'timeout') ? 'failure' : 'result';
}
async function problemsOr(work) {
    try {
        return await work();
    }
    catch (error) {
        if (error instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq)
            return error;
        throw error;
    }
}


/***/ }),

/***/ 6401:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   openJob: () => (/* binding */ openJob)
/* harmony export */ });
/* harmony import */ var _engine_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7223);
/* harmony import */ var _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2719);
/* harmony import */ var _lib_core_errors_message_of_js__WEBPACK_IMPORTED_MODULE_12__ = __webpack_require__(2318);
/* harmony import */ var _lib_core_ports_system_clock_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5366);
/* harmony import */ var _files_reopen_project_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4685);
/* harmony import */ var _files_trace_reads_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4243);
/* harmony import */ var _coverage_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4668);
/* harmony import */ var _encode_result_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(5616);
/* harmony import */ var _plan_file_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(1196);
/* harmony import */ var _open_test_warehouse_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(8953);
/* harmony import */ var _run_test_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(7931);
/* harmony import */ var _run_until_failed_js__WEBPACK_IMPORTED_MODULE_10__ = __webpack_require__(464);
/* harmony import */ var _traced_setting_js__WEBPACK_IMPORTED_MODULE_11__ = __webpack_require__(8472);
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});













function openJob(answer) {
    const cancel = new AbortController();
    const opened = Promise.withResolvers();
    const waiting = new WaitingTasks(() => answer({ kind: 'ready' }));
    cancel.signal.addEventListener('abort', () => {
        opened.resolve(undefined);
        waiting.end();
    });
    const work = async () => {
        const setting = await opened.promise;
        if (setting !== undefined)
            await runWaiting(setting, waiting, { answer, signal: cancel.signal });
    };
    return {
        order(order) {
            if (order.kind === 'open')
                opened.resolve(order.setting);
            else if (order.kind === 'run')
                waiting.add(order.unit.tests.map(({ id, name }) => ({ id, name, file: order.unit.file })));
            else if (order.kind === 'try')
                waiting.add([order.trial]);
            else if (order.kind === 'end')
                waiting.end();
            else
                cancel.abort();
        },
        ended: work().catch((error) => {
            if (!cancel.signal.aborted)
                answer(failedAnswer(error));
        }),
    };
}
function failedAnswer(error) {
    return {
        kind: 'failed',
        code: error instanceof _lib_core_errors_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .Failure */ .HR ? error.code : undefined,
        message: (0,_lib_core_errors_message_of_js__WEBPACK_IMPORTED_MODULE_12__/* .messageOf */ .b)(error),
        stack: error instanceof Error ? (error.stack ?? '') : '',
    };
}
class WaitingTasks {
    #tasks = [];
    #takers = [];
    #onEmpty;
    #isEnded = false;
    constructor(onEmpty) {
        this.#onEmpty = onEmpty;
    }
    add(tasks) {
        this.#tasks.push(...tasks);
        for (let taker = this.#takers[0]; taker !== undefined && this.#tasks.length > 0; [taker] = this.#takers) {
            this.#takers.shift();
            taker(this.#shift());
        }
    }
    end() {
        this.#isEnded = true;
        for (const taker of this.#takers.splice(0))
            taker(undefined);
    }
    async take() {
        if (this.#tasks.length > 0)
            return this.#shift();
        if (this.#isEnded)
            return undefined;
        const { promise, resolve } = Promise.withResolvers();
        this.#takers.push(resolve);
        return promise;
    }
    #shift() {
        const task = this.#tasks.shift();
        if (this.#tasks.length === 0)
            this.#onEmpty();
        return task;
    }
}
async function runWaiting({ project: recipe, python, packages, atOnce, withCoverage, withTraces }, waiting, { answer, signal }) {
    const project = (0,_files_reopen_project_js__WEBPACK_IMPORTED_MODULE_3__/* .reopenProject */ .p)(recipe);
    const setting = (0,_run_test_js__WEBPACK_IMPORTED_MODULE_9__/* .testSetting */ .ZL)(project, { clock: _lib_core_ports_system_clock_js__WEBPACK_IMPORTED_MODULE_2__/* .systemClock */ .m, signal, python });
    const planOf = planner(setting, packages);
    const endOfTask = (task, warehouse) => 'tests' in task
        ? endOfTrial(task, { planOf, warehouse, setting })
        : endOfTest(task, { planOf, warehouse, setting, withCoverage, withTraces });
    const lane = async () => {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const warehouse = __addDisposableResource(env_1, await (0,_open_test_warehouse_js__WEBPACK_IMPORTED_MODULE_8__/* .openTestWarehouse */ .W)(project, packages), true);
            for (let next = await waiting.take(); next !== undefined; next = await waiting.take()) {
                signal.throwIfAborted();
                answer({ kind: 'ended', ended: { id: next.id, ...(await endOfTask(next, warehouse)) } });
            }
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = __disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
}
async function endOfTest(test, { planOf, warehouse, setting, withCoverage, withTraces, }) {
    let reached;
    let traced;
    const ended = await orProblems(async () => {
        const { planned, reads } = await planOf(test);
        traced = withTraces ? (0,_traced_setting_js__WEBPACK_IMPORTED_MODULE_11__/* .tracedSetting */ .E)(setting, reads) : undefined;
        const result = await (0,_run_test_js__WEBPACK_IMPORTED_MODULE_9__/* .runTest */ .YA)(planned, warehouse, traced?.setting ?? setting, (run) => {
            if (withCoverage)
                reached = (0,_coverage_js__WEBPACK_IMPORTED_MODULE_5__/* .reachedBy */ .Kg)(run);
            traced?.see(run);
        });
        return { result: (0,_encode_result_js__WEBPACK_IMPORTED_MODULE_6__/* .encodeResult */ .Y)(result) };
    });
    const trace = traced?.trace();
    return {
        ...ended,
        ...(reached === undefined ? {} : { reached }),
        ...(setting.project.roots.taken() === undefined ? {} : { usesCallRoot: true }),
        ...(trace === undefined ? {} : { trace }),
    };
}
function endOfTrial({ tests, changed }, { planOf, warehouse, setting }) {
    return orProblems(async () => {
        const plans = [];
        for (const test of tests)
            plans.push((await planOf(test)).planned);
        return { trial: await (0,_run_until_failed_js__WEBPACK_IMPORTED_MODULE_10__/* .runUntilFailed */ .D)(plans, new Map(changed), { warehouse, setting }) };
    });
}
async function orProblems(run) {
    try {
        return await run();
    }
    catch (error) {
        if (error instanceof _engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .FileProblems */ .jq)
            return { problems: error.problems };
        throw error;
    }
}
function planner({ project, declared }, packages) {
    const plans = new Map();
    const plan = async (file) => {
        const { project: traced, reads } = (0,_files_trace_reads_js__WEBPACK_IMPORTED_MODULE_4__/* .traceReads */ .vu)(project, declared);
        const planned = await (0,_plan_file_js__WEBPACK_IMPORTED_MODULE_7__/* .planFile */ .e)(file, traced, { packages });
        return new Map(planned.map((test) => [test.test.name, { planned: test, reads }]));
    };
    return async ({ file, name }) => {
        const planning = plans.get(file) ?? plan(file);
        plans.set(file, planning);
        const planned = (await planning).get(name);
        if (planned !== undefined)
            return planned;
        const message = `the file was changed while its tests ran, and no longer has the test "${name}": run the tests again`;
        throw (0,_engine_index_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)({ file, line: 1, column: 1 }, message);
    };
}


/***/ })

};
