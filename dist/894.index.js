export const id = 894;
export const ids = [894];
export const modules = {

/***/ 3894:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  findNewerVersion: () => (/* binding */ findNewerVersion)
});

// UNUSED EXPORTS: compareNames

// EXTERNAL MODULE: ./lib/core/values/commit-id.js
var commit_id = __webpack_require__(9245);
// EXTERNAL MODULE: ./lib/core/text/compare-texts.js
var compare_texts = __webpack_require__(315);
// EXTERNAL MODULE: ./node_modules/semver/functions/parse.js
var parse = __webpack_require__(6353);
// EXTERNAL MODULE: ./node_modules/semver/functions/satisfies.js
var functions_satisfies = __webpack_require__(8011);
;// CONCATENATED MODULE: ./flows/versions/version-order.js



const namePattern = /^(?:.*\/)?((?:[A-Za-z]\w*[-@])*)[vV]?(\d+)\.(\d+)(?:\.(\d+))?((?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)$/u;
function prefixOf(name) {
    return namePattern.exec(name)?.[1];
}
function semanticVersion(name) {
    const [, , major, minor, patch = '0', rest = ''] = namePattern.exec(name) ?? [];
    if (major === undefined || minor === undefined)
        return undefined;
    return parse(`${[major, minor, patch].map(Number).join('.')}${rest}`) ?? undefined;
}
function compareNaturally(a, b) {
    const core = a.compareMain(b);
    if (core !== 0 || a.prerelease.length === 0 || b.prerelease.length === 0)
        return core || a.compare(b);
    const [parts, others] = [partsOf(a), partsOf(b)];
    for (const [i, part] of parts.entries()) {
        const other = others[i];
        if (other === undefined)
            break;
        const order = compareParts(part, other);
        if (order !== 0)
            return order;
    }
    return parts.length - others.length;
}
function partsOf({ prerelease }) {
    return prerelease.flatMap((part) => String(part).match(/\d+|\D+/gu) ?? []);
}
function compareParts(a, b) {
    const [isNumber, isOtherNumber] = [/^\d/u.test(a), /^\d/u.test(b)];
    if (isNumber !== isOtherNumber)
        return isNumber ? -1 : 1;
    const [left, right] = isNumber ? [a.replace(/^0+(?=\d)/u, ''), b.replace(/^0+(?=\d)/u, '')] : [a, b];
    if (isNumber && left.length !== right.length)
        return left.length - right.length;
    return (0,compare_texts/* compareTexts */.q)(left, right);
}
function orderByName(version, other, rule) {
    if (rule.order === 'time')
        return 'unknown';
    const [a, b] = [semanticVersion(version), semanticVersion(other)];
    if (a === undefined || b === undefined || prefixOf(version) !== prefixOf(other))
        return 'unknown';
    return orderOf(rule.order === 'semantic' ? a.compare(b) : compareNaturally(a, b));
}
const byNumbers = new Intl.Collator('en', { numeric: true });
function sortNames(a, b) {
    const [left, right] = [semanticVersion(a), semanticVersion(b)];
    if (left !== undefined && right !== undefined)
        return compareNaturally(left, right) || byNumbers.compare(a, b);
    if (left === undefined && right === undefined)
        return byNumbers.compare(a, b);
    return left === undefined ? -1 : 1;
}
function orderByTime({ relation, committedAt, taggedAt }) {
    if (relation === 'ahead')
        return 'newer';
    if (relation === 'behind')
        return 'older';
    const byCommit = relation === 'identical' ? 'unknown' : orderOfTimes(committedAt);
    return byCommit === 'unknown' ? orderOfTimes(taggedAt) : byCommit;
}
function versionDenial(version, rule) {
    const semantic = semanticVersion(version);
    const needed = rule.order === 'semantic' || rule.allow !== undefined;
    if (semantic === undefined)
        return needed
            ? `${version} is not a semantic version such as 1.4.0, which the lane's \`versions\` require`
            : undefined;
    if (!rule.prereleases && semantic.prerelease.length > 0)
        return `${version} is a pre-release, which the lane does not promote (\`versions.prereleases\`)`;
    if (rule.allow !== undefined && !satisfies(semantic, rule.allow, { includePrerelease: true }))
        return `${version} is not in the range ${rule.allow} of the lane (\`versions.allow\`)`;
    return undefined;
}
function orderOfTimes([a, b]) {
    return a === undefined || b === undefined ? 'unknown' : orderOf(a - b);
}
function orderOf(difference) {
    if (difference === 0)
        return 'unknown';
    return difference > 0 ? 'newer' : 'older';
}

;// CONCATENATED MODULE: ./flows/versions/newer-version.js


function compareNames(version, versions, rule) {
    let order = 'unknown';
    for (const than of versions) {
        const relation = than.name === undefined ? 'unknown' : orderByName(version, than.name, rule);
        if (relation === 'older')
            return { order: 'older', than };
        if (relation === 'newer' || than.name === version)
            order = 'newer';
    }
    return { order };
}
async function findNewerVersion(version, versions, rule, facts) {
    const { name, commit, ref } = version;
    if (name !== undefined) {
        const compared = compareNames(name, versions, rule);
        if (compared.order === 'newer')
            return { status: 'newest' };
        if (compared.order === 'older')
            return { status: 'older', than: compared.than };
    }
    let unknown;
    for (const than of othersThan(version, versions)) {
        const isComparable = isCommit(commit) && isCommit(than.commit);
        const times = isComparable ? await readTimes([ref, than.ref], [commit, than.commit], facts) : undefined;
        const order = times === undefined ? 'unknown' : orderByTime(times);
        if (order === 'older')
            return { status: 'older', than };
        if (order === 'unknown' && times?.relation !== 'identical')
            unknown ??= than;
    }
    return unknown === undefined ? { status: 'newest' } : { status: 'unknown', than: unknown };
}
const isCommit = (commit) => commit !== undefined && commit_id/* commitIdPattern */.d.test(commit);
function othersThan({ ref: ownRef, name: ownName }, versions) {
    const isOwn = ({ ref, name }) => (ref !== undefined && ref === ownRef) || (name !== undefined && name === ownName);
    const seen = new Set(versions.filter(isOwn).flatMap(({ commit }) => commit ?? []));
    return versions.filter((version) => {
        if (isOwn(version))
            return false;
        if (version.commit === undefined)
            return true;
        if (version.ref === undefined && seen.has(version.commit))
            return false;
        seen.add(version.commit);
        return true;
    });
}
const unknownTimes = [undefined, undefined];
async function readTimes([ref, otherRef], [commit, other], facts) {
    const first = commit === other ? 'identical' : await facts.relation(other, commit);
    if (first === 'ahead' || first === 'behind')
        return { relation: first, committedAt: unknownTimes, taggedAt: unknownTimes };
    const committedAt = first === 'identical'
        ? unknownTimes
        : [await facts.committedAt(commit), await facts.committedAt(other)];
    const relation = first === 'unrelated' && !committedAt.includes(undefined) ? await facts.relation(other, commit) : first;
    const isTagged = ref?.startsWith('refs/tags/') === true && otherRef?.startsWith('refs/tags/') === true;
    const taggedAt = isTagged
        ? [await facts.taggedAt(ref), await facts.taggedAt(otherRef)]
        : unknownTimes;
    return { relation, committedAt, taggedAt };
}


/***/ })

};
