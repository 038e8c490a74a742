import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('../../test/conformance/run.mjs', import.meta.url));
const FORGED = new URL('../faults/forged-responses.mjs', import.meta.url).href;
const REVISIONS = ['2025-11-25', '2026-07-28'];
/** The exit code of the runner if the suite cannot be fetched. */
const NOT_FETCHED = 3;

/** The official conformance suite of MCP: every scenario of both versions. */
export const conformance = {
  name: 'conformance',

  async run({ signal }) {
    const { code, output } = await runSuite(REVISIONS, { signal });
    if (code === NOT_FETCHED) return { notRun: 'the suite cannot be fetched from npm' };
    return resultsOf(code, output);
  },

  /** The server gives its responses another version of JSON-RPC. */
  async control({ signal }) {
    const env = { ...process.env, NODE_OPTIONS: `--import=${FORGED}` };
    const { code, output } = await runSuite(REVISIONS.slice(0, 1), { signal, env });
    return code !== 0 && code !== NOT_FETCHED && resultsOf(code, output).failures.length > 0;
  },
};

function runSuite(revisions, options) {
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, ...revisions], { ...options, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr });
    });
  });
}

/** The counts of the required scenarios, and the names of those that are not scored. */
function resultsOf(code, output) {
  const required = [...output.matchAll(/(\d+) of (\d+) required scenarios passed/g)];
  const sum = (group) => required.reduce((total, match) => total + Number(match[group]), 0);
  const faults = [...output.matchAll(/^ {2}✗ .*/gm)].map(([line]) => line.trim());
  const unscored = [...output.matchAll(/^ {2}not scored: (.*)/gm)].flatMap(([, list]) => list.split(', '));
  const failures = code === 0 ? [] : faults.length > 0 ? faults : [output];
  const failedUnscored = unscored.filter((scenario) => scenario.startsWith('✗'));
  return {
    tried: Math.max(sum(2), failures.length),
    failures,
    notes: [
      ...[...output.matchAll(/^suite: (.*)$/gm)].map(([, suite]) => suite),
      ...(unscored.length === 0
        ? []
        : [`not scored: ${unscored.length - failedUnscored.length} of ${unscored.length} pass`]),
    ],
  };
}
