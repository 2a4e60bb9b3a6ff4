export const id = 669;
export const ids = [669];
export const modules = {

/***/ 669:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   proxyAgent: () => (/* binding */ proxyAgent)
/* harmony export */ });
/* harmony import */ var undici_lib_api_api_connect_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2279);
/* harmony import */ var undici_lib_dispatcher_pool_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(628);
/* harmony import */ var undici_lib_dispatcher_proxy_agent_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6672);



/** Connections through a proxy, by a tunnel for http and https alike. Both parts are given `tls`. */
function proxyAgent(proxy, common, tls) {
    return new undici_lib_dispatcher_proxy_agent_js__WEBPACK_IMPORTED_MODULE_2__({
        ...common,
        uri: proxy,
        requestTls: tls,
        proxyTls: tls,
        // Only where the whole of undici is loaded has a pool the call that opens a tunnel.
        clientFactory: (origin, options) => Object.assign(new undici_lib_dispatcher_pool_js__WEBPACK_IMPORTED_MODULE_1__(origin, options), { connect: undici_lib_api_api_connect_js__WEBPACK_IMPORTED_MODULE_0__ }),
    });
}


/***/ })

};
